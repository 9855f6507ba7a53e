// What a packer makes of cells of Dst, in lanes (core.md 14.5 to 14.9, 14.11): one datum of
// pack_values.h, and the rows of chip/tile/kernels/.
#pragma once

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_steps.h"
#include "chip/semantics/pack_values.h"

namespace lanewise::semantics {

/// What the late conversion gives.
enum class LateForm : std::uint8_t {
  Whole,     ///< 32 bits
  Exponent8, ///< BF16, for itself or for a block
  Fp16,
  E5M7, ///< of a block with 5 bits of exponent: an FP16 without what no block counts
  Fp8,
  LongFp8 ///< with 4 bits of exponent
};

/// A block format, as far as its data are concerned.
struct BlockForm {
  unsigned mantissa_bits = 7; ///< of the BF16 or FP16 that comes: the exponent stands above them
  std::uint32_t top_exponent = 0xFF; ///< all ones
  unsigned bits = 8;                 ///< of a datum in L1
};

/// A Packing, as far as it is the same for all data.
struct PackSteps {
  EarlyStep early = EarlyStep::None;
  bool reads_32_bits = false;
  // INT8
  bool is_unsigned = false;
  unsigned shift = 0;
  // ReLU
  Relu relu = Relu::None;
  std::uint32_t sign = 0;      ///< the bit of what the early conversion gives; 0 if it has none
  std::uint32_t threshold = 0; ///< as wide as the magnitude
  unsigned ignored = 0;        ///< bits that a clamp does not compare
  // Exponent threshold
  bool has_exponent_threshold = false;
  std::uint32_t exponent_threshold = 0;
  unsigned mantissa_bits = 0;
  std::uint32_t top_exponent = 0;
  // Late conversion
  LateForm late = LateForm::Whole;
  bool cuts_denormals = false; ///< of FP16: the mantissa gets narrower
  // Where blocks are made
  bool is_block = false;
  BlockForm block;
};

/// Precondition: basis_of(how) is not Unknown.
PackSteps pack_steps(const Packing& how);

/// Precondition: the format is one of blocks.
BlockForm block_form(isa::DataFormat out);

namespace detail {

inline constexpr unsigned kBitsBehindTf32 = 13;

template <class U>
LANEWISE_INLINE constexpr U at_most(U value, Lane most) {
  return select<U>(greater_signed<U>(value, splat<U>(most)), splat<U>(most), value);
}

template <class U>
LANEWISE_INLINE constexpr U nan_to_infinity(U fp32) {
  const Mask<U> is_nan = greater_signed<U>(fp32 & ~kSign, splat<U>(kInfinity));
  return select<U>(is_nan, (fp32 & kSign) | kInfinity, fp32);
}

// ---------------------------------------------------------------- Rounding, ties away from zero

/// Without the bits behind a TF32.
template <class U>
LANEWISE_INLINE constexpr U rounded_tf32(U fp32) {
  constexpr Lane kHalf = 1U << (kBitsBehindTf32 - 1), kLeastNormal = 0x400;
  const U rounded = (nan_to_infinity(fp32) + kHalf) >> kBitsBehindTf32;
  return zero_below(rounded, ~kSign >> kBitsBehindTf32, kLeastNormal);
}

template <class U>
LANEWISE_INLINE constexpr U rounded_bf16(U fp32) {
  return zero_below<U>((nan_to_infinity(fp32) + 0x8000) >> 16, kMagnitude16, kLeastNormalBf16);
}

/// BF16 with 6 bits of mantissa. Of an FP32, the upper half alone counts, where a denormal may
/// become a number; in 16 bits it is 0 before.
template <class U>
LANEWISE_INLINE constexpr U rounded_e8m6(const PackSteps& steps, U fp32) {
  const U bf16 = steps.reads_32_bits ? nan_to_infinity(fp32) >> 16 : rounded_bf16(fp32);
  return zero_below<U>((bf16 + 1) & ~1U, kMagnitude16, kLeastNormalBf16);
}

/// FP16 with 6 bits of mantissa.
template <class U>
LANEWISE_INLINE constexpr U rounded_e5m6(U fp16) {
  constexpr Lane kLargest = 0x7FF0, kLastRoundedDown = kLargest + 7;
  const Mask<U> is_large = greater_signed<U>(fp16 & kMagnitude16, splat<U>(kLastRoundedDown));
  const U rounded = select<U>(is_large, (fp16 & kSign16) | kLargest, (fp16 + 8) & ~15U);
  return zero_below(rounded, kMagnitude16, kLeastNormalFp16);
}

template <class U>
LANEWISE_INLINE constexpr U narrowed_bf16(U bf16) {
  return saturated_fp16<U>(bf16 & kSign16, fp16_exponent<U>(bf16 >> 7 & 0xFF), (bf16 & 0x7F) << 3);
}

// ---------------------------------------------------------------- INT8

/// The sign stays, of a zero too.
template <class U>
LANEWISE_INLINE constexpr U scaled_int8(const PackSteps& steps, U value) {
  U magnitude = value & ~kSign;
  if (steps.shift != 0) magnitude = (magnitude + (1U << (steps.shift - 1))) >> steps.shift;
  if (steps.is_unsigned) return select<U>(negative(value), splat<U>(0), at_most(magnitude, 0xFF));
  return (value >> 24 & 0x80) | at_most(magnitude, 0x7F);
}

template <class U>
LANEWISE_INLINE constexpr U cut_int8(const PackSteps& steps, U value) {
  return steps.is_unsigned ? value & 0xFF : (value >> 24 & 0x80) | (value & 0x7F);
}

// ---------------------------------------------------------------- Early

/// What Dst has, as FP32 or INT32: of 16 bits, which are then a BF16, the upper half.
template <class U>
LANEWISE_INLINE constexpr U wide_number(const PackSteps& steps, U stored) {
  return steps.reads_32_bits ? unshuffle_32(stored) : unshuffle_16(stored) << 16;
}

template <class U>
LANEWISE_INLINE constexpr U converted_early(const PackSteps& steps, U stored) {
  switch (steps.early) {
    case EarlyStep::None:
    case EarlyStep::Copy32: return unshuffle_32(stored);
    case EarlyStep::WidenBf16: return wide_number(steps, stored);
    case EarlyStep::RoundTf32: return rounded_tf32(wide_number(steps, stored)) << kBitsBehindTf32;
    case EarlyStep::RoundTf32Low: return rounded_tf32(unshuffle_32(stored));
    case EarlyStep::RoundBf16: return rounded_bf16(wide_number(steps, stored));
    case EarlyStep::CutBf16: return wide_number(steps, stored) >> 16;
    case EarlyStep::RoundE8M6: return rounded_e8m6(steps, wide_number(steps, stored));
    case EarlyStep::FlushFp16:
      return zero_below(unshuffle_fp16(stored), kMagnitude16, kLeastNormalFp16);
    case EarlyStep::CopyFp16: return unshuffle_fp16(stored);
    case EarlyStep::NarrowBf16: return narrowed_bf16(unshuffle_16(stored));
    case EarlyStep::CutE5M7: return unshuffle_fp16(stored) & ~7U;
    case EarlyStep::RoundE5M6: return rounded_e5m6(unshuffle_fp16(stored));
    case EarlyStep::CutFp8: return unshuffle_fp16(stored) & ~0xFFU;
    case EarlyStep::Copy16: return stored;
    case EarlyStep::UpperHalf: return stored >> 16;
    case EarlyStep::ScaleInt8: return scaled_int8(steps, unshuffle_32(stored));
    case EarlyStep::CutInt8: return cut_int8(steps, unshuffle_32(stored));
    case EarlyStep::SignOfInt8: return stored >> 8 & 0x80;
  }
  return stored;
}

// ---------------------------------------------------------------- Late

template <class U>
LANEWISE_INLINE constexpr U bf16_of_fp16(U fp16) {
  const U exponent = fp16 >> 10 & 31;
  const U number = (fp16 & kSign16) | (exponent + kFp16Rebias) << 7 | (fp16 & 0x3FF) >> 3;
  return keep_where<U>(not_equal<U>(exponent, splat<U>(0)), number);
}

/// FP8 with 4 bits of exponent.
template <class U>
LANEWISE_INLINE constexpr U long_fp8_of_fp16(U fp16) {
  constexpr Lane kLastThatFits = 15 + kFp8Rebias;
  const U sign = fp16 >> 8 & 0x80, exponent = fp16 >> 10 & 31;
  const U number = (exponent - kFp8Rebias) << 3 | (fp16 & 0x3FF) >> 7;
  const U magnitude =
      select<U>(greater_signed<U>(exponent, splat<U>(kLastThatFits)), splat<U>(0x7F), number);
  return sign | keep_where<U>(greater_signed<U>(exponent, splat<U>(kFp8Rebias)), magnitude);
}

/// To a format with 5 bits of exponent, or, for its blocks, to E5M7.
template <class U>
LANEWISE_INLINE constexpr U narrowed(LateForm form, U fp16) {
  constexpr Lane kE5M7 = 0xFFF8;
  switch (form) {
    case LateForm::Fp8: return fp16 >> 8;
    case LateForm::LongFp8: return long_fp8_of_fp16(fp16);
    case LateForm::E5M7: return fp16 & kE5M7;
    case LateForm::Whole:
    case LateForm::Exponent8:
    case LateForm::Fp16: break;
  }
  return fp16;
}

/// FP32, TF32 and INT32. As BF16, for itself or for a block, it has no denormals.
template <class U>
LANEWISE_INLINE constexpr U late_of_32_bits(LateForm form, U value) {
  if (form == LateForm::Whole) return value;
  if (form == LateForm::Exponent8) return zero_below(value >> 16, kMagnitude16, kLeastNormalBf16);
  return narrowed(form, fp16_of_fp32(value));
}

/// BF16 and E8M6 keep their denormals where the exponent stays as wide.
template <class U>
LANEWISE_INLINE constexpr U late_of_bf16(LateForm form, U bf16) {
  if (form == LateForm::Whole) return bf16 << 16;
  return form == LateForm::Exponent8 ? bf16 : narrowed(form, fp16_of_fp32(bf16 << 16));
}

/// FP16, E5M7, E5M6 and FP8, whose denormals become zeros where the mantissa gets narrower.
template <class U>
LANEWISE_INLINE constexpr U late_of_fp16(const PackSteps& steps, U fp16) {
  if (steps.late == LateForm::Whole) return fp32_of_fp16(fp16);
  if (steps.late == LateForm::Exponent8) return bf16_of_fp16(fp16);
  if (!steps.cuts_denormals) return narrowed(steps.late, fp16);
  const U flushed = zero_below(fp16, kMagnitude16, kLeastNormalFp16);
  return narrowed<U>(steps.late, flushed | (fp16 & kSign16));
}

/// TF32 in 19 bits.
template <class U>
LANEWISE_INLINE constexpr U fp16_of_low_tf32(U tf32) {
  return saturated_fp16<U>(tf32 >> 3 & kSign16, fp16_exponent<U>(tf32 >> 10 & 0xFF), tf32 & 0x3FF);
}

} // namespace detail

/// Magnitudes are compared as integers, with a threshold that is as wide as they are.
template <class U>
LANEWISE_INLINE constexpr U relu_lanes(const PackSteps& steps, U value) {
  if (steps.relu == Relu::None) return value;
  const Mask<U> is_positive = equal<U>(value & steps.sign, splat<U>(0));
  if (steps.relu == Relu::ZeroIfNegative) return keep_where<U>(is_positive, value);
  const U threshold = splat<U>(steps.threshold);
  if (steps.relu == Relu::ZeroIfNotAbove)
    return keep_where<U>(both(is_positive, greater_signed<U>(value, threshold)), value);
  const Mask<U> is_above = greater_signed<U>(value >> steps.ignored, threshold >> steps.ignored);
  return keep_where<U>(is_positive, select<U>(is_above, threshold, value));
}

/// What pack_early() gives.
template <class U>
LANEWISE_INLINE constexpr U pack_early_lanes(const PackSteps& steps, U stored) {
  return relu_lanes(steps, detail::converted_early(steps, stored));
}

/// What apply_exponent_threshold() gives.
template <class U>
LANEWISE_INLINE constexpr U threshold_lanes(const PackSteps& steps, U value) {
  if (!steps.has_exponent_threshold) return value;
  const U exponent = value >> steps.mantissa_bits & steps.top_exponent;
  return select<U>(greater_signed<U>(splat<U>(steps.exponent_threshold), exponent), splat<U>(0),
                   value);
}

/// What pack_late() gives.
template <class U>
LANEWISE_INLINE constexpr U pack_late_lanes(const PackSteps& steps, U value) {
  switch (steps.early) {
    case EarlyStep::None:
    case EarlyStep::Copy32:
    case EarlyStep::WidenBf16:
    case EarlyStep::RoundTf32: return detail::late_of_32_bits(steps.late, value);
    case EarlyStep::RoundTf32Low:
      return detail::late_of_fp16(steps, detail::fp16_of_low_tf32(value));
    case EarlyStep::RoundBf16:
    case EarlyStep::CutBf16:
    case EarlyStep::RoundE8M6: return detail::late_of_bf16(steps.late, value);
    case EarlyStep::FlushFp16:
    case EarlyStep::CopyFp16:
    case EarlyStep::NarrowBf16:
    case EarlyStep::CutE5M7:
    case EarlyStep::RoundE5M6:
    case EarlyStep::CutFp8: return detail::late_of_fp16(steps, value);
    case EarlyStep::Copy16:
    case EarlyStep::UpperHalf:
    case EarlyStep::ScaleInt8:
    case EarlyStep::CutInt8:
    case EarlyStep::SignOfInt8: break;
  }
  return value;
}

/// The exponent of what goes into a block.
template <class U>
LANEWISE_INLINE constexpr U exponent_in_block(const BlockForm& form, U value) {
  return value >> form.mantissa_bits & form.top_exponent;
}

/// A datum of a block, whose largest exponent is `top`: its magnitude rounded to 7 bits, ties away
/// from zero, no further than all ones, and then cut.
template <class U>
LANEWISE_INLINE constexpr U datum_of_block(const BlockForm& form, U value, U top) {
  constexpr Lane kLeavesNothing = 8; // so many places down, and what is rounded is 0
  const U exponent = exponent_in_block(form, value);
  const U down = detail::at_most<U>(top - exponent, kLeavesNothing);
  const U hidden = keep_where<U>(not_equal<U>(exponent, splat<U>(0)), splat<U>(0x80));
  const U whole = (value >> (form.mantissa_bits - 7) & 0x7F) | hidden;
  const U rounded = shift_right<U>(whole + shift_left<U>(splat<U>(1), down), down + 1);
  const U magnitude = detail::at_most(rounded, 0x7F) >> (8 - form.bits);
  const U sign = (value >> 15 & 1) << (form.bits - 1);
  return magnitude | keep_where<U>(not_equal<U>(magnitude, splat<U>(0)), sign);
}

} // namespace lanewise::semantics
