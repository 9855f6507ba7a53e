#include "run/section/fault_wire.h"

#include <algorithm>

namespace lanewise::section {

using nlohmann::json;

json json_of(const Fault& fault) {
  return {{"kind", static_cast<unsigned>(fault.kind)},
          {"message", fault.message},
          {"remedy", fault.remedy},
          {"rule", fault.rule},
          {"instruction", fault.instruction},
          {"file", fault.file},
          {"line", fault.line},
          {"lane", fault.lane ? json(*fault.lane) : json()}};
}

Fault fault_of(const json& entry) {
  Fault fault{.kind = static_cast<FaultKind>(std::min(entry.at("kind").get<unsigned>(),
                                                      static_cast<unsigned>(FaultKind::BadInput))),
              .message = entry.at("message"),
              .remedy = entry.at("remedy"),
              .rule = entry.at("rule"),
              .instruction = entry.at("instruction"),
              .file = entry.at("file"),
              .line = entry.at("line")};
  if (!entry.at("lane").is_null()) fault.lane = entry.at("lane").get<std::uint8_t>();
  return fault;
}

} // namespace lanewise::section
