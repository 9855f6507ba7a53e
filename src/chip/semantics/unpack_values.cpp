#include "chip/semantics/unpack_values.h"

#include <bit>

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"

namespace lanewise::semantics {

namespace {

using isa::DataFormat;

// ---------------------------------------------------------------- Patterns of 16 bits

/// Sign, three zeros, 5 bits of exponent, 10 of fraction.
std::uint32_t fp16_cell(std::uint32_t fp16) {
  return (fp16 & kSign16) << 16 | (fp16 & kMagnitude16) << 13;
}

std::uint32_t bf16_of_fp32(std::uint32_t fp32) {
  return flush_denormal(fp32) >> 16;
}

/// Where all bits but the sign are ones, so are those that come in behind them: on Wormhole only
/// zeros come.
std::uint32_t fp16_of_fp8(const Unpacking& how, std::uint32_t fp8) {
  const bool all_ones = (fp8 & 0x7F) == 0x7F;
  if (!how.fp8_has_long_mantissa)
    return fp8 << 8 | (all_ones && arch_params(how.arch).tile.unpacks_fp8_to_all_ones ? 0xFFU : 0U);
  const std::uint32_t exponent = fp8 >> 3 & 15;
  return (fp8 & 0x80) << 8 | (exponent == 0 ? 0 : exponent + kFp8Rebias) << 10 | (fp8 & 7) << 7 |
         (all_ones ? 0x7FU : 0U);
}

/// An FP16 with an exponent that means nothing, unless the integer is 0.
std::uint32_t fp16_of_int8(const Unpacking& how, std::uint32_t int8) {
  const std::uint32_t sign = how.is_unsigned ? 0 : int8 & 0x80;
  const std::uint32_t magnitude = int8 - sign;
  return sign << 8 | (magnitude == 0 ? 0 : isa::kInt8Exponent << 10 | magnitude);
}

// ---------------------------------------------------------------- Blocks

/// A datum of a block as sign and magnitude: those of its bits that it has are at the top of 8.
std::uint32_t aligned_datum(DataFormat format, std::uint32_t datum) {
  return (datum << (8 - isa::format_of_code(format)->l1->bits)) & 0xFF;
}

/// By how much the exponent goes down until the magnitude, of 8 bits with a zero at the end, has
/// its leading one at the top.
std::uint32_t leading_zeros_of(std::uint8_t magnitude) {
  return static_cast<std::uint32_t>(std::countl_zero(magnitude));
}

std::uint8_t magnitude_of(std::uint32_t aligned) {
  return static_cast<std::uint8_t>(aligned << 1);
}

/// Sign, exponent and the magnitude behind its leading one, in 16 bits. The exponent wraps. A zero
/// with a sign has the pattern of -infinity.
std::uint32_t float_of_block(std::uint32_t aligned, std::uint32_t shared, unsigned exponent_bits) {
  const unsigned mantissa_bits = 15 - exponent_bits;
  const std::uint32_t top = isa::low_ones(exponent_bits);
  const std::uint32_t sign = aligned << 8 & kSign16;
  const std::uint8_t magnitude = magnitude_of(aligned);
  if (magnitude == 0) return sign == 0 ? 0 : sign | top << mantissa_bits;
  const std::uint32_t zeros = leading_zeros_of(magnitude);
  const std::uint32_t fraction = std::uint32_t{magnitude} << zeros & 0x7E;
  return sign | ((shared - zeros) & top) << mantissa_bits | fraction << (mantissa_bits - 7);
}

bool is_block(DataFormat format) {
  return isa::format_of_code(format)->l1->is_block();
}

/// Whether what arrives has FP16's layout, with 5 bits of exponent, and not that of BF16.
bool arrives_as_fp16(const Unpacking& how) {
  const DataFormat decides = how.in == DataFormat::Fp32 ? how.out : how.in;
  return isa::format_of_code(decides)->operand->exponent_bits == 5;
}

/// What is neither FP32 nor as wide, as BF16 or FP16.
std::uint32_t pattern_of_16_bits(const Unpacking& how, std::uint32_t datum,
                                 std::uint32_t exponent) {
  switch (how.in) {
    case DataFormat::Fp16:
    case DataFormat::Bf16: return datum & 0xFFFF;
    case DataFormat::Int16: return unshuffle_16(datum & 0xFFFF);
    case DataFormat::Fp8: return fp16_of_fp8(how, datum & 0xFF);
    case DataFormat::Int8: return fp16_of_int8(how, datum & 0xFF);
    case DataFormat::Bfp8:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2: return float_of_block(aligned_datum(how.in, datum), exponent, 8);
    case DataFormat::Bfp8a:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp2a: return float_of_block(aligned_datum(how.in, datum), exponent, 5);
    case DataFormat::Fp32:
      return how.out == DataFormat::Fp16 ? fp16_of_fp32(datum) : bf16_of_fp32(datum);
    case DataFormat::Tf32:
    case DataFormat::Int32: break; // wider
  }
  return 0;
}

std::uint32_t source_cell(const Unpacking& how, std::uint32_t datum, std::uint32_t exponent) {
  const bool is_wide = how.in == DataFormat::Fp32 || how.in == DataFormat::Tf32;
  if (is_wide && how.out == DataFormat::Tf32) return datum & isa::kWholeCell;
  const std::uint32_t pattern = pattern_of_16_bits(how, datum, exponent);
  return arrives_as_fp16(how) ? fp16_cell(pattern) : pattern << 16;
}

std::uint32_t dst_cells(const Unpacking& how, std::uint32_t datum, std::uint32_t exponent) {
  if (fills_32_bits_of_dst(how)) return shuffle_32(datum);
  const std::uint32_t pattern = pattern_of_16_bits(how, datum, exponent);
  return arrives_as_fp16(how) ? shuffle_fp16(pattern) : shuffle_16(pattern);
}

// ---------------------------------------------------------------- What is known

/// A format as another one that reads the same cells: what tt-llk's own table permits.
Basis basis_of_pair(DataFormat in, DataFormat out) {
  switch (in) {
    case DataFormat::Bf16: return out == DataFormat::Tf32 ? Basis::Assumed : Basis::Unknown;
    case DataFormat::Bfp8:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2:
      return out == DataFormat::Bf16 || out == DataFormat::Tf32 || out == DataFormat::Bfp8
                 ? Basis::Assumed
                 : Basis::Unknown;
    case DataFormat::Bfp8a:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp2a:
    case DataFormat::Fp8: return out == DataFormat::Fp16 ? Basis::Assumed : Basis::Unknown;
    case DataFormat::Fp32:
    case DataFormat::Fp16:
    case DataFormat::Tf32:
    case DataFormat::Int32:
    case DataFormat::Int16:
    case DataFormat::Int8: break;
  }
  return Basis::Unknown;
}

/// Into a source register, a format as itself.
Basis source_basis(DataFormat format) {
  switch (format) {
    case DataFormat::Fp16:
    case DataFormat::Bf16:
    case DataFormat::Bfp8:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2:
    case DataFormat::Int16:
    case DataFormat::Int8:
    case DataFormat::Fp8: return Basis::Compared;
    case DataFormat::Bfp8a:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp2a: return Basis::Documented;
    case DataFormat::Tf32: return Basis::Assumed; // tt-llk permits what the documents leave open
    case DataFormat::Fp32:
    case DataFormat::Int32: break;
  }
  return Basis::Unknown;
}

/// Into Dst, a format as itself.
Basis dst_basis(DataFormat format) {
  switch (format) {
    case DataFormat::Fp32:
    case DataFormat::Int32: return Basis::Compared;
    case DataFormat::Tf32:
    case DataFormat::Fp16:
    case DataFormat::Bf16:
    case DataFormat::Bfp8:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2:
    case DataFormat::Bfp8a:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp2a:
    case DataFormat::Int16:
    case DataFormat::Int8: return Basis::Documented;
    case DataFormat::Fp8: break;
  }
  return Basis::Unknown;
}

/// FP32, the one format that is converted to several others.
Basis fp32_basis(const Unpacking& how) {
  const bool to_dst = how.target == UnpackTarget::Dst;
  switch (how.out) {
    case DataFormat::Fp32: return to_dst ? Basis::Compared : Basis::Unknown;
    case DataFormat::Tf32: return Basis::Compared;
    case DataFormat::Bf16:
    case DataFormat::Fp16: return to_dst ? Basis::Documented : Basis::Compared;
    case DataFormat::Bfp8a:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp8:
    case DataFormat::Bfp4:
    case DataFormat::Int32:
    case DataFormat::Int16:
    case DataFormat::Fp8:
    case DataFormat::Bfp2a:
    case DataFormat::Int8:
    case DataFormat::Bfp2: break;
  }
  return Basis::Unknown;
}

} // namespace

Basis basis_of(const Unpacking& how) {
  if (isa::format_of_code(how.in) == nullptr || isa::format_of_code(how.out) == nullptr)
    return Basis::Unknown;
  if (how.in == DataFormat::Fp8 && how.fp8_has_long_mantissa &&
      !arch_params(how.arch).tile.has_fp8_of_long_mantissa)
    return Basis::Unknown;
  if (how.in == DataFormat::Fp32) return fp32_basis(how);
  const bool to_dst = how.target == UnpackTarget::Dst;
  if (how.in == how.out) return to_dst ? dst_basis(how.in) : source_basis(how.in);
  const bool can_be_itself = !to_dst || dst_basis(how.in) != Basis::Unknown;
  const bool same_width = !to_dst || how.out != DataFormat::Tf32;
  return can_be_itself && same_width ? basis_of_pair(how.in, how.out) : Basis::Unknown;
}

bool fills_32_bits_of_dst(const Unpacking& how) {
  return isa::format_of_code(how.out)->l1->bits == 32;
}

std::uint32_t unpack_value(const Unpacking& how, std::uint32_t datum, std::uint32_t exponent) {
  return how.target == UnpackTarget::Dst ? dst_cells(how, datum, exponent)
                                         : source_cell(how, datum, exponent);
}

bool loses_exponent(const Unpacking& how, std::uint32_t datum, std::uint32_t exponent) {
  if (!is_block(how.in) || !arrives_as_fp16(how)) return false;
  const std::uint8_t magnitude = magnitude_of(aligned_datum(how.in, datum));
  if (magnitude == 0) return false;
  return exponent > kTopExponent5 || exponent < leading_zeros_of(magnitude);
}

} // namespace lanewise::semantics
