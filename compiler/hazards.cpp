#include "compiler/hazards.h"

#include "isa/encoding.h"

namespace lanewise::compiler {

namespace {

using isa::LRegSet;
using isa::Op;

bool is_mad_class(const isa::Row& row) {
  return row.sub_unit == isa::SubUnit::Mad;
}

/// Registers that Blackhole's interlock does not see an instruction read (VU 5.3).
LRegSet unseen_reads(Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  const unsigned mod = d["Mod1"];
  const LRegSet read = isa::lregs_read(arch, word, false);
  const LRegSet vb = 1U << d["VB"], vd = 1U << d["VD"];
  switch (d.row->op) {
    case Op::SFPAND:
    case Op::SFPOR: return (mod & 1) != 0 ? vb : 0;
    case Op::SFPIADD: return (mod & 1) != 0 ? 0 : vd;
    case Op::SFPSHFT: return (mod & 5) == 5 ? 0 : vd;
    case Op::SFPCONFIG: return read;
    case Op::SFPSWAP: return mod != 0 ? read : 0;
    case Op::SFPSHFT2: return mod >= 2 ? read : 0;
    default: return 0;
  }
}

/// Wormhole: operations that may not follow SFPSHFT2 modes 2, 3 and 4 at once (VU 5.4).
bool shares_result_port(Op op, unsigned mod) {
  switch (op) {
    case Op::SFPABS:
    case Op::SFPAND:
    case Op::SFPCAST:
    case Op::SFPDIVP2:
    case Op::SFPEXEXP:
    case Op::SFPEXMAN:
    case Op::SFPIADD:
    case Op::SFPLZ:
    case Op::SFPMOV:
    case Op::SFPNOT:
    case Op::SFPOR:
    case Op::SFPSETEXP:
    case Op::SFPSETMAN:
    case Op::SFPSETSGN:
    case Op::SFPSHFT:
    case Op::SFPSTOCHRND:
    case Op::SFPXOR: return true;
    case Op::SFPSHFT2: return mod <= 1 || mod == 5 || mod == 6;
    default: return false;
  }
}

/// Whether `next` may not follow `first` in the next cycle.
bool too_close(Arch arch, std::uint32_t first, std::uint32_t next) {
  const isa::Decoded a = isa::decode(arch, first), b = isa::decode(arch, next);
  if (a.row == nullptr || b.row == nullptr || b.row->unit != isa::Unit::Vector) return false;
  if (isa::latency(arch, first) != 2) return false;
  const bool is_shuffle = a.row->op == Op::SFPSHFT2;
  if (!is_mad_class(*a.row) && !is_shuffle) return false;
  const LRegSet written = isa::lregs_written(arch, first, false);
  // Two results for one register in the same cycle: no source says which one stays.
  if ((written & isa::lregs_written(arch, next, false)) != 0 &&
      (written & isa::lregs_read(arch, next, false)) == 0)
    return true;
  if (arch_params(arch).mad_negate_bits) { // Blackhole has an interlock, with holes
    return !is_shuffle && (written & unseen_reads(arch, next)) != 0;
  }
  if (is_shuffle && shares_result_port(b.row->op, b["Mod1"])) return true;
  return (written & isa::lregs_read(arch, next, false)) != 0;
}

bool is_nop(Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  return d.row != nullptr && d.row->op == Op::SFPNOP;
}

} // namespace

void insert_nops(Code& code) {
  std::vector<Instr> spaced;
  for (const Instr& instr : code.instrs) {
    if (!spaced.empty()) {
      const Instr& before = spaced.back();
      const bool both_raw = before.kind == InstrKind::Raw && instr.kind == InstrKind::Raw;
      const std::uint32_t first = encode(code.arch, before), next = encode(code.arch, instr);
      if (!both_raw && !is_nop(code.arch, next) && too_close(code.arch, first, next)) {
        Instr nop;
        nop.site = before.site;
        spaced.push_back(nop);
      }
    }
    spaced.push_back(instr);
  }
  code.instrs = std::move(spaced);
}

} // namespace lanewise::compiler
