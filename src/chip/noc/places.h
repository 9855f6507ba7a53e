// Who answers at a coordinate of the NoC, of those that are here: the core itself, and DRAM.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

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

/// What an address at a place is. Precondition: `own` is the core's. Error: Unsupported, a fault
/// without a place, which names who would answer.
Expected<Location> locate(Arch arch, unsigned noc, NocPlace own, NocPlace place,
                          std::uint64_t address);

} // namespace lanewise::noc
