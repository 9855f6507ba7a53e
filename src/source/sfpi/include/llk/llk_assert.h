// LLK_ASSERT: a condition that a kernel relies on. On the host it is checked while recording.
#pragma once

#include "lanewise_fail.h"

#define LLK_ASSERT(condition, message)                                                        \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      ::lanewise_llk::fail("the kernel's assertion '" #condition "' does not hold", message); \
    }                                                                                         \
  } while (0)
