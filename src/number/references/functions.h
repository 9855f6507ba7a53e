// The functions and operators of expressions: one row each (number/references/functions.def),
// with their evaluations at a point.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "number/references/interval.h"

namespace lanewise::references {

inline constexpr std::size_t kMostOperands = 3;

enum class FunctionGroup : std::uint8_t {
  Operator,
  Exponential,
  Power,
  Trigonometric,
  Hyperbolic,
  Special,
  Activation,
  Rounding,
  Selection,
  Classification,
  Cast
};

/// "activations", ...
std::string_view group_name(FunctionGroup group);

struct ReferenceFunction {
  std::string_view name;    ///< of an operator its sign, "-x" for the unary minus
  std::string_view another; ///< a second name, or nothing
  unsigned operands;
  /// What operands are that an expression leaves out, as it would write them; nothing of those
  /// that it must have, which come first.
  std::array<std::string_view, kMostOperands> defaults;
  FunctionGroup group;
  std::string_view meaning; ///< one line, in terms of x, y and z for the operands in order
  Interval (*evaluate_interval)(const Interval* operands);

  /// Operands without a default.
  unsigned needed_operands() const;
  /// "elu(x, y = 1)"
  std::string usage() const;
};

/// All of them, group by group. number/references/kernels/ has them for blocks and
/// enclosure_functions() at any precision, in the same order.
std::span<const ReferenceFunction> reference_functions();

/// The function or operator of that name, or nullptr.
const ReferenceFunction* find_reference_function(std::string_view name);

} // namespace lanewise::references
