// The partially fused multiply-add of the MAD sub-unit, x * y + z.
//
// Three forms of one rule. fma_exact() follows VU 3.1 (Blackhole) and 3.2 (Wormhole) step by step,
// for one lane. The others are branch-free and vectorise: fma_complete() is exact for all numbers;
// fma_common() is shorter, and exact wherever it does not raise `care`. It raises it for infinities
// and NaNs, and where the larger of product and addend lies outside 2^-99 .. 2^126, so that the
// result might leave the normal range; zeros need no care.
#pragma once

#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/semantics/float_fields.h"

namespace lanewise::semantics {

/// x * y + z in every case. Defined for both chips in fma.cpp.
template <Arch A>
Lane fma_exact(Lane x, Lane y, Lane z);

/// The same of a chip that is known when the program runs, whose lanes have 32 bits.
Lane fma_exact(Arch arch, Lane x, Lane y, Lane z);

namespace detail {

/// Exponents stay at their place in the number, bits [30:23]: sums and comparisons need no shift
/// there, and one that leaves 0..255 shows as a large unsigned number.
inline constexpr Lane exponent_bits(Lane exponent) {
  return exponent << 23;
}
inline constexpr Lane kSpecialExponent = exponent_bits(255); ///< of infinities and NaNs

/// The sum has 26 fraction bits at the exponent re of the term that leads. As a float it has the
/// exponent of a whole number; this less, and re more, is that of the result.
inline constexpr Lane kExponentOfSum = exponent_bits(kBias + 26);

/// Product and addend, aligned and added.
template <class U>
struct AlignedSum {
  Mask<U> product_leads; ///< the product has the larger exponent
  U sum;                 ///< relative to the sign of the term with the larger exponent
};

/// Steps 1, 2, 5 and 6. The product is a zero but where `product` is set; `pe` is its exponent.
///
/// Signed arithmetic on 32-bit lanes is enough: the product keeps 28 bits and a sticky bit, the
/// addend 27 bits, so their aligned sum has at most 29. The final normalising and rounding to
/// nearest even of that exact sum is the host's conversion from int to float.
template <Arch A, class U>
LANEWISE_INLINE constexpr AlignedSum<U> aligned_sum(U x, U y, U z, Mask<U> product, U pe) {
  const U ez = z & kExponentMask;
  const Mask<U> addend = greater_signed(ez, splat<U>(0));

  // Step 2: the 48-bit product without its low 20 bits, which leave a sticky bit. With the
  // significands at bits [31:8] and [27:4] these are the bits below the upper half.
  const U mx = keep_where<U>(product, (x << 8) | (kHiddenOne << 8));
  const U my = ((y << 4) & (kMantissaMask << 4)) | (kHiddenOne << 4);
  const U pm = multiply_high_sticky<U>(mx, my);
  const U zm = keep_where<U>(addend, ((z << 3) & (kMantissaMask << 3)) | (kHiddenOne << 3));

  // Step 5: the term with the smaller exponent is shifted to the right, and what it loses leaves a
  // sticky bit, provided that something remains.
  const Mask<U> product_leads = both<Mask<U>>(product, greater_unsigned(pe, ez));
  const U larger = select(product_leads, pm, zm);
  const U smaller = select(product_leads, zm, pm);
  const U shift = absolute_signed<U>(pe - ez) >> 23;
  const U shifted = shift_right_or_zero(smaller, shift);
  const Mask<U> lost = both<Mask<U>>(not_equal(shift_left_back(shifted, shift), smaller),
                                     greater_signed(shifted, splat<U>(0)));
  const U aligned = with_bit_0_where<U>(lost, shifted);

  // Step 6.
  U sum = add_or_subtract<U>(negative(x ^ y ^ z), larger, aligned);
  if constexpr (!kArch<A>.vector.exact_rounding_sticky) {
    // VU 3.2 step 7: a sum of 29 bits is shifted by two places and loses dropped bit 1.
    sum = select<U>(greater_signed(sum, splat<U>((1U << 28) - 1)), sum & ~Lane{2}, sum);
  }
  return {product_leads, sum};
}

} // namespace detail

/// x * y + z where no special case arises; `care` becomes set in lanes where one does or might.
template <Arch A, class U>
LANEWISE_INLINE constexpr U fma_common(U x, U y, U z, Mask<U>& care) {
  using detail::exponent_bits;
  // Step 1. Zeros and denormals have no significand.
  const U ex = x & kExponentMask, ey = y & kExponentMask, ez = z & kExponentMask;
  const U zero = splat<U>(0);
  const Mask<U> product = both<Mask<U>>(greater_signed(ex, zero), greater_signed(ey, zero));
  const Mask<U> addend = greater_signed(ez, zero);
  const U pe = ex + ey - exponent_bits(kBias);
  const auto [product_leads, sum] = detail::aligned_sum<A>(x, y, z, product, pe);

  // Steps 7 and 8. Sign bits are added together with the exponents, which multiplies the signs.
  const U sp = x ^ y;
  const U product_head = (pe & ~kSign) | (sp & kSign);
  const U head = select(product_leads, product_head, z & (kSign | kExponentMask));
  const U result = float_of_int(sum) + (head - detail::kExponentOfSum);

  // Steps 3 and 4, and 7 where it leaves the normal range. The sum is at most two exponents above
  // re and 26 below: with re in 28..252 the result is normal, and a product with a negative
  // exponent is out of the question.
  constexpr Lane kLowest = 28, kHighest = 252;
  const U re = select(product_leads, pe, ez);
  const U beyond = keep_where<U>(either<Mask<U>>(product, addend), re - exponent_bits(kLowest));
  care = either<Mask<U>>(
      greater_signed(max_signed(ex, ey), splat<U>(detail::kSpecialExponent - 1)),
      greater_unsigned(beyond, splat<U>(exponent_bits(kHighest - kLowest + 1) - 1)));

  const Mask<U> no_sum = equal(sum, zero);
  if constexpr (kArch<A>.vector.signed_zero_results) {
    return select<U>(no_sum, sp & z & kSign, result);
  } else {
    return select(no_sum, zero, result);
  }
}

namespace detail {

/// Steps 7 to 9: the size of a result whose terms lead with the exponent `re`.
template <Arch A, class U>
LANEWISE_INLINE constexpr U size_of_result(U sum, U re) {
  const U number = float_of_int(sum);
  const U exponent = (number & kExponentMask) + (re - kExponentOfSum);
  const U normal = exponent | (number & kMantissaMask);
  // Exponents below 1 are far above 257, which is the largest one.
  const Mask<U> is_normal = both<Mask<U>>(
      not_equal(sum, splat<U>(0)),
      at_most_unsigned(exponent - exponent_bits(1), splat<U>(kSpecialExponent - exponent_bits(2))));
  const Mask<U> is_infinite =
      at_most_unsigned(exponent - kSpecialExponent, splat<U>(exponent_bits(2)));
  U others = keep_where<U>(is_infinite, splat<U>(kInfinity));
  if constexpr (kArch<A>.vector.rounds_into_normals) {
    // One place more is lost: 24 ones are rounded upward. What follows them is cut off first.
    const U size = absolute_signed<U>(sum);
    const U leading = float_of_int(size & ~(size >> 24)) & kMantissaMask;
    others =
        select<U>(is_infinite, others,
                  keep_where<U>(equal(leading, splat<U>(kMantissaMask)), splat<U>(kHiddenOne)));
  }
  return select<U>(is_normal, normal, others);
}

/// What step 3 looks at, and what it makes of it.
template <class U>
struct SpecialCases {
  Mask<U> any, nan;
  U sign_of_nan; ///< VU 3.2
  U infinity;    ///< the result where there is no NaN
};

/// Step 3. A product that is no zero `overflows` if its exponent is 255 or more.
template <Arch A, class U>
LANEWISE_INLINE constexpr SpecialCases<U> special_cases(U x, U y, U z, Mask<U> has_product,
                                                        Mask<U> overflows) {
  const U larger_factor = max_signed<U>(x & ~kSign, y & ~kSign), addend = z & ~kSign;
  const U infinity = splat<U>(kInfinity), largest = splat<U>(kInfinity - 1);
  const Mask<U> special_factor = greater_signed(larger_factor, largest);
  const Mask<U> special_addend = greater_signed(addend, largest);
  const Mask<U> infinite_product =
      kArch<A>.vector.overflow_loses_to_addend ? special_factor : either(special_factor, overflows);
  const U sp = x ^ y;
  const Mask<U> opposite_infinities =
      both<Mask<U>>(both<Mask<U>>(infinite_product, equal(addend, infinity)), negative(sp ^ z));
  const Mask<U> no_product = either<Mask<U>>(greater_signed(larger_factor, infinity),
                                             and_not<Mask<U>>(special_factor, has_product));
  const Mask<U> invalid = either<Mask<U>>(no_product, opposite_infinities);
  return {.any = either<Mask<U>>(either<Mask<U>>(special_factor, special_addend), overflows),
          .nan = either<Mask<U>>(invalid, greater_signed(addend, infinity)),
          .sign_of_nan = select<U>(invalid, sp, z) & kSign,
          .infinity = select<U>(special_addend, z, (sp & kSign) | kInfinity)};
}

} // namespace detail

/// x * y + z for all numbers.
template <Arch A, class U>
LANEWISE_INLINE constexpr U fma_complete(U x, U y, U z) {
  using detail::exponent_bits;
  const U ex = x & kExponentMask, ey = y & kExponentMask, zero = splat<U>(0);
  const Mask<U> has_product = both<Mask<U>>(greater_signed(ex, zero), greater_signed(ey, zero));
  constexpr Lane kLargest = 2 * 255 - kBias;
  const U exponent = ex + ey - exponent_bits(kBias);
  const Mask<U> overflows =
      at_most_unsigned(exponent - detail::kSpecialExponent,
                       splat<U>(exponent_bits(kLargest) - detail::kSpecialExponent));
  // Step 4: a product with a negative exponent is none.
  const Mask<U> product =
      and_not<Mask<U>>(has_product, greater_unsigned(exponent, splat<U>(exponent_bits(kLargest))));
  const U pe =
      keep_where<U>(product, select<U>(overflows, splat<U>(detail::kSpecialExponent), exponent));
  const auto [product_leads, sum] = detail::aligned_sum<A>(x, y, z, product, pe);
  const U size = detail::size_of_result<A>(sum, select<U>(product_leads, pe, z & kExponentMask));

  const U sp = x ^ y;
  const U sign = (select<U>(product_leads, sp, z) ^ sum) & kSign;
  const auto special = detail::special_cases<A>(x, y, z, has_product, overflows);
  U nan, number;
  if constexpr (kArch<A>.vector.nan_form == NanForm::Canonical) {
    nan = splat<U>(kCanonicalNan);
  } else {
    nan = special.sign_of_nan | 0x7F800001 | size;
  }
  if constexpr (kArch<A>.vector.signed_zero_results) {
    number = size | select<U>(equal(sum, zero), sp & z & kSign, sign);
  } else {
    number = size | keep_where<U>(not_equal(size, zero), sign);
  }
  return select<U>(special.any, select<U>(special.nan, nan, special.infinity), number);
}

} // namespace lanewise::semantics
