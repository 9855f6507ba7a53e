// Lists of inputs as the numbers that references get, and where their results stand in the line of
// the format (number/formats/number_line.h); by the vectors of the level in use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "number/formats/format.h"
#include "number/references/kernels/level_kernels.h"

namespace lanewise::references {

/// The numbers that a reference gets: denormals of float formats are zeros of the same sign.
void reference_numbers(formats::Format format, std::span<const std::uint32_t> bits,
                       std::vector<double>& numbers);

/// Whether denormals, infinities or NaNs are among these.
bool has_specials(formats::Format format, std::span<const std::uint32_t> bits);

/// Where rounded results stand in the line of the format, 0 for a NaN, and the numbers before
/// rounding (place_of() in number/formats/ulp_rules.h), NaN for a NaN. All have the same length.
LineSummary find_places(formats::Format format, std::span<const std::uint32_t> bits,
                        std::span<const double> exact, std::span<std::int64_t> positions,
                        std::span<double> places);

} // namespace lanewise::references
