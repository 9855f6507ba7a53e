// A sum of doubles without rounding, so that it is the same in whatever order they are added.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace lanewise::sweep {

/// Of finite numbers from 0 on; at most 2^63 of them.
class ExactSum {
 public:
  /// Digits base 2^32, by the power of the base: the sum is that of digit * 2^(32 * power). None is
  /// 0, so that there is one way to write a sum.
  using Digits = std::map<int, std::uint32_t>;

  ExactSum() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number is the sum of itself.
  ExactSum(double number) { *this += number; }
  explicit ExactSum(Digits digits) : digits_(std::move(digits)) {
    std::erase_if(digits_, [](const auto& each) { return each.second == 0; });
  }

  ExactSum& operator+=(double number);
  ExactSum& operator+=(const ExactSum& other);

  /// The sum, rounded to nearest even; infinity where it is beyond all doubles.
  double value() const;
  const Digits& digits() const { return digits_; }

  friend bool operator==(const ExactSum&, const ExactSum&) = default;

 private:
  void add(int power, std::uint64_t digits);

  Digits digits_;
};

} // namespace lanewise::sweep
