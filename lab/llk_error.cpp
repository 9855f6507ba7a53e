#include "lab/llk_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanewise::lab {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Of FP32 and BF16, and of what FP16 keeps when it is stored.
int smallest_exponent(Format format) {
  return format == Format::FP16 ? -14 : -126;
}

int mantissa_bits(Format format) {
  switch (format) {
    case Format::BF16: return 7;
    case Format::FP16: return 10;
    default: return 23;
  }
}

} // namespace

double ulp(Format format, double number) {
  if (is_integer(format)) return 1;
  const int smallest = smallest_exponent(format);
  const int exponent = number == 0 ? smallest : std::max(std::ilogb(number), smallest);
  return std::ldexp(1.0, exponent - mantissa_bits(format));
}

double error_in_ulps(Format format, double wanted, double got) {
  if (std::isnan(wanted) || std::isnan(got))
    return std::isnan(wanted) && std::isnan(got) ? 0 : kInfinity;
  if (wanted == got) return 0;
  if (std::isinf(wanted) || std::isinf(got)) return kInfinity;
  const double smallest = std::ldexp(1.0, smallest_exponent(format));
  if (!is_integer(format) && std::abs(wanted) < smallest && std::abs(got) < smallest) return 0;
  return std::abs(got - wanted) / ulp(format, wanted);
}

double ErrorSum::count(double wanted, double got) {
  ++compared_;
  const auto keep = [](double& worst, double error) { worst = std::max(worst, error); };
  const double ulps = error_in_ulps(format_, wanted, got);
  if (ulps <= bound_.ulp) {
    keep(worst_.ulp, ulps);
    return 0;
  }
  const bool finite = std::isfinite(ulps);
  const double absolute = finite ? std::abs(got - wanted) : kInfinity;
  const double relative = finite ? absolute / std::abs(wanted) : kInfinity;
  const bool is_right = absolute <= bound_.absolute || relative <= bound_.relative;
  if (absolute <= bound_.absolute || (!is_right && bound_.absolute != 0 && bound_.relative == 0)) {
    keep(worst_.absolute, absolute);
  } else if (bound_.relative != 0) {
    keep(worst_.relative, relative);
  } else {
    keep(worst_.ulp, ulps);
  }
  if (is_right) return 0;
  ++wrong_;
  return bound_.absolute != 0 && bound_.relative == 0 ? absolute : ulps;
}

std::string ErrorSum::describe(const std::string& place, double wanted, double got) const {
  return fmt::format("{}: {:.9g} instead of {:.9g} ({:.3g} ULP)", place, got, wanted,
                     error_in_ulps(format_, wanted, got));
}

} // namespace lanewise::lab
