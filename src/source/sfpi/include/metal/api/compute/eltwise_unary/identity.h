// x.
#pragma once

#include "lanewise_functions.h"

LANEWISE_FUNCTION(identity, x)
