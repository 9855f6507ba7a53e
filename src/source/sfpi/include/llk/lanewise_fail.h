// Ends the recording of a kernel that asks for something a host cannot give.
#pragma once

#include "sfpi_node.h"

namespace lanewise_llk {

/// The error is reported at the kernel's line. Does not return.
[[noreturn]] inline void fail(const char* message, const char* remedy) {
  lanewise_sfpi::fail(message, remedy);
  __builtin_trap(); // only without a recorder, which is to say outside of lanewise
}

} // namespace lanewise_llk
