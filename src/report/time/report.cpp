#include "report/time/report.h"

#include <algorithm>

namespace lanewise::report {

double nanoseconds(Arch arch, double cycles) {
  return cycles / arch_params(arch).clock_ghz;
}

std::optional<double> TimeReport::harness_cycles() const {
  const auto cycles = timing.tile.cycles();
  if (harness == nullptr || !cycles) return std::nullopt;
  const double loop = harness->replayed ? rolled_loop.value_or(0) : 0;
  return timing::harness_cycles(*harness, *cycles, loop_passes) + loop - spared_cycles();
}

double TimeReport::spared_cycles() const {
  if (harness == nullptr) return 0;
  const double stalls = timing.tile.pass.visible_stalls() * timing.tile.passes();
  return saved_steps + timing::hidden_returns(*harness, stalls);
}

CycleRange clipped(const TimeReport& timed, CycleRange range, std::uint64_t cap) {
  const timing::Schedule& schedule = timed.timing.schedule;
  std::uint64_t end = schedule.cycles;
  if (!schedule.events.empty()) end = std::max(end, schedule.events.back().cycle + 1);
  range.end = std::min(range.end, end);
  range.first = std::min(range.first, range.end);
  if (range.cycles() > cap) range.end = range.first + cap;
  return range;
}

} // namespace lanewise::report
