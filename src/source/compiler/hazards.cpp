#include "source/compiler/hazards.h"

#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/interlock.h"

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
  if (arch_params(arch).vector.has_result_interlock) {
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

/// NOPs that must follow an instruction of a chip on which software waits for all results, whoever
/// reads them: two cycles for a register, one for flags. As SFPI 5.0's compiler has them (SFPI 4).
unsigned settling_nops(Arch arch, const Instr& instr) {
  if (instr.kind != InstrKind::Tensix) return 0;
  const isa::Effects effects(arch, encode(arch, instr));
  const bool is_load = effects.row()->sub_unit == isa::SubUnit::Load;
  constexpr unsigned kForRegister = 2, kForFlags = 1;
  return (effects.lregs_written() != 0 && !is_load ? kForRegister : 0) +
         (effects.lane_change() != isa::LaneChange::None ? kForFlags : 0);
}

/// The same between a store and the next load.
bool is_store_before_load(const Instr& first, const Instr& next) {
  return first.kind == InstrKind::Tensix && next.kind == InstrKind::Tensix &&
         first.op == Op::SFPSTORE && next.op == Op::SFPLOAD;
}

void settle_results(Code& code) {
  std::vector<Instr> spaced;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& instr = code.instrs[i];
    spaced.push_back(instr);
    Instr nop;
    nop.op = Op::NOP;
    nop.site = instr.site;
    spaced.insert(spaced.end(), settling_nops(code.arch, instr), nop);
    if (i + 1 < code.instrs.size() && is_store_before_load(instr, code.instrs[i + 1]))
      spaced.push_back(nop);
  }
  code.instrs = std::move(spaced);
}

} // namespace

void insert_nops(Code& code) {
  if (arch_params(code.arch).vector.settles_by_nops) return settle_results(code);
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
