#include "run/section/snapshots.h"

#include <algorithm>
#include <utility>

#include "chip/tile/state_fields.h"

namespace lanewise::section {
namespace {

std::vector<std::uint32_t> values_of(const tile::Tile& tile) {
  std::vector<std::uint32_t> values;
  for (const tile::StateField& field : tile::state_fields(tile.state()))
    values.push_back(field.value);
  return values;
}

} // namespace

bool Snapshots::store(const tile::Tile& tile, unsigned core, std::uint32_t address,
                      std::uint32_t value, std::uint32_t line) {
  if (address == kSnapshotTurn) return taken_.size() >= value;
  if (tile.has_work(core)) return false;
  Snapshot snapshot{
      .thread = core, .label = value, .line = line, .values = values_of(tile), .writers = {}};
  Watched& watched = watched_[core];
  if (watched.is_in_call) snapshot.writers = std::exchange(watched.writers, {});
  watched.is_in_call = value == label_before(value / 2);
  if (watched.is_in_call) {
    watched.writers.assign(snapshot.values.size(), 0);
    last_ = snapshot.values;
  }
  taken_.push_back(std::move(snapshot));
  return true;
}

void Snapshots::observe(const tile::Tile& tile, unsigned thread) {
  if (std::ranges::none_of(watched_, &Watched::is_in_call)) return;
  std::vector<std::uint32_t> values = values_of(tile);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == last_[i]) continue;
    for (Watched& watched : watched_)
      if (watched.is_in_call) watched.writers[i] |= static_cast<std::uint8_t>(1U << thread);
  }
  last_ = std::move(values);
}

} // namespace lanewise::section
