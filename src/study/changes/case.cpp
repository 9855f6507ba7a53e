#include "study/changes/case.h"

namespace lanewise::changes {

std::string_view kind_name(CaseKind kind) {
  switch (kind) {
    case CaseKind::Test: return "test";
    case CaseKind::Operation: return "operation";
    case CaseKind::Kernel: return "kernel";
  }
  return "";
}

} // namespace lanewise::changes
