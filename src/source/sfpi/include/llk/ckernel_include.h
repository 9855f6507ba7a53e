// The headers that kernels and firmware share.
#pragma once

#include "ckernel_addrmod.h"
#include "ckernel_defs.h"
#include "ckernel_instr_params.h"
#include "ckernel_structs.h"
#include "tensix.h"
