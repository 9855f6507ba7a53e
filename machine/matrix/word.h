// What the instructions of the Matrix Unit that move data or control share.
#pragma once

#include "machine/micro_op.h"
#include "machine/state.h"

namespace lanewise {

inline bool word_bit(const MicroOp& op, unsigned place) {
  return (op.word >> place & 1U) != 0;
}

inline void report_fault(MachineState& s, const MicroOp& op, RuntimeFault what) {
  s.faults.add(what, op.word, op.line, 0);
}

} // namespace lanewise
