// Results beside the results of other inputs: neighbours, and x beside -x.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "study/sweep/errors.h"
#include "study/sweep/statistics.h"

namespace lanewise::sweep {

/// Two exact results, each within 2^-40 of its size, are apart for sure by more than this times
/// the larger one.
inline constexpr double kCertainChange = 0x1p-39;

/// A counted input at the end of a chunk, whose neighbour stands in another one.
struct RunEnd {
  std::int64_t steps = 0;    ///< of the input from 0, without its sign
  std::int64_t position = 0; ///< of the result, or kNoPosition
  SweepCase result;

  friend bool operator==(const RunEnd&, const RunEnd&) = default;
};

/// The counted inputs of each sign, [1] for negative ones, with the smallest and the largest
/// magnitude.
struct RunEnds {
  std::array<std::optional<RunEnd>, 2> first, last;

  friend bool operator==(const RunEnds&, const RunEnds&) = default;
};

/// Looks at all neighbours in a chunk: counted inputs one step apart in their line, so that zero
/// and the smallest normal number are neighbours.
///
/// The exact results decide which way the reference goes; where they are the same within the error
/// of `ReferenceValue::exact` it goes no way. A result that is a NaN has no neighbours.
RunEnds count_reversals(formats::Format format, const ChunkResults& results,
                        Monotonicity& monotonicity);

/// Looks at the neighbours of which one ends `before` and the other begins `next`; `before` then
/// has the first and last ones of both.
void join_runs(RunEnds& before, const RunEnds& next, Monotonicity& monotonicity);

/// Compares the results of x and -x, both normal numbers in the chunk. Results are the same if they
/// stand at one place of their line (so signs of zeros do not count), or are both NaN. Begins with
/// the x >= 0 number `done` of the chunk, before which each x has its -x at the same place of the
/// negative ones.
void count_symmetry(formats::Format format, const ChunkResults& results, std::size_t done,
                    Symmetry& symmetry);

} // namespace lanewise::sweep
