#include "isa/interlock.h"

#include "isa/lreg_sets.h"

namespace lanewise::isa {

namespace {

/// Mod1Mirror[3] tells the stall logic of SFPLUTFP32's indirect VD.
bool mirrors_indirect_vd(const Decoded& d) {
  return (d["Mod1Mirror"] & 8) != 0;
}

} // namespace

bool is_mad_class(Arch arch, std::uint32_t word) {
  const Decoded d = decode(arch, word);
  return d.row != nullptr && d.row->sub_unit == SubUnit::Mad;
}

bool takes_two_cycles(Arch arch, std::uint32_t word) {
  const Decoded d = decode(arch, word);
  if (d.row == nullptr) return false;
  if (d.row->op == Op::SFPSWAP) return true;
  return d.row->op == Op::SFPSHFT2 && modifier_of(d) >= 2 && modifier_of(d) <= 4;
}

bool holds_unit(Arch arch, std::uint32_t word) {
  const Decoded d = decode(arch, word);
  if (d.row != nullptr && d.row->op == Op::SFPSWAP) return true;
  return arch_params(arch).has_result_interlock && takes_two_cycles(arch, word);
}

LRegSet believed_writes(Arch arch, std::uint32_t word) {
  const Decoded d = decode(arch, word);
  if (d.row == nullptr || d.row->sub_unit != SubUnit::Mad) return 0;
  if (d.row->op == Op::SFPLUTFP32)
    return mirrors_indirect_vd(d) ? kGeneralLRegs : lreg_set(d["VD"]);
  return lregs_written(arch, word, false);
}

LRegSet believed_reads(Arch arch, std::uint32_t word) {
  const Decoded d = decode(arch, word);
  if (d.row == nullptr || d.row->unit != Unit::Vector) return 0;
  const unsigned mod = modifier_of(d);
  const LRegSet vb = lreg_set(d["VB"]), vc = lreg_set(d["VC"]), vd = lreg_set(d["VD"]);
  switch (d.row->op) {
    case Op::SFPAND:
    case Op::SFPOR: return vd | vc;
    case Op::SFPIADD:
    case Op::SFPSHFT: return vc;
    case Op::SFPCONFIG:
    case Op::SFPSWAP: return 0; // of SFPSWAP only what it reads in its second cycle
    case Op::SFPSHFT2:
      if (mod >= 5) return vd;
      return mod >= 2 ? 0 : lregs_read(arch, word, false);
    case Op::SFPSTOCHRND: return vb | vc;
    case Op::SFPLUTFP32: return mirrors_indirect_vd(d) ? kEveryLReg : kEveryLReg & ~kIndexLReg;
    default: return lregs_read(arch, word, false);
  }
}

LRegSet first_cycle_reads(Arch arch, std::uint32_t word) {
  const Decoded d = decode(arch, word);
  if (d.row != nullptr && d.row->op == Op::SFPSWAP && modifier_of(d) == 0) return 0;
  return lregs_read(arch, word, false);
}

bool shares_result_port(Arch arch, std::uint32_t word) {
  const Decoded d = decode(arch, word);
  if (d.row == nullptr) return false;
  switch (d.row->op) {
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
    case Op::SFPSHFT2: return !takes_two_cycles(arch, word) && modifier_of(d) <= 6;
    default: return false;
  }
}

} // namespace lanewise::isa
