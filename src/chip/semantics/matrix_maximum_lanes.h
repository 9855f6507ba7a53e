// The maximum of chip/semantics/matrix_maximum.h for lanes: how the kernel of GMPOOL computes it.
#pragma once

#include "chip/semantics/float_fields.h"
#include "chip/semantics/matrix_maximum.h"

namespace lanewise::semantics {

/// A PoolDatum: its sign at bit 31.
template <class U>
struct PoolLanes {
  U sign, magnitude;

  LANEWISE_INLINE constexpr U order() const {
    return add_or_subtract<U>(negative(sign), U{}, magnitude);
  }
};

/// read_pool_dst().
template <class U>
LANEWISE_INLINE constexpr PoolLanes<U> read_pool_dst_lanes(U stored, PoolFormat format) {
  const Lane bias = detail::pool_bias(format) << kPoolFraction;
  const U sign = stored & kSign, pattern = unshuffle_32<U>(stored);
  if (format == PoolFormat::Integer) return {sign, pattern & 0x7FFFF};
  if (format == PoolFormat::Fp16) {
    const U exponent = (stored >> 16 & 31) << kPoolFraction;
    return {sign, (exponent | (stored >> 21 & 0x3FF)) + bias};
  }
  const Lane kept = format == PoolFormat::Bf16 ? detail::kBf16Magnitude : ~Lane{0};
  return {sign, (pattern >> 13 & 0x3FFFF & kept) + bias};
}

/// write_pool_dst().
template <class U>
LANEWISE_INLINE constexpr U write_pool_dst_lanes(PoolLanes<U> datum, PoolFormat format) {
  if (format == PoolFormat::Integer) return datum.sign | (datum.magnitude & 0x1FFF);
  const bool fp16 = format == PoolFormat::Fp16;
  const Lane exponents = (fp16 ? 0x3FU : 0x1FFU) << kPoolFraction;
  const Mask<U> some = any_common_bit(datum.magnitude, splat<U>(exponents));
  const U exponent = (datum.magnitude >> kPoolFraction) - detail::pool_bias(format);
  const U mantissa = datum.magnitude & (format == PoolFormat::Bf16 ? 0x3F8U : 0x3FFU);
  if (fp16) return keep_where<U>(some, datum.sign | mantissa << 21 | (exponent & 31) << 16);
  return keep_where<U>(some, shuffle_32<U>(datum.sign | (exponent & 0xFF) << 23 | mantissa << 13));
}

/// scale_pool_source().
template <class U>
LANEWISE_INLINE constexpr PoolLanes<U> scale_pool_source_lanes(U cell, U scale, PoolFormat format,
                                                               std::uint32_t to_dst) {
  const bool fp16 = format == PoolFormat::Fp16;
  const Lane exponent_mask = fp16 ? 31 : 0xFF;
  const U mantissa = cell >> 13 & (format == PoolFormat::Bf16 ? 0x3F8U : 0x3FFU);
  U magnitude = mantissa;
  if (format != PoolFormat::Integer) {
    const U sum = (exponent_field(cell) & exponent_mask) + (exponent_field(scale) & exponent_mask);
    magnitude |= (sum + (fp16 ? 2 * to_dst : 0)) << kPoolFraction;
  }
  const Mask<U> nonzero = any_common_bit(cell, splat<U>(kExponentMask));
  const Mask<U> takes_part = any_common_bit(scale, splat<U>(kExponentMask));
  const U sign = keep_where<U>(nonzero, cell & kSign);
  magnitude = keep_where<U>(nonzero, magnitude);
  return {select<U>(takes_part, sign, splat<U>(kSign)),
          select<U>(takes_part, magnitude, splat<U>(kPoolMinusInfinity.magnitude))};
}

/// A PoolMaximum under way in every column.
template <class U>
struct PoolMaximumLanes {
  PoolLanes<U> datum;
  U phase, index;

  LANEWISE_INLINE constexpr PoolMaximumLanes(U stored, PoolFormat format)
      : datum(read_pool_dst_lanes<U>(stored, format)),
        phase((stored + 0x100) & 0xF00),
        index(stored & 0xFF),
        order_(datum.order()) {}

  LANEWISE_INLINE constexpr void visit(unsigned row, PoolLanes<U> candidate) {
    const U order = candidate.order();
    const Mask<U> stays = greater_signed(order_, order);
    datum.sign = select<U>(stays, datum.sign, candidate.sign);
    datum.magnitude = select<U>(stays, datum.magnitude, candidate.magnitude);
    order_ = select<U>(stays, order_, order);
    if (row < kIndexedPoolRows)
      index = select<U>(stays, index, (phase >> 4) + pool_index_code(row));
  }

 private:
  U order_;
};

} // namespace lanewise::semantics
