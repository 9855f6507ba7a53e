// Where the kernels of a host program lie, which names them from the place that it is run at, or
// from tt-metal's root, or with a prefix that its build has and nobody else
// (OVERRIDE_KERNEL_PREFIX).
#pragma once

#include <string>

namespace lanewise::programs {

/// The file that a host program's source `named_in` means by `file`: as it stands, then below the
/// folder of the source and those above it, then below `checkout` and among its programming
/// examples. `named_in` and `checkout` may be empty. `file` itself if it is nowhere.
std::string find_kernel_file(const std::string& file, const std::string& named_in,
                             const std::string& checkout);

} // namespace lanewise::programs
