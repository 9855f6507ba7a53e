// The rows of number/references/functions.def as generic lambdas: how many operands they have, and
// their values for one kind of intervals.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace lanewise::references {

template <class Function, class T>
constexpr unsigned operand_count() {
  if constexpr (std::is_invocable_v<Function, T>) {
    return 1;
  } else if constexpr (std::is_invocable_v<Function, T, T>) {
    return 2;
  } else {
    return 3;
  }
}

template <class Function, class T>
T evaluate_row(const T* operands) {
  return [operands]<std::size_t... I>(std::index_sequence<I...>) {
    return Function{}(operands[I]...);
  }
  (std::make_index_sequence<operand_count<Function, T>()>{});
}

} // namespace lanewise::references
