#include "study/corpus/llk/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanewise::corpus {

namespace {

constexpr double kInfiniteError = std::numeric_limits<double>::infinity();

} // namespace

double ErrorSum::ulps(double wanted, double got) const {
  const formats::UlpError error =
      formats::ulp_error(measure_, format_, wanted, formats::round_to_bits(format_, wanted),
                         formats::round_to_bits(format_, got));
  if (error.distance == formats::kLost) return kInfiniteError;
  return error.exact == formats::kNotCompared ? std::abs(error.distance) : error.exact;
}

double ErrorSum::count(double wanted, double got) {
  ++compared_;
  const auto keep = [](double& worst, double error) { worst = std::max(worst, error); };
  const double ulps = this->ulps(wanted, got);
  if (ulps <= bound_.ulp) {
    keep(worst_.ulp, ulps);
    return 0;
  }
  const bool finite = std::isfinite(wanted) && std::isfinite(got);
  const double absolute = finite ? std::abs(got - wanted) : kInfiniteError;
  const double relative = finite ? absolute / std::abs(wanted) : kInfiniteError;
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
                     ulps(wanted, got));
}

} // namespace lanewise::corpus
