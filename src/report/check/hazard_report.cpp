#include "report/check/hazard_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/source_line.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

using execution::CheckedProgram;
using nlohmann::json;
using timing::Hazard;
using timing::HazardRule;

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "4 instructions, 5 cycles"; of a kernel what runs once and what a tile takes.
std::string size_text(const CheckedProgram& checked) {
  std::string text = plural(checked.instructions, "instruction");
  const auto tile = checked.cost ? checked.cost->cycles() : std::nullopt;
  if (!tile || !checked.cost->is_tile) return text + ", " + plural(checked.cycles, "cycle");
  if (checked.cost->init != 0) text += fmt::format(", {:.0f} cycles of init", checked.cost->init);
  return text + fmt::format(", {:.0f} cycles per tile", *tile);
}

std::string counts(const CheckedProgram& checked) {
  if (!checked.failure.empty()) return "not checked: " + checked.failure;
  return fmt::format("{} in {}", finding_counts(checked), size_text(checked));
}

/// Findings and faults, each indented by `indent`; `file` stands in front of findings.
std::string findings(const CheckedProgram& checked, std::string_view file,
                     std::string_view indent) {
  std::string text;
  for (const Hazard& hazard : checked.hazards) {
    text += fmt::format("{}{}{}\n{}    silicon: {}\n", indent,
                        hazard.rule->warns_only ? "warning: " : "", hazard.text(file), indent,
                        hazard.rule->silicon);
  }
  for (const Fault& fault : checked.faults) text += fmt::format("{}{}\n", indent, to_string(fault));
  return text;
}

std::string chips_of(const HazardRule& rule) {
  return fmt::format("{}", fmt::join(isa::chip_names(rule.chips), " "));
}

std::string title_of(const CheckedProgram& checked) {
  return checked.variant.empty()
             ? fmt::format("{}, {}", checked.name, arch_params(checked.arch).names.id)
             : fmt::format("{}, {}, {}", checked.name, arch_params(checked.arch).names.id,
                           checked.variant);
}

nlohmann::json hazard_entry(const Hazard& hazard) {
  return {{"rule", hazard.rule->id},
          {"kind", fault_kind_name(hazard.rule->kind)},
          {"warning", hazard.rule->warns_only},
          {"cycle", hazard.cycle},
          {"instruction", hazard.instruction},
          {"file", hazard.file.empty() ? json(nullptr) : json(hazard.file)},
          {"line", hazard.line},
          {"other_file", hazard.other_file.empty() ? json(nullptr) : json(hazard.other_file)},
          {"other_line", hazard.other_line},
          {"message", hazard.message},
          {"mend", hazard.mend},
          {"silicon", hazard.rule->silicon},
          {"source", hazard.rule->source},
          {"count", hazard.count}};
}

nlohmann::json pauses_entry(const CheckedProgram& checked) {
  if (!checked.pauses) return nullptr;
  const timing::PausesTried& tried = *checked.pauses;
  return {{"words", tried.words},     {"paused", tried.paused},   {"runs", tried.runs},
          {"longest", tried.longest}, {"changed", tried.changed}, {"whole", tried.whole}};
}

nlohmann::json fault_entry(const Fault& found) {
  const Fault fault = settled(found);
  return {{"kind", fault_kind_name(fault.kind)},
          {"instruction", fault.instruction},
          {"file", fault.file.empty() ? json(nullptr) : json(fault.file)},
          {"line", fault.line},
          {"message", fault.message},
          {"mend", fault.remedy},
          {"source", fault.rule}};
}

} // namespace

std::string finding_counts(const CheckedProgram& checked) {
  if (!finds_anything(checked)) return "nothing found";
  const execution::FindingCounts counts = count_findings(checked);
  std::string text =
      fmt::format("{}, {}", plural(counts.hazards, "hazard"), plural(counts.warnings, "warning"));
  if (counts.faults != 0) text += ", " + plural(counts.faults, "fault");
  return text;
}

std::string pauses_text(const CheckedProgram& checked) {
  if (!checked.pauses) return {};
  const timing::PausesTried& tried = *checked.pauses;
  const std::string stopped = tried.whole ? "" : ", stopped before the end";
  if (tried.paused == 0 && tried.whole) {
    return fmt::format("pauses change nothing: none of {} finds anything under way",
                       plural(tried.words, "pushed word"));
  }
  const std::string result =
      tried.changed == 0 ? "the results stay the same"
                         : fmt::format("{} change{} the results", plural(tried.changed, "word"),
                                       tried.changed == 1 ? "s" : "");
  return fmt::format("pauses of 1 to {} before {} of {}, {}{}: {}", plural(tried.longest, "cycle"),
                     tried.paused, plural(tried.words, "pushed word"), plural(tried.runs, "run"),
                     stopped, result);
}

std::string hazard_text(const CheckedProgram& checked) {
  const std::string chip = fmt::format("{}: ", arch_params(checked.arch).names.id);
  std::string text = findings(checked, checked.name, chip);
  if (checked.pauses) text += fmt::format("{}{}: {}\n", chip, checked.name, pauses_text(checked));
  return text + fmt::format("{}{}: {}\n", chip, checked.name, counts(checked));
}

void count_results(LlkHeaderRows& headers, std::span<const CheckedProgram> programs) {
  for (const CheckedProgram& each : programs) headers.count(each.header, has_problem(each));
}

std::string hazard_table(std::span<const CheckedProgram> programs, const LlkHeaderRows& headers) {
  Table table{.columns = {{}, {}}};
  for (const CheckedProgram& each : programs) table.rows.push_back({title_of(each), counts(each)});
  const std::vector<std::string> lines = table_lines(table);
  std::string text;
  std::size_t problems = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    text += lines[i] + "\n" + findings(programs[i], "", "    ");
    if (programs[i].pauses) text += fmt::format("    {}\n", pauses_text(programs[i]));
    problems += has_problem(programs[i]) ? 1 : 0;
  }
  text += "\n" + headers.table() + "\n";
  return text + fmt::format("{} checked, {} with hazards; {}\n", plural(programs.size(), "program"),
                            problems, headers.summary());
}

nlohmann::json hazard_json(std::span<const CheckedProgram> programs) {
  nlohmann::json all = nlohmann::json::array();
  for (const CheckedProgram& each : programs) {
    nlohmann::json hazards = nlohmann::json::array(), faults = nlohmann::json::array();
    for (const Hazard& hazard : each.hazards) hazards.push_back(hazard_entry(hazard));
    for (const Fault& fault : each.faults) faults.push_back(fault_entry(fault));
    const auto tile = each.cost ? each.cost->cycles() : std::nullopt;
    all.push_back({{"name", each.name},
                   {"header", each.header},
                   {"arch", arch_params(each.arch).names.id},
                   {"variant", each.variant},
                   {"instructions", each.instructions},
                   {"cycles", each.cycles},
                   {"init_cycles", each.cost ? json(each.cost->init) : json(nullptr)},
                   {"tile_cycles", tile ? json(*tile) : json(nullptr)},
                   {"problem", has_problem(each)},
                   {"hazards", hazards},
                   {"pauses", pauses_entry(each)},
                   {"faults", faults},
                   {"failure", each.failure}});
  }
  return all;
}

std::string hazard_rule_table() {
  Table table{.columns = {{}, {}, {}, {}}};
  for (const HazardRule& rule : timing::hazard_rules()) {
    table.rows.push_back(
        {rule.id, chips_of(rule), rule.warns_only ? "warning" : "hazard", rule.summary});
  }
  return table_text(table);
}

nlohmann::json hazard_rules_json() {
  nlohmann::json all = nlohmann::json::array();
  for (const HazardRule& rule : timing::hazard_rules()) {
    all.push_back({{"id", rule.id},
                   {"kind", fault_kind_name(rule.kind)},
                   {"warning", rule.warns_only},
                   {"chips", isa::chip_names(rule.chips)},
                   {"summary", rule.summary},
                   {"silicon", rule.silicon},
                   {"mend", rule.mend},
                   {"source", rule.source}});
  }
  return all;
}

std::string explain_hazard_rule(const HazardRule& rule) {
  const std::string kind =
      fmt::format("{}{}", fault_kind_name(rule.kind),
                  rule.warns_only ? ", a warning: the exit status stays 0" : "");
  const Table table{.columns = {{}, {}},
                    .rows = {{"chips", chips_of(rule)},
                             {"kind", kind},
                             {"silicon", rule.silicon},
                             {"mend", rule.mend},
                             {"source", rule.source}}};
  return fmt::format("{}: {}\n\n{}", rule.id, rule.summary, table_text(table));
}

} // namespace lanewise::report
