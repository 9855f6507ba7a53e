// A program on one core in time: its kernels as RV32 programs of the five cores, beside the NoC
// (docs/programs.md, "Time").
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/clock/timed_run.h"
#include "chip/noc/timed_noc.h"
#include "run/launch/launch.h"
#include "source/programs/compile.h"

namespace lanewise::launch {

struct TimedSettings {
  bool gathers = false;            ///< run/section/core_run.h, CoresInTime
  bool keeps_timeline = false;     ///< of instructions and of transactions
  std::function<bool()> stop = {}; ///< asked now and then; true: end where they are
  /// What the memories held before the run on the host, with Layout::dram_bytes of each bank;
  /// nullptr: nothing had run on the device.
  const MemoryImage* before = nullptr;
};

/// A circular buffer holds so many pages from a cycle on.
struct CbLevel {
  std::uint64_t cycle = 0;
  unsigned index = 0;
  std::uint32_t pages = 0, capacity = 0;
};

struct TimedLaunch {
  clock::TimedResult time;
  noc::NocTime noc;
  std::vector<noc::NocSpan> spans; ///< in the order in which they landed; with a timeline only
  std::vector<CbLevel> levels;     ///< by cycle: each change
};

/// Runs a program in time that has run on the host. `programs`: as compile_for_cores() has made
/// them. `host`: what became of it, with its stretches. Error: BadInput of programs that cannot be
/// loaded; Unsupported, where the cores do not do what the kernels on the host have done: the
/// program depends on the order of its cores, or on what differs between a host and a core.
Expected<TimedLaunch> launch_in_time(const programs::Program& program,
                                     const programs::Layout& layout,
                                     const programs::ProgramObjects& programs,
                                     const LaunchOutcome& host, const TimedSettings& how);

/// What is assumed of all programs.
inline constexpr std::string_view kAssumedOfNoc =
    "assumed of the NoC: nobody else is on it; a command buffer is free as soon as it has sent";

} // namespace lanewise::launch
