// Which inputs a sweep has, and in which order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "number/formats/format.h"

namespace lanewise::sweep {

/// Inputs LO <= x <= HI; a range excludes NaN.
struct SweepRange {
  double lowest, highest;
  friend bool operator==(const SweepRange&, const SweepRange&) = default;
};

/// Random patterns instead of all, uniform over the patterns of the format (or of the range).
struct SweepSample {
  std::uint64_t count = 0;
  std::uint64_t seed = 0;
  friend bool operator==(const SweepSample&, const SweepSample&) = default;
};

/// Every input, unless a range or a sample cuts them down. Of two operands, every pair; the range
/// then holds for both.
struct SweepSpace {
  std::optional<SweepRange> range = std::nullopt;
  std::optional<SweepSample> sample = std::nullopt;
  friend bool operator==(const SweepSpace&, const SweepSpace&) = default;
};

/// "every", "range:LO:HI", "sample:N[:SEED[:LO:HI]]"; LO and HI may be inf and -inf.
/// Error: BadInput that lists the possibilities, or says what is wrong with an argument.
Expected<SweepSpace> parse_sweep_space(std::string_view text);

/// The same as text again: what parse_sweep_space() takes.
std::string to_string(const SweepSpace& space);

} // namespace lanewise::sweep
