// What only the interpreter can tell about a kernel.
#pragma once

#include <span>
#include <vector>

#include "run/execution/tile_runner.h"
#include "source/compiler/options.h"

namespace lanewise::execution {

/// Lanes that were never computed and are used, and dst_reg outside of Dst, on the first tile of
/// each input. `print` gets what the kernel prints there. Error: as interpret_on_tiles() says.
Expected<std::vector<Fault>> kernel_faults(const compiler::Recording& recording,
                                           const compiler::Options& compiler,
                                           std::span<const tensors::Tensor> inputs,
                                           const TileRunOptions& options,
                                           const oracle::PrintSink& print = {});

} // namespace lanewise::execution
