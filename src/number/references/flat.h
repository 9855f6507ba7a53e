// Where functions are flat: all numbers of such a part have one result in doubles, and so in
// vectors of intervals (number/references/kernels/), which call no library there.
#pragma once

#include <span>
#include <string_view>

namespace lanewise::references {

/// Numbers closer to 0 have the result of 0, where that is not 0.
inline constexpr double kNextToZero = 0x1p-60;

/// Results of exponentials are below kTiny beyond the lowest number, and too large for a double
/// beyond the highest one: log(2^-1000) is -693.1, log10(2^-1000) is -301.03; 1024 log(2), and to
/// base 10, are rounded downward.
inline constexpr double kLowestExp = -700, kHighestExp = 0x1.62e42fefa39efp+9;
inline constexpr double kLowestExp2 = -1010, kHighestExp2 = 0x1.fffffffffffffp+9;
inline constexpr double kLowestExp10 = -304, kHighestExp10 = 0x1.34413509f79fep+8;

/// From here on tanh() and erf() are within half a step of doubles of 1.
inline constexpr double kLowestFlatTanh = 20, kLowestFlatErf = 6;

/// Where erfc() is below kTiny.
inline constexpr double kHighestErfc = 26.4;

/// Numbers between two others, both excluded. Neither 0 nor an infinity is among them: these have
/// results of their own, which are exact.
struct FlatPart {
  double above, below;
};

/// Parts in which the function of this name is flat; none of most functions.
std::span<const FlatPart> flat_parts(std::string_view function);

} // namespace lanewise::references
