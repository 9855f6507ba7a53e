// A program on one core: its kernels on the five cores of a tile, with the NoC and DRAM, in a
// process of their own.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "base/limits.h"
#include "chip/tile/run.h"
#include "run/launch/device_memory.h"
#include "run/launch/mend.h"
#include "run/section/vector_marks.h"
#include "source/programs/compile.h"
#include "source/programs/layout.h"
#include "source/programs/program.h"

namespace lanewise::launch {

struct LaunchSettings {
  tile::ScheduleChoice schedule;
  ProcessLimits limits = kKernelLimits; ///< of all kernels together
  bool keeps_stretches = false;         ///< what SFPI code becomes, in LaunchOutcome::stretches
  std::vector<Mend> mends = {};         ///< that the kernels do not have
  unsigned jobs = 0; ///< so many cores run at a time; 0: as many as the machine has
  /// Whether Ctrl-C has come: asked while kernels run, and before each order that is compared.
  std::function<bool()> stop = {};
};

struct LaunchOutcome {
  std::vector<Fault> faults;        ///< what is wrong with instructions and with the program
  std::optional<Fault> failure;     ///< a kernel could not go on; the others did not, either
  std::vector<std::string> blocked; ///< who waits for what, where nobody can go on
  std::vector<Mendable> mends;      ///< of what was found, of a core among others
  bool ran_out = false;             ///< of the time that they have, or stopped
  bool was_stopped = false;         ///< by Ctrl-C
  std::array<std::uint64_t, kThreads> executed{}; ///< instructions, by thread
  std::uint64_t transactions = 0;                 ///< of the NoC
  std::uint64_t traps = 0;         ///< accesses to registers that were no calls (Section::traps())
  std::vector<std::string> prints; ///< lines of DPRINT, in order
  /// Contents afterwards, as Program::buffers; empty where the device's memory remains.
  std::vector<std::vector<std::uint8_t>> buffers;
  /// Of each core that runs kernels, by thread; empty where LaunchSettings do not ask for them.
  std::vector<std::array<section::Stretches, kThreads>> stretches;

  /// Whether all kernels have returned and all instructions are executed.
  bool is_done() const { return !failure && blocked.empty() && !ran_out; }
};

/// Puts arguments, semaphores and the contents of buffers where they belong, and runs the kernels
/// to their end or to where they cannot go on. Error: BadInput; no process, or one that ended
/// without a trace.
Expected<LaunchOutcome> launch_program(const programs::Program& program,
                                       const programs::Layout& layout,
                                       const programs::ProgramObjects& objects,
                                       const LaunchSettings& how, DeviceMemory& memory);

/// The same on a device that nothing has run on, of which the buffers are all that remains.
Expected<LaunchOutcome> launch_program(const programs::Program& program,
                                       const programs::Layout& layout,
                                       const programs::ProgramObjects& objects,
                                       const LaunchSettings& how);

} // namespace lanewise::launch
