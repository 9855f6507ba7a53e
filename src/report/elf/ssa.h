// A kernel's functions in SSA form.
#pragma once

#include <string>

#include "binary/elf/code.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/ssa_names.h"

namespace lanewise::report {

/// Block by block, the phis at its beginning and its words, each with the values that it defines
/// and uses: "a0.2 <- a0.1 a5.3". Where it leaves a part of an LReg as it was, "keeps L2.1".
std::string ssa_text(const elf::Image& image, const elf::Function& function,
                     const paths::CodeGraph& code, const paths::FunctionSsa& ssa, Arch arch);

} // namespace lanewise::report
