// The trace of a tile: every instruction with what it changed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"
#include "chip/machine/trace.h"

namespace lanewise::report {

struct TraceStep {
  /// Nothing but the result of a two-cycle instruction appears, and the rest is empty but for
  /// `changes`.
  bool is_late_result = false;
  std::string place;       ///< source line, as line_label() has it (base/source_line.h)
  std::uint32_t word = 0;  ///< of the instruction
  std::string instruction; ///< with its modifiers in symbols
  std::vector<lanewise::Change> changes;
};

/// Executes the micro-ops, as execute_traced() does, and tells `tell` of each.
void trace_steps(Arch arch, MachineState& state, std::span<const MicroOp> ops,
                 const std::function<void(const TraceStep&)>& tell);

/// A line for the instruction, and one for each change.
std::string trace_text(const TraceStep& step);

} // namespace lanewise::report
