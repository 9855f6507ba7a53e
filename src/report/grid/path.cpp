#include "report/grid/path.h"

#include <algorithm>
#include <map>
#include <optional>

#include "chip/noc/transaction.h"

namespace lanewise::report {

namespace {

/// A wait that a signal of another core has ended.
struct Ended {
  std::uint64_t since = 0, end = 0;
  noc::Signal signal;
};

/// By the cycle of its end.
std::vector<Ended> waits_of(const GridCore& core) {
  std::vector<Ended> all;
  const auto& signals = core.signals;
  for (const clock::CoreSpan& span : core.time.tile.run.core_spans) {
    if (span.waits == span.end || !span.address) continue;
    // The last one that came there while it waited.
    const auto behind = std::ranges::upper_bound(signals, span.end, {}, &noc::Signal::came);
    for (auto each = behind; each != signals.begin();) {
      --each;
      if (each->came <= span.waits) break;
      if (each->address != *span.address) continue;
      all.push_back({.since = span.waits, .end = span.end, .signal = *each});
      break;
    }
  }
  std::ranges::sort(all, {}, &Ended::end);
  return all;
}

} // namespace

std::vector<PathStep> critical_path(const GridTime& time) {
  std::map<programs::Core, const GridCore*> cores;
  for (const GridCore& core : time.cores) cores.emplace(core.core, &core);
  std::map<programs::Core, std::vector<Ended>> waits; // of those that the path has come to
  std::vector<PathStep> path;
  programs::Core core = time.last().core;
  std::uint64_t end = time.cycles();
  for (;;) {
    const auto known = waits.find(core);
    const std::vector<Ended>& all =
        known != waits.end() ? known->second
                             : waits.emplace(core, waits_of(*cores.at(core))).first->second;
    const auto behind = std::ranges::upper_bound(all, end, {}, &Ended::end);
    if (behind == all.begin()) break;
    const Ended& wait = *std::prev(behind);
    path.push_back({.core = core,
                    .begin = wait.signal.came,
                    .end = end,
                    .waited_since = wait.since,
                    .signal = wait.signal});
    const NocPlace from = noc::core_of_number(wait.signal.from);
    core = {from.x, from.y};
    end = wait.signal.asked;
  }
  path.push_back({.core = core, .begin = 0, .end = end});
  std::ranges::reverse(path);
  return path;
}

} // namespace lanewise::report
