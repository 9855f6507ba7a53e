#include "base/fault.h"

#include <fmt/format.h>

#include "base/source_line.h"

namespace lanewise {

std::string_view fault_kind_name(FaultKind kind) {
  switch (kind) {
    case FaultKind::NonContractual: return "NonContractual";
    case FaultKind::Hazard: return "Hazard";
    case FaultKind::UnpredictableValue: return "UnpredictableValue";
    case FaultKind::Unsupported: return "Unsupported";
    case FaultKind::UndefinedBehavior: return "UndefinedBehavior";
    case FaultKind::BadInput: return "BadInput";
  }
  return "unknown fault";
}

std::string to_string(const Fault& found) {
  const Fault fault = settled(found);
  std::string text = place_text(fault);
  if (!text.empty()) text += ": ";
  text += fault.kind == FaultKind::BadInput ? "error" : fault_kind_name(fault.kind);
  text += ": ";
  if (!fault.instruction.empty()) {
    text += fault.instruction;
    if (fault.lane) text += fmt::format(", lane {}", *fault.lane);
    text += ": ";
  }
  text += fault.message;
  if (!fault.remedy.empty()) text += "; " + fault.remedy;
  if (!fault.rule.empty()) text += " [" + fault.rule + "]";
  return text;
}

} // namespace lanewise
