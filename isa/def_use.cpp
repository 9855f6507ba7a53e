#include "isa/def_use.h"

#include "isa/lreg_sets.h"

namespace lanewise::isa {

namespace {

constexpr LRegSet kNone = 0;
constexpr LRegSet kFirstFour = 0x0F;
/// SFPSHFT2's Imm12 holds VB in its low bits.
std::uint32_t shuffle_vb(const Decoded& d) {
  return d["Imm12"] & 15;
}

bool has_indirect_vd(const Decoded& d) {
  switch (d.row->op) {
    case Op::SFPMAD:
    case Op::SFPADD:
    case Op::SFPMUL:
    case Op::SFPMUL24:
    case Op::SFPADDI:
    case Op::SFPMULI:
    case Op::SFPLUT:
    case Op::SFPLUTFP32: return (modifier_of(d) & 8) != 0;
    default: return false;
  }
}

/// Registers that the fields name with a writing role.
LRegSet named_writes(const Decoded& d) {
  LRegSet set = kNone;
  for (const Field& field : d.row->fields()) {
    if (field.role == Role::Write || field.role == Role::ReadWrite)
      set |= lreg_set(field.extract(d.word));
  }
  return set;
}

LRegSet named_reads(const Decoded& d) {
  LRegSet set = kNone;
  for (const Field& field : d.row->fields()) {
    if (field.role == Role::Read || field.role == Role::ReadWrite)
      set |= lreg_set(field.extract(d.word));
  }
  return set;
}

/// SFPSWAP with ENABLE_DEST_INDEX also exchanges the index registers of the pair (VU C33).
LRegSet swapped_indices(const Decoded& d) {
  return lreg_set(4 + (d["VC"] & 3)) | lreg_set(4 + (d["VD"] & 3));
}

LRegSet lut_reads(const Decoded& d) {
  constexpr LRegSet kInput = lreg_set(3);
  constexpr LRegSet kSlopes = lreg_set(0) | lreg_set(1) | lreg_set(2);
  constexpr LRegSet kIntercepts = lreg_set(4) | lreg_set(5) | lreg_set(6);
  if (d.row->op == Op::SFPLUT) return kInput | kSlopes;
  const bool three_packed_entries = (modifier_of(d) & 10) == 10;
  return kInput | kSlopes | (three_packed_entries ? kNone : kIntercepts);
}

LRegSet logic_reads(Arch arch, const Decoded& d) {
  const bool uses_vb = arch_params(arch).logic_uses_vb && (modifier_of(d) & 1) != 0;
  return lreg_set(d["VC"]) | lreg_set(uses_vb ? d["VB"] : d["VD"]);
}

LRegSet shift_reads(Arch arch, const Decoded& d) {
  const bool immediate = (modifier_of(d) & 1) != 0;
  const bool shifts_vc = arch_params(arch).shift_has_modes && (modifier_of(d) & 4) != 0;
  if (!immediate) return lreg_set(d["VC"]) | lreg_set(d["VD"]);
  return lreg_set(shifts_vc ? d["VC"] : d["VD"]);
}

LRegSet shuffle_reads(const Decoded& d) {
  switch (modifier_of(d)) {
    case 0: return lreg_set(1) | lreg_set(2) | lreg_set(3);
    case 1: return kFirstFour;
    case 2: return lreg_set(1) | lreg_set(2) | lreg_set(3) | lreg_set(d["VC"]);
    case 5: return lreg_set(shuffle_vb(d)) | lreg_set(d["VC"]);
    case 6: return lreg_set(shuffle_vb(d));
    case 3:
    case 4: return lreg_set(d["VC"]);
    default: return kNone;
  }
}

/// With CAPTURE_DEFAULT_DEST_INDEX, the position of what is loaded goes to LReg[VD + 4].
LRegSet loaded(std::uint32_t vd, bool tracks_index) {
  return (lreg_set(vd) | (tracks_index && vd < 4 ? lreg_set(vd + 4) : kNone)) & kGeneralLRegs;
}

/// The load of an SFPLOADMACRO is an SFPLOAD (VU C51).
std::uint32_t macro_vd(const Decoded& d) {
  return d["VDHi"] << 2 | d["VDLo"];
}

bool keeps_half(unsigned load_mode) {
  return load_mode >= 14; // LO16_ONLY and HI16_ONLY
}

/// Reads of instructions where the fields alone do not tell.
LRegSet mode_dependent_reads(Arch arch, const Decoded& d, bool tracks_index) {
  const unsigned mod = modifier_of(d);
  const bool immediate = (mod & 1) != 0;
  switch (d.row->op) {
    case Op::SFPLOAD: return keeps_half(mod) ? lreg_set(d["VD"]) : kNone;
    case Op::SFPLOADMACRO: return keeps_half(mod) ? lreg_set(macro_vd(d)) : kNone;
    case Op::SFPLOADI: // UPPER and LOWER
      return mod >= 8 ? lreg_set(d["VD"]) : kNone;
    case Op::SFPLUT:
    case Op::SFPLUTFP32: return lut_reads(d);
    case Op::SFPIADD:
    case Op::SFPSETMAN:
    case Op::SFPSETSGN:
    case Op::SFPSETEXP: return lreg_set(d["VC"]) | (immediate ? kNone : lreg_set(d["VD"]));
    case Op::SFPSHFT: return shift_reads(arch, d);
    case Op::SFPAND:
    case Op::SFPOR: return logic_reads(arch, d);
    case Op::SFPMOV: return (mod & 8) != 0 ? kNone : lreg_set(d["VC"]);
    case Op::SFPSETCC: return immediate || (mod & 8) != 0 ? kNone : lreg_set(d["VC"]);
    case Op::SFPSTOCHRND: return lreg_set(d["VC"]) | ((mod & 14) == 4 ? lreg_set(d["VB"]) : kNone);
    case Op::SFPARECIP: return lreg_set(d["VC"]) | (mod == 1 ? lreg_set(d["VB"]) : kNone);
    case Op::SFPSHFT2: return shuffle_reads(d);
    case Op::SFPSWAP: return named_reads(d) | (tracks_index ? swapped_indices(d) : kNone);
    case Op::SFPTRANSP: return kGeneralLRegs;
    case Op::SFPCONFIG: return immediate && d["ConfigDest"] > 3 ? kNone : lreg_set(0);
    default: return named_reads(d);
  }
}

} // namespace

LRegSet lregs_written(Arch arch, std::uint32_t word, bool tracks_index) {
  const Decoded d = decode(arch, word);
  if (d.row == nullptr || d.row->unit != Unit::Vector) return kNone;
  if (has_indirect_vd(d)) return kGeneralLRegs;
  switch (d.row->op) {
    case Op::SFPLOAD: return loaded(d["VD"], tracks_index);
    case Op::SFPLOADMACRO: return loaded(macro_vd(d), tracks_index);
    case Op::SFPLE:
    case Op::SFPGT: return (modifier_of(d) & 8) != 0 ? lreg_set(d["VD"]) & kGeneralLRegs : kNone;
    case Op::SFPSHFT2: return modifier_of(d) <= 2 ? kFirstFour : lreg_set(d["VD"]) & kGeneralLRegs;
    case Op::SFPSWAP:
      return (named_writes(d) | (tracks_index ? swapped_indices(d) : kNone)) & kGeneralLRegs;
    case Op::SFPTRANSP: return kGeneralLRegs;
    case Op::SFPCONFIG: {
      const std::uint32_t destination = d["ConfigDest"];
      return destination >= 11 && destination <= 14 ? lreg_set(destination) : kNone;
    }
    default: return named_writes(d) & kGeneralLRegs;
  }
}

LRegSet lregs_read(Arch arch, std::uint32_t word, bool tracks_index) {
  const Decoded d = decode(arch, word);
  if (d.row == nullptr || d.row->unit != Unit::Vector) return kNone;
  LRegSet set = mode_dependent_reads(arch, d, tracks_index);
  const Op op = d.row->op;
  const bool has_indirect_va =
      op == Op::SFPMAD || op == Op::SFPADD || op == Op::SFPMUL || op == Op::SFPMUL24;
  if (has_indirect_va && (modifier_of(d) & 4) != 0) set = kEveryLReg;
  if (has_indirect_vd(d)) set |= kIndexLReg;
  return set;
}

bool is_template_write(Arch arch, std::uint32_t word) {
  constexpr std::uint32_t kFirstTemplate = 12;
  const Decoded d = decode(arch, word);
  if (d.row == nullptr || d.row->unit != Unit::Vector) return false;
  const bool never = d.row->op == Op::SFPCONFIG || d.row->op == Op::SFPLOADMACRO;
  return !never && d["VD"] >= kFirstTemplate;
}

unsigned latency(Arch arch, std::uint32_t word) {
  const Decoded d = decode(arch, word);
  if (d.row == nullptr) return 0;
  if (d.row->op == Op::SFPSHFT2) { // VU 5.1: two cycles in modes 2, 3 and 4
    const unsigned mod = modifier_of(d);
    return mod >= 2 && mod <= 4 ? 2 : 1;
  }
  if (d.row->op == Op::SFPCONFIG) { // one cycle for LReg[11..14]
    const std::uint32_t destination = d["ConfigDest"];
    return destination >= 11 && destination <= 14 ? 1 : 2;
  }
  return d.row->latency;
}

} // namespace lanewise::isa
