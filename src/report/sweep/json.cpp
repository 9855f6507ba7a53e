#include "report/sweep/json.h"

#include "report/sweep/gates.h"
#include "report/sweep/json_parts.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

/// Of the fields; a change of their meaning makes a new one.
constexpr int kVersion = 1;

json texts_json(const std::vector<std::string>& texts) {
  json list = json::array();
  for (const std::string& text : texts) list.push_back(text_json(text));
  return list;
}

json gates_json(const SweepReport& report) {
  json list = json::array();
  for (const GateText& gate : gate_texts(report)) {
    list.push_back({{"gate", gate.option},
                    {"holds", gate.misses.empty()},
                    {"misses", texts_json(gate.misses)},
                    {"not_gated", texts_json(gate.not_gated)}});
  }
  return list;
}

/// Of chips whose results are not those of silicon: what they are.
template <class Result>
void add_arithmetic(json& all, const Result& result) {
  for (const auto& chip : result.chips) {
    const std::string_view source = arch_params(chip.arch).arithmetic_source;
    if (!source.empty()) all["arithmetic"][std::string(chip_name(chip.arch))] = source;
  }
}

json side_json(const std::string& name, const sweep::DiffStatistics::Side& side) {
  return {{"name", text_json(name)},
          {"instructions", side.instructions},
          {"cycles", side.cycles},
          {"init_cycles", side.init_cycles},
          {"words", side.words},
          {"rows", side.rows},
          {"faults", faults_json(side.faults)}};
}

/// What was measured, of a SweepResult or a DiffResult.
template <class Result>
json inputs_json(const Result& result) {
  return {{"input_format", formats::format_name(result.format)},
          {"output_format", formats::format_name(result.output_format)},
          {"operands", result.operands},
          {"ulp_measure", formats::ulp_measure_name(result.measure)},
          {"space", sweep::to_string(result.space)},
          {"total", result.total},
          {"done", result.done}};
}

/// Entry i of a list that may be shorter, or empty.
json errors_at(const JsonFormats& formats, const std::vector<sweep::SweepStatistics>& list,
               std::size_t i) {
  return i < list.size() ? statistics_json(formats, list[i]) : json(nullptr);
}

} // namespace

json sweep_json(const SweepReport& report) {
  const sweep::SweepResult& result = report.result;
  const JsonFormats formats{result.format, result.output_format, result.operands, result.measure};
  json chips = json::array();
  for (const sweep::SweepStatistics& chip : result.chips)
    chips.push_back(statistics_json(formats, chip));
  json all = {{"format", "lanewise-sweep"},
              {"version", kVersion},
              {"kernel", text_json(report.name)},
              {"reference", text_json(report.reference)},
              {"domain", report.domain.empty() ? json(nullptr) : text_json(report.domain)},
              {"complete", result.complete()},
              {"chips", std::move(chips)},
              {"gates", gates_json(report)}};
  all.update(inputs_json(result));
  add_arithmetic(all, result);
  return all;
}

json diff_json(const DiffReport& report) {
  const sweep::DiffResult& result = report.result;
  const JsonFormats formats{result.format, result.output_format, result.operands, result.measure};
  json chips = json::array();
  for (std::size_t i = 0; i < result.chips.size(); ++i) {
    const sweep::DiffStatistics& chip = result.chips[i];
    chips.push_back({{"arch", chip_name(chip.arch)},
                     {"inputs", chip.inputs},
                     {"changed", chip.changed},
                     {"distance", errors_json(formats, chip.distance)},
                     {"worst", cases_json(formats, chip.worst)},
                     {"first", side_json(report.first_name, chip.first)},
                     {"second", side_json(report.second_name, chip.second)},
                     {"first_errors", errors_at(formats, result.first_errors, i)},
                     {"second_errors", errors_at(formats, result.second_errors, i)}});
  }
  json all = {{"format", "lanewise-diff"},
              {"version", kVersion},
              {"reference", report.reference.empty() ? json(nullptr) : text_json(report.reference)},
              {"chips", std::move(chips)}};
  all.update(inputs_json(result));
  add_arithmetic(all, result);
  return all;
}

} // namespace lanewise::report
