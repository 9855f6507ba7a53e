// Code by hand, for tests of single passes.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>
#include <vector>

#include "source/compiler/code.h"

namespace lanewise::compiler::test {

using isa::Op;

inline Reg v(unsigned number) {
  return Reg::virt(number);
}
inline Reg l(unsigned number) {
  return Reg::physical(number);
}

/// Operands of an instruction, by name.
struct Operands {
  Reg vd{}, vc{}, vb{}, va{};
  bool reads_vd = false;
  bool keeps_vd = false;
  std::int32_t imm = 0;
};

inline Instr instr(Op op, unsigned mod = 0, const Operands& operands = {}) {
  Instr made;
  made.op = op;
  made.mod = static_cast<std::uint8_t>(mod);
  made.vd = operands.vd;
  made.vc = operands.vc;
  made.vb = operands.vb;
  made.va = operands.va;
  made.reads_vd = operands.reads_vd;
  made.keeps_vd = operands.keeps_vd;
  made.imm = operands.imm;
  return made;
}

inline Instr raw(std::uint32_t word) {
  Instr made;
  made.kind = InstrKind::Raw;
  made.word = word;
  made.executes = {word};
  return made;
}

inline Instr load(Reg vd, std::int32_t address = 0) {
  return instr(Op::SFPLOAD, 0, {.vd = vd, .imm = address});
}
inline Instr store(Reg vd, std::int32_t address = 0) {
  return instr(Op::SFPSTORE, 0, {.vd = vd, .reads_vd = true, .imm = address});
}
inline Instr mad(Reg vd, Reg va, Reg vb, Reg vc) {
  return instr(Op::SFPMAD, 0, {.vd = vd, .vc = vc, .vb = vb, .va = va});
}
/// SFPIADD of an immediate that leaves the flags alone.
inline Instr add_immediate(Reg vd, Reg vc, std::int32_t imm, bool keeps = false) {
  return instr(Op::SFPIADD, 5, {.vd = vd, .vc = vc, .keeps_vd = keeps, .imm = imm});
}
/// SFPSETCC: 0 negative, 2 not zero, 4 not negative, 6 zero.
inline Instr test_lanes(Reg vc, unsigned mod) {
  return instr(Op::SFPSETCC, mod, {.vc = vc});
}
inline Instr push() {
  return instr(Op::SFPPUSHC);
}
inline Instr pop() {
  return instr(Op::SFPPOPC);
}
inline Instr complement() {
  return instr(Op::SFPCOMPC);
}

/// Virtual registers 0..15 exist.
inline Code code(Arch arch, std::vector<Instr> instrs) {
  Code made;
  made.arch = arch;
  made.instrs = std::move(instrs);
  made.origins.resize(16);
  return made;
}

inline std::vector<Op> ops(const Code& code) {
  std::vector<Op> found;
  for (const Instr& each : code.instrs) found.push_back(each.op);
  return found;
}

} // namespace lanewise::compiler::test
