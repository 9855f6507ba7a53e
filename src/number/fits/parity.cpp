#include "number/fits/parity.h"

#include <algorithm>
#include <cmath>

#include "number/references/point.h"
#include "number/references/program.h"

namespace lanewise::fits {

Parity parity_of(const FitRequest& request) {
  constexpr unsigned kPoints = 1000;
  constexpr std::uint32_t kSign = 0x8000'0000;
  const references::BlockProgram program(request.function);
  const auto at = [&](double x) {
    return references::evaluate_at_point(request.function, program, formats::Format::FP32, x, 0)
        .bits;
  };
  const double reach = sizes_in(request).high;
  bool is_even = true, is_odd = true;
  for (unsigned i = 1; i <= kPoints; ++i) {
    const double x = reach * i / kPoints;
    const std::uint32_t right = at(x), left = at(-x);
    is_even = is_even && left == right;
    is_odd = is_odd && left == (right ^ kSign);
  }
  if (is_even) return Parity::Even;
  return is_odd ? Parity::Odd : Parity::Neither;
}

SizeRange sizes_in(const FitRequest& request) {
  const double left = std::fabs(request.low), right = std::fabs(request.high);
  const bool has_zero = request.low <= 0 && request.high >= 0;
  return {has_zero ? 0 : std::min(left, right), std::max(left, right)};
}

} // namespace lanewise::fits
