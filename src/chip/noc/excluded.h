// The part of a multicast's rectangle that does not receive (BRCST_EXCLUDE of Blackhole's NIU): all
// from one core on in two directions, so that what is left has the form of an L.
//
// Sources: the API of tt-metal from October 2024 (noc_async_write_multicast_exclude_region, its
// macros EXCLUDE_* and test_dram_to_l1_multicast.cpp) for the fields and what they mean; the ISA
// documentation of Blackhole says no more than that there is such a register. Assumed: its
// coordinates are those of the rectangle's corners.
#pragma once

#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "chip/noc/places.h"

namespace lanewise::noc {

/// Takes the excluded part out of the cores of a rectangle; `word` is what the register holds.
/// Error: Unsupported, of bits that nobody has described; UndefinedBehavior, of a part that begins
/// at no core of the grid, or without which no L is left.
Expected<void> exclude(Arch arch, unsigned noc, const Standpoint& from, std::uint32_t word,
                       std::vector<unsigned>& cores);

} // namespace lanewise::noc
