#include "chip/clock/core_times.h"

#include <algorithm>
#include <utility>

#include "chip/clock/thread_issue.h"

namespace lanewise::clock {

CoreTimes::CoreTimes(bool keeps_spans) : keeps_spans_(keeps_spans) {
  rests_since_.fill(kNever);
}

void CoreTimes::begin_rest(unsigned core, std::uint64_t now, std::optional<std::uint32_t> address) {
  rests_since_[core] = std::min(rests_since_[core], now);
  if (address) looked_at_[core] = address;
}

void CoreTimes::acted(unsigned number, std::uint64_t ready, std::uint64_t now,
                      tile::ClockedFeeder& feeder) {
  CoreTime& core = cores_[number];
  const std::uint64_t before = core.own + core.waited;
  const std::uint64_t could =
      std::clamp(std::min(ready, std::exchange(rests_since_[number], kNever)), before, now);
  core.own += could - before;
  core.waited += now - could;
  const auto address = std::exchange(looked_at_[number], std::nullopt);
  const auto small = static_cast<std::uint8_t>(number);
  if (could < now) waits_[{small, feeder.line(), address}] += now - could;
  if (keeps_spans_)
    add_span({.begin = before, .waits = could, .end = now, .core = small, .address = address});
}

/// Own code that goes on is one stretch.
void CoreTimes::add_span(const CoreSpan& span) {
  CoreSpan* const last = last_span_[span.core] ? &spans_[*last_span_[span.core]] : nullptr;
  if (last != nullptr && last->waits == last->end) {
    const std::uint64_t begin = last->begin;
    *last = span;
    last->begin = begin;
    return;
  }
  last_span_[span.core] = spans_.size();
  spans_.push_back(span);
}

void CoreTimes::report(TimedResult& result) {
  result.core = cores_;
  result.core_spans = std::move(spans_);
  for (const auto& [wait, cycles] : waits_)
    result.core_waits.push_back({std::get<0>(wait), std::get<1>(wait), std::get<2>(wait), cycles});
}

} // namespace lanewise::clock
