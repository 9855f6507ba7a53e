// How code that is written for a core of a tile is compiled for the host: sections of LLK's tests
// and kernels of programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "source/sfpi/host_compiler.h"

namespace lanewise::sfpi {

/// Flags beside the language, macros and folders.
const std::vector<std::string>& core_code_flags();

/// Symbols that a linker script of the vendor defines.
const std::vector<std::string>& core_code_link_flags();

/// For code that tells every access to memory that it makes; the translation unit includes
/// section/lanewise_accesses.h.
void tell_accesses(ObjectRequest& request);

/// What stands for what in the preprocessed text (ObjectRequest::replacements).
const std::vector<std::pair<std::string, std::string>>& core_code_replacements();

/// The same for LLK's code: where it reaches a register by a pointer, it calls, as an access would
/// trap (section/lanewise_calls.h, which the translation unit includes). A checkout in which a text
/// looks different runs as well, slower.
const std::vector<std::pair<std::string, std::string>>& register_replacements();

} // namespace lanewise::sfpi
