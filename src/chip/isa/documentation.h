// What each instruction does, in words, expanded from documentation.def.
#pragma once

#include <string_view>

#include "chip/isa/row.h"

namespace lanewise::isa {

struct Documentation {
  Op op;
  std::string_view summary; ///< one sentence
  std::string_view
      operation;          ///< lines of prose or pseudo-code, to be shown as they stand; or empty
  std::string_view notes; ///< one note a line: guards, chip differences, hazards; or empty
};

/// The words for an instruction. Every instruction has a summary.
const Documentation& documentation(Op op);

/// What it does otherwise on Grayskull, one note a line; empty where it does nothing otherwise or
/// does not exist.
std::string_view grayskull_notes(Op op);

} // namespace lanewise::isa
