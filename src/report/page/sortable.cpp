#include "report/page/sortable.h"

#include <fmt/format.h>

#include "report/page/page.h"

namespace lanewise::report {

namespace {

std::string sortable_head(std::span<const TableColumn> columns) {
  std::string html = "<thead><tr>";
  for (const TableColumn& column : columns) {
    html += fmt::format("<th{}><button type=\"button\">{}</button></th>",
                        column.kind == ColumnKind::Number ? " class=\"n\"" : "",
                        escaped(column.heading));
  }
  return html + "</tr></thead>";
}

} // namespace

std::string text_cell(std::string_view html) {
  return fmt::format("<td>{}</td>", html);
}

std::string number_cell(std::string_view html, double key, bool is_right_aligned) {
  return fmt::format("<td{} data-key=\"{}\">{}</td>", is_right_aligned ? " class=\"n\"" : "", key,
                     html);
}

std::string search_field(std::string_view example) {
  return fmt::format(
      "<p class=\"search\"><label>Search <input type=\"search\" id=\"search\" "
      "placeholder=\"{}\"/></label> <span class=\"muted\" id=\"shown\"></span></p>",
      escaped(example));
}

std::string sortable_table(std::span<const TableColumn> columns, std::string_view rows) {
  return fmt::format("<div class=\"results\"><table>{}<tbody>\n{}</tbody></table></div>",
                     sortable_head(columns), rows);
}

} // namespace lanewise::report
