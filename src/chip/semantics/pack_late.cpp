// The late conversion, and blocks (core.md 14.8, 14.9).
#include <algorithm>

#include "chip/semantics/pack_lanes.h"

namespace lanewise::semantics {

std::uint32_t pack_late(const Packing& how, std::uint32_t value) {
  return pack_late_lanes<Lane>(pack_steps(how), value);
}

BlockForm block_form(isa::DataFormat out) {
  const isa::L1Form& form = *isa::format_of_code(out)->l1;
  return {.mantissa_bits = 15 - form.shared_exponent_bits,
          .top_exponent = isa::low_ones(form.shared_exponent_bits),
          .bits = form.bits};
}

PackedBlock pack_block(isa::DataFormat out, const std::array<std::uint32_t, 16>& values) {
  const BlockForm form = block_form(out);
  Lane top = 0;
  for (const Lane value : values) top = std::max(top, exponent_in_block(form, value));
  PackedBlock block{.exponent = static_cast<std::uint8_t>(top)};
  for (std::size_t i = 0; i < values.size(); ++i)
    block.data[i] = static_cast<std::uint8_t>(datum_of_block(form, values[i], top));
  return block;
}

} // namespace lanewise::semantics
