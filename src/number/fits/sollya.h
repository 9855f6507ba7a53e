// Minimax polynomials by Sollya, in a process of its own: neither its signals, its messages nor its
// time are this program's.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"

namespace lanewise::fits {

/// In which error is to be smallest.
enum class ErrorKind : std::uint8_t {
  Relative, ///< |p(x) / f(x) - 1|
  Absolute  ///< |p(x) - f(x)|
};

/// A polynomial that is asked for.
struct PolynomialTask {
  double low = 0, high = 1;     ///< low < high, finite
  std::vector<unsigned> powers; ///< of x, rising
  unsigned bits = 24;           ///< of the significand of each coefficient
  ErrorKind error = ErrorKind::Relative;
  bool is_bounded = true; ///< else the errors of the result are NaN, which saves most of the time
};

/// What has come of it.
struct SollyaPolynomial {
  std::vector<double> coefficients; ///< in the order of the powers
  double bound = 0;                 ///< of its error over the range
  bool is_proved = false;           ///< else the bound is an estimate
  double best = 0; ///< error with coefficients that are not rounded; NaN if that is not known
};

/// Processor time for all polynomials of a call.
inline constexpr unsigned kFitSeconds = 60;

/// One polynomial for each task. `function`: Sollya's text. `representable` makes a number that the
/// hardware has of a coefficient, in the other process.
/// Error: BadInput where Sollya finds no polynomial, crashes, or takes longer than kFitSeconds.
Expected<std::vector<SollyaPolynomial>> fit_polynomials(
    const std::string& function, std::span<const PolynomialTask> tasks,
    const std::function<double(double)>& representable);

} // namespace lanewise::fits
