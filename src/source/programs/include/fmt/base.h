// fmt of before release 11 has no such header.
#pragma once

#include <fmt/core.h>
