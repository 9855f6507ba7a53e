// Which ways to arrange a kernel's instructions are tried.
#pragma once

#include <vector>

#include "source/compiler/passes.h"

namespace lanewise::compiler {

/// Arrangements of the same number of rows, those that keep the most in registers first.
using ArrangementGroup = std::vector<Arrangement>;

/// Whose order a kernel's instructions have, by the options or by what it is.
CompiledAs compiled_as(const Recording& recording, const Options& options);

/// What is worth a try beside the order of the source: more and more rows joined, and in each group
/// fewer and fewer constants kept for all rows.
std::vector<ArrangementGroup> arrangements(const Code& code, const Options& options);

} // namespace lanewise::compiler
