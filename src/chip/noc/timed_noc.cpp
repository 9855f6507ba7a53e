#include "chip/noc/timed_noc.h"

#include <algorithm>

#include "chip/tile/tile.h"
#include "chip/tile/tile_time.h"

namespace lanewise::noc {

void TimedNoc::plan(std::uint64_t cycle, std::function<void()> act) {
  queue_.push({.cycle = cycle, .number = planned_++, .act = std::move(act)});
}

std::uint64_t TimedNoc::next() const {
  return queue_.empty() ? tile::kNothingToDo : queue_.top().cycle;
}

/// Somebody on the core has asked for something now, or may have.
Expected<std::uint64_t> TimedNoc::ready(tile::Tile& tile) {
  const auto& pending = noc_.pending();
  const auto first = std::ranges::lower_bound(pending, seen_, {}, &Transaction::number);
  for (auto each = first; each != pending.end(); ++each)
    asked_.push_back({.cycle = tile.time->cycle(), .transaction = *each});
  seen_ = noc_.asked();
  return next();
}

Expected<tile::FeederStep> TimedNoc::step(tile::Tile& /*tile*/) {
  if (queue_.empty()) return tile::FeederStep::Idle;
  const auto act = queue_.top().act;
  queue_.pop();
  act();
  return tile::FeederStep::Went;
}

} // namespace lanewise::noc
