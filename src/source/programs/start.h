// What runs before and behind a kernel on each core of a tile, as tt-metal's firmware and start
// files do it: our own start files, over the checkout's headers.
#pragma once

#include <string>
#include <string_view>

#include "chip/isa/arch.h"

namespace lanewise::programs {

/// The cores of a tile by their numbers in chip/tile/tile.h: the three threads, BRISC, NCRISC.
inline constexpr unsigned kCores = 5;

/// "unpack", "math", "pack", "brisc", "ncrisc".
std::string_view core_name(unsigned core);

/// The translation unit for a core. `source`: the kernel's file, for the start of a thread, whose
/// headers include it themselves.
/// `tells_accesses`: of a core that moves data (sfpi::tell_accesses).
std::string start_text(Arch arch, unsigned core, bool tells_accesses);

} // namespace lanewise::programs
