#include "run/section/snapshots.h"

#include "chip/tile/state_fields.h"

namespace lanewise::section {

bool Snapshots::store(const tile::Tile& tile, unsigned core, std::uint32_t address,
                      std::uint32_t value, std::uint32_t line) {
  if (address == kSnapshotTurn) return taken_.size() >= value;
  if (tile.has_work(core)) return false;
  Snapshot snapshot{.thread = core, .label = value, .line = line, .alone = true, .values = {}};
  for (const tile::StateField& field : tile::state_fields(tile.state()))
    snapshot.values.push_back(field.value);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const std::uint64_t executed = tile.state().thread[thread].executed;
    if (thread != core && executed != executed_[thread]) snapshot.alone = false;
    executed_[thread] = executed;
  }
  taken_.push_back(std::move(snapshot));
  return true;
}

} // namespace lanewise::section
