// What the operations of tt-metal compute: functions of floats, as expressions over the references.
#pragma once

#include <span>
#include <string_view>

namespace lanewise::corpus {

/// An operation with the values that its parameters have without a choice.
struct OpFunction {
  std::string_view op;        ///< checkouts::SfpuOp::name
  std::string_view reference; ///< for parse_reference(), in x and y
};

std::span<const OpFunction> op_functions();

/// Null where an operation has none: integers, whole tiles, three operands, random numbers.
const OpFunction* find_op_function(std::string_view op);

} // namespace lanewise::corpus
