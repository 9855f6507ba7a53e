// Which source lines code comes from, as DWARF's line tables have it.
#pragma once

#include <libelf.h>

#include "elf/image.h"

namespace lanewise::elf {

/// Fills `files` and `lines` of an image, whose segments are there. What cannot be read, and what
/// lies outside of the code, is left out.
void read_debug_lines(::Elf* file, Image& image);

} // namespace lanewise::elf
