#include "study/corpus/llk/formulas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "number/formats/format.h"

namespace lanewise::corpus {

namespace {

/// ((c3 m + c2) m + c1) m + c0 of the mantissa m, and the exponent times ln 2; -infinity for 0.
double log_polynomial(double x, const std::array<double, 4>& c) {
  constexpr double kLn2 = 0.692871f;
  if (x == 0) return -std::numeric_limits<double>::infinity();
  const int exponent = std::ilogb(x);
  const double mantissa = std::scalbn(x, -exponent);
  return exponent * kLn2 + (((c[3] * mantissa + c[2]) * mantissa + c[1]) * mantissa + c[0]);
}

} // namespace

double line_table(std::span<const Piece> pieces, double x) {
  for (const Piece& piece : pieces) {
    if (std::abs(x) < piece.below) return piece.slope * std::abs(x) + piece.offset;
  }
  return 0;
}

double half(std::uint32_t bits) {
  return formats::value_of_bits(formats::Format::FP16, bits);
}

double tanh_table(double x) {
  constexpr std::array kPieces{Piece{1, 0.90625, 0}, Piece{2, 0.09375, 0.8125},
                               Piece{HUGE_VAL, 0, 1}};
  return std::copysign(line_table(kPieces, x), x);
}

double cdf_table(double x) {
  const double y = std::abs(x);
  const double polynomial =
      (((0.0122792f * y - 0.05281024f) * y - 0.03048313f) * y + 0.41314081f) * y + 0.49866379f;
  const double positive = std::fmin(y < 2.5 ? polynomial : 1, 1);
  return std::signbit(x) ? 1 - positive : positive;
}

double normal_cdf(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

double exp_series(double x) {
  // LReg[8], and sFloat16b(0.863281f), which cuts that down.
  constexpr double kSquare = 0.8373f, kLinear = 0.859375;
  double y = std::abs(x);
  const int squares = y < 1 ? 0 : std::ilogb(y) + 1;
  y = std::ldexp(y, -squares);
  y = (kSquare * y + kLinear) * y + 1;
  for (int i = 0; i < squares; ++i) y *= y;
  return x < 0 ? 1 / y : y;
}

double exp_21f(double x) {
  constexpr double kBias = 127, kUnits = 0x1p23;
  // Rounded, since the parabola does not end where the next one begins.
  const double scaled = static_cast<float>(std::clamp(x * 1.4426950216293335 + kBias, 0.0, 255.0));
  const double whole = std::floor(scaled);
  const double units = std::floor((scaled - whole) * kUnits);
  const double mantissa =
      (4.791750143340323e-15f * units + 7.839635491371155e-08f) * units + 1.0017248f;
  return std::ldexp(mantissa, static_cast<int>(whole - kBias));
}

double log_series(double x) {
  return log_polynomial(x, {-1.4753f, 2.0871f, -0.7166f, 0.1058f});
}

double log_minimax(double x) {
  return log_polynomial(x, {-0x1.952992p+0f, 0x2.4f5388p+0f, -0xd.e712ap-4f, 0x2.44734p-4f});
}

} // namespace lanewise::corpus
