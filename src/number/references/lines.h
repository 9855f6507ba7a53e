// Lists of inputs as the numbers that references get, and what kinds of numbers are among them; by
// the vectors of the level in use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "number/formats/format.h"

namespace lanewise::references {

/// The numbers that a reference gets: denormals of float formats are zeros of the same sign.
void reference_numbers(formats::Format format, std::span<const std::uint32_t> bits,
                       std::vector<double>& numbers);

/// Whether denormals, infinities or NaNs are among these.
bool has_specials(formats::Format format, std::span<const std::uint32_t> bits);

/// Whether there is a NaN.
bool has_nans(formats::Format format, std::span<const std::uint32_t> bits);

} // namespace lanewise::references
