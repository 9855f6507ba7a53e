// The compilers that kernels are given to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"

namespace lanewise::sfpi {

/// The host's C++ compiler.
struct HostCompiler {
  std::vector<std::string> command; ///< "g++", or the words of $CXX
  std::string version;              ///< what it says of itself
};

/// $CXX if that is a g++, else g++. Error: BadInput if there is none.
Expected<HostCompiler> find_host_compiler();

/// The C++ compiler for the chips' cores, Debian's. Error: BadInput if there is none.
Expected<HostCompiler> find_core_compiler();

/// What a compiler says on both its streams if these words follow its command. As of its version,
/// the cache keeps that, and gives it as long as `holds` says that it is still so. Nothing if the
/// compiler does not succeed, or says what does not hold.
std::optional<std::string> ask_once(const HostCompiler& compiler,
                                    const std::vector<std::string>& question,
                                    const std::function<bool(const std::string&)>& holds);

} // namespace lanewise::sfpi
