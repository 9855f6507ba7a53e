// The errors of one chip's results over a chunk, by a loop for each thing that is counted. Most
// chunks are counted by passes in vectors (study/sweep/vector_counter.h), which tests hold against
// these.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "number/formats/ulp_measure.h"
#include "study/sweep/chunk.h"
#include "study/sweep/parts.h"
#include "study/sweep/statistics.h"

namespace lanewise::sweep {

/// Instead of a position: the result is a NaN.
inline constexpr std::int64_t kNoPosition = std::numeric_limits<std::int64_t>::max();

/// Results beside what they should be, element by element.
struct ChunkErrors {
  std::vector<std::int64_t> position; ///< of the result, or kNoPosition
  std::vector<std::int64_t> wanted;   ///< position of what it should be, or kNoPosition
  std::vector<double> distance;       ///< ULP, or kLost; of counted inputs
  std::vector<double> exact;          ///< ULP from the exact result, or kNotCompared

  void measure(formats::UlpMeasure measure, formats::Format output_format,
               const ChunkExpectation& expected, std::span<const std::uint32_t> found);
};

/// A chunk with its results, as the functions below take it.
struct ChunkResults {
  const ChunkInputs& inputs;
  const ChunkExpectation& expected;
  std::span<const std::uint32_t> found;
  const ChunkErrors& errors;

  SweepCase at(std::size_t i) const {
    return {.x = inputs.x[i],
            .y = inputs.y.empty() ? 0 : inputs.y[i],
            .expected = expected.bits[i],
            .found = found[i],
            .exact = expected.exact[i]};
  }
};

/// The statistics of the counted inputs.
UlpStatistics count_errors(formats::Format output_format, const ChunkResults& results);

/// Signed ULP, as SweepStatistics::histogram.
std::map<int, std::uint64_t> count_distances(const ChunkResults& results);

/// A decade, a bin or a cell with its statistics.
struct NumberedPart {
  std::uint32_t index = 0;
  PartStatistics statistics;
  friend bool operator==(const NumberedPart&, const NumberedPart&) = default;
};
/// Those that have counted inputs in a chunk, each once.
struct ChunkParts {
  std::vector<NumberedPart> decades, bins, cells;
  friend bool operator==(const ChunkParts&, const ChunkParts&) = default;
};

/// Keeps the tables that it needs from chunk to chunk.
class PartCounter {
 public:
  explicit PartCounter(const SweepParts& parts)
      : decade_places_(parts.decades(), kNowhere),
        bin_places_(parts.bins(), kNowhere),
        cell_places_(parts.cells(), kNowhere) {}

  ChunkParts count(const ChunkResults& results, std::span<const PartSegment> segments);

  /// Adds a segment that has counted inputs; segments come in their order.
  void add(const PartSegment& segment, const PartStatistics& part);
  /// Everything that was added since this was last called.
  ChunkParts take();

 private:
  static constexpr std::uint32_t kNowhere = 0xFFFF'FFFF;
  using Places = std::vector<std::uint32_t>; ///< of an index in the list of parts
  static void add_to(std::uint32_t index, const PartStatistics& part, Places& places,
                     std::vector<NumberedPart>& parts);

  Places decade_places_, bin_places_, cell_places_;
  ChunkParts parts_;
};

/// The counted inputs with the largest |ULP| above 0, the lost ones first, else in their order.
std::vector<SweepCase> worst_of(const ChunkResults& results, std::size_t most);

/// Of two programs: the inputs whose results have other bits, the same way. Where only one of both
/// results is a NaN, it stands before all others.
std::vector<SweepCase> worst_changes(const ChunkResults& results, std::size_t most);

/// Adds what is not counted to the rows that it has: classes, NaN, signs of zero.
void count_classes(formats::Format output_format, const ChunkResults& results,
                   SweepStatistics& statistics);

} // namespace lanewise::sweep
