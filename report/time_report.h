// A program with its clock, as every form of the report takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program.h"
#include "timing/harness.h"
#include "timing/summary.h"

namespace lanewise::report {

struct TimeReport {
  Arch arch = Arch::Blackhole;
  Program program;                          ///< all passes
  MicroProgram prepared;                    ///< what was scheduled
  timing::Timing timing;                    ///< of `prepared`
  std::vector<std::string> source;          ///< lines of the file; empty where there is none
  std::size_t passes = 1;                   ///< equal parts of which the program consists
  std::size_t hazards = 0;                  ///< what the checker finds
  const timing::Harness* harness = nullptr; ///< to add to the tile; nullptr = none
  /// Estimated cycles for a rolled loop in Blackhole's core; nothing = not asked for.
  std::optional<std::uint64_t> rolled_loop = std::nullopt;
};

/// A source line without the blanks around it; empty where there is no such line.
std::string_view source_line(std::span<const std::string> source, std::uint32_t line);

/// Nanoseconds at the chip's clock.
double nanoseconds(Arch arch, double cycles);

/// "12" or "4.031": a count without decimals, anything else with three.
std::string number(double value);

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
