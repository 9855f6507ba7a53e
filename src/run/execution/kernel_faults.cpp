#include "run/execution/kernel_faults.h"

#include "run/oracle/dst_range.h"
#include "source/compiler/compiler.h"

namespace lanewise::execution {

Expected<std::vector<Fault>> kernel_faults(const compiler::Recording& recording,
                                           const compiler::Options& compiler,
                                           std::span<const tensors::Tensor> inputs,
                                           const TileRunOptions& options,
                                           const oracle::PrintSink& print) {
  std::vector<tensors::Tensor> first;
  for (const tensors::Tensor& input : inputs) {
    const tensors::Tile values = tensors::split_into_tiles(input).front();
    first.push_back(
        {{tensors::kTileEdge, tensors::kTileEdge}, {values.begin(), values.end()}, input.format});
  }
  auto run = interpret_on_tiles(compiler::combined(recording, compiler), first, options, print);
  if (!run) return Unexpected(run.error());
  // The rest is the machine's, which has its own way through the words.
  std::erase_if(run->faults, [](const Fault& fault) {
    return fault.kind != FaultKind::UndefinedBehavior && fault.rule != oracle::kDstRangeRule;
  });
  return std::move(run->faults);
}

} // namespace lanewise::execution
