// Snapshots of a tile's state that sections ask for, at addresses of our own: what calls of LLK
// leave behind (run/section/state_calls.h), and which thread has written it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "chip/tile/tile.h"

namespace lanewise::section {

/// Addresses in the space of registers where no core has any. A store to kSnapshotTurn waits until
/// as many snapshots have been taken as it says; one to kTakeSnapshot waits until the thread has
/// executed all that its core has pushed, and takes one.
inline constexpr std::uint32_t kSnapshotTurn = 0xFFFFF000, kTakeSnapshot = 0xFFFFF004;

/// The label of the snapshot before call N of a test, and of the one behind it.
constexpr std::uint32_t label_before(std::uint32_t call) {
  return 2 * call;
}
constexpr std::uint32_t label_behind(std::uint32_t call) {
  return 2 * call + 1;
}

struct Snapshot {
  unsigned thread = 0;
  std::uint32_t label = 0;           ///< what was stored to kTakeSnapshot
  std::uint32_t line = 0;            ///< where; 0: not known
  std::vector<std::uint32_t> values; ///< of state_fields(), in their order
  /// Of one behind a call: for each field the threads that have changed it since the one before the
  /// call, by an instruction or a store of their core; bit N is thread N. Else empty.
  std::vector<std::uint8_t> writers;
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

  /// After each instruction of a thread and everything that its core does, where the sections run
  /// at the same time and labels are those of label_before() and label_behind().
  void observe(const tile::Tile& tile, unsigned thread);

  std::vector<Snapshot>& taken() { return taken_; }

 private:
  /// What is noted of a thread that is between the two snapshots of a call.
  struct Watched {
    bool is_in_call = false;
    std::vector<std::uint8_t> writers; ///< by field
  };

  std::vector<Snapshot> taken_;
  std::array<Watched, kThreads> watched_;
  std::vector<std::uint32_t> last_; ///< values of the fields, while a call is watched
};

} // namespace lanewise::section
