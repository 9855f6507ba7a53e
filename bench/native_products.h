// What the Matrix Unit's kernels are compared with: plain loops of the same shape on the host's own
// numbers, without the rules of the Matrix Unit.
#pragma once

#include <cstdint>

#include "chip/machine/simd_level.h"

namespace lanewise::bench {

inline constexpr unsigned kProductRows = 8, kProductInner = 16, kProductColumns = 16;
inline constexpr unsigned kProductTargets = 8;

/// One 8x16 times 16x16 product, added to one of several targets.
template <class T>
struct ProductArrays {
  alignas(64) T b[kProductRows][kProductInner];
  alignas(64) T a[kProductInner][kProductColumns];
  alignas(64) T sum[kProductTargets][kProductRows][kProductColumns];
};

/// Both loops of a level: `count` products, the targets take turns.
struct NativeProducts {
  void (*floats)(ProductArrays<float>& arrays, unsigned count);
  void (*integers)(ProductArrays<std::int32_t>& arrays, unsigned count);
};

NativeProducts native_products(SimdLevel level);

} // namespace lanewise::bench
