#include "compiler/hazards.h"

#include "isa/encoding.h"
#include "isa/interlock.h"

namespace lanewise::compiler {

namespace {

using isa::LRegSet;
using isa::Op;

/// Whether `next` may not follow `first` in the next cycle.
bool too_close(Arch arch, std::uint32_t first, std::uint32_t next) {
  const isa::Decoded a = isa::decode(arch, first), b = isa::decode(arch, next);
  if (a.row == nullptr || b.row == nullptr || b.row->unit != isa::Unit::Vector) return false;
  const bool is_shuffle = a.row->op == Op::SFPSHFT2 && isa::takes_two_cycles(arch, first);
  if (!isa::is_mad_class(arch, first) && !is_shuffle) return false;
  const LRegSet written = isa::lregs_written(arch, first, false);
  // Two results for one register in the same cycle: no source says which one stays.
  if ((written & isa::lregs_written(arch, next, false)) != 0 &&
      (written & isa::lregs_read(arch, next, false)) == 0)
    return true;
  if (arch_params(arch).has_result_interlock) {
    const LRegSet unseen = isa::first_cycle_reads(arch, next) & ~isa::believed_reads(arch, next);
    return !is_shuffle && (written & unseen) != 0;
  }
  if (is_shuffle && isa::shares_result_port(arch, next)) return true;
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
