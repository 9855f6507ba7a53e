// A number as people write it, or the bits of one.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fault.h"

namespace lanewise::formats {

/// What an argument is, by the rules of SFPI's tool fp16c: see parse_number_argument().
struct NumberArgument {
  enum class Kind : std::uint8_t {
    Number,      ///< `number`, and `bits` is the FP32 nearest to it
    Fp32Pattern, ///< `bits`, all 32 of them, and `number` is what they stand for
    Pattern      ///< `bits`, at most 16, of a format that is not said
  };
  Kind kind = Kind::Number;
  double number = 0;
  std::uint32_t bits = 0;

  friend bool operator==(const NumberArgument&, const NumberArgument&) = default;
};

/// - With a point or an exponent, or inf, infinity or nan (in any case): a number. "1.5", "-1e-3",
///   "0x1.8p3".
/// - 0x and more than four digits: the pattern of an FP32.
/// - Any other integer, hexadecimal with 0x or decimal: a pattern of 16 bits.
/// Error: BadInput that says what is wrong with the text.
Expected<NumberArgument> parse_number_argument(std::string_view text);

/// A pattern of so many bits, hexadecimal with 0x or decimal. Error: BadInput for anything else.
Expected<std::uint32_t> parse_pattern(std::string_view text, unsigned width);

} // namespace lanewise::formats
