// Kernels of 2025 include it for the scalar types of 16 bits, which have moved into sfpi.h.
#pragma once

#include "sfpi.h"
