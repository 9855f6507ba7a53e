#include "study/sweep/counter.h"

#include "study/sweep/neighbours.h"

namespace lanewise::sweep {

void ChunkCounter::measure(const ChunkExpectation& expected, std::span<const std::uint32_t> found) {
  errors_.measure(rules_.judgement.measure, rules_.judgement.output_format, expected, found);
}

ChunkStatistics ChunkCounter::count(const SweepChunk& chunk, const FoundBits& found,
                                    std::span<const PartSegment> segments, WorstSizes* before) {
  ChunkStatistics chip =
      VectorCounter::can_count(rules_.judgement, found.found.size(), segments.size())
          ? in_vectors(chunk, found, segments, before)
          : one_by_one(chunk, found, segments);
  chip.statistics.outside = chunk.outside;
  chip.statistics.undecided = chunk.expected.undecided;
  return chip;
}

ChunkStatistics ChunkCounter::one_by_one(const SweepChunk& chunk, const FoundBits& found,
                                         std::span<const PartSegment> segments) {
  const formats::Format output_format = rules_.judgement.output_format;
  ChunkStatistics chip;
  SweepStatistics& statistics = chip.statistics;
  if (!found.before_store.empty()) {
    measure(chunk.expected, found.before_store);
    statistics.before_store =
        count_errors(output_format, {chunk.inputs, chunk.expected, found.before_store, errors_});
  }
  measure(chunk.expected, found.found);
  const ChunkResults results{chunk.inputs, chunk.expected, found.found, errors_};
  statistics.error = count_errors(output_format, results);
  statistics.histogram = count_distances(results);
  statistics.worst = worst_of(results, rules_.judgement.worst_cases);
  count_classes(output_format, results, statistics);
  chip.parts = parts_.count(results, segments);
  if (rules_.symmetry) count_symmetry(rules_.format, results, 0, statistics.symmetry);
  if (rules_.monotonicity)
    chip.ends = count_reversals(rules_.format, results, statistics.monotonicity);
  return chip;
}

ChunkStatistics ChunkCounter::in_vectors(const SweepChunk& chunk, const FoundBits& found,
                                         std::span<const PartSegment> segments,
                                         WorstSizes* before) {
  ChunkStatistics chip;
  const ChunkResults results{chunk.inputs, chunk.expected, found.found, errors_};
  const VectorCounter counter(rules_.judgement, results);
  counter.count(segments, parts_, tallies_, before, chip);
  if (!found.before_store.empty()) {
    const ChunkResults stored{chunk.inputs, chunk.expected, found.before_store, errors_};
    // The sums of a single segment are those of the whole chunk, in the same order.
    const bool are_same = segments.size() == 1 && found.before_store == found.found;
    chip.statistics.before_store =
        are_same ? chip.statistics.error : VectorCounter(rules_.judgement, stored).errors();
  }
  if (rules_.symmetry) count_pairs(counter, results, chip.statistics.symmetry);
  if (rules_.monotonicity)
    chip.ends = counter.reversals(rules_.format, chip.statistics.monotonicity);
  return chip;
}

void ChunkCounter::count_pairs(const VectorCounter& counter, const ChunkResults& results,
                               Symmetry& symmetry) {
  const std::size_t done =
      formats::is_integer(rules_.format) ? 0 : counter.symmetry(rules_.format, symmetry);
  const std::size_t positives = results.inputs.positives;
  if (done == positives || positives == results.inputs.x.size()) return;
  measure(results.expected, results.found);
  count_symmetry(rules_.format, results, done, symmetry);
}

} // namespace lanewise::sweep
