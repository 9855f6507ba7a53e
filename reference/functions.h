// The functions and operators of expressions: one row each, with both of their evaluations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/enclosure.h"

namespace lanewise::lab {

/// Operands or the result of a function over a block of inputs: the ends of an Interval
/// (reference/interval.h) each. Both point to the same numbers where all are points.
struct IntervalBlock {
  const double* low = nullptr;
  const double* high = nullptr;
};

/// Inputs that are evaluated together: few enough for the first-level cache.
inline constexpr std::size_t kBlockSize = 256;

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
  FunctionGroup group;
  std::string_view meaning; ///< one line, in terms of x, y and z for the operands in order
  /// Evaluates `count` <= kBlockSize inputs. `low` and `high` get the results.
  void (*evaluate_block)(const IntervalBlock* operands, std::size_t count, double* low,
                         double* high);
  Enclosure (*evaluate)(const Enclosure* operands);
};

/// All of them, group by group.
std::span<const ReferenceFunction> reference_functions();

/// The function or operator of that name, or nullptr.
const ReferenceFunction* find_reference_function(std::string_view name);

} // namespace lanewise::lab
