// How large a program may be.
#pragma once

#include <cstddef>

namespace lanewise::isa {

/// Words of a program, also after .repeat, REPLAY and MOP have been written out. A few lines of any
/// of these could ask for more than a machine has. Scheduled and executed, a word takes about 250
/// bytes, so this is half a GB; a kernel of LLK has some thousands for a tile.
inline constexpr std::size_t kMostWords = 2'000'000;

} // namespace lanewise::isa
