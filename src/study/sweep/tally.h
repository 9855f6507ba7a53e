// What the vector passes over a chunk take and what they find: plain numbers and indices, which
// study/sweep/vector_counter.h makes statistics of. The passes are in study/sweep/kernels/, once
// per x86-64 level.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "number/formats/format.h"
#include "study/sweep/parts.h"
#include "study/sweep/statistics.h"

namespace lanewise::sweep {

/// The passes take groups of so many elements, at every level: what is summed lane by lane has the
/// same lanes everywhere.
inline constexpr std::size_t kTallyGroup = 16;
/// A chunk needs so many elements, so that a group and the one an element before it fit in.
inline constexpr std::size_t kFewestTallied = kTallyGroup + 1;

/// Instead of an index: there is none.
inline constexpr std::uint32_t kNoIndex = 0xFFFF'FFFF;

/// The line of a float format (number/formats/number_line.h) in numbers.
struct LineNumbers {
  std::uint32_t sign = 0, magnitude = 0; ///< masks
  std::uint32_t smallest_normal = 0;     ///< its pattern
  std::uint32_t infinity = 0;            ///< its pattern; beyond every magnitude if there is none
  /// Of formats::place_in_line(): the smallest normal number as a double, what doubles' steps from
  /// it on are to be multiplied by, and the last place.
  double smallest = 0, steps_per_double_step = 0, end = 0;
};

/// `format` is a float format.
LineNumbers line_numbers(formats::Format format);

/// A chunk of at least kFewestTallied results with what is expected, as arrays.
struct TalliedChunk {
  LineNumbers line; ///< of the results
  std::size_t count = 0;
  const std::uint32_t* expected = nullptr;
  const std::uint32_t* found = nullptr;
  const double* exact = nullptr;      ///< as in ChunkExpectation
  const std::uint8_t* kind = nullptr; ///< InputKind; nullptr if all are counted
};

/// Sizes of the errors of a segment, in the steps of LineRule (number/formats/ulp_rules.h).
struct SegmentTally {
  std::uint32_t inputs = 0, lost = 0;
  std::uint32_t not_compared = 0; ///< without an exact error, but not lost
  std::uint64_t sum = 0;
  std::uint32_t largest = 0;
  std::uint32_t first_largest = kNoIndex; ///< if `largest` is not 0
  double exact_largest = 0;               ///< of errors before rounding, without the lost ones
  std::uint32_t first_exact = kNoIndex;   ///< with `exact_largest`, if that is not 0
};

/// Inputs of a kind that is not counted.
struct KindTally {
  std::uint64_t inputs = 0, differ = 0;
  std::uint32_t first = kNoIndex; ///< of those that differ
};

/// |ULP| up to 2^32 - 1 has the keys -32..32 of SweepStatistics::histogram.
inline constexpr int kMostTalliedBits = 32;

/// All segments of a chunk; `lost` is not in `at_most`, `histogram` and `exact_...`.
struct ChunkTally {
  std::array<std::uint64_t, kUlpRows - 1> at_most{}; ///< results with |ULP| <= kUlpRowEnds[i]
  WrongKinds wrong;
  std::array<std::uint64_t, 2 * kMostTalliedBits + 1> histogram{}; ///< of key - kMostTalliedBits
  double exact_sum = 0;                                            ///< of errors before rounding
  std::array<KindTally, 4> kinds{};                                ///< of InputKind 1..4
  std::uint64_t zero_signs = 0;                                    ///< as in SweepStatistics
};

/// The worst cases until now, in no order. A case is ~(|ULP|) << 32 | index, so that the worst and
/// then the first one is the least; a lost one has the |ULP| 2^32 - 1.
struct WorstList {
  std::uint64_t* cases = nullptr;
  std::size_t used = 0, room = 0; ///< at least kTallyGroup more than `most`
  std::size_t most = 0;           ///< wanted
  std::uint32_t above = 0;        ///< a case up to this |ULP| has no place any more
  /// Leaves the worst `most` cases, and sets `above`.
  void (*sort_out)(WorstList& worst) = nullptr;
};

/// Neighbours of one sign whose results go the wrong way.
struct ReversalTally {
  std::uint64_t reversals = 0;
  std::uint32_t largest = 0;                         ///< steps
  std::uint32_t before = kNoIndex, after = kNoIndex; ///< the first with `largest`
};

/// x beside -x, as Symmetry has it.
struct SymmetryTally {
  std::size_t done = 0; ///< so many x >= 0 were looked at
  std::uint64_t pairs = 0;
  std::uint64_t reference_not_even = 0, reference_not_odd = 0;
  std::uint64_t found_not_even = 0, found_not_odd = 0;
  std::uint32_t first_not_even = kNoIndex, first_not_odd = kNoIndex;
};

/// The inputs of a chunk of one operand.
struct TalliedInputs {
  LineNumbers line;
  const std::uint32_t* x = nullptr;
  std::size_t positives = 0;
};

/// The passes of one level.
struct TallyKernels {
  /// `tallies` has a place for each segment; the segments cover the chunk.
  void (*tally)(const TalliedChunk& chunk, const PartSegment* segments, std::size_t segment_count,
                SegmentTally* tallies, ChunkTally& totals, WorstList& worst);
  /// Of the inputs begin..end - 1, whose magnitudes rise.
  ReversalTally (*reversals)(const TalliedChunk& chunk, const TalliedInputs& inputs,
                             std::size_t begin, std::size_t end);
  /// Of the inputs up to where x and -x do not stand at the same place of their halves any more.
  SymmetryTally (*symmetry)(const TalliedChunk& chunk, const TalliedInputs& inputs);
};

/// The passes of the level in use (chip/machine/simd_level.h).
const TallyKernels& tally_kernels();

} // namespace lanewise::sweep

// nullptr for a level that this build does not have (study/sweep/kernels/absent_level.cpp).
namespace lanewise::baseline {
const sweep::TallyKernels* tally_kernels();
}
namespace lanewise::v3 {
const sweep::TallyKernels* tally_kernels();
}
namespace lanewise::v4 {
const sweep::TallyKernels* tally_kernels();
}
