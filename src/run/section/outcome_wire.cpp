#include "run/section/outcome_wire.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "base/source_line.h"
#include "run/section/fault_wire.h"

namespace lanewise::section {
namespace {

using nlohmann::json;

/// Text of sections is any bytes; JSON is UTF-8.
std::string dumped(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
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

json json_of(const Snapshot& snapshot) {
  return {{"thread", snapshot.thread},
          {"label", snapshot.label},
          {"line", snapshot.line},
          {"values", snapshot.values},
          {"writers", snapshot.writers}};
}

Snapshot snapshot_of(const json& entry) {
  return {.thread = std::min(entry.at("thread").get<unsigned>(), kThreads - 1),
          .label = entry.at("label").get<std::uint32_t>(),
          .line = entry.at("line").get<std::uint32_t>(),
          .values = entry.at("values").get<std::vector<std::uint32_t>>(),
          .writers = entry.at("writers").get<std::vector<std::uint8_t>>()};
}

/// Numbers of places mean something in one process only.
json places_of(const tile::CoreTraces& traces) {
  std::set<std::uint32_t> lines;
  for (const tile::CoreTrace& trace : traces)
    for (const tile::CoreAction& action : trace.actions)
      if (action.line >= kFirstPlace) lines.insert(action.line);
  json places = json::array();
  for (const std::uint32_t line : lines) {
    const SourcePlace place = source_place(line);
    places.push_back({{"number", line},
                      {"file", place.file},
                      {"line", place.line},
                      {"part", static_cast<unsigned>(place.part)}});
  }
  return places;
}

std::map<std::uint32_t, std::uint32_t> numbers_here(const json& places) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (const json& entry : places) {
    const SourcePlace place{
        .file = entry.at("file"),
        .line = entry.at("line"),
        .part = static_cast<ProgramPart>(std::min(entry.at("part").get<unsigned>(),
                                                  static_cast<unsigned>(ProgramPart::Around)))};
    numbers.emplace(entry.at("number").get<std::uint32_t>(), line_number(place));
  }
  return numbers;
}

json head_of(const tile::CoreTraces& traces) {
  json heads = json::array();
  for (const tile::CoreTrace& trace : traces)
    heads.push_back({{"actions", trace.actions.size()}, {"ended", trace.ended}});
  return {{"threads", heads}, {"places", places_of(traces)}};
}

/// The actions stand behind the text, as they lie in memory: there may be a million of them.
void append_actions(std::string& text, const tile::CoreTraces& traces) {
  static_assert(std::is_trivially_copyable_v<tile::CoreAction>);
  for (const tile::CoreTrace& trace : traces) {
    const auto bytes = std::as_bytes(std::span(trace.actions));
    const std::size_t before = text.size();
    text.resize(before + bytes.size());
    if (!bytes.empty()) std::memcpy(text.data() + before, bytes.data(), bytes.size());
  }
}

/// A section may have written anything there.
bool is_action(const tile::CoreAction& action) {
  using Kind = tile::CoreAction::Kind;
  if (action.kind == Kind::ConfigureMop) return action.address < kMopWords;
  return action.kind <= Kind::Store &&
         (action.bytes == 1 || action.bytes == 2 || action.bytes == 4);
}

/// Throws where something is missing.
tile::CoreTraces traces_of(const json& head, std::string_view rest) {
  tile::CoreTraces traces;
  const auto numbers = numbers_here(head.at("places"));
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const json& of_thread = head.at("threads").at(thread);
    const auto count = of_thread.at("actions").get<std::size_t>();
    tile::CoreTrace& trace = traces[thread];
    trace.ended = of_thread.at("ended");
    if (count > rest.size() / sizeof(tile::CoreAction)) throw std::out_of_range("cut off");
    trace.actions.resize(count);
    const std::size_t bytes = count * sizeof(tile::CoreAction);
    if (count != 0) std::memcpy(trace.actions.data(), rest.data(), bytes);
    rest.remove_prefix(bytes);
    for (tile::CoreAction& action : trace.actions) {
      if (!is_action(action)) throw std::invalid_argument("no action of a core");
      if (const auto found = numbers.find(action.line); found != numbers.end())
        action.line = found->second;
    }
  }
  return traces;
}

} // namespace

json json_of(const Stretches& stretches) {
  return {{"texts", stretches.texts}, {"order", stretches.order}};
}

Stretches stretches_of(const json& entry) {
  Stretches stretches{.texts = entry.at("texts").get<std::vector<std::vector<std::uint32_t>>>(),
                      .order = entry.at("order").get<std::vector<std::uint32_t>>()};
  const auto is_known = [&](std::uint32_t number) { return number < stretches.texts.size(); };
  if (!std::ranges::all_of(stretches.order, is_known)) throw std::out_of_range("no such text");
  return stretches;
}

std::string encode_outcome(const SectionsOutcome& outcome) {
  json faults = json::array();
  for (const Fault& fault : outcome.faults) faults.push_back(json_of(fault));
  json zones = json::array();
  for (const ZoneEvent& event : outcome.zones) zones.push_back(json_of(event));
  json snapshots = json::array();
  for (const Snapshot& each : outcome.snapshots) snapshots.push_back(json_of(each));
  json stretches = json::array();
  for (const Stretches& each : outcome.stretches) stretches.push_back(json_of(each));
  std::string text = dumped({{"faults", std::move(faults)},
                             {"zones", std::move(zones)},
                             {"failure", outcome.failure ? json_of(*outcome.failure) : json()},
                             {"blocked", outcome.blocked},
                             {"ran_out", outcome.ran_out},
                             {"was_stopped", outcome.was_stopped},
                             {"executed", outcome.executed},
                             {"traps", outcome.traps},
                             {"state", outcome.state},
                             {"snapshots", std::move(snapshots)},
                             {"stretches", std::move(stretches)},
                             {"traces", head_of(outcome.traces)}});
  text += '\0';
  append_actions(text, outcome.traces);
  return text;
}

std::optional<SectionsOutcome> decode_outcome(std::string_view text) {
  const std::size_t end = text.find('\0');
  if (end == text.npos) return std::nullopt;
  const json document = json::parse(text.substr(0, end), nullptr, false);
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
    document.at("traps").get_to(outcome.traps);
    for (unsigned thread = 0; thread < kThreads; ++thread)
      outcome.stretches[thread] = stretches_of(document.at("stretches").at(thread));
    for (const json& entry : document.at("snapshots"))
      outcome.snapshots.push_back(snapshot_of(entry));
    outcome.traces = traces_of(document.at("traces"), text.substr(end + 1));
    document.at("state").get_to(outcome.state);
    return outcome;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

} // namespace lanewise::section
