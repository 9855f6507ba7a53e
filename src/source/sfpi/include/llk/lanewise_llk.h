// Everything that a kernel header of LLK expects to stand before it, and what the surrounding
// library does before and after it calls a kernel.
//
// Kernel headers include little of what they use. The order below is the one that lets each of them
// be included alone.
#pragma once

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "ckernel.h"
#include "ckernel_defs.h"
#include "ckernel_globals.h"
#include "ckernel_include.h"
#include "cmath_common.h"
#include "llk_assert.h"
#include "lltt.h"
#include "sfpi.h"
// The library's own, where the kernel comes from a checkout of it.
#if __has_include("ckernel_sfpu_load_config.h")
#include "ckernel_sfpu_load_config.h"
#endif
#include "lanewise_harness.h"
#include "lanewise_l1.h"
