// Data formats and the size of Dst, the same as for kernels alone.
#pragma once

#include "../llk/tensix_types.h"
