#include "chip/timing/line_stalls.h"

namespace lanewise::timing {

std::size_t waiting_issue(const Schedule& schedule, std::size_t issue) {
  if (issue == 0) return issue;
  const Issue& ahead = schedule.issues[issue - 1];
  const bool is_ahead =
      ahead.inside > 0 && ahead.inside_cause == schedule.issues[issue].before_cause;
  return is_ahead ? issue - 1 : issue;
}

LineStalls stalls_by_line(const Schedule& schedule, const MicroProgram& program,
                          Selection selection) {
  LineStalls stalls;
  for (std::size_t i = 0; i < selection.issues; ++i) {
    const Issue& issue = schedule.issues[i];
    if (issue.before == 0 || !selection.contains(schedule, program, i)) continue;
    const MicroOp& waiting = program.ops[schedule.issues[waiting_issue(schedule, i)].op];
    stalls[{waiting.line, issue.before_cause}] += issue.before;
  }
  return stalls;
}

} // namespace lanewise::timing
