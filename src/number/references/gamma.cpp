#include "number/references/gamma.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

#include "number/references/interval_functions.h"
#include "number/references/quiet_policy.h"

namespace lanewise::references {
namespace {

/// From here on lgamma() rises: its minimum is at 1.4616.
constexpr double kLgammaRises = 1.5;

bool is_pole(double x) {
  return x <= 0 && x == std::floor(x);
}

Interval lgamma_at(double x) {
  if (std::isinf(x) || is_pole(x)) return point(kInfinite);
  if (x == 1 || x == 2) return point(0);
    // Its roots on the left of 0 are known to their own size by the GNU C Library alone.
#ifndef __GLIBC__
  if (x < 0) return kUnknownInterval;
#endif
  int sign = 0;
  return library_result(x, ::lgamma_r(x, &sign));
}

/// psi(x) = psi(1 - x) - pi cot(pi x). The distance to the nearest whole number is exact, so that
/// each part is known to its own size.
Interval reflected_digamma(double x) {
  const double rest = x - std::round(x);
  const double right = boost::math::digamma(1 - x, QuietPolicy());
  const double left = std::numbers::pi / std::tan(std::numbers::pi * rest);
  const double reach = (std::fabs(right) + std::fabs(left) + 1) * kLibraryMargin;
  if (!std::isfinite(reach)) return kUnknownInterval;
  return {right - left - reach, right - left + reach};
}

Interval digamma_at(double x) {
  if (x == 0) return point(std::copysign(kInfinite, -x));
  if (is_pole(x)) return kNanInterval;
  if (x == kInfinite) return point(x);
  if (x < 0) return reflected_digamma(x);
  return library_result(x, boost::math::digamma(x, QuietPolicy()));
}

/// The derivative of digamma at numbers above 0, where it falls.
Interval trigamma_at(double x) {
  // 1 / x^2 is too large for what Boost squares.
  constexpr double kSmallest = 0x1p-500, kLargest = 0x1p500;
  if (x < kSmallest || x > kLargest) return kUnknownInterval;
  return library_result(x, boost::math::trigamma(x, QuietPolicy()));
}

} // namespace

Interval lgamma(Interval a) {
  if (lacks_bounds(a)) return a;
  if (is_point(a)) return lgamma_at(a.low);
  return a.low >= kLgammaRises ? at_ends(a, true, lgamma_at) : kUnknownInterval;
}

Interval digamma(Interval a) {
  if (lacks_bounds(a)) return a;
  if (is_point(a)) return digamma_at(a.low);
  return a.low > 0 ? at_ends(a, true, digamma_at) : kUnknownInterval;
}

Interval polygamma(Interval order, Interval a) {
  if (lacks_bounds(order) || lacks_bounds(a)) return without_bounds(order, a);
  const bool is_first = is_point(order) && order.low == 1;
  if (is_point(order) && order.low == 0) return digamma(a);
  return is_first && a.low > 0 ? at_ends(a, false, trigamma_at) : kUnknownInterval;
}

} // namespace lanewise::references
