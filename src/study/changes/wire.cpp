#include "study/changes/wire.h"

#include <algorithm>
#include <exception>

namespace lanewise::changes {
namespace {

using nlohmann::json;

json::binary_t binary_of(const std::vector<std::byte>& bytes) {
  std::vector<std::uint8_t> plain(bytes.size());
  std::ranges::transform(bytes, plain.begin(),
                         [](std::byte b) { return static_cast<std::uint8_t>(b); });
  return json::binary_t(std::move(plain));
}

json wire_of(const std::vector<tile::L1Input>& parts) {
  json all = json::array();
  for (const tile::L1Input& part : parts)
    all.push_back({part.address, json(binary_of(part.bytes))});
  return all;
}

std::vector<tile::L1Input> parts_of(const json& entries) {
  std::vector<tile::L1Input> parts;
  for (const json& entry : entries) {
    tile::L1Input part{.address = entry.at(0).get<std::uint32_t>(), .bytes = {}};
    for (const std::uint8_t byte : entry.at(1).get_binary())
      part.bytes.push_back(static_cast<std::byte>(byte));
    parts.push_back(std::move(part));
  }
  return parts;
}

json wire_of(const std::vector<Finding>& findings) {
  json all = json::array();
  for (const Finding& each : findings) all.push_back({each.what, each.place});
  return all;
}

std::vector<Finding> findings_of(const json& entries) {
  std::vector<Finding> all;
  for (const json& entry : entries)
    all.push_back({entry.at(0).get<std::string>(), entry.at(1).get<std::string>()});
  return all;
}

/// An enumerator, no larger than the last one.
template <class Enum>
Enum enumerator(const json& entry, Enum last) {
  const auto number = entry.get<unsigned>();
  if (number > static_cast<unsigned>(last)) throw std::out_of_range("no such enumerator");
  return static_cast<Enum>(number);
}

Arch chip_of(const json& entry) {
  const auto id = entry.get<std::string>();
  for (const Arch arch : kArchs) {
    if (arch_params(arch).names.id == id) return arch;
  }
  throw std::out_of_range("no such chip");
}

/// Of what a file says, so that no loop over elements becomes endless.
constexpr unsigned kMostTiles = 1U << 16, kMostFaces = 4, kMostFaceRows = 16,
                   kMostTileBytes = 1U << 16;

unsigned limited(const json& entry, unsigned least, unsigned most) {
  const auto number = entry.get<unsigned>();
  if (number < least || number > most) throw std::out_of_range("a number that cannot be");
  return number;
}

ResultPlace read_place(const json& entry) {
  return {.address = entry.at("address").get<std::uint32_t>(),
          .format = entry.at("format").get<std::string>(),
          .tiles = limited(entry.at("tiles"), 0, kMostTiles),
          .tile_bytes = limited(entry.at("tile_bytes"), 0, kMostTileBytes),
          .faces = limited(entry.at("faces"), 1, kMostFaces),
          .face_rows = limited(entry.at("face_rows"), 1, kMostFaceRows),
          .face_columns = limited(entry.at("face_columns"), 1, 2)};
}

json wire_of(const ElementChanges& changes) {
  return {{"elements", changes.elements},
          {"changed", changes.changed},
          {"tiles", changes.tiles},
          {"tiles_changed", changes.tiles_changed},
          {"faces", changes.faces},
          {"rows", changes.rows},
          {"columns", changes.columns},
          {"face_columns", changes.face_columns},
          {"largest_ulp", changes.largest_ulp},
          {"largest_absolute", changes.largest_absolute},
          {"lost", changes.lost},
          {"first", changes.first}};
}

ElementChanges changes_of(const json& entry) {
  ElementChanges changes;
  entry.at("elements").get_to(changes.elements);
  entry.at("changed").get_to(changes.changed);
  entry.at("tiles").get_to(changes.tiles);
  entry.at("tiles_changed").get_to(changes.tiles_changed);
  entry.at("faces").get_to(changes.faces);
  entry.at("rows").get_to(changes.rows);
  entry.at("columns").get_to(changes.columns);
  entry.at("face_columns").get_to(changes.face_columns);
  entry.at("largest_ulp").get_to(changes.largest_ulp);
  entry.at("largest_absolute").get_to(changes.largest_absolute);
  entry.at("lost").get_to(changes.lost);
  entry.at("first").get_to(changes.first);
  return changes;
}

/// Runs a reader that throws at what is not as it should be.
template <class Read>
auto read(const json& entry, const Read& reader) -> std::optional<decltype(reader(entry))> {
  try {
    return reader(entry);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

TestCase read_case(const json& entry) {
  TestCase each{.kind = enumerator(entry.at("kind"), CaseKind::Kernel),
                .arch = chip_of(entry.at("chip")),
                .id = entry.at("id").get<std::string>(),
                .group = entry.at("group").get<std::string>(),
                .parameters = entry.at("parameters").get<Parameters>(),
                .source = entry.at("source").get<std::string>(),
                .build_header = entry.at("build_header").get<std::string>(),
                .defines = entry.at("defines").get<std::vector<std::string>>(),
                .inputs = parts_of(entry.at("inputs")),
                .result = std::nullopt};
  if (!entry.at("result").is_null()) each.result = read_place(entry.at("result"));
  return each;
}

Outcome read_outcome(const json& entry) {
  Outcome outcome;
  entry.at("texts").get_to(outcome.texts);
  entry.at("error").get_to(outcome.error);
  entry.at("ends").get_to(outcome.ends);
  outcome.findings = findings_of(entry.at("findings"));
  entry.at("executed").get_to(outcome.executed);
  entry.at("cycles").get_to(outcome.cycles);
  outcome.written = parts_of(entry.at("written"));
  entry.at("state").get_to(outcome.state);
  return outcome;
}

CaseDifference read_difference(const json& entry) {
  CaseDifference difference{.kind = enumerator(entry.at("kind"), CaseKind::Kernel),
                            .arch = chip_of(entry.at("chip")),
                            .id = entry.at("id").get<std::string>(),
                            .group = entry.at("group").get<std::string>(),
                            .source = entry.at("source").get<std::string>(),
                            .parameters = entry.at("parameters").get<Parameters>(),
                            .verdict = enumerator(entry.at("verdict"), Verdict::FailsBoth),
                            .error_before = entry.at("error_before").get<std::string>(),
                            .error_after = entry.at("error_after").get<std::string>()};
  if (!entry.at("results").is_null()) difference.results = changes_of(entry.at("results"));
  entry.at("other_bytes").get_to(difference.other_bytes);
  entry.at("first_other").get_to(difference.first_other);
  entry.at("ends_before").get_to(difference.ends_before);
  entry.at("ends_after").get_to(difference.ends_after);
  difference.new_findings = findings_of(entry.at("new_findings"));
  difference.gone_findings = findings_of(entry.at("gone_findings"));
  entry.at("executed_before").get_to(difference.executed_before);
  entry.at("executed_after").get_to(difference.executed_after);
  for (const json& each : entry.at("cycles"))
    difference.cycles.push_back(
        {each.at(0).get<std::string>(), each.at(1).get<double>(), each.at(2).get<double>()});
  for (const json& each : entry.at("state"))
    difference.state.push_back({each.at(0).get<std::string>(), each.at(1).get<std::uint32_t>(),
                                each.at(2).get<std::uint32_t>()});
  entry.at("inputs_differ").get_to(difference.inputs_differ);
  return difference;
}

} // namespace

json wire_of(const TestCase& each) {
  json result;
  if (each.result) {
    result = {{"address", each.result->address},
              {"format", each.result->format},
              {"tiles", each.result->tiles},
              {"tile_bytes", each.result->tile_bytes},
              {"faces", each.result->faces},
              {"face_rows", each.result->face_rows},
              {"face_columns", each.result->face_columns}};
  }
  return {{"kind", static_cast<unsigned>(each.kind)},
          {"chip", arch_params(each.arch).names.id},
          {"id", each.id},
          {"group", each.group},
          {"parameters", each.parameters},
          {"source", each.source},
          {"build_header", each.build_header},
          {"defines", each.defines},
          {"inputs", wire_of(each.inputs)},
          {"result", std::move(result)}};
}

json wire_of(const Outcome& outcome) {
  return {{"texts", outcome.texts},
          {"error", outcome.error},
          {"ends", outcome.ends},
          {"findings", wire_of(outcome.findings)},
          {"executed", outcome.executed},
          {"cycles", outcome.cycles},
          {"written", wire_of(outcome.written)},
          {"state", outcome.state}};
}

json wire_of(const CaseDifference& difference) {
  json cycles = json::array(), state = json::array();
  for (const CyclesChange& each : difference.cycles)
    cycles.push_back({each.resource, each.before, each.after});
  for (const StateChange& each : difference.state)
    state.push_back({each.name, each.before, each.after});
  return {{"kind", static_cast<unsigned>(difference.kind)},
          {"chip", arch_params(difference.arch).names.id},
          {"id", difference.id},
          {"group", difference.group},
          {"source", difference.source},
          {"parameters", difference.parameters},
          {"verdict", static_cast<unsigned>(difference.verdict)},
          {"error_before", difference.error_before},
          {"error_after", difference.error_after},
          {"results", difference.results ? wire_of(*difference.results) : json()},
          {"other_bytes", difference.other_bytes},
          {"first_other", difference.first_other},
          {"ends_before", difference.ends_before},
          {"ends_after", difference.ends_after},
          {"new_findings", wire_of(difference.new_findings)},
          {"gone_findings", wire_of(difference.gone_findings)},
          {"executed_before", difference.executed_before},
          {"executed_after", difference.executed_after},
          {"cycles", std::move(cycles)},
          {"state", std::move(state)},
          {"inputs_differ", difference.inputs_differ}};
}

std::optional<TestCase> case_of(const json& entry) {
  return read(entry, read_case);
}
std::optional<Outcome> outcome_of(const json& entry) {
  return read(entry, read_outcome);
}
std::optional<CaseDifference> difference_of(const json& entry) {
  return read(entry, read_difference);
}

} // namespace lanewise::changes
