// Library: instructions with several results, and those that move data between lanes.
#pragma once

#include <utility>

#include "sfpi_operators.h"

namespace sfpi {

namespace impl_ {

/// SFPSWAP on a = VD and b = VC, since VD gets the minimum.
struct Swapped {
  sfpu_t a;
  sfpu_t b;
};
inline Swapped swap_instruction(unsigned mod, sfpu_t a, sfpu_t b) {
  const sfpu_t both = lanewise_sfpi::two_address(lanewise_sfpi::kSfpSwap, mod, b, a);
  const sfpu_t vc = lanewise_sfpi::result(both, 0);
  return {lanewise_sfpi::result(both, 1), vc};
}

template <class V>
inline void swap_variables(unsigned mod, V& a, V& b) {
  const Swapped swapped = swap_instruction(mod, a.get(), b.get());
  a = V(swapped.a);
  b = V(swapped.b);
}

/// The 4-bit mask of groups of 8 lanes for a mask of lanes, or of groups.
inline unsigned group_mask(std::uint32_t mask) {
  constexpr unsigned kGroups = 4, kGroupLanes = Chip::lanes / kGroups;
  constexpr std::uint32_t kWholeGroup = (1U << kGroupLanes) - 1;
  if ((mask >> kGroups) == 0) return mask;
  unsigned groups = 0;
  for (unsigned group = 0; group < kGroups; ++group) {
    const std::uint32_t lanes = (mask >> (kGroupLanes * group)) & kWholeGroup;
    if (lanes != 0 && lanes != kWholeGroup) {
      lanewise_sfpi::fail("the mask of min_max divides a group of 8 lanes",
                          "choose whole groups: lanes 0..7, 8..15, 16..23, 24..31");
    }
    groups |= lanes != 0 ? 1U << group : 0;
  }
  return groups;
}

/// SFPSWAP's mode that puts the maximum into VD in these groups, 0 if it has none: then the mode of
/// the other groups does it with the operands exchanged.
constexpr unsigned swap_mode(unsigned maximum_groups) {
  switch (maximum_groups) {
    case 0x0: return SFPSWAP_MOD1_VEC_MIN_MAX;
    case 0xC: return SFPSWAP_MOD1_SUBVEC_MIN01_MAX23;
    case 0xA: return SFPSWAP_MOD1_SUBVEC_MIN02_MAX13;
    case 0x6: return SFPSWAP_MOD1_SUBVEC_MIN03_MAX12;
    case 0xE: return SFPSWAP_MOD1_SUBVEC_MIN0_MAX123;
    case 0xD: return SFPSWAP_MOD1_SUBVEC_MIN1_MAX023;
    case 0xB: return SFPSWAP_MOD1_SUBVEC_MIN2_MAX013;
    case 0x7: return SFPSWAP_MOD1_SUBVEC_MIN3_MAX012;
    default: return 0;
  }
}

} // namespace impl_

/// Exchanges two variables, in the enabled lanes.
template <class V, impl_::if_vector<V> = 0>
inline void vec_swap(V& a, V& b) {
  impl_::swap_variables(SFPSWAP_MOD1_SWAP, a, b);
}
template <class V, impl_::if_vector<V> = 0>
inline void swap(V& a, V& b) {
  vec_swap(a, b);
}

/// a = the smaller, b = the greater number, in the order of floats and sign-magnitude integers.
template <class V, impl_::if_vector<V> = 0>
inline void vec_min_max(V& a, V& b) {
  impl_::swap_variables(SFPSWAP_MOD1_VEC_MIN_MAX, a, b);
}

/// The smaller and the greater number; the other way round in the lanes of `mask`, which counts
/// lanes, or with 4 bits groups of 8 lanes.
template <class V, impl_::if_vector<V> = 0>
inline std::pair<V, V> min_max(const V& a, const V& b, std::uint32_t mask = 0) {
  static_assert(std::is_base_of_v<vFloat, V> || std::is_base_of_v<vSMag, V>,
                "the hardware orders floats and sign-magnitude integers: convert to vSMag");
  const unsigned groups = impl_::group_mask(mask);
  const unsigned mod = impl_::swap_mode(groups);
  if (mod != 0) {
    const impl_::Swapped swapped = impl_::swap_instruction(mod, a.get(), b.get());
    return {V(swapped.a), V(swapped.b)};
  }
  const impl_::Swapped swapped =
      impl_::swap_instruction(impl_::swap_mode(groups ^ 0xF), b.get(), a.get());
  return {V(swapped.b), V(swapped.a)};
}

/// Transposes 4 x 4 groups of 8 lanes: afterwards a holds the first groups of all four, b the
/// second ones, and so on.
template <class V, impl_::if_vector<V> = 0>
inline void subvec_transp(V& a, V& b, V& c, V& d) {
  const impl_::sfpu_t all = lanewise_sfpi::Instruction(lanewise_sfpi::kSfpTransp, 0)
                                .lreg(0, a.get())
                                .lreg(1, b.get())
                                .lreg(2, c.get())
                                .lreg(3, d.get());
  V* const variables[] = {&a, &b, &c, &d};
  impl_::sfpu_t results[4];
  for (int i = 0; i < 4; ++i) results[i] = lanewise_sfpi::result(all, i);
  for (int i = 0; i < 4; ++i) *variables[i] = V(results[i]);
}

/// Rotates every group of 8 lanes right by one lane.
inline impl_::sfpu_t subvec_shflror1(const impl_::vVal& v) {
  return lanewise_sfpi::unary(lanewise_sfpi::kSfpShft2, SFPSHFT2_MOD1_SUBVEC_SHFLROR1, v.get());
}
/// Shifts every group of 8 lanes right by one lane. What comes in at lane 0 of a group is 0 on
/// Blackhole, a leftover on Wormhole (VU C36).
inline impl_::sfpu_t subvec_shflshr1(const impl_::vVal& v) {
  return lanewise_sfpi::unary(lanewise_sfpi::kSfpShft2, SFPSHFT2_MOD1_SUBVEC_SHFLSHR1, v.get());
}

} // namespace sfpi
