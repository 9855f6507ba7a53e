// The kernels of one core, in the process that is made for them.
#pragma once

#include <functional>
#include <span>

#include "base/confinement.h"
#include "base/limits.h"
#include "base/process.h"
#include "base/supervisor.h"
#include "chip/noc/noc.h"
#include "run/launch/launch.h"
#include "run/launch/note.h"
#include "run/launch/rings.h"

namespace lanewise::launch {

/// What a program is launched with, on one core.
struct Launch {
  const programs::Program& program;
  const programs::Layout& layout;
  const programs::ProgramObjects& objects;
  const LaunchSettings& how;
  const DeviceMemory& memory;
};

/// What lies beyond a core that is one of several: other cores, and DRAM that all share.
class Beyond {
 public:
  Beyond() = default;
  Beyond(const Beyond&) = delete;
  Beyond& operator=(const Beyond&) = delete;
  virtual ~Beyond() = default;

  /// Hands over what has left the core, and brings what has come: answers, and bytes of L1 that
  /// were written, which `arrived` hears of. `is_busy`: somebody on the core can go on. False:
  /// nobody anywhere can, or all is to end.
  virtual bool exchange(noc::Noc& noc, bool is_busy,
                        const std::function<void(const L1Range&)>& arrived) = 0;
  /// Hands over what the core has done, before anything else is exchanged.
  virtual void tell(std::span<const Note> notes) = 0;
  /// The outcome is there, and the process is about to end.
  virtual void end() = 0;
};

/// What the process of a core's kernels may have and do: besides the core's memories, these files
/// of its own.
ProcessLimits kernel_limits(const ProcessLimits& limits);
Confinement kernel_confinement(const DeviceMemory& memory, const programs::Core& core,
                               std::vector<int> files);

/// Where such a process leaves its outcome. Error: BadInput.
Expected<FileDescriptor> make_outcome_file();

/// Runs the kernels and leaves the outcome in a file. In a process that was made for it, and is
/// confined. Without `beyond`, the core is alone.
[[noreturn]] void be_the_kernels(const Launch& launch, int file, Beyond* beyond);

/// What is known of kernels whose process has left no outcome.
Unexpected no_outcome(const ProcessEnd& end, const ProcessLimits& limits);

} // namespace lanewise::launch
