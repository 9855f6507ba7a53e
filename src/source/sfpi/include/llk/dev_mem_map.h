// Where L1 lies in the RISC-V cores' address space (ISA: TensixTile/L1).
#pragma once

#define MEM_L1_BASE 0x0
#if defined(ARCH_WORMHOLE)
#define MEM_L1_SIZE (1464 * 1024)
#else
#define MEM_L1_SIZE (1536 * 1024)
#endif
