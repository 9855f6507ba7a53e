// Cycles of a tile in time.
#pragma once

#include <cstdint>
#include <limits>

namespace lanewise::clock {

/// The cycle of what does not happen before something else has.
inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

} // namespace lanewise::clock
