#include "study/sweep/exact_sum.h"

#include <array>
#include <bit>
#include <cmath>

namespace lanewise::sweep {

namespace {

constexpr int kDigitBits = 32, kMantissaBits = 53;
constexpr std::uint64_t kDigit = 0xFFFF'FFFF; ///< the bits of one

/// Floor of a / kDigitBits.
int power_of(int exponent) {
  return exponent >= 0 ? exponent / kDigitBits : -((kDigitBits - 1 - exponent) / kDigitBits);
}

} // namespace

/// Adds `digits` * 2^(32 * power), which may be more than a digit.
void ExactSum::add(int power, std::uint64_t digits) {
  for (; digits != 0; ++power) {
    const auto place = digits_.try_emplace(power, 0).first;
    const std::uint64_t sum = place->second + (digits & kDigit);
    place->second = static_cast<std::uint32_t>(sum);
    if (place->second == 0) digits_.erase(place);
    digits = (digits >> kDigitBits) + (sum >> kDigitBits);
  }
}

ExactSum& ExactSum::operator+=(double number) {
  if (number == 0) return *this;
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kMantissaBits));
  exponent -= kMantissaBits;
  const int power = power_of(exponent);
  const int shift = exponent - power * kDigitBits;
  add(power, (mantissa << shift) & kDigit);
  add(power + 1, mantissa >> (kDigitBits - shift));
  return *this;
}

ExactSum& ExactSum::operator+=(const ExactSum& other) {
  if (&other == this) return *this += ExactSum(*this);
  for (const auto& [power, digit] : other.digits_) add(power, digit);
  return *this;
}

double ExactSum::value() const {
  if (digits_.empty()) return 0;
  // Its highest 64 bits, of which the last stands for all that follow.
  const int top = digits_.rbegin()->first;
  std::array<std::uint64_t, 3> high{};
  bool has_more = false;
  for (const auto& [power, digit] : digits_) {
    const int place = top - power;
    if (place < 3) high[static_cast<std::size_t>(place)] = digit;
    has_more = has_more || place >= 3;
  }
  std::uint64_t bits = high[0] << kDigitBits | high[1];
  const int free = std::countl_zero(bits); // below 32
  const std::uint64_t rest = high[2] << free;
  bits = bits << free | rest >> kDigitBits;
  if (has_more || (rest & kDigit) != 0) bits |= 1;
  return std::ldexp(static_cast<double>(bits), (top - 1) * kDigitBits - free);
}

} // namespace lanewise::sweep
