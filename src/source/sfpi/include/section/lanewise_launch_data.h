// The variable from which a kernel's code takes what it is started with: lanewise finds it by its
// name. To be included once in a translation unit.
#pragma once

#include "lanewise_launch.h"

extern "C" lanewise_launch lanewise_launch_data;
#if defined(LANEWISE_MARKS)
__attribute__((section("lanewise_shared"), used)) // a core's own RAM has no room for it
#endif
lanewise_launch lanewise_launch_data{};
