#include "source/compiler/code.h"

#include <fmt/format.h>

#include <algorithm>

#include "chip/isa/def_use.h"
#include "chip/isa/disassembler.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "chip/isa/lreg_sets.h"
#include "source/compiler/replay_contents.h"

namespace lanewise::compiler {

const std::uint8_t kMovAllLanes = isa::kMode<isa::Op::SFPMOV, "ALL_LANES_ENABLED">;

namespace {

using isa::Op;

std::string text(Reg reg) {
  if (reg.is_none()) return "-";
  return fmt::format("{}{}", reg.is_virtual() ? "%" : "L", reg.number());
}

std::string text(Arch arch, const Instr& instr) {
  switch (instr.kind) {
    case InstrKind::Raw: return "raw " + isa::disassemble(arch, instr.word);
    case InstrKind::ReadLReg: return fmt::format("{} = LReg[{}]", text(instr.vd), instr.imm);
    case InstrKind::WriteLReg: return fmt::format("LReg[{}] = {}", instr.imm, text(instr.vc));
    case InstrKind::Tensix: break;
  }
  std::string line(isa::find_row(arch, instr.op)->mnemonic);
  const auto operand = [&](const char* name, Reg reg) {
    if (!reg.is_none()) line += fmt::format(" {}={}", name, text(reg));
  };
  operand("VD", instr.vd);
  operand("VC", instr.vc);
  operand("VB", instr.vb);
  operand("VA", instr.va);
  for (const Pin& pin : instr.pins) line += fmt::format(" L{}={}", pin.lreg, text(pin.reg));
  line += fmt::format(" imm={} mod={}", instr.imm, instr.mod);
  if (instr.keeps_vd) line += " keeps";
  return line;
}

/// The word's register field, or 0 for an operand that the instruction does not have.
std::uint32_t register_field(Reg reg) {
  return reg.is_none() ? 0 : reg.number();
}

std::uint32_t field_value(const Instr& instr, const isa::Field& field) {
  const auto imm = static_cast<std::uint32_t>(instr.imm);
  if (field.name == "VD") return register_field(instr.vd);
  if (field.name == "VC") return register_field(instr.vc);
  if (field.name == "VB") return register_field(instr.vb);
  if (field.name == "VA") return register_field(instr.va);
  if (field.name == "AddrMod") return instr.addr_mod;
  if (field.name == "Mod0" || field.name == "Mod1") return instr.mod;
  if (field.name == "RoundingMode" || field.name == "Stochastic") return imm >> 8;
  if (field.name == "Imm16" && instr.op == Op::SFPCONFIG) return 0; // `imm` is the destination
  const bool is_immediate =
      field.role == isa::Role::Immediate || field.role == isa::Role::SignedImmediate;
  return is_immediate ? imm : 0;
}

} // namespace

bool writes_vd(const Instr& instr) {
  if (instr.kind == InstrKind::ReadLReg) return true;
  if (instr.kind != InstrKind::Tensix || instr.vd.is_none()) return false;
  return isa::writes_lregs(instr.op, instr.mod);
}

isa::LRegSet clobbered(Arch arch, const Instr& instr) {
  if (instr.kind == InstrKind::Raw) {
    isa::LRegSet set = 0;
    for (const std::uint32_t word : instr.executes) set |= raw_writes(arch, word);
    return set;
  }
  if (instr.kind == InstrKind::WriteLReg) return 1U << instr.imm;
  if (instr.op != Op::SFPTRANSP) return 0;
  isa::LRegSet set = isa::kGeneralLRegs;
  for (const Pin& pin : instr.pins) set &= ~(1U << pin.lreg);
  return set;
}

void find_executed_words(Code& code) {
  ReplayContents contents;
  for (Instr& instr : code.instrs) {
    if (instr.kind != InstrKind::Raw) {
      contents.pass_instruction();
      continue;
    }
    auto words = contents.executed(instr.word);
    instr.plays_unknown = !words.has_value();
    instr.executes = std::move(words).value_or(std::vector<std::uint32_t>{});
  }
}

isa::LRegSet raw_reads(Arch arch, std::uint32_t word, bool tracks_index) {
  if (isa::is_template_write(arch, word)) return 0;
  return isa::lregs_read(arch, word, tracks_index) & isa::general_lregs(arch);
}

isa::LRegSet raw_writes(Arch arch, std::uint32_t word, bool tracks_index) {
  if (isa::is_template_write(arch, word)) return 0;
  return isa::lregs_written(arch, word, tracks_index) & isa::general_lregs(arch);
}

Instr move_all_lanes(Reg to, Reg from, std::uint32_t site) {
  Instr instr;
  instr.op = Op::SFPMOV;
  instr.mod = kMovAllLanes;
  instr.vd = to;
  instr.vc = from;
  instr.site = site;
  return instr;
}

std::uint32_t encode(Arch arch, const Instr& instr) {
  if (instr.kind == InstrKind::Raw) return instr.word;
  const isa::Row& row = *isa::find_row(arch, instr.op);
  std::uint32_t word = std::uint32_t{row.opcode} << 24;
  for (const isa::Field& each : row.fields()) {
    word |= each.insert(field_value(instr, each));
  }
  return word;
}

std::string to_text(const Code& code) {
  std::string lines;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    lines += fmt::format("{:>5}  {}\n", i, text(code.arch, code.instrs[i]));
  }
  return lines;
}

} // namespace lanewise::compiler
