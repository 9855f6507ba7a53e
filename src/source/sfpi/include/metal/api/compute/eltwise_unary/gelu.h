// x Phi(x), where Phi is the normal distribution.
#pragma once

#include "lanewise_functions.h"

LANEWISE_FUNCTION(gelu, lanewise_metal::gelu(x))
