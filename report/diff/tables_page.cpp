#include "report/diff/tables_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/diff/tables.h"
#include "report/page/page.h"

namespace lanewise::report {

namespace {

/// The lines below the title: names, formats, inputs, and what is special about the comparison.
std::string lines_html(const std::string& text) {
  std::string html;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    html += fmt::format("<p>{}</p>", escaped(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return html;
}

std::string section(std::string_view heading, const std::string& tables) {
  return tables.empty() ? "" : fmt::format("<h2>{}</h2>{}", heading, tables);
}

std::string tables_of(const DiffReport& report) {
  return section("Second against first", table_html(diff_distance_table(report)) +
                                             table_html(diff_distance_figures(report)) +
                                             table_html(diff_cost_table(report))) +
         section("Against the reference",
                 table_html(diff_error_table(report)) + table_html(diff_error_figures(report))) +
         section("Farthest apart", table_html(diff_worst_table(report, ~std::size_t{0})));
}

} // namespace

std::string diff_tables_page(const DiffReport& report) {
  const lab::DiffResult& result = report.result;
  const bool has_results = !result.chips.empty();
  const char* verdict = !has_results           ? "Nothing was compared"
                        : lab::is_same(result) ? "All bits are the same"
                                               : "Bits differ";
  return html_page(
      {.title = report.first_name + " and " + report.second_name,
       .heading = verdict,
       .subtitle = report.first_name + " and " + report.second_name,
       .style = ".scroll { margin-bottom: 16px; }",
       .body = lines_html(diff_title(report)) + (has_results ? tables_of(report) : std::string())});
}

} // namespace lanewise::report
