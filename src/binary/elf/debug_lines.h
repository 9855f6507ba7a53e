// Which source lines code comes from, and which inlined calls, as DWARF has it.
#pragma once

#include <libelf.h>

#include "binary/elf/image.h"

namespace lanewise::elf {

/// Fills `files`, `lines` and `inlined` of an image, whose segments are there. What cannot be read,
/// and what lies outside of the code, is left out.
void read_debug_lines(::Elf* file, Image& image);

} // namespace lanewise::elf
