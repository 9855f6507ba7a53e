// What kernels know about the Tensix tile: formats and configuration places. The memory-mapped
// registers of the RISC-V cores do not exist on the host; ckernel.h says what stands in for them.
#pragma once

#include "cfg_defines.h"
#include "dev_mem_map.h"
#include "risc_attribs.h"
#include "tensix_types.h"
