// Running a kernel where its mistakes cannot hurt: in a process of its own.
#pragma once

#include <filesystem>
#include <string>

#include "base/limits.h"
#include "source/sfpi/wire.h"

namespace lanewise::sfpi {

/// Loads the object in a forked process and runs its kernel there: a crash, exit(), or endless
/// recursion ends that process only, and static variables start anew. So does a kernel that needs
/// more time or memory than it may have; processes that it has started end with it. What the kernel
/// prints goes to standard output. Error: BadInput if the process cannot be made, the object cannot
/// be loaded, or the kernel's end left no trace.
Expected<Message> run_isolated(const std::filesystem::path& object, Arch arch,
                               const std::string& name, const ProcessLimits& limits);

/// The same within this process, for debuggers.
Expected<Message> run_here(const std::filesystem::path& object, Arch arch, const std::string& name);

/// What ended a kernel, and what to do about it.
struct Cause {
  std::string message, remedy;
};

Cause cause_of(const Death& death, const ProcessLimits& limits);

} // namespace lanewise::sfpi
