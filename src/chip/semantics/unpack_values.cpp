#include "chip/semantics/unpack_values.h"

#include "chip/semantics/unpack_lanes.h"

namespace lanewise::semantics {

namespace {

using isa::DataFormat;

/// What is neither FP32 nor as wide, by what the format in L1 is.
Arrival arrival_of_16_bits(const Unpacking& how) {
  switch (how.in) {
    case DataFormat::Fp16:
    case DataFormat::Bf16: return Arrival::Copy16;
    case DataFormat::Int16: return Arrival::Integer16;
    case DataFormat::Fp8: return how.fp8_has_long_mantissa ? Arrival::LongFp8 : Arrival::Fp8;
    case DataFormat::Int8: return Arrival::Integer8;
    case DataFormat::Bfp8:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2:
    case DataFormat::Bfp8a:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp2a: return Arrival::Block;
    case DataFormat::Fp32:
      return how.out == DataFormat::Fp16 ? Arrival::Fp16OfFp32 : Arrival::Bf16OfFp32;
    case DataFormat::Tf32:
    case DataFormat::Int32: break; // wider
  }
  return Arrival::Whole;
}

Arrival arrival_of(const Unpacking& how) {
  if (how.target == UnpackTarget::Dst)
    return fills_32_bits_of_dst(how) ? Arrival::Whole : arrival_of_16_bits(how);
  const bool is_wide = how.in == DataFormat::Fp32 || how.in == DataFormat::Tf32;
  return is_wide && how.out == DataFormat::Tf32 ? Arrival::Whole : arrival_of_16_bits(how);
}

/// Whether what arrives has FP16's layout, with 5 bits of exponent, and not that of BF16.
bool arrives_as_fp16(const Unpacking& how) {
  const DataFormat decides = how.in == DataFormat::Fp32 ? how.out : how.in;
  return isa::format_of_code(decides)->operand->exponent_bits == 5;
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

UnpackSteps unpack_steps(const Unpacking& how) {
  UnpackSteps steps;
  steps.arrival = arrival_of(how);
  steps.to_dst = how.target == UnpackTarget::Dst;
  if (steps.arrival == Arrival::Whole) return steps;
  steps.is_fp16 = arrives_as_fp16(how);
  if (steps.arrival == Arrival::Block) steps.aligned_by = 8 - isa::format_of_code(how.in)->l1->bits;
  if (steps.arrival == Arrival::Integer8) steps.sign8 = how.is_unsigned ? 0 : 0x80;
  if (steps.arrival == Arrival::LongFp8) steps.behind_ones = 0x7F;
  if (steps.arrival == Arrival::Fp8 && arch_params(how.arch).tile.unpacks_fp8_to_all_ones)
    steps.behind_ones = 0xFF;
  return steps;
}

std::uint32_t unpack_value(const Unpacking& how, std::uint32_t datum, std::uint32_t exponent) {
  return unpack_lanes<Lane>(unpack_steps(how), datum, exponent);
}

bool loses_exponent(const Unpacking& how, std::uint32_t datum, std::uint32_t exponent) {
  return leaves_exponent_5(unpack_steps(how), datum, exponent);
}

} // namespace lanewise::semantics
