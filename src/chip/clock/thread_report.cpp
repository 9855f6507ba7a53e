// What is told of the threads' cycles.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "chip/clock/thread_issue.h"

namespace lanewise::clock {

namespace {

/// By unit and cycle; those without a gap between them are one.
std::vector<UnitSpan> joined(std::vector<UnitSpan> spans) {
  std::ranges::stable_sort(spans, [](const UnitSpan& a, const UnitSpan& b) {
    return std::tie(a.unit, a.begin) < std::tie(b.unit, b.begin);
  });
  std::vector<UnitSpan> all;
  for (const UnitSpan& span : spans) {
    if (!all.empty() && all.back().unit == span.unit && all.back().end >= span.begin) {
      all.back().end = std::max(all.back().end, span.end);
    } else {
      all.push_back(span);
    }
  }
  return all;
}

} // namespace

/// An instruction that issues in a cycle that has passed has waited for `cycles` only: behind a
/// UNPACR that waits for its bank in its unpacker, the thread seemed to wait for the bank.
void ThreadIssue::forget_beyond(Thread& clock, std::uint64_t cycles) {
  std::uint64_t sum = std::accumulate(clock.waited.begin(), clock.waited.end(), std::uint64_t{0});
  const auto forget = [&](std::uint64_t& each) {
    const std::uint64_t beyond = std::min(each, sum - std::min(sum, cycles));
    each -= beyond;
    sum -= beyond;
  };
  forget(clock.waited[static_cast<unsigned>(Why::Banks)]);
  std::ranges::for_each(clock.waited, forget);
}

Figures ThreadIssue::figures() const {
  Figures figures;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    figures.thread[thread] = threads_[thread].time;
  figures.units = unit_time_;
  for (unsigned i = 0; i < 2; ++i) figures.units.unpacker[i] = units_.unpacker_worked(i);
  for (unsigned i = 0; i < 4; ++i) figures.units.packer[i] = units_.packer_worked(i);
  return figures;
}

void ThreadIssue::report(TimedResult& result) {
  const Figures figures = this->figures();
  result.thread = figures.thread;
  result.units = figures.units;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    result.cycles =
        std::max({result.cycles, units_.all_idle_from(thread),
                  threads_[thread].time.issued == 0 ? 0 : threads_[thread].time.last + 1});
  }
  result.timeline = std::move(timeline_);
  std::ranges::stable_sort(result.timeline, {}, &Issued::cycle);
  for (const UnitSpan& span : units_.spans()) spans_.push_back(span);
  result.unit_spans = joined(std::move(spans_));
}

} // namespace lanewise::clock
