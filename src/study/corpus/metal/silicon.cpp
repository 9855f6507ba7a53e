#include "study/corpus/metal/silicon.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanewise::corpus {

namespace {

using formats::Format;

using enum Arch;

// Pages of 1 September 2026, all 65,536 BF16 numbers, or pairs.
constexpr std::array kFigures{
    SiliconFigure{"exp", Blackhole, Format::BF16, 1, 0.856},
    SiliconFigure{"exp", Wormhole, Format::BF16, 1, 0.856},
    SiliconFigure{"exp2", Blackhole, Format::BF16, 1, 0.843},
    SiliconFigure{"exp2", Wormhole, Format::BF16, 1, 0.843},
    SiliconFigure{"expm1", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"expm1", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"log", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"log", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"log2", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"log2", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"log10", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"log10", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"log1p", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"log1p", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"sqrt", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"sqrt", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"rsqrt", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"rsqrt", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"recip", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"recip", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"sigmoid", Blackhole, Format::BF16, 1, 0.886},
    SiliconFigure{"sigmoid", Wormhole, Format::BF16, 1, 0.876},
    SiliconFigure{"silu", Blackhole, Format::BF16, 1, 0.998},
    SiliconFigure{"silu", Wormhole, Format::BF16, 1, 0.998},
    SiliconFigure{"gelu", Blackhole, Format::BF16, 165, 9.42},
    SiliconFigure{"gelu", Wormhole, Format::BF16, 165, 9.42},
    SiliconFigure{"gelu_fast", Blackhole, Format::BF16, 1.14e36, 1.82e34},
    SiliconFigure{"gelu_fast", Wormhole, Format::BF16, 1.14e36, 1.82e34},
    SiliconFigure{"tanh", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"tanh", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"erf", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"erf", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"erfc", Blackhole, Format::BF16, 3.2e28, 3.23e24},
    SiliconFigure{"erfc", Wormhole, Format::BF16, 3.19e28, 3.23e24},
    SiliconFigure{"sinh", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"sinh", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"cosh", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"cosh", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"asin", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"asin", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"acos", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"acos", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"atan", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"atan", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"cbrt", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"cbrt", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"softplus", Blackhole, Format::BF16, 1, 1},
    SiliconFigure{"softplus", Wormhole, Format::BF16, 1, 1},
    SiliconFigure{"mish", Blackhole, Format::BF16, 1, 0.997},
    SiliconFigure{"mish", Wormhole, Format::BF16, 1, 0.997},
    SiliconFigure{"selu", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"selu", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"elu", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"elu", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"celu", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"celu", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"square", Blackhole, Format::BF16, 1, 0.991},
    SiliconFigure{"square", Wormhole, Format::BF16, 1, 0.991},
    SiliconFigure{"softsign", Blackhole, Format::BF16, 1, 0.642},
    SiliconFigure{"softsign", Wormhole, Format::BF16, 1, 0.69},
    SiliconFigure{"asinh", Blackhole, Format::BF16, 1, 0.998},
    SiliconFigure{"asinh", Wormhole, Format::BF16, 1, 0.996},
    SiliconFigure{"acosh", Blackhole, Format::BF16, 1, 0.994},
    SiliconFigure{"acosh", Wormhole, Format::BF16, 1, 0.994},
    SiliconFigure{"atanh", Blackhole, Format::BF16, 2, 0.997},
    SiliconFigure{"atanh", Wormhole, Format::BF16, 2, 0.997},
    SiliconFigure{"exp_fast", Blackhole, Format::BF16, 6, 3.05},
    SiliconFigure{"exp_fast", Wormhole, Format::BF16, 6, 3.05},
    SiliconFigure{"i0", Blackhole, Format::BF16, 255, 56.4},
    SiliconFigure{"i0", Wormhole, Format::BF16, 255, 56.4},
    SiliconFigure{"i1", Blackhole, Format::BF16, 218, 8.95},
    SiliconFigure{"i1", Wormhole, Format::BF16, 218, 8.95},
    SiliconFigure{"erfinv", Blackhole, Format::BF16, 121, 6.53},
    SiliconFigure{"erfinv", Wormhole, Format::BF16, 121, 6.53},
    SiliconFigure{"lgamma", Blackhole, Format::BF16, 324, 1.17},
    SiliconFigure{"lgamma", Wormhole, Format::BF16, 324, 1.17},
    SiliconFigure{"tanhshrink", Blackhole, Format::BF16, 63.5, 9.5},
    SiliconFigure{"tanhshrink", Wormhole, Format::BF16, 63.5, 9.5},
    SiliconFigure{"div_binary", Blackhole, Format::BF16, 0, 0},
    SiliconFigure{"div_binary", Wormhole, Format::BF16, 0, 0},
    SiliconFigure{"atan2", Blackhole, Format::BF16, 200, 3.85},
    SiliconFigure{"atan2", Wormhole, Format::BF16, 200, 2.88},
    SiliconFigure{"xlogy", Blackhole, Format::BF16, 897, 655},
    SiliconFigure{"xlogy", Wormhole, Format::BF16, 897, 655},
    SiliconFigure{"hardsigmoid", Blackhole, Format::BF16, 1, 0.661},
    SiliconFigure{"hardsigmoid", Wormhole, Format::BF16, 1, 0.661},
};

/// Differences between what was published and what another release of the kernels computes.
struct Difference {
  std::string_view op, reason;
};
constexpr std::array kDifferences{
    Difference{"softplus", "the kernel of another release: 0.988 instead of 1 as the mean"},
    Difference{"asinh", "rewritten between June and September 2026"},
    Difference{"acosh", "rewritten between June and September 2026"},
    Difference{"atanh", "rewritten between June and September 2026"},
    Difference{"lgamma", "the operation calls this kernel and others for x below 0.5"},
    Difference{"atan2", "all pairs there, a sample of them here"},
    Difference{"xlogy", "all pairs there, a sample of them here"},
    Difference{"erfinv", "121 / 6.53 with b*c of a*a - b*c fused, as on Blackhole"},
    Difference{"gelu_fast", "the third digit of a mean over errors of up to 1e36"},
    Difference{"tanhshrink", "not known: the published operation need not be this kernel"},
};

} // namespace

std::span<const SiliconFigure> silicon_figures() {
  return kFigures;
}

const SiliconFigure* find_silicon(std::string_view op, Format format, Arch arch) {
  const auto found = std::ranges::find_if(kFigures, [&](const SiliconFigure& figure) {
    return figure.op == op && figure.format == format && figure.arch == arch;
  });
  return found == kFigures.end() ? nullptr : found;
}

bool has_silicon(std::string_view op) {
  return std::ranges::find(kFigures, op, &SiliconFigure::op) != kFigures.end();
}

std::string silicon_number(double value) {
  return fmt::format("{:.3g}", value);
}

std::string_view silicon_difference(std::string_view op) {
  const auto found = std::ranges::find(kDifferences, op, &Difference::op);
  return found == kDifferences.end() ? std::string_view() : found->reason;
}

} // namespace lanewise::corpus
