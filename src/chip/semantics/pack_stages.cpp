// What happens to a datum between early and late conversion (core.md 14.6, 14.7, 14.11).
#include "chip/semantics/pack_lanes.h"

namespace lanewise::semantics {

std::uint32_t pack_masked(const Packing& how, EdgeMode mode) {
  if (mode == EdgeMode::Zero) return 0;
  const DatumFields fields = fields_of(early_step(how));
  // Without infinities, the number that is too large for all others.
  const std::uint32_t infinity = fields.exponent_bits == 5
                                     ? kMagnitude16
                                     : isa::low_ones(fields.exponent_bits) << fields.mantissa_bits;
  return relu_lanes<Lane>(pack_steps(how), fields.sign() | infinity);
}

std::uint32_t apply_exponent_threshold(const Packing& how, std::uint32_t value) {
  return threshold_lanes<Lane>(pack_steps(how), value);
}

} // namespace lanewise::semantics
