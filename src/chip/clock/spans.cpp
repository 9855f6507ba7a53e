#include "chip/clock/spans.h"

namespace lanewise::clock {

std::string_view work_unit_text(WorkUnit unit) {
  switch (unit) {
    case WorkUnit::Unpacker0: return "unpacker 0";
    case WorkUnit::Unpacker1: return "unpacker 1";
    case WorkUnit::Matrix: return "Matrix Unit";
    case WorkUnit::Vector: return "Vector Unit";
    case WorkUnit::Packer0: return "packer 0";
    case WorkUnit::Packer1: return "packer 1";
    case WorkUnit::Packer2: return "packer 2";
    case WorkUnit::Packer3: break;
  }
  return "packer 3";
}

} // namespace lanewise::clock
