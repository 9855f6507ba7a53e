// What is known of the kernels that a table of August 2026 was measured with: where they are others
// than the compute API's, and which have changed since a checkout (docs/timing.md, "Against
// silicon"). All of it are facts of tt-metal, with the pull request or the issue that says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "study/silicon/benchmark.h"

namespace lanewise::silicon {

/// The text of a kernel's calls, and the header that has them.
struct KernelCalls {
  std::string header, init, calculate; ///< `init` may be empty
};

/// The kernel that LLK's own tests call in place of the compute API's, if there is one and the
/// checkout has it: the table was measured through these tests.
std::optional<KernelCalls> test_kernel(const ClockCase& each, const BenchTree& tree);

/// Why the kernel of the checkout is not the one that was measured; nothing: not known to be
/// another one.
std::optional<std::string> changed_since(const ClockCase& each, const BenchTree& tree);

/// The same of what changed the loop over tiles and not the initialisation.
std::optional<std::string> loop_changed_since(const ClockCase& each, const BenchTree& tree);

} // namespace lanewise::silicon
