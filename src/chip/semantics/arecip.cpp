#include "chip/semantics/arecip.h"

#include <bit>

namespace lanewise::semantics {

namespace {

/// e^b for 0 <= b < 2 by its power series; terms below 2^-60 no longer matter to the table.
constexpr double exponential(double b) {
  double sum = 1;
  double term = 1;
  for (int n = 1; n < 40; ++n) {
    term *= b / n;
    sum += term;
  }
  return sum;
}

} // namespace

constinit const std::array<std::uint8_t, 128> kReciprocalTable = [] {
  std::array<std::uint8_t, 128> table{};
  for (std::uint32_t i = 0; i < 128; ++i) {
    const std::uint32_t divisor = 257 + 2 * i; // odd, so no quotient is a tie
    table[i] = static_cast<std::uint8_t>((2 * 65536 + divisor) / (2 * divisor) - 128);
  }
  return table;
}();

constinit const std::array<std::uint16_t, 896> kExponentialTable = [] {
  std::array<std::uint16_t, 896> table{};
  for (Lane i = 0; i < table.size(); ++i) {
    const double b = std::bit_cast<float>((kFirstExponential + i) << 16);
    double value = exponential(b);
    Lane exponent = kBias;
    for (; value >= 2; value /= 2) ++exponent;
    const Lane mantissa = static_cast<Lane>((value - 1) * 128);
    table[i] = static_cast<std::uint16_t>((exponent << 7) | mantissa);
  }
  return table;
}();

static_assert(kFirstExponential + kExponentialTable.size() - 1 == kLastExponential);

} // namespace lanewise::semantics
