// Where L1 lies in the cores' address space; tests of LLK have a header of this name themselves.
#pragma once

#include "../llk/dev_mem_map.h"
