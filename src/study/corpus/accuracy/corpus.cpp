#include "study/corpus/accuracy/corpus.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "study/corpus/metal/functions.h"

namespace lanewise::corpus {

namespace {

/// 16 times as many pairs as there are numbers: each value of x meets 16 of y, and errors that one
/// pair of 100,000 has are found nearly for certain.
constexpr sweep::SweepSample kPairs{.count = std::uint64_t{1} << 20, .seed = 1};

} // namespace

const std::vector<AccuracyKernel>& accuracy_corpus() {
  static const std::vector<AccuracyKernel> corpus = [] {
    std::vector<AccuracyKernel> all = accuracy_examples();
    for (AccuracyKernel& kernel : accuracy_llk_kernels()) all.push_back(std::move(kernel));
    return all;
  }();
  return corpus;
}

std::vector<AccuracyKernel> accuracy_examples() {
  return {
      {.name = "abs.tt", .reference = "abs(x)"},
      {.name = "clamp.cpp", .reference = "clamp(x, -1, 1)"},
      {.name = "clamp.tt", .reference = "clamp(x, -1, 1)"},
      {.name = "exp.cpp", .reference = "exp(x)"},
      {.name = "exp.tt", .reference = "exp(x)"},
      {.name = "exp_approximate.cpp", .reference = "exp(x)"},
      {.name = "gelu.cpp", .reference = "gelu(x)"},
      {.name = "macros.tt", .reference = "1 - abs(x)"},
      // Halved until it is below 1, at most three times.
      {.name = "pieces.cpp",
       .reference = "x < 0 ? (x > -4 && x < -2 ? -1 : x) : x == 0 || x > 6 ? 0 "
                    ": x < 1 ? x : x < 2 ? x / 2 : x < 4 ? x / 4 : x / 8"},
      {.name = "raw_words.cpp", .reference = "sigmoid(x)"},
      {.name = "reciprocal.cpp", .reference = "1 / x"},
      {.name = "replay.tt", .reference = "x * x + x"},
      {.name = "softplus.cpp", .reference = "softplus(x)"},
      {.name = "softplus.tt", .reference = "softplus(x)"},
      {.name = "tanh.cpp", .reference = "tanh(x)"},
      {.name = "words.hex", .reference = "-abs(x)"},
  };
}

std::vector<AccuracyKernel> accuracy_metal_kernels(std::span<const LlkKernel> kernels) {
  std::vector<AccuracyKernel> all;
  for (const OpFunction& function : op_functions()) {
    const auto kernel = std::ranges::find(kernels, function.op, &LlkKernel::name);
    if (kernel == kernels.end()) continue;
    all.push_back({.name = std::string(function.op),
                   .origin = AccuracyOrigin::Metal,
                   .reference = std::string(function.reference),
                   .operands = static_cast<unsigned>(kernel->inputs.size())});
  }
  return all;
}

std::string domain_expression(const AccuracyKernel& kernel) {
  if (kernel.domain.empty()) return {};
  const std::string others = kernel.operands == 2 ? "!isfinite(x) || !isfinite(y)" : "!isfinite(x)";
  return others + " || (" + kernel.domain + ")";
}

sweep::SweepSpace sampled_space() {
  sweep::SweepSpace space;
  space.sample = kPairs;
  return space;
}

sweep::SweepSpace accuracy_space(const AccuracyKernel& kernel) {
  return kernel.operands == 2 ? sampled_space() : sweep::SweepSpace{};
}

} // namespace lanewise::corpus
