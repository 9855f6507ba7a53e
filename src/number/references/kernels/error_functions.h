// erf() and erfc() of as many doubles as the level has, with the same bits at every level: sums,
// products and quotients, which IEEE 754 defines, and exp_of().
#pragma once

#include <array>

#include "number/references/kernels/vector_math.h"

namespace lanewise::LANEWISE_LEVEL {

/// c[0] + c[1] x + ..., the even and the odd powers by themselves, so that two sums go on at once.
template <std::size_t kCount>
LANEWISE_INLINE Doubles polynomial(const std::array<double, kCount>& c, Doubles x) {
  static_assert(kCount % 2 == 0);
  const Doubles square = x * x;
  Doubles even = splat(c[kCount - 2]), odd = splat(c[kCount - 1]);
  for (std::size_t i = kCount - 2; i != 0; i -= 2) {
    even = even * square + c[i - 2];
    odd = odd * square + c[i - 1];
  }
  return even + odd * x;
}

/// erfc(x) for 0 <= x <= 27, and a NaN. (1 + 2x) e^(x^2) erfc(x) lies between 1 and 1.25 and is a
/// polynomial in t = (x - 4) / (x + 4), a form of Schonfelder (Mathematics of Computation 32,
/// 1978); this one is interpolated at Chebyshev's points, with an error of 2^-58.
LANEWISE_INLINE Doubles erfc_of_positive(Doubles x) {
  constexpr std::array kCoefficients{
      0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a28fp-3,  0x1.f7f5df66fd6bep-7,
      0x1.16ecefcfa5430p-4,   -0x1.9ddb23c3e8913p-4,  0x1.7fee004e10dd2p-4,
      -0x1.0fb06dfe55461p-4,  0x1.3079edf6b51c5p-5,   -0x1.09623882ab76bp-6,
      0x1.49c67277b57a5p-8,   -0x1.8d4a9c2ad2f16p-11, -0x1.a1df1bcaac9b5p-13,
      0x1.3be067f6bfa99p-13,  -0x1.995a3a2992d4ep-16, -0x1.788cc1619fea9p-17,
      0x1.7f2fd20ab221ep-18,  0x1.3b860af7a67c7p-22,  -0x1.bb4631475b59bp-21,
      0x1.403a22cc8e143p-24,  0x1.d9408164c36f3p-24,  -0x1.32697a30c6af5p-26,
      -0x1.e497bae171a2cp-27, 0x1.ef4ad82e175f6p-30,  0x1.55a3c044bdbfap-30};
  // x^2 is up to 729, so that its own rounding would count.
  const Doubles square = x * x;
  const Doubles rest = product_less(x, x, square);
  const Doubles factor = polynomial(kCoefficients, (x - 4) / (x + 4)) / (1 + 2 * x);
  return exp_of(-square) * (factor - factor * rest);
}

LANEWISE_INLINE Doubles erfc_of(Doubles x) {
  using references::kHighestErfc, references::kLowestFlatErf;
  const Mask is_beyond = below(splat(kHighestErfc), x), is_two = below(x, splat(-kLowestFlatErf));
  if (all(is_beyond | is_two | below(size_of(x), splat(references::kNextToZero))))
    return select(is_beyond, splat(0), select(is_two, splat(2), splat(1)));
  const Doubles result = erfc_of_positive(no_more_than(size_of(x), kHighestErfc));
  const Doubles bounded_result = select(is_beyond, splat(0), result);
  return select(below(x, splat(0)), 2 - result, bounded_result);
}

/// Below 1, erf(x) / x is a polynomial in x^2, with an error of 2^-56; above, it is 1 - erfc(x),
/// which is 1 from kLowestFlatErf on.
LANEWISE_INLINE Doubles erf_of(Doubles x) {
  constexpr std::array kCoefficients{
      0x1.20dd750429b6dp+0,  -0x1.812746b0379c1p-2,  0x1.ce2f21a040f66p-4,  -0x1.b82ce31203772p-6,
      0x1.565bccfa44156p-8,  -0x1.c02db0665e53dp-11, 0x1.f9a2be4f731a1p-14, -0x1.f4ca838adb73bp-17,
      0x1.b981d78881a5dp-20, -0x1.5c131500d3f88p-23, 0x1.d76af6ca49787p-27, -0x1.ac9585a44fe29p-31};
  const Doubles size = size_of(x);
  const Mask is_small = below(size, splat(1));
  if (all(at_most(splat(references::kLowestFlatErf), size))) return with_sign_of(splat(1), x);
  const Doubles inside = select(is_small, x, splat(0));
  const Doubles small = x * polynomial(kCoefficients, inside * inside);
  if (all(is_small)) return small;
  const Doubles large = 1 - erfc_of_positive(no_more_than(size, references::kHighestErfc));
  return select(is_small, small, with_sign_of(large, x));
}

} // namespace lanewise::LANEWISE_LEVEL
