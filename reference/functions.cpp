#include "reference/functions.h"

#include <array>
#include <type_traits>
#include <utility>

#include "reference/enclosure_functions.h"
#include "reference/interval_functions.h"
#include "reference/piecewise.h"

namespace lanewise::lab {
namespace {

template <class Function, class T, std::size_t... I>
T evaluate_at(const T* operands, std::index_sequence<I...>) {
  return Function{}(operands[I]...);
}

template <class Function>
constexpr unsigned operand_count() {
  if constexpr (std::is_invocable_v<Function, Interval>) {
    return 1;
  } else if constexpr (std::is_invocable_v<Function, Interval, Interval>) {
    return 2;
  } else {
    return 3;
  }
}

using Names = std::pair<std::string_view, std::string_view>;

/// A row of a generic lambda, which is instantiated for both kinds of intervals.
template <class Function>
constexpr ReferenceFunction row(FunctionGroup group, Names names, std::string_view meaning,
                                Function) {
  constexpr unsigned kOperands = operand_count<Function>();
  using Indices = std::make_index_sequence<kOperands>;
  return {
      .name = names.first,
      .another = names.second,
      .operands = kOperands,
      .group = group,
      .meaning = meaning,
      .evaluate_interval =
          [](const Interval* operands) { return evaluate_at<Function>(operands, Indices{}); },
      .evaluate =
          [](const Enclosure* operands) { return evaluate_at<Function>(operands, Indices{}); },
  };
}

// The lambdas take any type, as only one of two ever comes.
#define ONE(group, name, another, meaning, result)    \
  row(FunctionGroup::group, {name, another}, meaning, \
      []<class T>(const T& x) -> T { return result; }),
#define TWO(group, name, another, meaning, result)    \
  row(FunctionGroup::group, {name, another}, meaning, \
      []<class T>(const T& x, const T& y) -> T { return result; }),
#define THREE(group, name, another, meaning, result)  \
  row(FunctionGroup::group, {name, another}, meaning, \
      []<class T>(const T& x, const T& y, const T& z) -> T { return result; }),

constexpr std::array kFunctions{
#include "reference/functions.def"
};
#undef ONE
#undef TWO
#undef THREE

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

const ReferenceFunction* find_reference_function(std::string_view name) {
  for (const ReferenceFunction& function : kFunctions) {
    if (function.name == name || (function.another == name && !name.empty())) return &function;
  }
  return nullptr;
}

} // namespace lanewise::lab
