// Everything that a sweep counts about one chip's results over a chunk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "study/sweep/chunk.h"
#include "study/sweep/errors.h"
#include "study/sweep/merge.h"
#include "study/sweep/parts.h"
#include "study/sweep/program.h"
#include "study/sweep/vector_counter.h"

namespace lanewise::sweep {

/// What is looked at.
struct CountRules {
  formats::Format format = formats::Format::BF16; ///< of the inputs
  Judgement judgement;
  bool symmetry = false, monotonicity = false;
};

/// One object for each thread: it keeps what it allocates.
class ChunkCounter {
 public:
  ChunkCounter(const CountRules& rules, const SweepParts& parts) : rules_(rules), parts_(parts) {}

  /// The statistics of a chunk that has a reference; `segments` cover it. Where it can it goes over
  /// the results in vectors (VectorCounter), else one_by_one(). `before`: of earlier chunks, whose
  /// worst cases need not be found again, or nullptr.
  ChunkStatistics count(const SweepChunk& chunk, const FoundBits& found,
                        std::span<const PartSegment> segments, WorstSizes* before = nullptr);

  /// The same, for every format and measure, with a loop over the results for each number. They
  /// differ in the last bits of UlpStatistics::sum_exact, which are added in another order.
  ChunkStatistics one_by_one(const SweepChunk& chunk, const FoundBits& found,
                             std::span<const PartSegment> segments);

 private:
  void measure(const ChunkExpectation& expected, std::span<const std::uint32_t> found);
  ChunkStatistics in_vectors(const SweepChunk& chunk, const FoundBits& found,
                             std::span<const PartSegment> segments, WorstSizes* before);
  /// x beside -x: in vectors as far as they stand side by side.
  void count_pairs(const VectorCounter& counter, const ChunkResults& results, Symmetry& symmetry);

  CountRules rules_;
  PartCounter parts_;
  ChunkErrors errors_;
  std::vector<SegmentTally> tallies_;
};

} // namespace lanewise::sweep
