#include "study/tune/lane_values.h"

#include "chip/isa/arch.h"
#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "chip/semantics/fma.h"
#include "study/tune/modes.h"
#include "study/tune/row_graph.h"
#include "study/tune/term_lanes.h"

#include "chip/semantics/lut.h"

namespace lanewise::tune {

namespace {

namespace sem = semantics;

/// Of the words of opaque terms: LReg[9] is 0.
constexpr unsigned kZeroLReg = 9;
using isa::has_mode;

/// One instruction's operands, as the kernels of chip/machine/kernels/simple.h read them.
class LaneOperation {
  using Op = isa::Op;

 public:
  LaneOperation(Arch arch, const MicroOp& op, const LaneRegisters& registers, TruthTerm flags)
      : arch_(arch),
        op_(op),
        c_(registers[op.vc]),
        d_(registers[op.vb]),
        a_(registers[op.va]),
        registers_(registers),
        flags_(flags),
        immediate_(static_cast<std::uint32_t>(op.immediate)) {}

  std::optional<LaneResult> result() const {
    switch (op_.op) {
      case Op::SFPABS:
        return value(has_mode<Op::SFPABS, "FLOAT">(op_.mod) ? sem::absolute_float(c_)
                                                            : sem::absolute_integer(c_));
      case Op::SFPAND: return value(c_ & d_);
      case Op::SFPOR: return value(c_ | d_);
      case Op::SFPXOR: return value(c_ ^ d_);
      case Op::SFPNOT: return value(~c_);
      case Op::SFPDIVP2: return divide_by_power();
      case Op::SFPEXEXP: return exponent();
      case Op::SFPEXMAN:
        return value((c_ & sem::kMantissaMask) |
                     (has_mode<Op::SFPEXMAN, "PAD9">(op_.mod) ? 0 : sem::kHiddenOne));
      case Op::SFPIADD: return add();
      case Op::SFPLZ: return count_zeros();
      case Op::SFPSHFT: return shift();
      case Op::SFPSHFT2: return shift_two();
      case Op::SFPSETCC: return test();
      case Op::SFPMOV: return move();
      case Op::SFPSETEXP: return set_exponent();
      case Op::SFPSETMAN:
        return with_bits(sem::kMantissaMask, immediate_ << 11, d_ & sem::kMantissaMask,
                         has_mode<Op::SFPSETMAN, "ARG_IMM">(op_.mod));
      case Op::SFPSETSGN:
        return with_bits(sem::kSign, immediate_ << 31, d_ & sem::kSign,
                         has_mode<Op::SFPSETSGN, "ARG_IMM">(op_.mod));
      case Op::SFPGT: return compare<Op::SFPGT>();
      case Op::SFPLE: return compare<Op::SFPLE>();
      case Op::SFPCAST: return cast();
      case Op::SFPSTOCHRND: return round();
      case Op::SFPMAD:
      case Op::SFPADD:
      case Op::SFPMUL: return multiply();
      case Op::SFPMUL24: return multiply_integers();
      case Op::SFPARECIP: return reciprocal();
      case Op::SFPADDI: return sum(sem::kOne, immediate_ << 16, c_ ^ sign_of_c());
      case Op::SFPLUT: return look_up(piece(0) >> 8, piece(0), sem::decode_lut8<Term>);
      case Op::SFPLUTFP32: return look_up_wide();
      case Op::SFPMULI: return sum(immediate_ << 16, c_ ^ sign_of_c(), 0);
      default: return std::nullopt;
    }
  }

 private:
  static LaneResult value(Term result) { return {.value = result}; }

  /// Bit 1 of the mode sets the flags, bit 3 inverts what they are then (VU C27); LReg[16] leaves
  /// them alone (VU C14).
  LaneResult with_flags(Term result, bool set, bool invert, TruthTerm condition) const {
    if (op_.vd >= kWritableLRegs) return value(result);
    const TruthTerm flags = set ? condition : flags_;
    return {.value = result, .flags = invert ? ~flags : flags};
  }

  LaneResult divide_by_power() const {
    const Term step(immediate_ << 23 & sem::kExponentMask);
    const Term others = c_ & ~sem::kExponentMask;
    if (!has_mode<Op::SFPDIVP2, "ADD">(op_.mod)) return value(others | step);
    const Term moved = others | ((c_ + step) & sem::kExponentMask);
    return value(choose(equals(c_ & sem::kExponentMask, sem::kExponentMask), c_, moved));
  }

  LaneResult exponent() const {
    const Term result =
        sem::exponent_field(c_) - (has_mode<Op::SFPEXEXP, "NODEBIAS">(op_.mod) ? 0 : sem::kBias);
    return with_flags(result, has_mode<Op::SFPEXEXP, "SET_CC_SGN_EXP">(op_.mod),
                      has_mode<Op::SFPEXEXP, "SET_CC_COMP_EXP">(op_.mod), sem::negative(result));
  }

  LaneResult add() const {
    Term result = c_ + d_;
    if (has_mode<Op::SFPIADD, "ARG_IMM">(op_.mod)) {
      result = c_ + immediate_;
    } else if (has_mode<Op::SFPIADD, "ARG_2SCOMP_LREG_DST">(op_.mod)) {
      result = c_ - d_;
    }
    return with_flags(result, !has_mode<Op::SFPIADD, "CC_NONE">(op_.mod),
                      has_mode<Op::SFPIADD, "CC_GTE0">(op_.mod), sem::negative(result));
  }

  LaneResult count_zeros() const {
    const Term counted = c_ & (has_mode<Op::SFPLZ, "NOSGN_MASK">(op_.mod) ? ~sem::kSign : ~0U);
    return with_flags(sem::leading_zeros(counted), has_mode<Op::SFPLZ, "CC_NE0">(op_.mod),
                      has_mode<Op::SFPLZ, "CC_COMP">(op_.mod), ~equals(counted, 0));
  }

  LaneResult shift() const {
    const bool has_modes = arch_params(arch_).vector.shift_has_modes;
    const bool arithmetic = has_modes && (op_.mod & mod::kShiftArithmetic) != 0;
    if (!has_mode<Op::SFPSHFT, "ARG_IMM">(op_.mod)) return value(sem::shift(d_, c_, arithmetic));
    const bool shifts_c = has_modes && (op_.mod & mod::kUseVc) != 0;
    return value(sem::shift_all(shifts_c ? c_ : d_, op_.immediate, arithmetic));
  }

  std::optional<LaneResult> shift_two() const {
    if (op_.mod == isa::kMode<Op::SFPSHFT2, "SHFT_LREG">) return value(sem::shift(d_, c_, false));
    if (op_.mod == isa::kMode<Op::SFPSHFT2, "SHFT_IMM">)
      return value(sem::shift_all(d_, op_.immediate, false));
    return std::nullopt; // values go from lane to lane
  }

  /// VU C8. Where flags are not in use the caller clears them.
  LaneResult test() const {
    if (has_mode<Op::SFPSETCC, "CLEAR">(op_.mod)) return {.flags = TruthTerm(false)};
    if (has_mode<Op::SFPSETCC, "IMM_BIT0">(op_.mod))
      return {.flags = TruthTerm((op_.immediate & 1) != 0)};
    if (has_mode<Op::SFPSETCC, "LREG_NE0">(op_.mod)) return {.flags = ~equals(c_, 0)};
    if (has_mode<Op::SFPSETCC, "LREG_EQ0">(op_.mod)) return {.flags = equals(c_, 0)};
    const TruthTerm negative = sem::negative(c_);
    return {.flags = has_mode<Op::SFPSETCC, "LREG_GTE0">(op_.mod) ? ~negative : negative};
  }

  std::optional<LaneResult> move() const {
    if (has_mode<Op::SFPMOV, "FROM_SPECIAL">(op_.mod)) return std::nullopt;
    return value(c_ ^ (has_mode<Op::SFPMOV, "NEGATE">(op_.mod) ? sem::kSign : 0));
  }

  LaneResult set_exponent() const {
    const Term from_d = has_mode<Op::SFPSETEXP, "ARG_EXPONENT">(op_.mod) ? d_ & sem::kExponentMask
                                                                         : (d_ & 0xFF) << 23;
    return with_bits(sem::kExponentMask, immediate_ << 23, from_d,
                     has_mode<Op::SFPSETEXP, "ARG_IMM">(op_.mod));
  }

  /// VC with other bits in `mask`.
  LaneResult with_bits(std::uint32_t mask, std::uint32_t immediate, Term from_d,
                       bool takes_immediate) const {
    return value((c_ & ~mask) | (takes_immediate ? Term(immediate) : from_d));
  }

  /// Without changes of the flag stack.
  template <Op kOp>
  std::optional<LaneResult> compare() const {
    if (has_mode<kOp, "MUTATE_STACK">(op_.mod)) return std::nullopt;
    const TruthTerm greater = less_signed(sem::total_order_key(c_), sem::total_order_key(d_));
    const TruthTerm condition = kOp == Op::SFPGT ? greater : ~greater;
    LaneResult result;
    if (has_mode<kOp, "SET_VD">(op_.mod)) result.value = choose(condition, Term(~0U), Term(0));
    if (has_mode<kOp, "SET_CC">(op_.mod)) result.flags = condition;
    return result;
  }

  std::optional<LaneResult> cast() const {
    switch (op_.mod & arch_params(arch_).vector.cast_mode_mask) {
      case isa::kMode<Op::SFPCAST, "SM32_TO_FP32_RNE">:
        return value(sem::cast_to_float_nearest(c_));
      case isa::kMode<Op::SFPCAST, "INT32_ABS">: return value(sem::absolute_integer(c_));
      case isa::kMode<Op::SFPCAST, "INT32_SM32">: return value(sem::swap_integer_form(c_));
    }
    return std::nullopt; // random numbers
  }

  std::optional<LaneResult> round() const {
    const unsigned rounding =
        (op_.word >> 21) & (arch_params(arch_).vector.round_toward_zero ? 3U : 1U);
    if ((rounding & 1) != 0) return std::nullopt; // random numbers
    const Term threshold(rounding == 2 ? sem::kRoundZero : sem::kRoundNearest);
    const auto to_integer = [&](std::uint32_t maximum, bool keeps_sign) {
      return value(sem::float_to_bounded_integer(c_, threshold, maximum, keeps_sign));
    };
    const auto shifted = [&](std::uint32_t maximum, bool keeps_sign) {
      const Term count =
          has_mode<Op::SFPSTOCHRND, "USE_IMM5">(op_.mod) ? Term(immediate_) : d_ & 31;
      return value(sem::shift_to_bounded_integer(c_, count, threshold, maximum, keeps_sign));
    };
    switch (op_.mod & 7) {
      case isa::kMode<Op::SFPSTOCHRND, "FP32_TO_FP16A">:
        return value(sem::round_mantissa<13>(c_, threshold));
      case isa::kMode<Op::SFPSTOCHRND, "FP32_TO_FP16B">:
        return value(sem::round_mantissa<16>(c_, threshold));
      case isa::kMode<Op::SFPSTOCHRND, "FP32_TO_UINT8">: return to_integer(255, false);
      case isa::kMode<Op::SFPSTOCHRND, "FP32_TO_INT8">: return to_integer(127, true);
      case isa::kMode<Op::SFPSTOCHRND, "FP32_TO_UINT16">: return to_integer(65535, false);
      case isa::kMode<Op::SFPSTOCHRND, "FP32_TO_INT16">: return to_integer(32767, true);
      case isa::kMode<Op::SFPSTOCHRND, "INT32_TO_UINT8">: return shifted(255, false);
      case isa::kMode<Op::SFPSTOCHRND, "INT32_TO_INT8">: return shifted(127, true);
    }
    return std::nullopt;
  }

  std::uint32_t flipped_by(unsigned bit) const {
    return arch_params(arch_).vector.mad_negate_bits && (op_.mod & bit) != 0 ? sem::kSign : 0;
  }
  std::uint32_t sign_of_c() const { return flipped_by(mod::kNegateVc); }

  std::optional<LaneResult> multiply() const {
    if ((op_.mod & mod::kIndirect & ~mod::kIndirectVd) != 0) return std::nullopt; // indirect VA
    return sum(a_ ^ flipped_by(mod::kNegateVa), d_, c_ ^ sign_of_c());
  }

  /// Another addend than 0 changes the product (VU 3.7).
  std::optional<LaneResult> multiply_integers() const {
    const bool is_inert = c_.is_constant() && (c_.value.constant & sem::kExponentMask) == 0 &&
                          (op_.mod & mod::kIndirect & ~mod::kIndirectVd) == 0;
    if (!is_inert || (a_.is_constant() && d_.is_constant())) return std::nullopt;
    const auto word = isa::encode(arch_, op_.op,
                                  {{"VA", 0},
                                   {"VB", 1},
                                   {"VC", kZeroLReg},
                                   {"VD", kOpaqueResult},
                                   {"Mod1", op_.mod & ~mod::kIndirectVd}});
    return value(opaque_product(*word, a_, d_));
  }

  std::optional<LaneResult> reciprocal() const {
    const bool reads_second = op_.mod == mod::kConditionalReciprocal;
    if (c_.is_constant() && (!reads_second || d_.is_constant())) return std::nullopt;
    const auto word = isa::encode(arch_, op_.op,
                                  {{"VB", 1}, {"VC", 0}, {"VD", kOpaqueResult}, {"Mod1", op_.mod}});
    return value(opaque(*word, c_, reads_second ? d_ : Term(0)));
  }

  // ------------------------------------------------------------------ look-up tables (VU C44)
  Term magnitude() const { return registers_[kLookupInput] & ~sem::kSign; }

  /// Of three registers the one whose piece the input lies in.
  Term piece(unsigned first) const {
    return sem::choose_piece(magnitude(), registers_[first], registers_[first + 1],
                             registers_[first + 2]);
  }

  template <class Decode>
  LaneResult look_up(Term slope, Term intercept, Decode decode) const {
    LaneResult result = sum(decode(slope), magnitude(), decode(intercept));
    constexpr unsigned kRetainsSign = isa::kMode<Op::SFPLUT, "SGN_RETAIN">;
    static_assert(kRetainsSign == isa::kMode<Op::SFPLUTFP32, "SGN_RETAIN">);
    if ((op_.mod & kRetainsSign) != 0)
      result.value = (*result.value & ~sem::kSign) | (registers_[kLookupInput] & Term(sem::kSign));
    return result;
  }

  /// SFPLUTFP32: three numbers of 32 bits each, three of 16 in halves, or six in halves that the
  /// input chooses, too.
  LaneResult look_up_wide() const {
    constexpr unsigned kSecondTable = 4;
    if (has_mode<Op::SFPLUTFP32, "FP32_3ENTRY_TABLE">(op_.mod))
      return look_up(piece(0), piece(kSecondTable), [](Term bits) { return bits; });
    if ((op_.mod & mod::kIndirectVd) != 0)
      return look_up(piece(0) >> 16, piece(0), sem::decode_lut16<Term>);
    const TruthTerm high = sem::takes_high_half(
        magnitude(),
        has_mode<Op::SFPLUTFP32, "FP16_6ENTRY_TABLE2">(op_.mod) ? sem::kFour : sem::kThree);
    const auto half = [&](Term entry) { return choose(high, entry >> 16, entry); };
    return look_up(half(piece(0)), half(piece(kSecondTable)), sem::decode_lut16<Term>);
  }

  LaneResult sum(Term x, Term y, Term z) const {
    if (!x.is_constant() || !y.is_constant() || !z.is_constant())
      return value(multiply_add(x, y, z));
    return value(sem::fma_exact(arch_, x.value.constant, y.value.constant, z.value.constant));
  }

  Arch arch_;
  const MicroOp& op_;
  Term c_, d_, a_;
  const LaneRegisters& registers_;
  TruthTerm flags_;
  std::uint32_t immediate_;
};

} // namespace

std::optional<LaneResult> lane_result(Arch arch, const MicroOp& op, const LaneRegisters& registers,
                                      TruthTerm flags) {
  return LaneOperation(arch, op, registers, flags).result();
}

std::optional<unsigned> destination(const MicroOp& op, const LaneRegisters& registers) {
  const bool may_be_indirect = op.op == isa::Op::SFPMAD || op.op == isa::Op::SFPADD ||
                               op.op == isa::Op::SFPMUL || op.op == isa::Op::SFPADDI ||
                               op.op == isa::Op::SFPMULI || op.op == isa::Op::SFPMUL24 ||
                               op.op == isa::Op::SFPLUT || op.op == isa::Op::SFPLUTFP32;
  if (!may_be_indirect || (op.mod & mod::kIndirectVd) == 0 || op.vd == kMacroLReg) return op.vd;
  constexpr unsigned kIndexLReg = 7, kIndexMask = 15; // VU C15
  if (!registers[kIndexLReg].is_constant()) return std::nullopt;
  const unsigned index = registers[kIndexLReg].value.constant & kIndexMask;
  return index < kWritableLRegs ? index : kFirstTemplateVd;
}

std::optional<TruthTerm> exchanges(const MicroOp& op, const LaneRegisters& registers) {
  if (op.mod == mod::kSwap) return TruthTerm(true);
  if (op.mod != mod::kMinMax && op.mod != mod::kMaxMin) return std::nullopt;
  const TruthTerm c_is_less = less_signed(semantics::total_order_key(registers[op.vc]),
                                          semantics::total_order_key(registers[op.vb]));
  return op.mod == mod::kMinMax ? c_is_less : ~c_is_less;
}

Term loaded_immediate(const MicroOp& op, Term old) {
  using isa::kMode;
  const auto bits = static_cast<std::uint32_t>(op.immediate);
  switch (op.mod) {
    case kMode<isa::Op::SFPLOADI, "FLOATB">: return bits << 16;
    case kMode<isa::Op::SFPLOADI, "FLOATA">: return semantics::immediate_fp16(bits);
    case kMode<isa::Op::SFPLOADI, "SHORT">:
      return static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
    case kMode<isa::Op::SFPLOADI, "UPPER">: return (old & 0xFFFF) | bits << 16;
    case kMode<isa::Op::SFPLOADI, "LOWER">: return (old & 0xFFFF0000U) | bits;
    default: return bits; // USHORT
  }
}

} // namespace lanewise::tune
