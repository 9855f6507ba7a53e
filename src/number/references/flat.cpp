#include "number/references/flat.h"

#include <array>

#include "number/references/interval.h"

namespace lanewise::references {
namespace {

constexpr FlatPart kBeforeZero{-kNextToZero, 0}, kBehindZero{0, kNextToZero};

constexpr std::array kPartsOfExp{FlatPart{-kInfinite, kLowestExp}, kBeforeZero, kBehindZero,
                                 FlatPart{kHighestExp, kInfinite}};
constexpr std::array kPartsOfExp2{FlatPart{-kInfinite, kLowestExp2}, kBeforeZero, kBehindZero,
                                  FlatPart{kHighestExp2, kInfinite}};
constexpr std::array kPartsOfExp10{FlatPart{-kInfinite, kLowestExp10}, kBeforeZero, kBehindZero,
                                   FlatPart{kHighestExp10, kInfinite}};
constexpr std::array kPartsOfTanh{FlatPart{-kInfinite, -kLowestFlatTanh},
                                  FlatPart{kLowestFlatTanh, kInfinite}};
constexpr std::array kPartsOfErf{FlatPart{-kInfinite, -kLowestFlatErf},
                                 FlatPart{kLowestFlatErf, kInfinite}};
constexpr std::array kPartsOfErfc{FlatPart{-kInfinite, -kLowestFlatErf}, kBeforeZero, kBehindZero,
                                  FlatPart{kHighestErfc, kInfinite}};
/// 1 / (1 + e^-x), where e^-x is infinite, 1, or below half a step of 1.
constexpr std::array kPartsOfSigmoid{FlatPart{-kInfinite, -kHighestExp}, kBeforeZero, kBehindZero,
                                     FlatPart{-kLowestExp, kInfinite}};
/// x g(x), where g is below kTiny: of gelu() the erfc() of -x / sqrt(2).
constexpr std::array kPartsOfGelu{FlatPart{-kInfinite, -kHighestErfc / kRootOfHalf - 1}};
constexpr std::array kPartsOfSilu{FlatPart{-kInfinite, -kHighestExp}};

struct FlatFunction {
  std::string_view name;
  std::span<const FlatPart> parts;
};
constexpr std::array<FlatFunction, 9> kFlatFunctions{{{"exp", kPartsOfExp},
                                                      {"exp2", kPartsOfExp2},
                                                      {"exp10", kPartsOfExp10},
                                                      {"tanh", kPartsOfTanh},
                                                      {"erf", kPartsOfErf},
                                                      {"erfc", kPartsOfErfc},
                                                      {"sigmoid", kPartsOfSigmoid},
                                                      {"gelu", kPartsOfGelu},
                                                      {"silu", kPartsOfSilu}}};

} // namespace

std::span<const FlatPart> flat_parts(std::string_view function) {
  for (const FlatFunction& each : kFlatFunctions) {
    if (each.name == function) return each.parts;
  }
  return {};
}

} // namespace lanewise::references
