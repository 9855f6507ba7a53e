#include "report/time/steady.h"

#include <cstdint>
#include <vector>

#include "base/source_line.h"

namespace lanewise::report {

namespace {

using timing::Issue;

/// Instructions of the kernel itself, as indices into Schedule::issues.
std::vector<std::size_t> kernel_issues(const TimeReport& timed) {
  const std::vector<ProgramPart> parts = timing::parts_of(timed.program);
  std::vector<std::size_t> kernel;
  const auto& issues = timed.timing.schedule.issues;
  for (std::size_t i = 0; i < issues.size(); ++i) {
    if (parts[timed.prepared.supply[issues[i].op].word] == ProgramPart::Tile) kernel.push_back(i);
  }
  return kernel;
}

/// Of a sequence: its end of `length` repeats every `period`, at least twice.
struct Repetition {
  std::size_t length = 0, period = 0;
};

/// The longest end of a sequence that repeats itself. Seen from the end it is a beginning, and the
/// smallest period of a beginning is its length without its longest border (Knuth, Morris, Pratt).
Repetition repeated_end(const std::vector<isa::Op>& sequence) {
  const auto from_end = [&](std::size_t i) { return sequence[sequence.size() - 1 - i]; };
  std::vector<std::size_t> border(sequence.size() + 1);
  Repetition longest;
  for (std::size_t i = 1, match = 0; i < sequence.size(); ++i) {
    while (match > 0 && from_end(i) != from_end(match)) match = border[match];
    if (from_end(i) == from_end(match)) ++match;
    border[i + 1] = match;
    const std::size_t length = i + 1, period = length - match;
    if (2 * period <= length) longest = {length, period};
  }
  return longest;
}

/// First cycle of an instruction, with the stall in front of it.
std::uint64_t first_cycle(const Issue& issue) {
  return issue.slot - issue.before;
}

} // namespace

std::optional<SteadyState> steady_state(const TimeReport& timed) {
  const std::vector<std::size_t> kernel = kernel_issues(timed);
  const timing::Schedule& schedule = timed.timing.schedule;
  std::vector<isa::Op> ops;
  ops.reserve(kernel.size());
  for (const std::size_t i : kernel) ops.push_back(timed.prepared.ops[schedule.issues[i].op].op);
  const auto [length, period] = repeated_end(ops);
  if (length == 0 || 2 * length < ops.size()) return std::nullopt;
  const std::size_t second = ops.size() - length + period, third = second + period;
  const std::uint64_t end = third < kernel.size() ? first_cycle(schedule.issues[kernel[third]])
                                                  : schedule.issues[kernel.back()].slot + 1;
  return SteadyState{{first_cycle(schedule.issues[kernel[second]]), end}, length / period};
}

} // namespace lanewise::report
