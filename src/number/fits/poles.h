// Whether a function has values everywhere in a range, without which no polynomial comes near it.
#pragma once

#include "base/fault.h"
#include "number/fits/approximation.h"

namespace lanewise::fits {

/// Error: BadInput that names a number of the range at or near which the function is infinite, no
/// number, or grows without bound.
Expected<void> check_is_bounded(const FitRequest& request);

} // namespace lanewise::fits
