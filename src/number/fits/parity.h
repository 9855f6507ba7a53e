// Functions that are the same, or the same but for the sign, on both sides of 0.
#pragma once

#include "number/fits/approximation.h"

namespace lanewise::fits {

/// Whether f(-x) is f(x), or -f(x), or neither.
enum class Parity : std::uint8_t { Neither, Even, Odd };

/// Looked at in 1,000 points between 0 and the far end of the range, in FP32.
Parity parity_of(const FitRequest& request);

/// The sizes |x| of the numbers in the range.
struct SizeRange {
  double low, high;
};
SizeRange sizes_in(const FitRequest& request);

} // namespace lanewise::fits
