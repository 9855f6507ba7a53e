// Which conversion a packer's early one is, and how its result lies until the late one (core.md
// 14.5). Within this room: pack_values.h is what others include.
#pragma once

#include <cstdint>

#include "chip/semantics/pack_values.h"

namespace lanewise::semantics {

/// What happens to a datum of Dst.
enum class EarlyStep : std::uint8_t {
  None,         ///< no source has the mode
  Copy32,       ///< FP32 or INT32
  RoundTf32,    ///< in the upper 19 of 32 bits
  RoundTf32Low, ///< in the lower 19 of 32 bits, where a chip reads 32 bits for FP16
  RoundBf16,
  CutBf16,
  WidenBf16, ///< to FP32, with zeros behind it
  RoundE8M6, ///< a BF16 with a zero at the end
  FlushFp16,
  CopyFp16,
  NarrowBf16, ///< to FP16, where a chip does so
  CutE5M7,    ///< an FP16 with zeros at the end; so the next two
  RoundE5M6,
  CutFp8,
  Copy16,     ///< INT16
  UpperHalf,  ///< INT16 of 32 bits
  ScaleInt8,  ///< shifted, rounded, saturated; with a sign or without
  CutInt8,    ///< the lowest bits
  SignOfInt8, ///< and no magnitude
};

EarlyStep early_step(const Packing& how);

/// The fields of a datum behind its sign. Integers have no exponent.
struct DatumFields {
  unsigned exponent_bits = 0;
  unsigned mantissa_bits = 0;

  constexpr bool is_float() const { return exponent_bits != 0; }
  constexpr std::uint32_t sign() const { return 1U << (exponent_bits + mantissa_bits); }
};

/// What pack_early() gives, right-aligned. Precondition: the step is not None.
DatumFields fields_of(EarlyStep step);

/// In_data_format.
constexpr isa::DataFormat in_format(const Packing& how) {
  return how.in.value_or(how.intermediate);
}

/// Whether a datum goes as BF16 into the packer and as TF32 into the late conversion, since
/// Round_10b_mant is set.
constexpr bool takes_bf16_as_tf32(const Packing& how) {
  if (how.intermediate != isa::DataFormat::Bf16 || !how.rounds_to_10_bits) return false;
  const isa::DataFormat in = in_format(how);
  // tt-llk: "Gasket converts Float16_b -> Float16 before the packer".
  const bool is_read_as_narrow = in == isa::DataFormat::Fp16 || in == isa::DataFormat::Fp8;
  if (how.out == isa::DataFormat::Fp8) return is_read_as_narrow && how.fp8_has_long_mantissa;
  return how.out == isa::DataFormat::Fp16 && !is_read_as_narrow;
}

} // namespace lanewise::semantics
