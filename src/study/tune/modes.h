// The modes of instructions that the tuner knows, by their names in chip/isa/modifiers.def. Names
// that several instructions share stand once.
#pragma once

#include "chip/isa/fields.h"

namespace lanewise::tune::mod {

using isa::kMode;
using isa::Op;

inline constexpr unsigned kNegateVa = kMode<Op::SFPMAD, "NEGATE_VA">;
inline constexpr unsigned kNegateVc = kMode<Op::SFPMAD, "NEGATE_VC">;
inline constexpr unsigned kIndirectVd = kMode<Op::SFPMAD, "INDIRECT_VD">;
inline constexpr unsigned kIndirect = kMode<Op::SFPMAD, "INDIRECT_VA"> | kIndirectVd;
static_assert(kIndirectVd == kMode<Op::SFPADDI, "INDIRECT_VD"> &&
              kIndirectVd == kMode<Op::SFPMULI, "INDIRECT_VD"> &&
              kIndirectVd == kMode<Op::SFPLUT, "INDIRECT_VD"> &&
              kIndirectVd == kMode<Op::SFPLUTFP32, "INDIRECT_VD">);

/// SFPSETEXP, SFPSETMAN, SFPSETSGN, SFPSHFT, SFPIADD.
inline constexpr unsigned kImmediate = kMode<Op::SFPSETEXP, "ARG_IMM">;
static_assert(kImmediate == kMode<Op::SFPSETMAN, "ARG_IMM"> &&
              kImmediate == kMode<Op::SFPSETSGN, "ARG_IMM"> &&
              kImmediate == kMode<Op::SFPSHFT, "ARG_IMM"> &&
              kImmediate == kMode<Op::SFPIADD, "ARG_IMM">);

/// SFPSHFT on Blackhole.
inline constexpr unsigned kUseVc = kMode<Op::SFPSHFT, "ARG_IMM_USE_VC">;
inline constexpr unsigned kShiftArithmetic = kMode<Op::SFPSHFT, "ARITHMETIC">;
/// SFPSHFT2.
inline constexpr unsigned kShiftByRegister = kMode<Op::SFPSHFT2, "SHFT_LREG">;
inline constexpr unsigned kShiftByImmediate = kMode<Op::SFPSHFT2, "SHFT_IMM">;
/// SFPAND and SFPOR on Blackhole.
inline constexpr unsigned kUseVb = kMode<Op::SFPAND, "USE_VB">;
static_assert(kUseVb == kMode<Op::SFPOR, "USE_VB">);

/// SFPSWAP.
inline constexpr unsigned kSwap = kMode<Op::SFPSWAP, "SWAP">;
inline constexpr unsigned kMinMax = kMode<Op::SFPSWAP, "VEC_MIN_MAX">;
inline constexpr unsigned kMaxMin = kMode<Op::SFPSWAP, "VEC_MAX_MIN">;

/// SFPMOV.
inline constexpr unsigned kMoveNegate = kMode<Op::SFPMOV, "NEGATE">;
inline constexpr unsigned kMoveAllLanes = kMode<Op::SFPMOV, "ALL_LANES_ENABLED">;
inline constexpr unsigned kMoveSpecial = kMode<Op::SFPMOV, "FROM_SPECIAL">;

inline constexpr unsigned kAbsFloat = kMode<Op::SFPABS, "FLOAT">;
inline constexpr unsigned kConditionalReciprocal = kMode<Op::SFPARECIP, "COND_RECIP">;
/// SFPSTOCHRND's rounding.
inline constexpr unsigned kStochastic = kMode<Op::SFPSTOCHRND, "RND_STOCH">;

/// SFPIADD.
inline constexpr unsigned kNoFlags = kMode<Op::SFPIADD, "CC_NONE">;
inline constexpr unsigned kAddGte0 = kMode<Op::SFPIADD, "CC_GTE0">;
inline constexpr unsigned kSubtract = kMode<Op::SFPIADD, "ARG_2SCOMP_LREG_DST">;

/// SFPSETCC. The opposite of a test differs in one bit.
inline constexpr unsigned kLt0 = kMode<Op::SFPSETCC, "LREG_LT0">;
inline constexpr unsigned kNe0 = kMode<Op::SFPSETCC, "LREG_NE0">;
inline constexpr unsigned kGte0 = kMode<Op::SFPSETCC, "LREG_GTE0">;
inline constexpr unsigned kEq0 = kMode<Op::SFPSETCC, "LREG_EQ0">;
inline constexpr unsigned kOtherTest = kLt0 ^ kGte0;
static_assert(kOtherTest == (kNe0 ^ kEq0));

/// SFPEXEXP and SFPLZ.
inline constexpr unsigned kSetFlags = kMode<Op::SFPEXEXP, "SET_CC_SGN_EXP">;
inline constexpr unsigned kComplement = kMode<Op::SFPEXEXP, "SET_CC_COMP_EXP">;
static_assert(kSetFlags == kMode<Op::SFPLZ, "CC_NE0"> &&
              kComplement == kMode<Op::SFPLZ, "CC_COMP">);
inline constexpr unsigned kWithoutSign = kMode<Op::SFPLZ, "NOSGN_MASK">;

/// SFPGT and SFPLE.
inline constexpr unsigned kCompareFlags = kMode<Op::SFPGT, "SET_CC">;
inline constexpr unsigned kCompareValue = kMode<Op::SFPGT, "SET_VD">;
static_assert(kCompareFlags == kMode<Op::SFPLE, "SET_CC"> &&
              kCompareValue == kMode<Op::SFPLE, "SET_VD">);

} // namespace lanewise::tune::mod
