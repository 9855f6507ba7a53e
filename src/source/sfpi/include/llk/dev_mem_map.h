// Where L1 lies in the RISC-V cores' address space (ISA: TensixTile/L1).
#pragma once

#define MEM_L1_BASE 0x0
#define MEM_L1_SIZE LANEWISE_L1_BYTES // ckernel_ops.h
