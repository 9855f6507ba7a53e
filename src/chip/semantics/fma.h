// The partially fused multiply-add of the MAD sub-unit, x * y + z.
//
// Two forms of one rule. fma_exact() follows VU 3.1 (Blackhole) and 3.2 (Wormhole) step by step,
// for one lane. fma_common() is branch-free and vectorises; it is exact wherever it does not raise
// `care`. It raises it for infinities and NaNs, and where the larger of product and addend lies
// outside 2^-99 .. 2^126, so that the result might leave the normal range; zeros need no care. The
// kernels compute the common form for all lanes and do the careful ones by fma_exact().
#pragma once

#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/semantics/float_fields.h"

namespace lanewise::semantics {

/// x * y + z in every case. Defined for both chips in fma.cpp.
template <Arch A>
Lane fma_exact(Lane x, Lane y, Lane z);

/// result[i] = fma_exact(x[i], y[i], z[i]) for each lane i whose bit is set in `lanes`.
void fma_exact_lanes(Arch arch, std::uint32_t lanes, const Lane* x, const Lane* y, const Lane* z,
                     Lane* result);

/// x * y + z where no special case arises; `care` becomes set in lanes where one does or might.
///
/// Signed arithmetic on 32-bit lanes is enough: the product keeps 28 bits and a sticky bit, the
/// addend 27 bits, so their aligned sum has at most 29. The final normalising and rounding to
/// nearest even of that exact sum is the host's conversion from int to float. Exponents stay at
/// their place in the number, bits [30:23]: sums and comparisons need no shift there, and one that
/// leaves 0..255 shows as a large unsigned number.
template <Arch A, class U>
LANEWISE_INLINE constexpr U fma_common(U x, U y, U z, Mask<U>& care) {
  // Step 1. Zeros and denormals have no significand.
  const U ex = x & kExponentMask, ey = y & kExponentMask, ez = z & kExponentMask;
  const U zero = splat<U>(0);
  const Mask<U> product = both<Mask<U>>(greater_signed(ex, zero), greater_signed(ey, zero));
  const Mask<U> addend = greater_signed(ez, zero);

  // Step 2: the 48-bit product without its low 20 bits, which leave a sticky bit. With the
  // significands at bits [31:8] and [27:4] these are the bits below the upper half.
  const U mx = keep_where<U>(product, (x << 8) | (kHiddenOne << 8));
  const U my = ((y << 4) & (kMantissaMask << 4)) | (kHiddenOne << 4);
  const U pm = multiply_high_sticky<U>(mx, my);
  const U zm = keep_where<U>(addend, ((z << 3) & (kMantissaMask << 3)) | (kHiddenOne << 3));
  const U pe = ex + ey - (kBias << 23);

  // Step 5: the term with the smaller exponent is shifted to the right, and what it loses leaves a
  // sticky bit, provided that something remains.
  const Mask<U> product_leads = both<Mask<U>>(product, greater_unsigned(pe, ez));
  const U larger = select(product_leads, pm, zm);
  const U smaller = select(product_leads, zm, pm);
  const U shift = absolute_signed<U>(pe - ez) >> 23;
  const U shifted = shift_right_or_zero(smaller, shift);
  const Mask<U> lost = both<Mask<U>>(not_equal(shift_left_back(shifted, shift), smaller),
                                     greater_signed(shifted, zero));
  const U aligned = with_bit_0_where<U>(lost, shifted);

  // Step 6, relative to the sign of the term with the larger exponent.
  const U sp = x ^ y;
  U sum = add_or_subtract<U>(negative(sp ^ z), larger, aligned);
  if constexpr (!kArch<A>.vector.exact_rounding_sticky) {
    // VU 3.2 step 7: a sum of 29 bits is shifted by two places and loses dropped bit 1.
    sum = select<U>(greater_signed(sum, splat<U>((1U << 28) - 1)), sum & ~Lane{2}, sum);
  }

  // Steps 7 and 8. The sum has 26 fraction bits at exponent re: scale by 2^(re - 127 - 26). Sign
  // bits are added together with the exponents, which multiplies the signs.
  const U product_head = (pe & ~kSign) | (sp & kSign);
  const U head = select(product_leads, product_head, z & (kSign | kExponentMask));
  const U result = float_of_int(sum) + (head - ((kBias + 26) << 23));

  // Steps 3 and 4, and 7 where it leaves the normal range. The sum is at most two exponents above
  // re and 26 below: with re in 28..252 the result is normal, and a product with a negative
  // exponent is out of the question.
  constexpr Lane kLowest = 28, kHighest = 252;
  const U re = select(product_leads, pe, ez);
  const U beyond = keep_where<U>(either<Mask<U>>(product, addend), re - (kLowest << 23));
  care = either<Mask<U>>(greater_signed(max_signed(ex, ey), splat<U>((255U << 23) - 1)),
                         greater_unsigned(beyond, splat<U>(((kHighest - kLowest + 1) << 23) - 1)));

  const Mask<U> no_sum = equal(sum, zero);
  if constexpr (kArch<A>.vector.signed_zero_results) {
    return select<U>(no_sum, sp & z & kSign, result);
  } else {
    return select(no_sum, zero, result);
  }
}

} // namespace lanewise::semantics
