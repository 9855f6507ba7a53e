#include "run/execution/kernel_faults.h"

#include "run/oracle/dst_range.h"
#include "source/compiler/compiler.h"

namespace lanewise::lab {

Expected<std::vector<Fault>> kernel_faults(const compiler::Recording& recording,
                                           const compiler::Options& compiler,
                                           std::span<const Tensor> inputs,
                                           const TileRunOptions& options, const PrintSink& print) {
  std::vector<Tensor> first;
  for (const Tensor& input : inputs) {
    const Tile values = split_into_tiles(input).front();
    first.push_back({{kTileEdge, kTileEdge}, {values.begin(), values.end()}, input.format});
  }
  auto run = interpret_on_tiles(compiler::combined(recording, compiler), first, options, print);
  if (!run) return Unexpected(run.error());
  // The rest is the machine's, which has its own way through the words.
  std::erase_if(run->faults, [](const Fault& fault) {
    return fault.kind != FaultKind::UndefinedBehavior && fault.rule != kDstRangeRule;
  });
  return std::move(run->faults);
}

} // namespace lanewise::lab
