// Who answers at a coordinate of the NoC, of those that are here: the core itself, others of its
// grid, and DRAM.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/noc/transaction.h"

namespace lanewise::noc {

/// The virtual coordinates of the compute core in column x and row y of those that programs see.
/// Nothing: the grid has no such core.
std::optional<NocPlace> worker_place(Arch arch, unsigned x, unsigned y);

/// The inverse of worker_place().
std::optional<NocPlace> worker_at(Arch arch, NocPlace place);

/// A coordinate of a bank, as the tables of banks have it for a NoC.
NocPlace bank_place(Arch arch, unsigned noc, unsigned bank);

/// The channel of DRAM that answers at a place; nothing if none does.
std::optional<unsigned> channel_at(Arch arch, unsigned noc, NocPlace place);

/// A core as it sees the NoC.
struct Standpoint {
  NocPlace own;                      ///< where it is
  std::optional<NocPlace> grid = {}; ///< columns and rows of cores; without one, it is alone
};

/// What an address at a place is. Error: Unsupported, a fault without a place, which names who
/// would answer.
Expected<Location> locate(Arch arch, unsigned noc, const Standpoint& from, NocPlace place,
                          std::uint64_t address);

/// The rectangle of a multicast, as a packet names it: from the corner that the NoC reaches first.
struct Rectangle {
  NocPlace first, last;
};

/// The rule that corners in the other order break.
inline constexpr std::string_view kOrderOfCorners = "programs 11";

/// The cores of a rectangle, by core_number(), row by row. Error: UndefinedBehavior, of corners
/// that are no cores of the grid, or in the other order, with which a packet goes around the whole
/// torus.
Expected<std::vector<unsigned>> cores_in(Arch arch, unsigned noc, const Standpoint& from,
                                         const Rectangle& rectangle);

} // namespace lanewise::noc
