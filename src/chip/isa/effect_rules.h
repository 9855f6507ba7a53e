// The rules that effects.def names: what a column says of an instruction, by its mode and operands.
// A rule of that many words has a name here; the file that includes it is effects.cpp.
#pragma once

#include "chip/isa/effects.h"
#include "chip/isa/fields.h"

namespace lanewise::isa::rules {

/// An instruction as the rules see it.
struct Instruction {
  Arch arch;
  Decoded word;
  unsigned mod;
  bool tracks_index = true;

  const ArchParams& chip() const { return arch_params(arch); }
  const OperandPlaces& places() const { return word.row->operands; }
  unsigned vb() const { return places().vb.extract(word.word); }
  unsigned vc() const { return places().vc.extract(word.word); }
  unsigned vd() const { return places().vd.extract(word.word); }
};

inline constexpr LRegSet kNoLReg = 0;

/// Registers that the fields of certain roles name.
inline LRegSet named(const Instruction& i, Role role) {
  LRegSet set = kNoLReg;
  for (const Field& each : i.word.row->fields()) {
    if (each.role == role || each.role == Role::ReadWrite)
      set |= lreg_set(each.extract(i.word.word));
  }
  return set;
}

/// With an indirect VD, LReg[7] says which register is written (VU C15).
inline bool has_indirect_vd(const Instruction& i) { // SFPLUT and SFPLUTFP32 have the same bit
  return has_mode<Op::SFPMAD, "INDIRECT_VD">(i.arch, i.mod);
}

/// SFPSWAP with ENABLE_DEST_INDEX also exchanges the index registers of the pair (VU C33).
inline LRegSet swapped_indices(const Instruction& i) {
  if (!i.tracks_index) return kNoLReg;
  return lreg_set(4 + (i.vc() & 3)) | lreg_set(4 + (i.vd() & 3));
}

/// The load of an SFPLOADMACRO is an SFPLOAD (VU C51).
inline std::uint32_t macro_vd(const Instruction& i) {
  return field<"VDHi", Op::SFPLOADMACRO>(i.word.word) << 2 |
         field<"VDLo", Op::SFPLOADMACRO>(i.word.word);
}

/// SFPSHFT2's Imm12 holds VB in its low bits (VU C36).
inline LRegSet shuffle_vb(const Instruction& i) {
  return lreg_set(i.places().immediate.extract(i.word.word) & 15);
}

/// Mod1Mirror[3] tells the stall logic of SFPLUTFP32's indirect VD (VU 5.3).
inline bool mirrors_indirect_vd(const Instruction& i) {
  return has_mode<Op::SFPLUTFP32, "INDIRECT_VD">(i.word["Mod1Mirror"]);
}

inline unsigned config_destination(const Instruction& i) {
  return field<"ConfigDest", Op::SFPCONFIG>(i.word.word);
}

inline bool is_constant_destination(const Instruction& i) {
  const unsigned destination = config_destination(i);
  return destination >= 11 && destination <= 14;
}

// ---------------------------------------------------------------- LRegs that are read

namespace reads {

inline LRegSet none(const Instruction&) {
  return kNoLReg;
}
inline LRegSet named(const Instruction& i) {
  return rules::named(i, Role::Read);
}
inline LRegSet every(const Instruction&) {
  return kGeneralLRegs;
}
/// LO16_ONLY and HI16_ONLY keep the other half.
inline LRegSet load(const Instruction& i) {
  const bool keeps_half = has_mode<Op::SFPLOAD, "LO16_ONLY">(i.arch, i.mod) ||
                          has_mode<Op::SFPLOAD, "HI16_ONLY">(i.arch, i.mod);
  return keeps_half ? lreg_set(i.vd()) : kNoLReg;
}
inline LRegSet macro_load(const Instruction& i) {
  return i.mod >= kMode<Op::SFPLOAD, "LO16_ONLY"> ? lreg_set(macro_vd(i)) : kNoLReg;
}
inline LRegSet load_immediate(const Instruction& i) { // UPPER and LOWER
  return i.mod >= kMode<Op::SFPLOADI, "UPPER"> ? lreg_set(i.vd()) : kNoLReg;
}
inline LRegSet indirect(const Instruction& i) {
  return named(i) | (has_indirect_vd(i) ? kIndexLReg : kNoLReg);
}
inline LRegSet multiply(const Instruction& i) {
  return has_mode<Op::SFPMAD, "INDIRECT_VA">(i.arch, i.mod) ? kEveryLReg : indirect(i);
}
inline constexpr LRegSet kLutInput = lreg_set(3);
inline constexpr LRegSet kLutSlopes = lreg_set(0) | lreg_set(1) | lreg_set(2);
inline constexpr LRegSet kLutIntercepts = lreg_set(4) | lreg_set(5) | lreg_set(6);
inline LRegSet table(const Instruction& i) {
  return kLutInput | kLutSlopes | (has_indirect_vd(i) ? kIndexLReg : kNoLReg);
}
inline LRegSet table_fp32(const Instruction& i) {
  const bool packed = has_mode<Op::SFPLUTFP32, "FP16_3ENTRY_TABLE">(i.mod);
  return table(i) | (packed ? kNoLReg : kLutIntercepts);
}
/// VC, and VD if there is no immediate; SFPSETEXP, SFPSETMAN and SFPSETSGN have the same bit.
inline LRegSet sum(const Instruction& i) {
  const bool immediate = has_mode<Op::SFPIADD, "ARG_IMM">(i.mod);
  return lreg_set(i.vc()) | (immediate ? kNoLReg : lreg_set(i.vd()));
}
inline LRegSet shift(const Instruction& i) {
  if (!has_mode<Op::SFPSHFT, "ARG_IMM">(i.mod)) return lreg_set(i.vc()) | lreg_set(i.vd());
  return has_mode<Op::SFPSHFT, "ARG_IMM_USE_VC">(i.arch, i.mod) ? lreg_set(i.vc())
                                                                : lreg_set(i.vd());
}
inline LRegSet logic(const Instruction& i) { // SFPOR has the same modes
  const bool uses_vb = has_mode<Op::SFPAND, "USE_VB">(i.arch, i.mod);
  return lreg_set(i.vc()) | (uses_vb ? lreg_set(i.vb()) : lreg_set(i.vd()));
}
inline LRegSet move(const Instruction& i) {
  return has_mode<Op::SFPMOV, "FROM_SPECIAL">(i.arch, i.mod) ? kNoLReg : lreg_set(i.vc());
}
inline LRegSet test(const Instruction& i) {
  const bool looks_at_vc =
      !has_mode<Op::SFPSETCC, "IMM_BIT0">(i.mod) && !has_mode<Op::SFPSETCC, "CLEAR">(i.mod);
  return looks_at_vc ? lreg_set(i.vc()) : kNoLReg;
}
/// The two conversions of integers shift by VB, unless by Imm5 (VU C45).
inline LRegSet round(const Instruction& i) {
  const bool shifts = has_mode<Op::SFPSTOCHRND, "INT32_TO_UINT8">(i.mod) ||
                      has_mode<Op::SFPSTOCHRND, "INT32_TO_INT8">(i.mod);
  const bool by_vb = shifts && !has_mode<Op::SFPSTOCHRND, "USE_IMM5">(i.mod);
  return lreg_set(i.vc()) | (by_vb ? lreg_set(i.vb()) : kNoLReg);
}
inline LRegSet reciprocal(const Instruction& i) {
  return lreg_set(i.vc()) |
         (has_mode<Op::SFPARECIP, "COND_RECIP">(i.mod) ? lreg_set(i.vb()) : kNoLReg);
}
inline LRegSet shuffle(const Instruction& i) { // VU C36
  constexpr LRegSet kOneToThree = lreg_set(1) | lreg_set(2) | lreg_set(3);
  switch (i.mod) {
    case kMode<Op::SFPSHFT2, "COPY4">: return kOneToThree;
    case kMode<Op::SFPSHFT2, "SUBVEC_CHAINED_COPY4">: return lreg_set(0) | kOneToThree;
    case kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1_AND_COPY4">: return kOneToThree | lreg_set(i.vc());
    case kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1">:
    case kMode<Op::SFPSHFT2, "SUBVEC_SHFLSHR1">: return lreg_set(i.vc());
    case kMode<Op::SFPSHFT2, "SHFT_LREG">: return shuffle_vb(i) | lreg_set(i.vc());
    case kMode<Op::SFPSHFT2, "SHFT_IMM">: return shuffle_vb(i);
  }
  return kNoLReg; // the other modes are left out
}
inline LRegSet swap(const Instruction& i) {
  return named(i) | swapped_indices(i);
}
/// Templates come from LReg[0] even where an immediate is asked for (VU C38).
inline LRegSet configure(const Instruction& i) {
  constexpr unsigned kTemplates = 4;
  const bool immediate = has_mode<Op::SFPCONFIG, "IMM16_IS_VALUE">(i.mod);
  return immediate && config_destination(i) >= kTemplates ? kNoLReg : lreg_set(0);
}

} // namespace reads

// ---------------------------------------------------------------- LRegs that are written

namespace writes {

inline LRegSet none(const Instruction&) {
  return kNoLReg;
}
inline LRegSet named(const Instruction& i) {
  return rules::named(i, Role::Write) & general_lregs(i.arch);
}
inline LRegSet every(const Instruction&) {
  return kGeneralLRegs;
}
inline LRegSet indirect(const Instruction& i) {
  return has_indirect_vd(i) ? kGeneralLRegs : named(i);
}
/// With CAPTURE_DEFAULT_DEST_INDEX, the position of what is loaded goes to LReg[VD + 4].
inline LRegSet loaded(const Instruction& i, std::uint32_t vd) {
  const LRegSet index = i.tracks_index && vd < 4 ? lreg_set(vd + 4) : kNoLReg;
  return (lreg_set(vd) | index) & general_lregs(i.arch);
}
inline LRegSet load(const Instruction& i) {
  return loaded(i, i.vd());
}
inline LRegSet macro_load(const Instruction& i) {
  return loaded(i, macro_vd(i));
}
inline LRegSet compare(const Instruction& i) { // SFPGT has the same modes
  return has_mode<Op::SFPLE, "SET_VD">(i.mod) ? named(i) : kNoLReg;
}
inline LRegSet shuffle(const Instruction& i) { // VU C36: LReg[0..3], whatever VD is
  constexpr LRegSet kFirstFour = 0x0F;
  return i.mod <= kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1_AND_COPY4"> ? kFirstFour : named(i);
}
inline LRegSet swap(const Instruction& i) {
  return (rules::named(i, Role::Write) | swapped_indices(i)) & general_lregs(i.arch);
}
inline LRegSet configure(const Instruction& i) {
  return is_constant_destination(i) ? lreg_set(config_destination(i)) : kNoLReg;
}

} // namespace writes

// ---------------------------------------------------------------- What stall logic takes for read

/// Blackhole, of an instruction that reads `read` (VU 5.2, 5.3).
namespace believes {

inline LRegSet truth(const Instruction&, LRegSet read) {
  return read;
}
inline LRegSet nothing(const Instruction&, LRegSet) {
  return kNoLReg;
}
inline LRegSet vc(const Instruction& i, LRegSet) {
  return lreg_set(i.vc());
}
inline LRegSet vc_and_vd(const Instruction& i, LRegSet) {
  return lreg_set(i.vc()) | lreg_set(i.vd());
}
inline LRegSet vc_and_vb(const Instruction& i, LRegSet) {
  return lreg_set(i.vc()) | lreg_set(i.vb());
}
inline LRegSet shuffle(const Instruction& i, LRegSet read) {
  if (i.mod >= kMode<Op::SFPSHFT2, "SHFT_LREG">) return lreg_set(i.vd());
  return i.mod >= kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1_AND_COPY4"> ? kNoLReg : read;
}
inline LRegSet table_fp32(const Instruction& i, LRegSet) {
  return mirrors_indirect_vd(i) ? kEveryLReg : kEveryLReg & ~kIndexLReg;
}

} // namespace believes

// ---------------------------------------------------------------- Enabled lanes

namespace change {

inline LaneChange none(const Instruction&) {
  return LaneChange::None;
}
inline LaneChange other(const Instruction&) {
  return LaneChange::Other;
}
inline LaneChange narrows_if(bool does) {
  return does ? LaneChange::Narrower : LaneChange::None;
}
inline LaneChange test(const Instruction&) {
  return LaneChange::Narrower;
}
/// VU C26: CC_GTE0 inverts the flag, which SFPIADD may not have set itself.
inline LaneChange sum(const Instruction& i) {
  return narrows_if(!has_mode<Op::SFPIADD, "CC_NONE">(i.mod) ||
                    has_mode<Op::SFPIADD, "CC_GTE0">(i.mod));
}
/// VU C27: likewise. SFPLZ has the same bits.
inline LaneChange exponent(const Instruction& i) {
  return narrows_if(has_mode<Op::SFPEXEXP, "SET_CC_SGN_EXP">(i.mod) ||
                    has_mode<Op::SFPEXEXP, "SET_CC_COMP_EXP">(i.mod));
}
inline LaneChange compare(const Instruction& i) { // VU C32
  return narrows_if(has_mode<Op::SFPLE, "SET_CC">(i.mod));
}
inline LaneChange push(const Instruction& i) { // VU C9
  return has_mode<Op::SFPPUSHC, "INVERT">(i.arch, i.mod) ? LaneChange::Other : LaneChange::None;
}

} // namespace change

// ---------------------------------------------------------------- Flag stack

namespace stack {

inline StackUse none(const Instruction&) {
  return StackUse::None;
}
inline StackUse look(const Instruction&) {
  return StackUse::Look;
}
/// VU C9: Wormhole decodes no mode.
inline StackUse push(const Instruction& i) {
  return i.mod == kMode<Op::SFPPUSHC, "PUSH"> || !i.chip().vector.pushc_mutates ? StackUse::Push
                                                                                : StackUse::Change;
}
inline StackUse pop(const Instruction& i) { // VU C10
  if (i.mod == kMode<Op::SFPPOPC, "POP">) return StackUse::Pop;
  return i.chip().vector.popc_full_stack_bug ? StackUse::Spoil : StackUse::Look;
}
inline StackUse compare(const Instruction& i) { // VU C32
  if (!has_mode<Op::SFPLE, "MUTATE_STACK">(i.mod)) return StackUse::None;
  return has_mode<Op::SFPLE, "MUTATE_OR">(i.mod) ? StackUse::Change : StackUse::Narrow;
}

} // namespace stack

// ---------------------------------------------------------------- Random numbers

namespace random {

inline RandomUse never(const Instruction&) {
  return RandomUse::Never;
}
inline RandomUse special(const Instruction& i) { // VU C30
  return has_mode<Op::SFPMOV, "FROM_SPECIAL">(i.arch, i.mod) ? RandomUse::IfSource
                                                             : RandomUse::Never;
}
inline RandomUse cast(const Instruction& i) { // VU C35
  return has_mode<Op::SFPCAST, "SM32_TO_FP32_RNS">(i.arch, i.mod) ? RandomUse::Always
                                                                  : RandomUse::Never;
}
inline RandomUse round(const Instruction&) {
  return RandomUse::IfStochastic;
}

} // namespace random

// ---------------------------------------------------------------- Lanes, and origins of results

namespace scope {

inline LaneScope enabled(const Instruction&) {
  return LaneScope::Enabled;
}
inline LaneScope all(const Instruction&) {
  return LaneScope::All;
}
inline LaneScope columns(const Instruction&) {
  return LaneScope::Columns;
}
inline LaneScope dst(const Instruction& i) { // SFPSTORE and SFPLOADMACRO have the same modes
  return has_mode<Op::SFPLOAD, "INT32_ALL">(i.arch, i.mod) ? LaneScope::All : LaneScope::Enabled;
}
inline LaneScope move(const Instruction& i) {
  return has_mode<Op::SFPMOV, "ALL_LANES_ENABLED">(i.mod) ? LaneScope::All : LaneScope::Enabled;
}

} // namespace scope

namespace from {

inline Movement computed(const Instruction&) {
  return Movement::Computed;
}
inline Movement transposed(const Instruction&) {
  return Movement::Transposed;
}
inline Movement move(const Instruction& i) {
  return has_mode<Op::SFPMOV, "FROM_SPECIAL">(i.arch, i.mod) ? Movement::Computed
                                                             : Movement::Copied;
}
inline Movement swap(const Instruction& i) {
  return has_mode<Op::SFPSWAP, "SWAP">(i.mod) ? Movement::Copied : Movement::Computed;
}
inline Movement shuffle(const Instruction& i) { // VU C36
  switch (i.mod) {
    case kMode<Op::SFPSHFT2, "COPY4">: return Movement::Copied;
    case kMode<Op::SFPSHFT2, "SUBVEC_CHAINED_COPY4">: return Movement::ChainedCopy;
    case kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1_AND_COPY4">: return Movement::RotatedWithCopy;
    case kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1">: return Movement::Rotated;
    case kMode<Op::SFPSHFT2, "SUBVEC_SHFLSHR1">: return Movement::Shifted;
  }
  return Movement::Computed;
}

} // namespace from

// ---------------------------------------------------------------- Results

namespace result {

inline ResultKind integer(const Instruction&) {
  return ResultKind::Integer;
}
inline ResultKind floating(const Instruction&) {
  return ResultKind::Float;
}
inline ResultKind like_vc(const Instruction&) {
  return ResultKind::LikeVc;
}
inline ResultKind moved(const Instruction&) {
  return ResultKind::Moved;
}
inline ResultKind loaded(const Instruction&) {
  return ResultKind::Loaded;
}
inline ResultKind float_if(bool is) {
  return is ? ResultKind::Float : ResultKind::Integer;
}
inline ResultKind immediate(const Instruction& i) {
  return float_if(has_mode<Op::SFPLOADI, "FLOATA">(i.mod) ||
                  has_mode<Op::SFPLOADI, "FLOATB">(i.mod));
}
inline ResultKind cast(const Instruction& i) {
  return float_if(has_mode<Op::SFPCAST, "SM32_TO_FP32_RNE">(i.arch, i.mod) ||
                  has_mode<Op::SFPCAST, "SM32_TO_FP32_RNS">(i.arch, i.mod));
}
inline ResultKind round(const Instruction& i) {
  return float_if(has_mode<Op::SFPSTOCHRND, "FP32_TO_FP16A">(i.mod) ||
                  has_mode<Op::SFPSTOCHRND, "FP32_TO_FP16B">(i.mod));
}
inline ResultKind absolute(const Instruction& i) {
  return float_if(has_mode<Op::SFPABS, "FLOAT">(i.mod));
}
inline ResultKind move(const Instruction& i) {
  return has_mode<Op::SFPMOV, "FROM_SPECIAL">(i.arch, i.mod) ? ResultKind::Integer
                                                             : ResultKind::LikeVc;
}

} // namespace result

namespace half {

inline WrittenHalf both(const Instruction&) {
  return WrittenHalf::Both;
}
inline WrittenHalf load(const Instruction& i) { // SFPLOADMACRO has the same modes
  if (has_mode<Op::SFPLOAD, "HI16_ONLY">(i.arch, i.mod)) return WrittenHalf::High;
  return has_mode<Op::SFPLOAD, "LO16_ONLY">(i.arch, i.mod) ? WrittenHalf::Low : WrittenHalf::Both;
}
inline WrittenHalf immediate(const Instruction& i) {
  if (has_mode<Op::SFPLOADI, "UPPER">(i.arch, i.mod)) return WrittenHalf::High;
  return has_mode<Op::SFPLOADI, "LOWER">(i.arch, i.mod) ? WrittenHalf::Low : WrittenHalf::Both;
}

} // namespace half

// ---------------------------------------------------------------- Guards, operands, time

/// Whether the instruction does nothing unless VD can be written (VU C14). The others execute for
/// any VD below 12 and merely leave out the write.
namespace guard {

inline bool open(const Instruction&) {
  return false;
}
inline bool vd(const Instruction&) {
  return true;
}
inline bool cast(const Instruction& i) { // VU C35
  return has_mode<Op::SFPCAST, "INT32_ABS">(i.arch, i.mod) ||
         has_mode<Op::SFPCAST, "INT32_SM32">(i.arch, i.mod);
}
inline bool shuffle(const Instruction& i) {
  return i.mod >= kMode<Op::SFPSHFT2, "SUBVEC_SHFLSHR1">;
}

} // namespace guard

/// Whether the mode uses the immediate. (VU 3: the pages of the instructions.)
namespace immediate {

inline bool always(const Instruction&) {
  return true;
}
/// SFPIADD's bit is that of the other instructions with two registers or one and an immediate.
inline bool argument(const Instruction& i) {
  return has_mode<Op::SFPIADD, "ARG_IMM">(i.mod);
}
inline bool test(const Instruction& i) {
  return has_mode<Op::SFPSETCC, "IMM_BIT0">(i.mod);
}
inline bool enable(const Instruction& i) { // the use of the flags, or the flags
  constexpr unsigned kUse = kMode<Op::SFPENCC, "EI_R1">, kFlags = kMode<Op::SFPENCC, "EU_RI">;
  return (i.mod & (kUse | kFlags)) != 0;
}
inline bool round(const Instruction& i) {
  constexpr unsigned kUsesImmediate = 8; // of USE_IMM5, which names whole modes
  return (i.mod & kUsesImmediate) != 0;
}
inline bool shuffle(const Instruction& i) { // VB in its low bits, or the number itself
  return has_mode<Op::SFPSHFT2, "SHFT_LREG">(i.mod) || has_mode<Op::SFPSHFT2, "SHFT_IMM">(i.mod);
}
inline bool configure(const Instruction& i) {
  return i.mod != 0;
}

} // namespace immediate

namespace pace {

inline Pace single(const Instruction&) {
  return Pace::Single;
}
inline Pace pipelined(const Instruction&) {
  return Pace::Pipelined;
}
inline Pace exclusive(const Instruction&) {
  return Pace::Exclusive;
}
inline Pace shuffle(const Instruction& i) { // VU 5.1
  const bool two_cycles = has_mode<Op::SFPSHFT2, "SUBVEC_SHFLROR1_AND_COPY4">(i.mod) ||
                          has_mode<Op::SFPSHFT2, "SUBVEC_SHFLROR1">(i.mod) ||
                          has_mode<Op::SFPSHFT2, "SUBVEC_SHFLSHR1">(i.mod);
  return two_cycles ? Pace::Shuffle : Pace::Single;
}
inline Pace configure(const Instruction& i) { // VU 5.1: one cycle for LReg[11..14]
  return is_constant_destination(i) ? Pace::Single : Pace::Settling;
}

} // namespace pace

/// Whether Wormhole's shuffles need the port of the result (VU 5.4).
namespace port {

inline bool own(const Instruction&) {
  return false;
}
inline bool shared(const Instruction&) {
  return true;
}
inline bool shuffle(const Instruction& i) {
  return pace::shuffle(i) == Pace::Single && i.mod <= kMode<Op::SFPSHFT2, "SHFT_IMM">;
}

} // namespace port

} // namespace lanewise::isa::rules
