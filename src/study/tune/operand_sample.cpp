#include "study/tune/operand_sample.h"

#include <fmt/format.h>

#include <random>

#include "number/formats/format.h"
#include "run/execution/tile_runner.h"
#include "study/sweep/gates.h"
#include "study/sweep/order.h"
#include "study/sweep/specials.h"

namespace lanewise::tune {

namespace {

constexpr unsigned kSampleTiles = 8, kSampleElements = kSampleTiles * tensors::kTileElements;

Expected<execution::TileRun> run(const Plain& program, std::span<const tensors::Tensor> tiles,
                                 const ProofOptions& options) {
  return execution::run_on_tiles(program.arch, program.program, tiles,
                                 {.format = options.format,
                                  .output_tile = options.output_tile,
                                  .output_format = options.output_format,
                                  .as_kernel = program.as_kernel});
}

} // namespace

std::vector<tensors::Tensor> sample_tiles(const ProofOptions& options) {
  const std::vector<std::uint32_t> edges = sweep::edge_inputs(options.format, 1).x;
  const sweep::OperandPatterns all = sweep::operand_patterns(options.format, std::nullopt);
  std::mt19937_64 random(1);
  const auto any = [&]() -> std::uint32_t {
    const std::uint64_t drawn = random();
    if (drawn % 2 == 0) return edges[drawn / 2 % edges.size()];
    const bool is_negative = all.negative.count() != 0 && (drawn & 2U) != 0;
    const sweep::MagnitudeInterval& interval = is_negative ? all.negative : all.positive;
    return all.bits(interval.begin + (drawn >> 2) % interval.count(), is_negative);
  };
  std::vector<tensors::Tensor> tiles(
      options.operands,
      {.shape = {tensors::kTileEdge, std::size_t{kSampleTiles} * tensors::kTileEdge},
       .bits = {},
       .format = options.format});
  for (unsigned i = 0; i < kSampleElements; ++i)
    for (tensors::Tensor& each : tiles) each.bits.push_back(any());
  return tiles;
}

std::vector<tensors::Tensor> tiles_of(std::span<const std::uint32_t> operands,
                                      formats::Format format) {
  std::vector<tensors::Tensor> tiles;
  for (const std::uint32_t bits : operands)
    tiles.push_back({.shape = {tensors::kTileEdge, tensors::kTileEdge},
                     .bits = std::vector<std::uint32_t>(tensors::kTileElements, bits),
                     .format = format});
  return tiles;
}

Expected<std::string> difference_on_tiles(const Plain& plain, const Plain& other,
                                          std::span<const tensors::Tensor> tiles,
                                          const ProofOptions& options) {
  const auto expected = run(plain, tiles, options), found = run(other, tiles, options);
  for (const auto* each : {&expected, &found})
    if (!*each) return Unexpected(each->error());
  if (!sweep::leave_results_valid(found->faults))
    return "the tuned program has faults: " + to_string(found->faults.front());
  for (std::size_t i = 0; i < expected->output.bits.size(); ++i) {
    if (expected->output.bits[i] == found->output.bits[i]) continue;
    std::string text;
    for (std::size_t k = 0; k < tiles.size(); ++k)
      text += fmt::format("{}tile {} = 0x{:x}", k == 0 ? "" : ", ", k, tiles[k].bits[i]);
    return fmt::format("{}: 0x{:x} instead of 0x{:x}", text, found->output.bits[i],
                       expected->output.bits[i]);
  }
  return std::string();
}

} // namespace lanewise::tune
