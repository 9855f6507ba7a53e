// The square root.
#pragma once

#include "lanewise_functions.h"

LANEWISE_FUNCTION(sqrt, lanewise_metal::root(x))
