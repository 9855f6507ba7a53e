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

json json_of(const ZoneEvent& event) {
  return {event.thread,
          static_cast<unsigned>(event.kind),
          event.marker,
          event.executed,
          event.cycle ? json(*event.cycle) : json(),
          event.data ? json(*event.data) : json()};
}

std::optional<std::uint64_t> optional_of(const json& entry) {
  return entry.is_null() ? std::nullopt : std::optional(entry.get<std::uint64_t>());
}

ZoneEvent zone_of(const json& entry) {
  constexpr auto kFirst = static_cast<unsigned>(ZoneEvent::Kind::Timestamp),
                 kLast = static_cast<unsigned>(ZoneEvent::Kind::End);
  return {
      .thread = std::min(entry.at(0).get<unsigned>(), kThreads - 1),
      .kind = static_cast<ZoneEvent::Kind>(std::clamp(entry.at(1).get<unsigned>(), kFirst, kLast)),
      .marker = entry.at(2).get<std::uint16_t>(),
      .executed = entry.at(3).get<std::uint64_t>(),
      .cycle = optional_of(entry.at(4)),
      .data = optional_of(entry.at(5))};
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
  json zones = json::array();
  for (const ZoneEvent& event : outcome.zones) zones.push_back(json_of(event));
  return dumped({{"faults", std::move(faults)},
                 {"zones", std::move(zones)},
                 {"failure", outcome.failure ? json_of(*outcome.failure) : json()},
                 {"blocked", outcome.blocked},
                 {"ran_out", outcome.ran_out},
                 {"was_stopped", outcome.was_stopped},
                 {"executed", outcome.executed},
                 {"traffic", bytes_of(outcome.traffic)}});
}

std::optional<SectionsOutcome> decode_outcome(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object()) return std::nullopt;
  try {
    SectionsOutcome outcome;
    for (const json& entry : document.at("faults")) outcome.faults.push_back(fault_of(entry));
    for (const json& entry : document.at("zones")) outcome.zones.push_back(zone_of(entry));
    if (!document.at("failure").is_null()) outcome.failure = fault_of(document.at("failure"));
    document.at("blocked").get_to(outcome.blocked);
    document.at("ran_out").get_to(outcome.ran_out);
    document.at("was_stopped").get_to(outcome.was_stopped);
    document.at("executed").get_to(outcome.executed);
    outcome.traffic = traffic_of(document.at("traffic").get<std::vector<std::uint8_t>>());
    return outcome;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

} // namespace lanewise::section
