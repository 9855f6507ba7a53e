// Places of configuration fields (NAME_ADDR32, NAME_SHAMT, NAME_MASK, NAME_RMW), of the chip that
// the kernel is compiled for. They stand in the generated ckernel_ops.h, beside the instruction
// words.
#pragma once

#include "ckernel_ops.h"
