// What runs before and behind a kernel on each core of a tile, as tt-metal's firmware and start
// files do it: our own start files, over the checkout's headers. own_headers.h has those over
// Lanewise's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "chip/isa/arch.h"
#include "source/programs/program.h"

namespace lanewise::programs {

/// The cores of a tile by their numbers in chip/tile/tile.h: the three threads, BRISC, NCRISC.
inline constexpr unsigned kCores = 5;

/// "unpack", "math", "pack", "brisc", "ncrisc".
std::string_view core_name(unsigned core);

/// The processor whose kernel a core runs.
Processor processor_of(unsigned core);

/// For what a kernel is compiled: an object of the host, or a program of the core itself.
enum class Target : std::uint8_t { Host, Core };

/// What each translation unit begins and ends with, whose ever the headers are. `tells_accesses`:
/// of a core that moves data, compiled for the host (sfpi::tell_accesses).
std::string first_lines(bool tells_accesses, Target target);
std::string last_lines(Target target);

/// The translation unit for a core, with a checkout's headers.
std::string start_text(Arch arch, unsigned core, bool tells_accesses, Target target = Target::Host);

} // namespace lanewise::programs
