// Snapshots of a tile's state that sections ask for, at addresses of our own: what calls of LLK
// leave behind (run/section/state_calls.h).
#pragma once

#include <cstdint>
#include <vector>

#include "chip/tile/tile.h"

namespace lanewise::section {

/// Addresses in the space of registers where no core has any. A store to kSnapshotTurn waits until
/// as many snapshots have been taken as it says; one to kTakeSnapshot waits until the thread has
/// executed all that its core has pushed, and takes one.
inline constexpr std::uint32_t kSnapshotTurn = 0xFFFFF000, kTakeSnapshot = 0xFFFFF004;

struct Snapshot {
  unsigned thread = 0;
  std::uint32_t label = 0; ///< what was stored to kTakeSnapshot
  std::uint32_t line = 0;  ///< where; 0: not known
  bool alone = true;       ///< no other thread has executed instructions since the one before it
  std::vector<std::uint32_t> values; ///< of state_fields(), in their order
};

/// One for all cores of a tile.
class Snapshots {
 public:
  static bool has(std::uint32_t address) {
    return address == kSnapshotTurn || address == kTakeSnapshot;
  }

  /// A store of a core to such an address. False: the core waits.
  bool store(const tile::Tile& tile, unsigned core, std::uint32_t address, std::uint32_t value,
             std::uint32_t line);

  std::vector<Snapshot>& taken() { return taken_; }

 private:
  std::vector<Snapshot> taken_;
  std::array<std::uint64_t, kThreads> executed_{}; ///< instructions, at the last snapshot
};

} // namespace lanewise::section
