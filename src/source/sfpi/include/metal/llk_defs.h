// Enumerations that the compute API takes, the same as for kernels alone.
#pragma once

#include "../llk/llk_defs.h"

using ckernel::DstSync;
using ckernel::VectorMode;
