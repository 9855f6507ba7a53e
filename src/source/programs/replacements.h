// What is put in place of some texts of a checkout's headers once they are preprocessed, so that
// the code of a core calls where it would trap, and says what it is about to do
// (source/sfpi/include/section/lanewise_calls.h). A checkout in which a text looks different runs
// as well: slower, or checked by what its registers show.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lanewise::programs {

using Replacements = std::vector<std::pair<std::string, std::string>>;

/// Of kernels that move data.
const Replacements& mover_replacements();
/// Of the three threads of a compute kernel.
const Replacements& thread_replacements();

} // namespace lanewise::programs
