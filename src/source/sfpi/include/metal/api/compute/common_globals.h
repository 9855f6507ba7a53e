// Which thread this is: UNPACK(...), MATH(...), PACK(...).
#pragma once

#include "lanewise_metal.h"
