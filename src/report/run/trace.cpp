#include "report/run/trace.h"

#include <fmt/format.h>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "chip/machine/scheduled.h"

namespace lanewise::report {

namespace {

/// An instruction with its modifiers in symbols, as in `lanewise dis`.
std::string readable(Arch arch, std::uint32_t word) {
  const std::string comment = isa::modifier_comment(arch, word);
  const std::string text = isa::disassemble(arch, word);
  return comment.empty() ? text : fmt::format("{:<36}; {}", text, comment);
}

} // namespace

void trace_steps(Arch arch, MachineState& state, std::span<const MicroOp> ops,
                 const std::function<void(const TraceStep&)>& tell) {
  execute_traced(state, ops, [&](const MicroOp& op, const std::vector<lanewise::Change>& changes) {
    if (is_bookkeeping(op)) {
      tell({.is_late_result = true, .place = {}, .instruction = {}, .changes = changes});
    } else {
      tell({.place = line_label(op.line),
            .word = op.word,
            .instruction = readable(arch, op.word),
            .changes = changes});
    }
  });
}

std::string trace_text(const TraceStep& step) {
  std::string text = step.is_late_result ? "                 result of a two-cycle instruction\n"
                                         : fmt::format("{:>5}  {:08X}  {}\n", step.place, step.word,
                                                       step.instruction);
  for (const lanewise::Change& change : step.changes)
    text += fmt::format("                   {}\n", change);
  return text;
}

} // namespace lanewise::report
