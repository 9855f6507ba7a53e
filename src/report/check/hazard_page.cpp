#include "report/check/hazard_page.h"

#include <fmt/format.h>

#include "base/source_line.h"
#include "report/check/finding.h"
#include "report/check/hazard_report.h"
#include "report/page/page.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

/// Sentences wrap; in a narrow window, a row is a block of lines that say what they are.
constexpr const char* kHazardStyle =
    "\n.scroll td { white-space: normal; max-width: 60ch; }\n"
    ".scroll td:first-child, .scroll td:nth-child(2) { white-space: nowrap; }\n"
    "@media (max-width: 700px) {\n"
    "  .scroll th { display: none; }\n"
    "  .scroll tr, .scroll td { display: block; }\n"
    "  .scroll tr { border-top: 1px solid var(--line); padding: 6px 0; }\n"
    "  .scroll tr:first-child { display: none; }\n"
    "  .scroll td:first-child:not(:empty)::before { content: \"line \"; }\n"
    "  .scroll td:nth-child(4)::before { content: \"silicon: \"; }\n"
    "  .scroll td:last-child:not(:empty)::before { content: \"remedy: \"; }\n"
    "}\n";

/// "12"; "kernel.h:12" of another file than the program's; empty where there is no line.
std::string line_link(const std::string& file, std::uint32_t line) {
  if (line == 0) return file;
  return file.empty() ? std::to_string(line) : fmt::format("{}:{}", file, line);
}

std::string line_link(const Fault& fault, const execution::CheckedProgram& checked) {
  if (fault.line == 0 || fault.file != checked.name) return place_text(fault);
  return std::to_string(fault.line);
}

Table hazards_table(const execution::CheckedProgram& checked) {
  Table table{.title = "Hazards",
              .columns = table_columns({"line", "rule", "what", "silicon", "remedy"})};
  for (const timing::Hazard& hazard : checked.hazards) {
    const std::string_view kind = hazard.rule->warns_only ? " (warning)" : "";
    table.rows.push_back({line_link(hazard.file, hazard.line),
                          fmt::format("{}{}", hazard.rule->id, kind),
                          after_name(hazard.instruction, hazard.message),
                          std::string(hazard.rule->silicon), hazard.mend});
  }
  return table;
}

Table faults_table(const execution::CheckedProgram& checked) {
  Table table{.title = "Faults", .columns = table_columns({"line", "rule", "what", "remedy"})};
  for (const Fault& found : checked.faults) {
    const Fault fault = settled(found);
    table.rows.push_back({line_link(fault, checked), fault.rule,
                          after_name(fault.instruction, fault.message), fault.remedy});
  }
  return table;
}

} // namespace

std::string hazard_page(const execution::CheckedProgram& checked) {
  const std::string subtitle =
      fmt::format("{}, {}{}{}", checked.name, arch_params(checked.arch).names.full,
                  checked.pauses ? "; " : "", pauses_text(checked));
  const std::string verdict =
      checked.failure.empty() ? finding_counts(checked) : "not checked: " + checked.failure;
  return html_page(
      {.title = checked.name + ": check",
       .heading = verdict,
       .subtitle = subtitle,
       .style = kHazardStyle,
       .body = table_html(hazards_table(checked)) + table_html(faults_table(checked))});
}

} // namespace lanewise::report
