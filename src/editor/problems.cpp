#include "editor/problems.h"

#include <string>

#include "base/characters.h"
#include "report/workbench/problems.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

/// Messages of g++ say themselves what they are.
Severity severity_of(const json& told, Severity severity) {
  const std::string& kind = told["kind"].get_ref<const std::string&>();
  if (kind == "note") return Severity::Information;
  return kind == "warning" && severity == Severity::Error ? Severity::Warning : severity;
}

/// The kind that report::add_problems() passes on.
constexpr std::string_view kKind = "error";

} // namespace

/// The word that begins at the column, or else its character; without a column the whole line.
Range ProblemList::range_of_problem(std::uint32_t line, std::uint32_t column) const {
  const Text& text = document_.text;
  if (line == 0) return text.content_of(0);
  if (column == 0) return text.content_of(line - 1);
  const std::string_view content = text.line(line - 1);
  std::size_t behind = column - 1;
  while (behind < content.size() && is_name_part(content[behind])) ++behind;
  if (behind < column) behind = column;
  return text.range(line - 1, column - 1, behind);
}

void ProblemList::add_told(const json& told, Severity severity) {
  std::string text = told["text"];
  const std::string& detail = told["detail"].get_ref<const std::string&>();
  if (!detail.empty()) text += "\n" + detail;
  problems_.push_back({.severity = severity_of(told, severity),
                       .range = range_of_problem(told["line"], told["column"]),
                       .text = std::move(text),
                       .code = {}});
}

void ProblemList::add(const Fault& fault, Severity severity) {
  json told = json::array();
  report::add_problems(told, fault, kKind, document_.name);
  for (const json& each : told) add_told(each, severity);
}

void ProblemList::add_found(const Fault& fault) {
  add(fault, leaves_results_valid(fault.kind) ? Severity::Warning : Severity::Error);
}

void ProblemList::add(const timing::Hazard& hazard) {
  json told = json::array();
  report::add_problem(told, hazard);
  for (const json& each : told) {
    add_told(each, hazard.rule->warns_only ? Severity::Warning : Severity::Error);
    problems_.back().code = hazard.rule->id;
    problems_.back().hazard = hazard;
  }
}

} // namespace lanewise::editor
