#include "report/tune/chain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/table/table.h"
#include "report/tune/text.h"

namespace lanewise::report {

namespace {

std::string way_name(tune::ChainWay way) {
  switch (way) {
    case tune::ChainWay::Plain: return "plain";
    case tune::ChainWay::Fused: return "fused";
    case tune::ChainWay::Placed: return "placed";
  }
  return {};
}

std::string names_of(const tune::ChainResult& result) {
  std::vector<std::string> names;
  for (const tune::ChainAlone& each : result.kernels) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, ", then "));
}

std::string form_cycles(const tune::ChainForm& form) {
  return form.tuned ? fmt::format("{}.0", form.cycles) : "-";
}

std::string chain_cycles(const tune::ChainResult& result) {
  Table table{.columns = table_columns({"cycles per tile"}), .rows = {}};
  for (const char* heading : {"plain", "tuned"})
    table.columns.push_back({.heading = heading, .kind = ColumnKind::Number});
  for (const tune::ChainAlone& each : result.kernels)
    table.rows.push_back({each.name, fmt::format("{:.1f}", each.plain_cycles),
                          each.tuned_cycles ? fmt::format("{}.0", *each.tuned_cycles) : "-"});
  table.rows.push_back({"their sum", fmt::format("{:.1f}", result.plain_cycles), ""});
  table.rows.push_back({"fused", "", form_cycles(result.fused)});
  table.rows.push_back({"placed", "", form_cycles(result.placed)});
  return table_text(table);
}

std::string refusal_text(const char* name, const tune::ChainForm& form) {
  return form.refusal.empty() ? "" : fmt::format("Not {}: {}.\n", name, form.refusal);
}

nlohmann::ordered_json form_json(const tune::ChainForm& form) {
  nlohmann::ordered_json json{{"cycles_per_tile", nullptr}, {"refusal", nullptr}};
  if (form.tuned) json["cycles_per_tile"] = form.cycles;
  if (!form.refusal.empty()) json["refusal"] = form.refusal;
  return json;
}

} // namespace

std::string chain_text(const tune::ChainResult& result) {
  std::string text =
      fmt::format("{}: {} rows\n", names_of(result), result.rows) + chain_cycles(result);
  for (const std::string& each : result.conflicts) text += "Conflict: " + each + ".\n";
  if (result.conflicts.empty())
    text += "No kernel overwrites what another one's init has set.\n";
  else
    text += "Compared with each kernel behind its own init.\n";
  text += refusal_text("fused", result.fused) + refusal_text("placed", result.placed);
  if (result.stopped) text += "The search was stopped before its end.\n";
  const tune::ChainForm* best = result.best();
  if (best == nullptr) return text + "No faster program was found: the plain kernels stay.\n";
  text += fmt::format("Taken: {}", way_name(result.taken));
  if (result.taken == tune::ChainWay::Fused && result.roundings != 0)
    text += fmt::format(
        ", with {} in place of what a store rounds",
        result.roundings == 1 ? "an operation" : fmt::format("{} operations", result.roundings));
  text += ".\n";
  for (const std::string& each : best->proof.differences)
    text += fmt::format("  differs: {}\n", each);
  return text + proof_line(best->proof);
}

nlohmann::ordered_json chain_json(const tune::ChainResult& result) {
  nlohmann::ordered_json json{{"chip", arch_params(result.arch).names.id},
                              {"kernels", nlohmann::json::array()}};
  for (const tune::ChainAlone& each : result.kernels) {
    nlohmann::ordered_json kernel{{"name", each.name},
                                  {"plain_cycles_per_tile", each.plain_cycles},
                                  {"tuned_cycles_per_tile", nullptr}};
    if (each.tuned_cycles) kernel["tuned_cycles_per_tile"] = *each.tuned_cycles;
    json["kernels"].push_back(kernel);
  }
  json["plain_cycles_per_tile"] = result.plain_cycles;
  json["conflicts"] = result.conflicts;
  json["fused"] = form_json(result.fused);
  json["roundings"] = result.roundings;
  json["placed"] = form_json(result.placed);
  json["taken"] = way_name(result.taken);
  json["inputs"] = nullptr;
  json["code"] = nullptr;
  if (const tune::ChainForm* best = result.best(); best != nullptr) {
    json["inputs"] = best->proof.inputs;
    json["code"] = best->text;
  }
  return json;
}

} // namespace lanewise::report
