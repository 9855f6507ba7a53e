// The part of a kernel's translation unit that lanewise writes.
#pragma once

#include <string>

#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {

/// Whether the kernel needs the names that LLK puts before its kernel headers.
bool needs_llk(const KernelSource& source);

/// A translation unit that includes the kernel's file and defines lanewise_entry(), which runs the
/// kernel once. Statements of the user are marked with the option that they come from. The name of
/// the file must have no quotes and line ends, for which #include has no way.
std::string entry_text(const KernelSource& source);

} // namespace lanewise::sfpi
