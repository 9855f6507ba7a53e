// A host program of tt-metal as a shared object of this machine: unmodified source, with the
// headers of source/programs/include/ in the place of tt-metal's.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/limits.h"

namespace lanewise::host {

struct HostSource {
  std::string file;                           ///< as the user names it
  std::vector<std::string> includes, defines; ///< folders; NAME or NAME=VALUE
  ProcessLimits limits = kKernelLimits;       ///< of each of the two steps of g++
};

/// The object, from the cache if nothing that it is made of has changed. Error: BadInput; of what
/// g++ rejects, compile_fault().
Expected<std::filesystem::path> compile_host(const HostSource& source);

/// One sentence for all that g++ or the linker say of a host program: the first error, at the
/// user's line. Where that is in a header of `headers` or of the system, the line from which it was
/// reached.
Fault compile_fault(std::string_view messages, const std::string& file, std::string_view headers);

} // namespace lanewise::host
