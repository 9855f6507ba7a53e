// The statistics of a chunk by passes in vectors (study/sweep/tally.h): for LineRule and float
// formats.
#pragma once

#include <span>
#include <vector>

#include "study/sweep/errors.h"
#include "study/sweep/merge.h"
#include "study/sweep/tally.h"

namespace lanewise::sweep {

/// The sizes of the worst cases of chunks that come before in the order of a sweep: what is not
/// larger than the least of them has no place in the list of all chunks.
class WorstSizes {
 public:
  explicit WorstSizes(std::size_t most) : most_(most) {}

  /// A case up to this |ULP| has no place any more.
  std::uint32_t above() const { return most_ == 0 || sizes_.size() < most_ ? 0 : sizes_.front(); }
  void add(std::uint32_t size);

 private:
  std::size_t most_;
  std::vector<std::uint32_t> sizes_; ///< a heap, the least one first
};

/// Looks at one chunk. Everything is the same as errors.h and neighbours.h have it.
class VectorCounter {
 public:
  /// Whether the passes know this: they have one measure and float formats, and go segment by
  /// segment, so that there must not be many (few samples have one for each input).
  static bool can_count(const Judgement& judgement, std::size_t inputs, std::size_t segments);

  VectorCounter(const Judgement& judgement, const ChunkResults& results);

  /// The statistics of the counted inputs alone.
  UlpStatistics errors() const;

  /// Errors, histogram, worst cases, classes of inputs, and parts. `tallies` is room that is kept.
  /// Of the worst cases, those that `before` leaves a place, and it gets their sizes; all of them
  /// with nullptr.
  void count(std::span<const PartSegment> segments, PartCounter& parts,
             std::vector<SegmentTally>& tallies, WorstSizes* before, ChunkStatistics& chip) const;

  /// As count_reversals(). `format` is that of the inputs, a float format.
  RunEnds reversals(formats::Format format, Monotonicity& monotonicity) const;

  /// As count_symmetry() until x and -x do not stand side by side any more; how many x >= 0 were
  /// looked at.
  std::size_t symmetry(formats::Format format, Symmetry& symmetry) const;

 private:
  ChunkTally tally(std::span<const PartSegment> segments, std::span<SegmentTally> tallies,
                   WorstList& worst) const;
  UlpStatistics errors_of(const ChunkTally& totals, std::span<const SegmentTally> tallies) const;
  PartStatistics part_of(const PartSegment& segment, const SegmentTally& tally) const;
  ClassStatistics class_of(const ChunkTally& totals, InputKind kind) const;
  TalliedInputs inputs_of(formats::Format format) const;
  void count_run(formats::Format format, bool is_negative, Monotonicity& monotonicity,
                 RunEnds& ends) const;
  RunEnd end_at(formats::Format format, std::size_t i) const;
  bool is_counted(std::size_t i) const;
  formats::UlpError error_of(std::size_t i) const;

  Judgement judgement_;
  const ChunkResults& results_;
  TalliedChunk chunk_;
};

} // namespace lanewise::sweep
