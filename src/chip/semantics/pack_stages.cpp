// What happens to a datum between early and late conversion (core.md 14.6, 14.7, 14.11).
#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_steps.h"
#include "chip/semantics/pack_values.h"

namespace lanewise::semantics {

namespace {

// A clamp compares as many bits of an FP32 as a TF32 has.
constexpr unsigned kBitsOutOfClamp = 13;

bool has_sign(const Packing& how) {
  return !(how.intermediate == isa::DataFormat::Int8 && how.is_unsigned);
}

} // namespace

/// Magnitudes are compared as integers, with a threshold that is as wide as they are.
std::uint32_t apply_relu(const Packing& how, std::uint32_t value) {
  if (how.relu == Relu::None) return value;
  const DatumFields fields = fields_of(early_step(how));
  if ((value & fields.sign()) != 0 && has_sign(how)) return 0;
  if (how.relu == Relu::ZeroIfNegative) return value;
  const unsigned bits = fields.exponent_bits + fields.mantissa_bits;
  constexpr unsigned kThresholdBits = 15;
  const std::uint32_t threshold = std::uint32_t{how.threshold} << (bits - kThresholdBits);
  if (how.relu == Relu::ZeroIfNotAbove) return value <= threshold ? 0 : value;
  const unsigned ignored = bits == 31 ? kBitsOutOfClamp : 0;
  return value >> ignored > threshold >> ignored ? threshold : value;
}

std::uint32_t pack_masked(const Packing& how, EdgeMode mode) {
  if (mode == EdgeMode::Zero) return 0;
  const DatumFields fields = fields_of(early_step(how));
  // Without infinities, the number that is too large for all others.
  const std::uint32_t infinity = fields.exponent_bits == 5
                                     ? kMagnitude16
                                     : isa::low_ones(fields.exponent_bits) << fields.mantissa_bits;
  return apply_relu(how, fields.sign() | infinity);
}

std::uint32_t apply_exponent_threshold(const Packing& how, std::uint32_t value) {
  const DatumFields fields = fields_of(early_step(how));
  if (!fields.is_float() || in_format(how) == isa::DataFormat::Int32) return value;
  const std::uint32_t exponent =
      value >> fields.mantissa_bits & isa::low_ones(fields.exponent_bits);
  return exponent < how.exponent_threshold ? 0 : value;
}

} // namespace lanewise::semantics
