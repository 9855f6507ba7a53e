#include "study/parts/checked_program.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include "study/parts/kept_record.h"

namespace lanewise::parts {

namespace {

using execution::CheckedProgram;
using timing::Hazard;
using timing::ProposedChange;

Json change_to_json(const ProposedChange& change) {
  return {change.text, change.before_line, change.words, change.moved_line};
}

ProposedChange change_from_json(const Json& json) {
  return {.text = json.at(0).get<std::string>(),
          .before_line = json.at(1).get<std::uint32_t>(),
          .words = json.at(2).get<std::vector<std::uint32_t>>(),
          .moved_line = json.at(3).get<std::uint32_t>()};
}

Arch arch_from_json(const Json& json) {
  const auto arch = parse_arch(json.get<std::string>());
  if (!arch) throw std::out_of_range("a chip that there is not");
  return *arch;
}

Json hazard_to_json(const Hazard& hazard) {
  Json changes = Json::array();
  for (const ProposedChange& change : hazard.changes) changes.push_back(change_to_json(change));
  return {{"rule", hazard.rule->id},       {"arch", arch_params(hazard.arch).names.id},
          {"cycle", hazard.cycle},         {"instruction", hazard.instruction},
          {"line", hazard.line},           {"other_line", hazard.other_line},
          {"file", hazard.file},           {"other_file", hazard.other_file},
          {"message", hazard.message},     {"mend", hazard.mend},
          {"changes", std::move(changes)}, {"count", hazard.count}};
}

Hazard hazard_from_json(const Json& json) {
  Hazard hazard{.rule = timing::find_hazard_rule(json.at("rule").get<std::string>()),
                .arch = arch_from_json(json.at("arch")),
                .cycle = json.at("cycle").get<std::uint64_t>(),
                .instruction = json.at("instruction").get<std::string>(),
                .line = json.at("line").get<std::uint32_t>(),
                .other_line = json.at("other_line").get<std::uint32_t>(),
                .file = json.at("file").get<std::string>(),
                .other_file = json.at("other_file").get<std::string>(),
                .message = json.at("message").get<std::string>(),
                .mend = json.at("mend").get<std::string>(),
                .changes = {},
                .count = json.at("count").get<std::uint64_t>()};
  if (hazard.rule == nullptr) throw std::out_of_range("a rule that there is not");
  for (const Json& change : json.at("changes")) hazard.changes.push_back(change_from_json(change));
  return hazard;
}

Json cost_to_json(const timing::TileCost& cost) {
  return {cost.init, cost.around, cost.pass.cycles, cost.pass.slots, cost.rows, cost.is_tile};
}

timing::TileCost cost_from_json(const Json& json) {
  timing::TileCost cost;
  cost.init = json.at(0).get<double>();
  cost.around = json.at(1).get<double>();
  cost.pass.cycles = json.at(2).get<double>();
  cost.pass.slots = json.at(3).get<double>();
  cost.rows = json.at(4).get<double>();
  cost.is_tile = json.at(5).get<bool>();
  return cost;
}

Json pauses_to_json(const timing::PausesTried& tried) {
  return {tried.words, tried.paused, tried.runs, tried.longest, tried.changed, tried.whole};
}

timing::PausesTried pauses_from_json(const Json& json) {
  return {.words = json.at(0).get<std::size_t>(),
          .paused = json.at(1).get<std::size_t>(),
          .runs = json.at(2).get<std::size_t>(),
          .longest = json.at(3).get<std::uint32_t>(),
          .changed = json.at(4).get<std::size_t>(),
          .whole = json.at(5).get<bool>()};
}

Fault fault_from_json(const Json& json) {
  const auto kind = json.at("kind").get<unsigned>();
  if (kind > static_cast<unsigned>(FaultKind::BadInput))
    throw std::out_of_range("a kind of fault that there is not");
  Fault fault{.kind = static_cast<FaultKind>(kind),
              .message = json.at("message").get<std::string>(),
              .remedy = json.at("remedy").get<std::string>(),
              .rule = json.at("rule").get<std::string>(),
              .instruction = json.at("instruction").get<std::string>(),
              .file = json.at("file").get<std::string>(),
              .line = json.at("line").get<std::uint32_t>(),
              .column = json.at("column").get<std::uint32_t>()};
  if (const Json& lane = json.at("lane"); !lane.is_null()) fault.lane = lane.get<std::uint8_t>();
  return fault;
}

Json program_to_json(const CheckedProgram& program) {
  Json hazards = Json::array(), faults = Json::array();
  for (const Hazard& hazard : program.hazards) hazards.push_back(hazard_to_json(hazard));
  for (const Fault& fault : program.faults) faults.push_back(fault_to_json(fault));
  return {{"name", program.name},
          {"header", program.header},
          {"arch", arch_params(program.arch).names.id},
          {"variant", program.variant},
          {"instructions", program.instructions},
          {"cycles", program.cycles},
          {"cost", program.cost ? cost_to_json(*program.cost) : Json()},
          {"hazards", std::move(hazards)},
          {"pauses", program.pauses ? pauses_to_json(*program.pauses) : Json()},
          {"faults", std::move(faults)},
          {"failure", program.failure}};
}

CheckedProgram program_from_json(const Json& json) {
  CheckedProgram program{.name = json.at("name").get<std::string>(),
                         .header = json.at("header").get<std::string>(),
                         .arch = arch_from_json(json.at("arch")),
                         .variant = json.at("variant").get<std::string>(),
                         .instructions = json.at("instructions").get<std::size_t>(),
                         .cycles = json.at("cycles").get<std::uint64_t>(),
                         .failure = json.at("failure").get<std::string>()};
  if (const Json& cost = json.at("cost"); !cost.is_null()) program.cost = cost_from_json(cost);
  if (const Json& pauses = json.at("pauses"); !pauses.is_null())
    program.pauses = pauses_from_json(pauses);
  for (const Json& hazard : json.at("hazards")) program.hazards.push_back(hazard_from_json(hazard));
  for (const Json& fault : json.at("faults")) program.faults.push_back(fault_from_json(fault));
  return program;
}

} // namespace

Json fault_to_json(const Fault& fault) {
  return {{"kind", static_cast<unsigned>(fault.kind)},
          {"message", fault.message},
          {"remedy", fault.remedy},
          {"rule", fault.rule},
          {"instruction", fault.instruction},
          {"file", fault.file},
          {"line", fault.line},
          {"column", fault.column},
          {"lane", fault.lane ? Json(*fault.lane) : Json()}};
}

Json checked_to_json(const std::vector<CheckedProgram>& programs) {
  Json json = Json::array();
  for (const CheckedProgram& program : programs) json.push_back(program_to_json(program));
  return json;
}

Expected<std::vector<CheckedProgram>> checked_from_json(const Json& json, const std::string& name) {
  return kept_record(name, [&] {
    std::vector<CheckedProgram> programs;
    for (const Json& program : json) programs.push_back(program_from_json(program));
    return programs;
  });
}

Expected<Fault> kept_fault(const Json& json, const std::string& name) {
  return kept_record(name, [&] { return fault_from_json(json); });
}

} // namespace lanewise::parts
