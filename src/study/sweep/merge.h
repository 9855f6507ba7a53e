// What two parts of a sweep have found out, as one. The left part comes first in the order of the
// sweep; always merging in that order makes every number the same however the work was shared.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "study/sweep/errors.h"
#include "study/sweep/neighbours.h"
#include "study/sweep/parts.h"
#include "study/sweep/statistics.h"

namespace lanewise::sweep {

void merge(WrongKinds& all, const WrongKinds& more);
void merge(UlpStatistics& all, const UlpStatistics& more);
void merge(ClassStatistics& all, const ClassStatistics& more);
void merge(PartStatistics& all, const PartStatistics& more);
void merge(Monotonicity& all, const Monotonicity& more);
void merge(Symmetry& all, const Symmetry& more);
void merge(std::map<int, std::uint64_t>& all, const std::map<int, std::uint64_t>& more);

/// Adds faults that are not there yet. In how many lanes and how often something happened is not
/// looked at: it would depend on how inputs lie in tiles.
void merge_faults(std::vector<Fault>& all, const std::vector<Fault>& more);

/// How the results of a sweep are judged.
struct Judgement {
  formats::Format output_format = formats::Format::BF16;
  formats::UlpMeasure measure = formats::UlpMeasure::Line;
  std::size_t worst_cases = 0; ///< to keep
};

/// How bad a case is, for the list of worst cases: |ULP|, or kLost; also where only the expected
/// result is a NaN.
double badness(const Judgement& judgement, const SweepCase& result);
/// Both lists have the worst cases first, and so will `all`.
void merge_worst(const Judgement& judgement, std::vector<SweepCase>& all,
                 const std::vector<SweepCase>& more);

/// What has changed between two programs, in a chunk or until now (study/sweep/diff.h).
struct DiffCounts {
  std::uint64_t inputs = 0, changed = 0;
  std::vector<SweepCase> worst;
};
void merge(const Judgement& judgement, DiffCounts& all, const DiffCounts& more);

/// One chip's results over a chunk. Of `statistics`, decades, bins and cells stand in `parts`,
/// and everything that is said of a whole program is empty.
struct ChunkStatistics {
  SweepStatistics statistics;
  ChunkParts parts;
  RunEnds ends;
  friend bool operator==(const ChunkStatistics&, const ChunkStatistics&) = default;
};

/// One chip's results over all chunks until now.
struct ChipTotals {
  SweepStatistics statistics; ///< as in ChunkStatistics
  std::vector<PartStatistics> decades, bins, cells;
  RunEnds ends;
};

ChipTotals empty_totals(const SweepParts& parts);
void merge(const Judgement& judgement, ChipTotals& all, const ChunkStatistics& more);
/// Of the same parts.
void merge(const Judgement& judgement, ChipTotals& all, const ChipTotals& more);
/// Two programs: of a chunk, and until now. The distance is that of the second, with the first as
/// its reference.
struct ChunkDiff {
  DiffCounts counts;
  ChunkStatistics distance;
};
struct DiffTotals {
  DiffCounts counts;
  ChipTotals distance;
};
/// `More`: DiffTotals or ChunkDiff.
template <class More>
void merge(const Judgement& judgement, DiffTotals& all, const More& more) {
  merge(judgement, all.counts, more.counts);
  merge(judgement, all.distance, more.distance);
}

/// The statistics with their decades, bins and cells.
SweepStatistics statistics_of(const SweepParts& parts, const ChipTotals& totals);

} // namespace lanewise::sweep
