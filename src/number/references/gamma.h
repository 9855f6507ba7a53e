// The gamma function's family: log |Gamma(x)| and its derivatives. In doubles by the GNU C Library
// and Boost.Math, at any precision by Arb, whose balls contain the true result (arb_hypgeom.h,
// arb_poly.h).
#pragma once

#include "number/references/interval.h"

namespace lanewise::references {

struct Enclosure; // number/references/enclosure.h

/// log |Gamma(x)|: +Inf at 0, at the negative whole numbers and at both infinities, as in C.
Interval lgamma(Interval a);
Enclosure lgamma(const Enclosure& a);

/// The derivative of log Gamma. At a zero it is infinite with the other sign, at negative whole
/// numbers and at -Inf a NaN, as in PyTorch.
Interval digamma(Interval a);
Enclosure digamma(const Enclosure& a);

/// The largest order of polygamma().
inline constexpr double kLargestPolygammaOrder = 100;

/// The derivative of digamma of a whole order from 0 to kLargestPolygammaOrder; of any other order
/// a NaN. Its poles are +Inf for odd orders and -Inf for even ones, as in PyTorch.
Interval polygamma(Interval order, Interval a);
Enclosure polygamma(const Enclosure& order, const Enclosure& a);

/// What threads keep of Arb's constants is given back.
void free_gamma_caches();

} // namespace lanewise::references
