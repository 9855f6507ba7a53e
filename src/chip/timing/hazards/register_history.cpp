#include "chip/timing/hazards/register_history.h"

#include <algorithm>
#include <limits>

namespace lanewise::timing {

bool same_instruction(const Event& a, const Event& b) {
  return a.scheduled == b.scheduled && a.op.word == b.op.word && a.sub_unit == b.sub_unit;
}

RegisterHistory::RegisterHistory(std::span<const Event> events, std::span<const EventFacts> facts,
                                 LRegMask reg)
    : events_(events) {
  for (Index i = 0; i < events.size(); ++i) {
    if ((facts[i].reads & reg) != 0) readers_.push_back({i, 0});
    if ((facts[i].writes & reg) == 0) continue;
    writers_.push_back(i);
    if (facts[i].all_lanes) full_writers_.push_back(i);
  }
  for (std::size_t i = readers_.size(); i-- > 0;) {
    const bool has_like =
        i + 1 < readers_.size() &&
        same_instruction(events[readers_[i].event], events[readers_[i + 1].event]);
    readers_[i].other = has_like ? readers_[i + 1].other : static_cast<Index>(i + 1);
  }
}

std::uint64_t RegisterHistory::end_of_result(std::size_t writer) const {
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  // Results land in one or two cycles, so that few writers behind the first one can land earlier.
  for (auto next = std::ranges::upper_bound(full_writers_, writer);
       next != full_writers_.end() && events_[*next].cycle < end; ++next) {
    if (landing(events_[*next]) >= landing(events_[writer]))
      end = std::min(end, landing(events_[*next]));
  }
  return end;
}

bool RegisterHistory::is_read_later(std::size_t writer, std::size_t reader) const {
  auto next =
      std::ranges::lower_bound(readers_, landing(events_[writer]), {},
                               [&](const Reader& each) { return events_[each.event].cycle; });
  if (next == readers_.end()) return false;
  const bool one_macro = events_[writer].issue == events_[reader].issue;
  if (one_macro && same_instruction(events_[next->event], events_[reader]))
    next = readers_.begin() + next->other;
  return next != readers_.end() && events_[next->event].cycle < end_of_result(writer);
}

bool RegisterHistory::old_value_is_newer(std::size_t writer, std::size_t reader) const {
  // What has not landed yet is of this cycle or the one before: only few are passed over.
  for (auto next = std::ranges::lower_bound(writers_, reader); next != writers_.begin();) {
    const Event& before = events_[*--next];
    if (*next == writer || landing(before) > events_[reader].cycle) continue;
    return before.issue > events_[writer].issue;
  }
  return false;
}

} // namespace lanewise::timing
