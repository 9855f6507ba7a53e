// What the words of a function read and write of the LRegs, where some lanes may be off.
#pragma once

#include <vector>

#include "base/graph/accesses.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/tensix_paths.h"
#include "chip/isa/arch.h"
#include "chip/isa/def_use.h"

namespace lanewise::paths {

/// One instruction. What it keeps parts of, because lanes may be off or it writes a half, is read
/// as well.
struct LRegStep {
  isa::LRegSet reads = 0, writes = 0;
  isa::LRegSet keeps = 0; ///< of `reads`, what it reads for this reason only
};

/// A word's instructions, in order.
using LRegSteps = std::vector<LRegStep>;

/// Of each word. A call reads what its callee needs and writes what that writes on every path; of
/// callees that are not known, and of computed words, nothing is known to be written.
std::vector<LRegSteps> lreg_steps(const CodeGraph& code, Arch arch,
                                  const std::vector<Executed>& executed,
                                  const Summaries& summaries);

/// Variable n: LReg n, of 16.
graph::Accesses lreg_accesses(const CodeGraph& code, const std::vector<LRegSteps>& steps);

} // namespace lanewise::paths
