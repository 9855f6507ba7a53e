// What a vector about a whole tile has beside the state of its Vector and Matrix Unit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "chip/isa/program.h"
#include "chip/tile/address_counters.h"
#include "chip/tile/sync_unit.h"
#include "chip/tile/unpacker.h"

namespace lanewise::vectors {

struct TilePart {
  struct Span {
    std::uint32_t address = 0;
    std::vector<std::uint8_t> bytes;
  };
  std::vector<Span> l1; ///< elsewhere L1 holds zeros
  tile::AddressCounters counters;
  std::array<tile::Unpacker, 2> unpacker;
  tile::SyncUnit sync;
  std::array<std::vector<ProgramWord>, kThreads> words; ///< with the lines of their `run`
};

} // namespace lanewise::vectors
