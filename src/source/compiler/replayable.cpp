#include "source/compiler/replayable.h"

#include <algorithm>

#include "chip/isa/encoding.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// Instructions of the Vector Unit behind an SFPLOADMACRO that what it has scheduled may meet: the
/// longest delay, the cycle in which it executes then, and the second one of its result (VU 5.5).
constexpr unsigned kReach = 7 + 1 + 1;

const isa::Row* row_of(const Code& code, const Instr& instr) {
  return instr.kind == InstrKind::Raw ? isa::decode(code.arch, instr.word).row
                                      : isa::find_row(code.arch, instr.op);
}

bool is_macro(const Code& code, const Instr& instr) {
  const isa::Row* row = row_of(code, instr);
  return row != nullptr && row->op == Op::SFPLOADMACRO;
}

/// REPLAY and MOP bring words that are not seen here; SFPLOADMACRO may be the last of them.
bool may_schedule(const isa::Row* row) {
  return row != nullptr &&
         (row->op == Op::SFPLOADMACRO || row->op == Op::REPLAY || row->op == Op::MOP);
}

} // namespace

std::vector<bool> replayable(const Code& code) {
  const bool has_macros = std::any_of(code.instrs.begin(), code.instrs.end(),
                                      [&](const Instr& each) { return is_macro(code, each); });
  std::vector<bool> free;
  unsigned in_flight = 0; // instructions until nothing is scheduled any more
  for (const Instr& instr : code.instrs) {
    const isa::Row* row = row_of(code, instr);
    if (has_macros && may_schedule(row)) in_flight = kReach + 1;
    free.push_back(!instr.is_authors && in_flight == 0);
    const bool counts = row != nullptr && row->unit == isa::Unit::Vector;
    if (in_flight > 0 && (counts || may_schedule(row))) --in_flight;
  }
  return free;
}

} // namespace lanewise::compiler
