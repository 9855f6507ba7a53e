// What every compute kernel has: arguments, circular buffers, sections of Dst, prints.
#pragma once

#include "api/compute/cb_api.h"
#include "api/compute/common_globals.h"
#include "api/compute/reg_api.h"
#include "api/debug/dprint.h"
#include "lanewise_arguments.h"

using namespace ckernel;
using std::uint32_t;
