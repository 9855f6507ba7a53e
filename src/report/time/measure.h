// A loaded program on the clock, as a report.
#pragma once

#include <cstddef>
#include <span>

#include "number/formats/format.h"
#include "report/time/report.h"
#include "run/execution/load_program.h"

namespace lanewise::report {

struct TimeOptions {
  formats::Format format = formats::Format::BF16; ///< of the tiles in Dst
  std::size_t passes = 1;                         ///< that the report shows
  /// Words that a loop of the core pushes in each pass; 0 = nothing is asked about such a loop.
  std::size_t rolled = 0;
  std::span<const timing::Harness* const> harnesses = {}; ///< the one of the chip is added
  bool choose_harness = false;     ///< where none of them is of the chip, by what the program does
  compiler::Options compiler = {}; ///< with which the program was compiled
};

/// Schedules the program, and says what it costs; TimeReport::untimed says so where times would
/// mean nothing. Error: BadInput for no passes or too many, or for a .cfg setting that is wrong.
Expected<TimeReport> measure_time(const execution::LoadedProgram& loaded,
                                  const TimeOptions& options);

} // namespace lanewise::report
