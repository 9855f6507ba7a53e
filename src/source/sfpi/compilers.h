// The compilers that kernels are given to.
#pragma once

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

} // namespace lanewise::sfpi
