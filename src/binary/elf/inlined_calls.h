// Which code stands for a call that the compiler has inlined, as DWARF has it.
#pragma once

#include <elfutils/libdw.h>

#include "binary/elf/debug_files.h"
#include "binary/elf/image.h"

namespace lanewise::elf {

/// Adds the inlined calls of a unit to the image. What cannot be read is left out.
void add_inlined_calls(Dwarf_Die unit, DebugFiles& files, Image& image);

/// Sorts the calls of all units, and finds which stands in which. Calls that overlap without one
/// being within the other, as they may in a broken file, are left out.
void nest_inlined_calls(Image& image);

} // namespace lanewise::elf
