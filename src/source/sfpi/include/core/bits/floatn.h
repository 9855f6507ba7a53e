// What the host's C library says of floats wider than a double, for a compiler that lacks them.
#pragma once

#include <features.h>

#define __HAVE_FLOAT128 0
#define __HAVE_DISTINCT_FLOAT128 0
#define __HAVE_FLOAT64X 0
#define __HAVE_FLOAT64X_LONG_DOUBLE 0

#include <bits/floatn-common.h>
