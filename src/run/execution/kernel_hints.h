// What the author of a kernel may have meant otherwise.
#pragma once

#include <string>

#include "source/compiler/ir.h"

namespace lanewise::execution {

/// A sentence if the kernel, as far as its recording tells, stores one vector of 32 elements alone;
/// else empty.
std::string loop_hint(const compiler::Recording& recording);

} // namespace lanewise::execution
