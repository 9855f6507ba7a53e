// Which source lines code comes from, and which inlined calls, as DWARF has it.
#pragma once

#include <string_view>

#include "binary/elf/image.h"

namespace lanewise::elf {

/// Fills `files`, `lines` and `inlined` of an image, whose segments are there, from the bytes of
/// its file. What cannot be read, and what lies outside of the code, is left out.
void read_debug_lines(std::string_view bytes, Image& image);

} // namespace lanewise::elf
