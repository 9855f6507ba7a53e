// A program in time, on one core or on many (docs/programs.md, "Time"; docs/grid.md, "Time").
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/limits.h"
#include "chip/clock/timed_run.h"
#include "chip/noc/carrier.h"
#include "run/grid/grid.h"
#include "run/grid/timed_core.h"
#include "run/launch/launch.h"

namespace lanewise::grid {

struct TimedSettings {
  bool gathers = false;        ///< run/section/core_run.h, CoresInTime
  bool keeps_timeline = false; ///< of instructions and of transactions
  unsigned jobs = 0;           ///< so many cores run side by side; 0: as many as the machine has
  std::function<bool()> stop = {}; ///< asked now and then; true: end where they are
  /// What the memories held before the run on the host, with Layout::dram_bytes of each bank;
  /// nullptr: nothing had run on the device.
  const launch::MemoryImage* before = nullptr;
};

/// When to stop: once all cores together have taken what each of so many may take, counted from
/// now, or once `also` says so.
std::function<bool()> stop_in_time(const ProcessLimits& limits, std::size_t cores,
                                   std::function<bool()> also);

/// What a core of the program has done.
struct CoreInTime {
  programs::Core core;
  clock::TimedResult time;
  noc::Carrier::Traffics traffic;
  std::vector<noc::NocSpan> spans;  ///< in the order of their answers; with a timeline only
  std::vector<CbLevel> levels;      ///< by cycle: each change
  std::vector<noc::Signal> signals; ///< that came from other cores
};

struct TimedLaunch {
  std::vector<CoreInTime> cores;                            ///< row by row
  std::vector<double> bank_busy;                            ///< cycles, by bank of DRAM
  std::array<std::vector<std::uint64_t>, kNocs> link_bytes; ///< by NoC and link (chip/noc/routes.h)

  /// Until all cores are done.
  std::uint64_t cycles() const;
};

/// Runs a program in time that has run on the host. `objects`: its kernels, as
/// programs::compile_groups_for_cores() has made them. `host`: what became of it, with its
/// stretches and the contents of its buffers. Error: BadInput of programs that cannot be loaded;
/// Unsupported, where the cores do not do what the kernels on the host have done: the program
/// depends on the order of its cores, or on what differs between a host and a core.
Expected<TimedLaunch> launch_in_time(const Prepared& prepared,
                                     const std::vector<programs::ProgramObjects>& objects,
                                     const launch::LaunchOutcome& host, const TimedSettings& how);

/// Whether kernels have SFPI code, of which the host has told what it becomes.
bool has_vector_code(const launch::LaunchOutcome& host);

/// What is assumed of all programs.
inline constexpr std::string_view kAssumedOfNoc =
    "assumed of the NoC: nobody else is on it; a command buffer is free as soon as it has sent, of "
    "a "
    "multicast once the one before has left";

} // namespace lanewise::grid
