// References at single points, for tests.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>

#include "number/references/reference.h"
#include "number/tensors/pattern.h"

namespace lanewise::references {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

inline std::unique_ptr<Reference> reference_of(const std::string& expression) {
  auto reference = parse_reference(expression);
  EXPECT_TRUE(reference.has_value()) << expression << ": " << to_string(reference.error());
  return reference ? std::move(*reference) : nullptr;
}

inline ReferenceValue value_at(const Reference& reference, formats::Format format, double x,
                               double y = 0) {
  const std::array<double, 1> xs{x}, ys{y};
  std::array<ReferenceValue, 1> results;
  const bool is_binary = reference.operands() == 2;
  const auto done = reference.evaluate(
      format, xs, is_binary ? std::span<const double>(ys) : std::span<const double>(), results);
  EXPECT_TRUE(done.has_value());
  return results[0];
}

inline ReferenceValue value_at(const std::string& expression, formats::Format format, double x,
                               double y = 0) {
  return value_at(*reference_of(expression), format, x, y);
}

/// The result as a number of the format.
inline double number_at(const std::string& expression, double x, double y = 0,
                        formats::Format format = formats::Format::FP32) {
  return formats::value_of_bits(format, value_at(expression, format, x, y).bits);
}

/// Inputs for each test of random ones; $LANEWISE_REFERENCE_SAMPLES makes it more.
inline std::size_t sample_count() {
  constexpr std::size_t kFew = 400;
  const char* text = std::getenv("LANEWISE_REFERENCE_SAMPLES");
  return text == nullptr ? kFew : std::strtoull(text, nullptr, 10);
}

/// Random numbers of a format: half of them are any pattern but NaN, half lie between -20 and 20.
class RandomNumbers {
 public:
  explicit RandomNumbers(formats::Format format) : format_(format) {}
  double operator()() {
    const std::uint64_t bits = random_();
    if ((bits & 1) != 0) {
      const double uniform = static_cast<double>(bits >> 11) * 0x1p-53;
      return formats::value_of_bits(format_, formats::round_to_bits(format_, 40 * uniform - 20));
    }
    const auto pattern = static_cast<std::uint32_t>(bits >> (formats::is_32bit(format_) ? 32 : 48));
    const double number = formats::value_of_bits(format_, pattern);
    return number == number ? number : 1.0;
  }

 private:
  formats::Format format_;
  tensors::SplitMix64 random_{1};
};

} // namespace lanewise::references
