// 1 / x.
#pragma once

#include "lanewise_functions.h"

LANEWISE_FUNCTION(recip, lanewise_metal::reciprocal(x))
