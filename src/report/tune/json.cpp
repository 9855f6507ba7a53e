#include "report/tune/json.h"

namespace lanewise::report {

namespace {

using Json = nlohmann::ordered_json;

/// Fields that are null where nothing was proved.
void add_tuned(const tune::TuneResult& result, Json& json) {
  const tune::Tuned& tuned = *result.tuned;
  json["tuned_cycles_per_tile"] = result.proof.cycles;
  if (!result.is_block) json["cycles_per_row"] = result.interval;
  json["optimal"] = result.interval == result.lowest_interval;
  json["uses"] = {{"registers", tuned.registers},
                  {"macros", tuned.macros},
                  {"templates", tuned.templates},
                  {"replay_slots", tuned.is_recorded ? tuned.body : 0}};
  json["proved_by"] = tune::proof_kind_name(result.proof.kind);
  json["inputs"] = result.proof.inputs;
  json["different"] = result.proof.different;
  json["differences"] = result.proof.differences;
  json["findings"] = result.proof.findings;
  json["code"] = result.text;
}

} // namespace

Json tune_json(const tune::TuneResult& result, const std::string& name) {
  Json json{{"kernel", name},
            {"chip", arch_params(result.arch).names.id},
            {"block", result.is_block},
            {"rows", nullptr},
            {"plain_cycles_per_tile", result.plain_cycles},
            {"tuned_cycles_per_tile", nullptr},
            {"cycles_per_row", nullptr},
            {"bound", result.lowest_interval},
            {"bound_by", result.lowest_resource},
            {"optimal", false},
            {"uses", nullptr},
            {"proved_by", nullptr},
            {"inputs", nullptr},
            {"different", 0},
            {"differences", Json::array()},
            {"findings", Json::array()},
            {"failure", nullptr},
            {"stopped", result.stopped},
            {"code", nullptr}};
  if (!result.is_block) json["rows"] = result.rows.addresses.size();
  if (!result.proof.failure.empty()) json["failure"] = result.proof.failure;
  if (result.tuned) add_tuned(result, json);
  return json;
}

} // namespace lanewise::report
