// A host program in a process of its own, confined as kernels are (docs/security.md), which has a
// socket to this one and asks it for what a device does.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "base/limits.h"
#include "run/host/device_choice.h"
#include "run/host/session.h"

namespace lanewise::host {

struct HostProgram {
  std::filesystem::path object;       ///< of compile_host()
  std::string source;                 ///< as the user names it, for messages
  std::vector<std::string> arguments; ///< of main(), without the program's name
  DeviceChoice device;
  ProcessLimits limits = kKernelLimits; ///< of the host program; and kWallFactor times as much time
                                        ///< for all that it asks for
};

struct HostEnd {
  int status = 0;             ///< that main() returned, or exit() was called with
  std::optional<Fault> fault; ///< it did not come to its end
  bool has_thrown = false;    ///< the fault is an exception that nobody has caught
};

/// Runs main() to its end while `session` answers. Error: BadInput if there can be no process.
Expected<HostEnd> run_host(const HostProgram& program, Session& session);

} // namespace lanewise::host
