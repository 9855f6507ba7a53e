// What g++ cannot say about a kernel that it rejects.
#pragma once

#include <string>
#include <string_view>

#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {

/// What to do about the messages of g++, as a sentence; empty if they say it all: a v_if or v_block
/// of the file that is not closed, a header that is not found, a kernel's function that is not
/// there. `text` is the kernel's file.
std::string compile_hint(const KernelSource& source, std::string_view text,
                         std::string_view messages);

} // namespace lanewise::sfpi
