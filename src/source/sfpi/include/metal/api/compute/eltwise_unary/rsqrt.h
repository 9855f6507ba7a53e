// 1 / sqrt(x).
#pragma once

#include "lanewise_functions.h"

LANEWISE_FUNCTION(rsqrt, lanewise_metal::inverse_root(x))
