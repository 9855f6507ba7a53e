#include "report/time_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanewise::report {

std::string_view source_line(std::span<const std::string> source, std::uint32_t line) {
  if (line == 0 || line > source.size()) return {};
  const std::string_view text = source[line - 1];
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

double nanoseconds(Arch arch, double cycles) {
  return cycles / arch_params(arch).clock_ghz;
}

std::string number(double value) {
  if (std::abs(value - std::round(value)) < 1e-9) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3f}", value);
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
