#pragma once

#include <limits>

namespace lanewise::formats {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

} // namespace lanewise::formats
