// Kernels on random numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "number/formats/ulp.h"
#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

/// All of Dst with 32 bits, so that there are many random numbers.
constexpr unsigned kTiles = 8;

std::vector<LlkInput> eight_tiles_of(const char* pattern) {
  return std::vector<LlkInput>(kTiles, {pattern});
}
std::vector<LlkOutput> eight_tiles() {
  std::vector<LlkOutput> outputs;
  for (unsigned tile = 0; tile < kTiles; ++tile) outputs.push_back({.tile = tile});
  return outputs;
}

// -------------------------------------------------------------------- dropout

constexpr double kDropProbability = 0.25, kScale = 2;

/// Each element is dropped or scaled exactly, and their share is that of independent events, within
/// four standard deviations.
std::optional<std::string> wrong_with_dropout(std::span<const NumberTile> in,
                                              std::span<const NumberTile> out) {
  double dropped = 0;
  for (std::size_t tile = 0; tile < out.size(); ++tile) {
    for (unsigned i = 0; i < tensors::kTileElements; ++i) {
      const double got = out[tile][i], scaled = in[tile][i] * kScale;
      if (got != 0 && got != scaled) {
        return "an element is neither dropped nor scaled";
      }
      dropped += got == 0 ? 1 : 0;
    }
  }
  const double count = static_cast<double>(out.size()) * tensors::kTileElements;
  const double deviation = std::sqrt(count * kDropProbability * (1 - kDropProbability));
  if (std::abs(dropped - count * kDropProbability) <= 4 * deviation) return std::nullopt;
  return std::to_string(dropped / count) + " of the elements are dropped instead of 0.25";
}

LlkKernel dropout() {
  return {.name = "dropout",
          .header = "dropout",
          .init = "_init_dropout_(1234)",
          .call = "_calculate_dropout_<true, 8>(256, 0x20000000u, 0x40000000u)",
          .faces = sfpi::Faces::Whole,
          .dst = both_widths({}, {}),
          .inputs = eight_tiles_of("random:1:1:8"),
          .outputs = eight_tiles(),
          .domain = {.text = "1 <= x <= 8; a quarter is dropped"},
          .reference = wrong_with_dropout};
}

// -------------------------------------------------------------------- stochastic rounding

/// Each result is one of the two bf16 next to the input. That the farther one of them is chosen
/// has the distance from the nearer one as its probability, within four standard deviations of
/// independent events; so has the upper one.
std::optional<std::string> wrong_with_rounding(std::span<const NumberTile> in,
                                               std::span<const NumberTile> out) {
  double up = 0, far = 0, expected_up = 0, expected_far = 0, variance = 0;
  for (unsigned i = 0; i < out.size() * tensors::kTileElements; ++i) {
    const double x = in[i / tensors::kTileElements][i % tensors::kTileElements];
    const double got = out[i / tensors::kTileElements][i % tensors::kTileElements];
    const double unit = formats::ulp(formats::Format::BF16, x);
    const double below = std::floor(x / unit) * unit, share = (x - below) / unit;
    if (got != below && got != below + unit) return "an element is not next to its input";
    const bool is_up = got != below;
    up += is_up ? 1 : 0;
    far += is_up == (share < 0.5) ? 1 : 0;
    expected_up += share;
    expected_far += std::min(share, 1 - share);
    variance += share * (1 - share);
  }
  const double allowed = 4 * std::sqrt(variance);
  if (std::abs(up - expected_up) > allowed) {
    return fmt::format("{} elements are rounded up instead of {:.0f}", up, expected_up);
  }
  if (std::abs(far - expected_far) > allowed) {
    return fmt::format("{} elements are not rounded to nearest instead of {:.0f}", far,
                       expected_far);
  }
  return std::nullopt;
}

LlkKernel stochastic_rounding() {
  return {.name = "stochastic_round",
          .header = "rounding_ops",
          .init = "init_prng_seed(1234)",
          .call = "for (int i = 0; i < 32; i++) _calculate_stochastic_round_<true, 8>()",
          .faces = sfpi::Faces::Whole,
          .dst = {{.format = formats::Format::FP32}},
          .inputs = eight_tiles_of("random:1:1:8"),
          .outputs = eight_tiles(),
          .domain = {.text = "1 <= x <= 8"},
          .reference = wrong_with_rounding};
}

} // namespace

std::vector<LlkKernel> llk_random() {
  return {dropout(), stochastic_rounding()};
}

} // namespace lanewise::corpus
