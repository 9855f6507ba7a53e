// Units in the last place: how far a result is from what it should be, by this project's
// definition. number/formats/ulp_measure.h has it beside those of other tools.
//
// The numbers of a float format, as the chip keeps them, stand in a line:
//
//   -Inf  -largest ... -smallest normal   0   smallest normal ... largest  +Inf
//
// Denormals and both zeros are the one 0 in the middle, since arithmetic flushes denormals, and
// FP16, which has no infinity, ends with its largest number. ULP 1 is one step on that line. So the
// last finite number and infinity are 1 ULP apart, and a result that a store would flush is 0.
// Integers stand in the line of their values. NaN stands nowhere.
#pragma once

#include <cstdint>
#include <optional>

#include "number/formats/format.h"

namespace lanewise::formats {

/// Where a number of a format stands in the line; 0 is in the middle. Nothing for a NaN.
std::optional<std::int64_t> ulp_position(Format format, std::uint32_t value_bits);

/// Steps from `expected` to `found`: positive where `found` is the larger number. 0 if both are
/// NaN, nothing if one of them is.
std::optional<std::int64_t> ulp_distance(Format format, std::uint32_t expected,
                                         std::uint32_t found);

/// The distance of a format's numbers in the binade of a number, which need not be one of them; 1
/// in integer formats. Below the smallest normal number it stays that of the smallest normal
/// number.
double ulp(Format format, double number);

/// What kind of number value bits are.
enum class NumberClass : std::uint8_t { Normal, Zero, Denormal, Infinite, NaN };
NumberClass number_class(Format format, std::uint32_t value_bits);

} // namespace lanewise::formats
