#include "number/references/special.h"

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>

#include "number/references/quiet_policy.h"

namespace lanewise::references {
namespace {

/// Above this e^x, and I0 and I1 with it, are too large for a double.
constexpr double kBesselOverflow = 720;

} // namespace

double bessel_i0_of(double x) {
  if (std::fabs(x) > kBesselOverflow) return std::numeric_limits<double>::infinity();
  return boost::math::cyl_bessel_i(0, x, QuietPolicy());
}

double bessel_i1_of(double x) {
  if (std::fabs(x) > kBesselOverflow) {
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  }
  return x == 0 ? x : boost::math::cyl_bessel_i(1, x, QuietPolicy());
}

double inverse_erf_of(double x) {
  if (!(std::fabs(x) <= 1)) return std::numeric_limits<double>::quiet_NaN();
  return x == 0 ? x : boost::math::erf_inv(x, QuietPolicy());
}

} // namespace lanewise::references
