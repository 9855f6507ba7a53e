// What a kernel prints, and how people see it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "run/oracle/node_execution.h"
#include "source/compiler/ir.h"

namespace lanewise::oracle {

/// One execution of a Print node. The views and the pointer last as long as the recording.
struct Printed {
  std::string_view label;
  compiler::NumberType type = compiler::NumberType::Float;
  std::vector<std::uint32_t> lanes; ///< 32 or 64; floats as binary32
  std::uint64_t enabled = 0;        ///< lanes that are enabled there
  std::uint64_t defined = 0;        ///< lanes that have a value
  const compiler::Site* site = nullptr;
};

using PrintSink = std::function<void(const Printed&)>;

/// A line with label and place, then 4 rows of 8 or 16 columns, as the lanes lie in Dst; what
/// repeats once. A lane that is not enabled stands in parentheses, one without a value is "-".
std::string to_text(const Printed& printed);

} // namespace lanewise::oracle
