// Where releases of the interface contradict each other. To be compiled for each of them.
#include <type_traits>

#include "sfpi.h"

using namespace sfpi;

namespace {

/// The type is `Before` in releases before `first`, and `Since` from then on.
template <int first, class Vector, class Before, class Since>
inline constexpr bool changes_at =
    std::is_same_v<Vector, std::conditional_t<(LANEWISE_SFPI_EPOCH >= first), Since, Before>>;

} // namespace

// A bag of bits is loaded by Wormhole's own mode, and on Blackhole by that of integers up to 7.42.
#if defined(ARCH_WORMHOLE)
static_assert(SFPLOAD_MOD0_FMT_BOB32 == 4);
#else
static_assert(SFPLOAD_MOD0_FMT_BOB32 == (LANEWISE_SFPI_EPOCH >= 743 ? 4 : 12));
#endif

void api_epoch_types() {
  vInt n = dst_reg[0];
  vUInt u = dst_reg[1];
  dst_reg[2] = n;
  dst_reg[3] = u;
  static_assert(changes_at<751, decltype(abs(n)),
                           std::conditional_t<(LANEWISE_SFPI_EPOCH >= 749), vUInt, vInt>, vMag>);
  static_assert(changes_at<749, decltype(lz(n)), vInt, vMag>);
  static_assert(changes_at<749, decltype(setsgn(u, 1)), vUInt, vSMag>);
  vInt magnitude = abs(n);
  dst_reg[4] = magnitude;
  dst_reg[5] = lz(n) - 19;
  dst_reg[6] = setsgn(u, 1);
  dst_reg[7] = copysgn(u, n);
  dst_reg[8] = shft(u, n & 7);
}

void api_epoch_increments() {
  // Up to 7.50 the other way round than in C++.
  vInt n = dst_reg[0];
  vInt prefix = ++n;
  vInt postfix = n++;
  dst_reg[1] = prefix;
  dst_reg[2] = postfix;
  dst_reg[3] = n;
}

#if LANEWISE_SFPI_EPOCH == 500
void api_epoch_constants() {
  // Constant registers were neither signed nor unsigned.
  vUInt shifted = vConstTileId >> 1;
  dst_reg[0] = shifted;
}
#endif
