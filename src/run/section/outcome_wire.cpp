#include "run/section/outcome_wire.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <vector>

namespace lanewise::section {
namespace {

using nlohmann::json;

/// Text of sections is any bytes; JSON is UTF-8.
std::string dumped(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

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

/// Plain numbers, read by the same program that wrote them.
std::vector<std::uint8_t> bytes_of(const tile::Traffic& traffic) {
  std::vector<std::uint8_t> bytes(sizeof traffic);
  std::memcpy(bytes.data(), &traffic, sizeof traffic);
  return bytes;
}

tile::Traffic traffic_of(const std::vector<std::uint8_t>& bytes) {
  static_assert(std::is_trivially_copyable_v<tile::Traffic>);
  tile::Traffic traffic;
  if (bytes.size() == sizeof traffic) std::memcpy(&traffic, bytes.data(), sizeof traffic);
  return traffic;
}

} // namespace

std::string encode_outcome(const SectionsOutcome& outcome) {
  json faults = json::array();
  for (const Fault& fault : outcome.faults) faults.push_back(json_of(fault));
  return dumped({{"faults", std::move(faults)},
                 {"failure", outcome.failure ? json_of(*outcome.failure) : json()},
                 {"blocked", outcome.blocked},
                 {"ran_out", outcome.ran_out},
                 {"executed", outcome.executed},
                 {"traffic", bytes_of(outcome.traffic)},
                 {"state", outcome.state}});
}

std::optional<SectionsOutcome> decode_outcome(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object()) return std::nullopt;
  try {
    SectionsOutcome outcome;
    for (const json& entry : document.at("faults")) outcome.faults.push_back(fault_of(entry));
    if (!document.at("failure").is_null()) outcome.failure = fault_of(document.at("failure"));
    document.at("blocked").get_to(outcome.blocked);
    document.at("ran_out").get_to(outcome.ran_out);
    document.at("executed").get_to(outcome.executed);
    outcome.traffic = traffic_of(document.at("traffic").get<std::vector<std::uint8_t>>());
    document.at("state").get_to(outcome.state);
    return outcome;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

} // namespace lanewise::section
