#include "report/check/ci.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/check/hazard_report.h"
#include "report/page/page.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

using execution::CheckedProgram;

/// A value of a workflow command: its line, and in properties what separates them, is encoded.
std::string github_value(std::string_view text, bool is_property) {
  std::string result;
  for (const char letter : text) {
    const bool separates = is_property && (letter == ':' || letter == ',');
    if (letter == '%' || letter == '\r' || letter == '\n' || separates) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    } else {
      result += letter;
    }
  }
  return result;
}

std::string github_line(const Finding& finding) {
  std::string place = fmt::format("file={}", github_value(finding.file, true));
  if (finding.line != 0) place += fmt::format(",line={}", finding.line);
  if (finding.column != 0) place += fmt::format(",col={}", finding.column);
  std::string text = finding.message;
  if (!finding.silicon.empty()) text += "\nsilicon: " + finding.silicon;
  const std::string title =
      finding.chip.empty() ? finding.rule : fmt::format("{} ({})", finding.rule, finding.chip);
  return fmt::format("::{} {},title={}::{}\n", finding.is_warning ? "warning" : "error", place,
                     github_value(title, true), github_value(text, false));
}

/// "a.tt:3: mad-result: ...", a line of what a failed test says.
std::string finding_line(const Finding& finding) {
  const std::string place =
      finding.line == 0 ? finding.file : fmt::format("{}:{}", finding.file, finding.line);
  return fmt::format("{}: {}{}: {}\n", place, finding.is_warning ? "warning: " : "", finding.rule,
                     finding.message);
}

std::string finding_lines(std::span<const Finding> findings) {
  std::string text;
  for (const Finding& finding : findings) text += finding_line(finding);
  return text;
}

std::string name_of(const CheckedProgram& program) {
  return program.variant.empty() ? program.name
                                 : fmt::format("{} ({})", program.name, program.variant);
}

std::string junit_case(const CheckedProgram& program) {
  const std::vector<Finding> findings = findings_of(program);
  const std::string text = escaped(finding_lines(findings));
  std::string content;
  if (!program.failure.empty()) {
    content = fmt::format("<error message=\"{}\">{}</error>", escaped(program.failure), text);
  } else if (has_problem(program)) {
    content =
        fmt::format("<failure message=\"{}\">{}</failure>", escaped(finding_counts(program)), text);
  } else if (!findings.empty()) {
    content = fmt::format("<system-out>{}</system-out>", text);
  }
  return fmt::format("    <testcase classname=\"check.{}\" name=\"{}\" time=\"0\">{}</testcase>\n",
                     arch_params(program.arch).names.id, escaped(name_of(program)), content);
}

std::string junit_case(const Finding& refused) {
  return fmt::format(
      "    <testcase classname=\"check\" name=\"{}\" time=\"0\"><error message=\"{}\">{}</error>"
      "</testcase>\n",
      escaped(refused.file), escaped(refused.rule), escaped(finding_line(refused)));
}

/// In a cell of a table: no line ends, and nothing that ends it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char letter : valid_utf8(text)) {
    if (letter == '|') result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result;
}

/// Between backticks: more of them than the text has in a row.
std::string as_code(std::string_view text) {
  const std::string clean = cell(text);
  const bool has_backtick = clean.find('`') != std::string::npos;
  return has_backtick ? fmt::format("`` {} ``", clean) : fmt::format("`{}`", clean);
}

void add_row(Table& table, const Finding& finding) {
  const std::string place =
      finding.line == 0 ? finding.file : fmt::format("{}:{}", finding.file, finding.line);
  table.rows.push_back({finding.chip, as_code(place), finding.is_warning ? "warning" : "error",
                        as_code(finding.rule), cell(finding.message)});
}

} // namespace

std::string github_annotations(const CheckReport& report) {
  std::string text;
  for (const CheckedProgram& program : report.programs)
    for (const Finding& finding : findings_of(program)) text += github_line(finding);
  for (const Finding& finding : report.refused) text += github_line(finding);
  return text;
}

std::string junit(const CheckReport& report) {
  std::string cases;
  std::size_t failures = 0, errors = report.refused.size();
  for (const CheckedProgram& program : report.programs) {
    cases += junit_case(program);
    if (!program.failure.empty()) {
      ++errors;
    } else if (has_problem(program)) {
      ++failures;
    }
  }
  for (const Finding& refused : report.refused) cases += junit_case(refused);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"0\"",
                  report.programs.size() + report.refused.size(), failures, errors);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
      "  <testsuite name=\"lanewise check\" {0}>\n{1}  </testsuite>\n</testsuites>\n",
      counts, cases);
}

std::string check_markdown(const CheckReport& report) {
  Table table{.columns = table_columns({"Chip", "Place", "Level", "Rule", "What is wrong"})};
  std::size_t problems = report.refused.size();
  for (const CheckedProgram& program : report.programs) {
    problems += has_problem(program) ? 1 : 0;
    for (const Finding& finding : findings_of(program)) add_row(table, finding);
  }
  for (const Finding& finding : report.refused) add_row(table, finding);
  const std::size_t programs = report.programs.size() + report.refused.size();
  return fmt::format("### lanewise check: {} of {} program{} with hazards\n\n{}\n", problems,
                     programs, programs == 1 ? "" : "s",
                     table.rows.empty() ? "Nothing found.\n" : table_markdown(table));
}

} // namespace lanewise::report
