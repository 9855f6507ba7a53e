#include "number/references/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "number/references/interval_functions.h"
#include "number/references/piecewise.h"
#include "number/references/rows.h"

namespace lanewise::references {
namespace {

using Names = std::pair<std::string_view, std::string_view>;
using Defaults = decltype(ReferenceFunction::defaults);

/// A row of a generic lambda.
template <class Function>
constexpr ReferenceFunction row(FunctionGroup group, Names names, std::string_view meaning,
                                Defaults defaults, Function) {
  return {
      .name = names.first,
      .another = names.second,
      .operands = operand_count<Function, Interval>(),
      .defaults = defaults,
      .group = group,
      .meaning = meaning,
      .evaluate_interval =
          [](const Interval* operands) { return evaluate_row<Function>(operands); },
  };
}

#define ONE_ROW(defaults, group, name, another, meaning, result) \
  row(FunctionGroup::group, {name, another}, meaning, defaults,  \
      []<class T>(const T& x) -> T { return result; }),
#define TWO_ROW(defaults, group, name, another, meaning, result) \
  row(FunctionGroup::group, {name, another}, meaning, defaults,  \
      []<class T>(const T& x, const T& y) -> T { return result; }),
#define THREE_ROW(defaults, group, name, another, meaning, result) \
  row(FunctionGroup::group, {name, another}, meaning, defaults,    \
      []<class T>(const T& x, const T& y, const T& z) -> T { return result; }),
#define ONE(...) ONE_ROW(Defaults(), __VA_ARGS__)
#define TWO(...) TWO_ROW(Defaults(), __VA_ARGS__)
#define THREE(...) THREE_ROW(Defaults(), __VA_ARGS__)
#define TWO_DEFAULT(y, ...) TWO_ROW((Defaults{"", y}), __VA_ARGS__)
#define THREE_DEFAULT(y, z, ...) THREE_ROW((Defaults{"", y, z}), __VA_ARGS__)

constexpr std::array kFunctions{
#include "number/references/functions.def"
};
#undef ONE_ROW
#undef TWO_ROW
#undef THREE_ROW
#undef ONE
#undef TWO
#undef THREE
#undef TWO_DEFAULT
#undef THREE_DEFAULT

constexpr std::array<std::string_view, 11> kGroupNames{
    "operators",  "exponentials",       "powers",      "trigonometric",
    "hyperbolic", "special functions",  "activations", "rounding",
    "selection",  "classes of numbers", "casts"};

} // namespace

std::string_view group_name(FunctionGroup group) {
  return kGroupNames[static_cast<std::size_t>(group)];
}

std::span<const ReferenceFunction> reference_functions() {
  return kFunctions;
}

unsigned ReferenceFunction::needed_operands() const {
  const auto has_default = [](std::string_view digits) { return !digits.empty(); };
  return operands - static_cast<unsigned>(std::ranges::count_if(defaults, has_default));
}

std::string ReferenceFunction::usage() const {
  constexpr std::array<std::string_view, kMostOperands> kOperandNames{"x", "y", "z"};
  std::string list;
  for (unsigned i = 0; i < operands; ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : ", ", kOperandNames[i]);
    if (!defaults[i].empty()) list += fmt::format(" = {}", defaults[i]);
  }
  return fmt::format("{}({})", name, list);
}

const ReferenceFunction* find_reference_function(std::string_view name) {
  for (const ReferenceFunction& function : kFunctions) {
    if (function.name == name || (function.another == name && !name.empty())) return &function;
  }
  return nullptr;
}

} // namespace lanewise::references
