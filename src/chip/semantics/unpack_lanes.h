// What an unpacker makes of data of L1, in lanes (core.md 11, 11.1, 12.5): one datum of
// unpack_values.h, and the rows of chip/tile/kernels/.
#pragma once

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"
#include "chip/semantics/unpack_values.h"

namespace lanewise::semantics {

/// What the bits of a datum become at first: 32 bits as they are, or a pattern of BF16 or FP16.
enum class Arrival : std::uint8_t {
  Whole,      ///< 32 bits, of which SrcA and SrcB keep the upper 19
  Copy16,     ///< BF16 and FP16
  Integer16,  ///< INT16, which lies in a cell as Dst's numbers do
  Fp8,        ///< with 5 bits of exponent
  LongFp8,    ///< with 4
  Integer8,   ///< INT8, as an FP16 with an exponent that means nothing
  Block,      ///< sign and magnitude of a block
  Fp16OfFp32, ///< FP32, cut
  Bf16OfFp32
};

/// An Unpacking, as far as it is the same for all data.
struct UnpackSteps {
  Arrival arrival = Arrival::Whole;
  bool is_fp16 = false; ///< the pattern has 5 bits of exponent, and not 8
  bool to_dst = false;
  unsigned aligned_by = 0; ///< of a block: from the datum's lowest bit to that of a byte
  std::uint32_t sign8 = 0; ///< of Integer8: the sign's bit; 0 if it has none
  /// Of FP8, where all bits but the sign are ones: what comes in behind them. On Wormhole only
  /// zeros come behind those of 5 bits of exponent.
  std::uint32_t behind_ones = 0;
};

/// Precondition: basis_of(how) is not Unknown.
UnpackSteps unpack_steps(const Unpacking& how);

namespace detail {

/// Sign, three zeros, 5 bits of exponent, 10 of fraction.
template <class U>
LANEWISE_INLINE constexpr U fp16_cell(U fp16) {
  return (fp16 & kSign16) << 16 | (fp16 & kMagnitude16) << 13;
}

/// `ones` where all bits of an FP8 but its sign are set.
template <class U>
LANEWISE_INLINE constexpr U behind_all_ones(U fp8, Lane ones) {
  return keep_where<U>(equal<U>(fp8 & 0x7F, splat<U>(0x7F)), splat<U>(ones));
}

template <class U>
LANEWISE_INLINE constexpr U fp16_of_long_fp8(const UnpackSteps& steps, U fp8) {
  const U exponent = fp8 >> 3 & 15;
  const U rebased =
      keep_where<U>(not_equal<U>(exponent, splat<U>(0)), (exponent + kFp8Rebias) << 10);
  return (fp8 & 0x80) << 8 | rebased | (fp8 & 7) << 7 | behind_all_ones(fp8, steps.behind_ones);
}

/// An exponent that means nothing, unless the integer is 0.
template <class U>
LANEWISE_INLINE constexpr U fp16_of_int8(const UnpackSteps& steps, U int8) {
  const U sign = int8 & steps.sign8, magnitude = int8 - sign;
  return sign << 8 |
         keep_where<U>(not_equal<U>(magnitude, splat<U>(0)), magnitude | isa::kInt8Exponent << 10);
}

/// The magnitude of a block's datum in 8 bits with a zero at the end; the sign is at the top of
/// `aligned`.
template <class U>
LANEWISE_INLINE constexpr U magnitude_of_block(U aligned) {
  return aligned << 1 & 0xFF;
}

/// By how much the exponent goes down until the magnitude has its leading one at the top: what is
/// missing in the exponent of the magnitude as a float.
template <class U>
LANEWISE_INLINE constexpr U zeros_before(U magnitude_as_float) {
  constexpr Lane kExponentOf128 = 127 + 7;
  return kExponentOf128 - (magnitude_as_float >> 23);
}

/// Sign, exponent and the magnitude behind its leading one, in 16 bits. The exponent wraps. A zero
/// with a sign has the pattern of -infinity.
template <class U>
LANEWISE_INLINE constexpr U float_of_block(const UnpackSteps& steps, U datum, U shared) {
  const unsigned mantissa_bits = steps.is_fp16 ? 10 : 7;
  const Lane top = steps.is_fp16 ? kTopExponent5 : 0xFF;
  const U aligned = datum << steps.aligned_by & 0xFF;
  const U sign = aligned << 8 & kSign16;
  const U magnitude = magnitude_of_block(aligned);
  const U as_float = float_of_int(magnitude);
  const U exponent = (shared - zeros_before(as_float)) & top;
  const U number = exponent << mantissa_bits | (as_float >> 16 & 0x7F) << (mantissa_bits - 7);
  const U zero = keep_where<U>(not_equal<U>(sign, splat<U>(0)), splat<U>(top << mantissa_bits));
  return sign | select<U>(equal<U>(magnitude, splat<U>(0)), zero, number);
}

/// As BF16 or FP16.
template <class U>
LANEWISE_INLINE constexpr U pattern_of_16_bits(const UnpackSteps& steps, U datum, U exponent) {
  switch (steps.arrival) {
    case Arrival::Whole: break;
    case Arrival::Copy16: return datum & 0xFFFF;
    case Arrival::Integer16: return unshuffle_16<U>(datum & 0xFFFF);
    case Arrival::Fp8: return (datum & 0xFF) << 8 | behind_all_ones(datum, steps.behind_ones);
    case Arrival::LongFp8: return fp16_of_long_fp8<U>(steps, datum & 0xFF);
    case Arrival::Integer8: return fp16_of_int8<U>(steps, datum & 0xFF);
    case Arrival::Block: return float_of_block(steps, datum, exponent);
    case Arrival::Fp16OfFp32: return fp16_of_fp32(datum);
    case Arrival::Bf16OfFp32: return flush_denormal(datum) >> 16;
  }
  return splat<U>(0);
}

} // namespace detail

/// What unpack_value() gives.
template <class U>
LANEWISE_INLINE constexpr U unpack_lanes(const UnpackSteps& steps, U datum, U exponent) {
  if (steps.arrival == Arrival::Whole)
    return steps.to_dst ? shuffle_32(datum) : datum & isa::kWholeCell;
  const U pattern = detail::pattern_of_16_bits(steps, datum, exponent);
  if (steps.to_dst) return steps.is_fp16 ? shuffle_fp16(pattern) : shuffle_16(pattern);
  return steps.is_fp16 ? detail::fp16_cell(pattern) : pattern << 16;
}

/// Whether a datum of a block leaves the range of 5 bits of exponent, as loses_exponent() says.
constexpr bool leaves_exponent_5(const UnpackSteps& steps, Lane datum, Lane exponent) {
  if (steps.arrival != Arrival::Block || !steps.is_fp16) return false;
  const Lane magnitude = detail::magnitude_of_block<Lane>(datum << steps.aligned_by & 0xFF);
  if (magnitude == 0) return false;
  return exponent > kTopExponent5 || exponent < detail::zeros_before(float_of_int(magnitude));
}

} // namespace lanewise::semantics
