#include <fmt/format.h>

#include <algorithm>

#include "report/page/page.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

std::string_view cell_class(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::Text: return "";
    case ColumnKind::Number: return " class=\"n\"";
    case ColumnKind::Bits: return " class=\"n bits\"";
    case ColumnKind::Bar: return " class=\"bar\"";
  }
  return "";
}

std::string cell_html(const TableCell& cell, ColumnKind kind) {
  if (kind == ColumnKind::Bar) {
    return fmt::format("<td class=\"bar\" title=\"{}\"><div style=\"width:{:.0f}%\"></div></td>",
                       escaped(cell.text), 100 * std::clamp(cell.share, 0.0, 1.0));
  }
  return fmt::format("<td{}>{}</td>", cell_class(kind), escaped(cell.text));
}

std::string groups_html(const Table& table) {
  if (table.groups.empty()) return "";
  std::string html = "<tr class=\"groups\">";
  for (const ColumnGroup& group : table.groups)
    html += fmt::format("<th colspan=\"{}\">{}</th>", group.columns, escaped(group.heading));
  return html + "</tr>";
}

} // namespace

std::string table_html(const Table& table) {
  if (table.rows.empty()) return "";
  std::string html;
  if (!table.title.empty()) html += fmt::format("<h3>{}</h3>", escaped(table.title));
  html += "<div class=\"scroll\"><table>" + groups_html(table) + "<tr>";
  for (const TableColumn& column : table.columns)
    html += fmt::format("<th{}>{}</th>", cell_class(column.kind), escaped(column.heading));
  html += "</tr>";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const TableRow& row = table.rows[r];
    html += table.lines.empty() ? "<tr>" : fmt::format("<tr data-line=\"{}\">", table.lines[r]);
    for (std::size_t c = 0; c < row.size(); ++c) html += cell_html(row[c], table.columns[c].kind);
    html += "</tr>";
  }
  return html + "</table></div>";
}

} // namespace lanewise::report
