// Address-space attributes of pointers. On the host there is one address space.
#pragma once

#include "../llk/risc_attribs.h"
