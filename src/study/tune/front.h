// Programs within an error: what can be had for it. A front of error against cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "number/references/reference.h"
#include "study/tune/accuracy.h"
#include "study/tune/tune.h"

namespace lanewise::tune {

struct FrontOptions {
  TuneOptions tune;
  double max_ulp = 0;
  /// What errors are counted from; nullptr: the plain program's results.
  const references::Reference* reference = nullptr;
  unsigned most_changes = 3; ///< of one row, one after the other
};

/// A program of the front.
struct FrontPoint {
  std::vector<std::string> changes; ///< in words; empty: equal to the plain kernel
  Tuned tuned;
  unsigned interval = 0;    ///< cycles per row
  std::uint64_t cycles = 0; ///< of a tile
  sweep::UlpStatistics error;
  std::string text; ///< as it is printed: this text was read back and measured
};

/// Whether a point takes no more cycles of a tile than another one and has no larger error, and is
/// better in one of both, or where both are the same in the mean error.
bool dominates(const FrontPoint& better, const FrontPoint& other);

/// Those that no other one dominates, the slowest first; of equal ones the first.
std::vector<FrontPoint> front_of(std::vector<FrontPoint> points);

struct Front {
  TuneResult equal;           ///< the search for an equal program
  MeasuredErrors plain_error; ///< of the plain kernel
  /// Within the error, each faster than the plain kernel, the slowest first. The last one is the
  /// fastest.
  std::vector<FrontPoint> points;
  /// Rules of which the checker finds something, of points and of the plain kernel.
  std::vector<std::string> findings = {};
  std::uint64_t inputs = 0; ///< over which each was measured: all of the format
  std::size_t rows = 0;     ///< other rows whose results were looked at
  std::size_t within = 0;   ///< of them within the error
  std::size_t searched = 0; ///< of these it was looked for programs
  bool stopped = false;     ///< by TuneOptions::seconds or progress
};

/// Looks for rows that compute nearly the same, and for the fastest program of each whose results
/// are within the error; measures each point over all inputs, from the text that is printed of it.
/// Error: as tune() has it; Unsupported as RowEvaluator has it.
Expected<Front> tune_within(const Plain& plain, const FrontOptions& options);

} // namespace lanewise::tune
