// A program with its clock, as every form of the report takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/program.h"
#include "chip/timing/harness.h"
#include "chip/timing/tile_cost.h"
#include "report/check/hazard_report.h"
#include "report/plain_number.h"
#include "report/source_text.h"
#include "source/compiler/options.h"

namespace lanewise::report {

struct TimeReport {
  Arch arch = kDefaultArch;
  Program program;                          ///< all passes
  MicroProgram prepared;                    ///< what was scheduled
  timing::Timing timing;                    ///< of `prepared`
  std::vector<std::string> source;          ///< lines of the file; empty where there is none
  std::size_t passes = 1;                   ///< tiles, or parts of one, on which the program runs
  execution::CheckedProgram checked = {};   ///< what the checker says of one pass
  std::string untimed = {};                 ///< why its times mean nothing; empty if they do
  std::vector<Fault> faults = {};           ///< what is wrong with words as such
  const timing::Harness* harness = nullptr; ///< to add to the tile; nullptr = none
  bool harness_chosen = false;              ///< by timing::choose_harness()
  /// Of timing::kFaceSteps, the cycles that LLK does not spend on this kernel.
  double saved_steps = 0;
  /// Of a kernel that LLK calls: whose order its words have, and what a tile takes in the other.
  std::optional<compiler::CompiledAs> compiled = std::nullopt;
  std::optional<double> other_cycles = std::nullopt;
  /// Passes per tile of a loop that stays one in the core, for a harness with such a loop.
  double loop_passes = timing::kRowsPerTile;
  /// Estimated cycles per tile for a rolled loop in Blackhole's core; nothing = not asked for.
  std::optional<double> rolled_loop = std::nullopt;

  /// Cycles per tile in the harness, if there are both.
  std::optional<double> harness_cycles() const;
  /// Cycles that its constant has and this program does not need: steps between faces, and returns
  /// of a loop that stalls hide.
  double spared_cycles() const;
};

/// Nanoseconds at the chip's clock.
double nanoseconds(Arch arch, double cycles);

/// Cycles [first, end) of a schedule.
struct CycleRange {
  std::uint64_t first = 0;
  std::uint64_t end = 64;

  std::uint64_t cycles() const { return end - first; }
  bool contains(std::uint64_t cycle) const { return cycle >= first && cycle < end; }
};

/// The part of a range that the schedule has, at most `cap` cycles of it.
CycleRange clipped(const TimeReport& timed, CycleRange range, std::uint64_t cap);

} // namespace lanewise::report
