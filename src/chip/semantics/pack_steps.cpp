#include "chip/semantics/pack_steps.h"

#include "chip/semantics/pack_lanes.h"

namespace lanewise::semantics {

namespace {

using isa::DataFormat;

EarlyStep step_to_bf16(const Packing& how) {
  if (takes_bf16_as_tf32(how)) return how.raw ? EarlyStep::None : EarlyStep::RoundTf32;
  return how.raw ? EarlyStep::CutBf16 : EarlyStep::RoundBf16;
}

bool rounds_to_tf32(const Packing& how) {
  return how.rounds_to_10_bits && !how.raw;
}

EarlyStep step_of_32_bits(const Packing& how) {
  switch (how.intermediate) {
    case DataFormat::Int32: return EarlyStep::Copy32;
    case DataFormat::Fp32: return rounds_to_tf32(how) ? EarlyStep::RoundTf32 : EarlyStep::Copy32;
    case DataFormat::Tf32: return how.raw ? EarlyStep::Copy32 : EarlyStep::RoundTf32;
    case DataFormat::Bf16: return step_to_bf16(how);
    case DataFormat::Bfp8: return how.raw ? EarlyStep::CutBf16 : EarlyStep::RoundE8M6;
    case DataFormat::Fp16:
      return rounds_to_tf32(how) && arch_params(how.arch).tile.packs_bf16_as_fp16
                 ? EarlyStep::RoundTf32Low
                 : EarlyStep::None;
    case DataFormat::Int8: return how.raw ? EarlyStep::CutInt8 : EarlyStep::ScaleInt8;
    case DataFormat::Int16: return how.raw ? EarlyStep::None : EarlyStep::UpperHalf;
    case DataFormat::Bfp8a:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp4:
    case DataFormat::Fp8:
    case DataFormat::Bfp2a:
    case DataFormat::Bfp2: break;
  }
  return EarlyStep::None;
}

EarlyStep step_to_fp16(const Packing& how) {
  if (how.rounds_to_10_bits && arch_params(how.arch).tile.packs_bf16_as_fp16)
    return how.raw ? EarlyStep::None : EarlyStep::NarrowBf16;
  return how.raw ? EarlyStep::CopyFp16 : EarlyStep::FlushFp16;
}

EarlyStep step_of_16_bits(const Packing& how) {
  switch (how.intermediate) {
    // No document has the widening; LLK's fast_tilize relies on it (core.md Q3).
    case DataFormat::Fp32:
      if (rounds_to_tf32(how)) return EarlyStep::RoundTf32;
      return how.raw ? EarlyStep::None : EarlyStep::WidenBf16;
    case DataFormat::Tf32: return how.raw ? EarlyStep::None : EarlyStep::RoundTf32;
    case DataFormat::Bf16: return step_to_bf16(how);
    case DataFormat::Bfp8: return how.raw ? EarlyStep::CutBf16 : EarlyStep::RoundE8M6;
    case DataFormat::Fp16: return step_to_fp16(how);
    case DataFormat::Bfp8a: return how.raw ? EarlyStep::CutE5M7 : EarlyStep::RoundE5M6;
    case DataFormat::Fp8: return how.raw ? EarlyStep::CutFp8 : EarlyStep::None;
    case DataFormat::Int16: return EarlyStep::Copy16;
    case DataFormat::Int8:
      return how.raw && !how.is_unsigned ? EarlyStep::SignOfInt8 : EarlyStep::None;
    case DataFormat::Int32:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2a:
    case DataFormat::Bfp2: break;
  }
  return EarlyStep::None;
}

LateForm late_form(const Packing& how) {
  const isa::NumberFormat& out = *isa::format_of_code(how.out);
  if (out.l1->bits == 32) return LateForm::Whole;
  if (out.operand->exponent_bits != 5) return LateForm::Exponent8;
  if (how.out == DataFormat::Fp8)
    return how.fp8_has_long_mantissa ? LateForm::LongFp8 : LateForm::Fp8;
  return out.l1->is_block() ? LateForm::E5M7 : LateForm::Fp16;
}

/// How many bits of mantissa a type has, among those with 5 bits of exponent.
unsigned mantissa_bits_of_type(DataFormat format) {
  if (format == DataFormat::Fp16) return 10;
  return format == DataFormat::Fp8 ? 2 : 7;
}

void take_relu(PackSteps& steps, const Packing& how, const DatumFields& fields) {
  constexpr unsigned kThresholdBits = 15;
  constexpr unsigned kBitsOutOfClamp = 13; // an FP32 is compared as a TF32
  const bool has_sign = !(how.intermediate == DataFormat::Int8 && how.is_unsigned);
  const unsigned bits = fields.exponent_bits + fields.mantissa_bits;
  steps.relu = how.relu;
  steps.sign = has_sign ? fields.sign() : 0;
  // Integers of 8 bits have no threshold.
  if (bits >= kThresholdBits)
    steps.threshold = std::uint32_t{how.threshold} << (bits - kThresholdBits);
  steps.ignored = bits == 31 ? kBitsOutOfClamp : 0;
}

} // namespace

PackSteps pack_steps(const Packing& how) {
  constexpr unsigned kShiftMask = 31; // what is above it belongs to no shift amount
  PackSteps steps;
  steps.early = early_step(how);
  steps.reads_32_bits = how.reads_32_bits;
  steps.is_unsigned = how.is_unsigned;
  steps.shift = how.shift & kShiftMask;
  const DatumFields fields = fields_of(steps.early);
  take_relu(steps, how, fields);
  steps.has_exponent_threshold =
      how.exponent_threshold != 0 && fields.is_float() && in_format(how) != DataFormat::Int32;
  steps.exponent_threshold = how.exponent_threshold;
  steps.mantissa_bits = fields.mantissa_bits;
  steps.top_exponent = isa::low_ones(fields.exponent_bits);
  steps.late = late_form(how);
  steps.cuts_denormals = mantissa_bits_of_type(how.out) < mantissa_bits_of_type(in_format(how));
  steps.is_block = isa::format_of_code(how.out)->l1->is_block();
  if (steps.is_block) steps.block = block_form(how.out);
  return steps;
}

EarlyStep early_step(const Packing& how) {
  return how.reads_32_bits ? step_of_32_bits(how) : step_of_16_bits(how);
}

DatumFields fields_of(EarlyStep step) {
  switch (step) {
    case EarlyStep::None:
    case EarlyStep::Copy32:
    case EarlyStep::WidenBf16:
    case EarlyStep::RoundTf32: break;
    case EarlyStep::RoundTf32Low: return {.exponent_bits = 8, .mantissa_bits = 10};
    case EarlyStep::RoundBf16:
    case EarlyStep::CutBf16:
    case EarlyStep::RoundE8M6: return {.exponent_bits = 8, .mantissa_bits = 7};
    case EarlyStep::FlushFp16:
    case EarlyStep::CopyFp16:
    case EarlyStep::NarrowBf16:
    case EarlyStep::CutE5M7:
    case EarlyStep::RoundE5M6:
    case EarlyStep::CutFp8: return {.exponent_bits = 5, .mantissa_bits = 10};
    case EarlyStep::Copy16:
    case EarlyStep::UpperHalf: return {.exponent_bits = 0, .mantissa_bits = 15};
    case EarlyStep::ScaleInt8:
    case EarlyStep::CutInt8:
    case EarlyStep::SignOfInt8: return {.exponent_bits = 0, .mantissa_bits = 7};
  }
  return {.exponent_bits = 8, .mantissa_bits = 23};
}

} // namespace lanewise::semantics
