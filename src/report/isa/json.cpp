#include "report/isa/json.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "chip/isa/disassembler.h"
#include "chip/isa/documentation.h"
#include "chip/isa/modifiers.h"
#include "chip/isa/row.h"

namespace lanewise::report {
namespace {

using nlohmann::json;

json aliases_json(isa::Op op) {
  json names = json::array();
  for (const isa::Alias& alias : isa::aliases()) {
    if (alias.op == op) names.push_back(alias.name);
  }
  return names;
}

json fields_json(const isa::Row& row) {
  json fields = json::array();
  std::size_t operand = 0;
  for (const isa::Field& field : row.fields()) {
    const bool is_operand = field.role != isa::Role::Extra;
    fields.push_back({{"name", field.name},
                      {"high", field.high},
                      {"low", field.low},
                      {"role", role_name(field.role)},
                      {"operand", is_operand ? json(operand) : json()}});
    if (is_operand && !field.joins_next) ++operand;
  }
  return fields;
}

json modifiers_json(const isa::Row& row) {
  json names = json::array();
  for (const isa::Modifier& modifier : isa::modifiers(row.op)) {
    const auto shared = static_cast<isa::Chips>(static_cast<unsigned>(modifier.chips) &
                                                static_cast<unsigned>(row.chips));
    const json chips = isa::chip_names(shared);
    if (chips.empty()) continue;
    names.push_back({{"field", modifier.field},
                     {"name", modifier.name},
                     {"value", modifier.value},
                     {"mask", modifier.mask},
                     {"chips", chips}});
  }
  return names;
}

json row_json(const isa::Row& row) {
  const bool has_sub_unit = row.sub_unit != isa::SubUnit::None;
  return {{"mnemonic", row.mnemonic},
          {"aliases", aliases_json(row.op)},
          {"opcode", row.opcode},
          {"chips", isa::chip_names(row.chips)},
          {"unit", unit_name(row.unit)},
          {"sub_unit", has_sub_unit ? json(sub_unit_name(row.sub_unit)) : json()},
          {"latency", row.latency != 0 ? json(row.latency) : json()},
          {"fields", fields_json(row)},
          {"modifiers", modifiers_json(row)},
          {"summary", isa::documentation(row.op).summary}};
}

} // namespace

json isa_json() {
  json chips = json::array();
  for (Arch arch : kEveryArch) {
    chips.push_back(
        {{"name", arch_params(arch).names.id}, {"long_name", arch_params(arch).names.full}});
  }
  json rows = json::array();
  for (const isa::Row& row : isa::rows()) rows.push_back(row_json(row));
  return {{"format", "lanewise-isa"}, {"version", 1}, {"chips", chips}, {"rows", rows}};
}

json instruction_json(isa::Op op) {
  const isa::Documentation& words = isa::documentation(op);
  json rows = json::array();
  for (const isa::Row& row : isa::rows()) {
    if (row.op != op) continue;
    json entry = row_json(row);
    entry["operation"] = words.operation;
    entry["notes"] = words.notes;
    rows.push_back(std::move(entry));
  }
  return {{"rows", rows}};
}

json words_json(Arch arch, const Program& program) {
  json all = json::array();
  for (const ProgramWord& each : program.words) {
    all.push_back({{"word", fmt::format("{:08x}", each.word)},
                   {"line", each.line},
                   {"text", isa::disassemble(arch, each.word)},
                   {"modes", isa::modifier_comment(arch, each.word)}});
  }
  return all;
}

} // namespace lanewise::report
