// What Tensix instructions program and what others of them use: replay slots, macros, ADDR_MOD
// sections, constants.
#pragma once

#include <cstdint>
#include <string>

#include "chip/isa/arch.h"

namespace lanewise::paths {

/// A set of resources, a bit each.
using Resources = std::uint64_t;

namespace resource {
inline constexpr unsigned kReplaySlots = 32;
inline constexpr unsigned kFirstSequence = kReplaySlots;       ///< 4 macro sequences
inline constexpr unsigned kFirstTemplate = kFirstSequence + 4; ///< 4 macro templates
inline constexpr unsigned kMisc = kFirstTemplate + 4;          ///< SFPCONFIG 8
inline constexpr unsigned kFirstConstant = kMisc + 1;          ///< L11 to L14
inline constexpr unsigned kLaneConfig = kFirstConstant + 4;    ///< SFPCONFIG 15
inline constexpr unsigned kFirstAddrMod = kLaneConfig + 1;     ///< 8 sections
inline constexpr unsigned kCount = kFirstAddrMod + 8;
} // namespace resource

constexpr Resources resource_bit(unsigned number) {
  return Resources{1} << number;
}

/// What an instruction programs. Of REPLAY nothing: the words behind it fill the slots.
Resources resources_set(Arch arch, std::uint32_t word);

/// What it uses: macros, the section of ADDR_MOD that moves its counters, constants. Slots that a
/// REPLAY plays are among them.
Resources resources_used(Arch arch, std::uint32_t word);

/// "replay slots 0 to 3, macro sequence 1, ADDR_MOD section 7".
std::string resources_text(Resources resources);

} // namespace lanewise::paths
