#include "report/sweep/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/page/page.h"

namespace lanewise::report {

namespace {

constexpr std::size_t kColumnGap = 2; ///< blanks between two columns

bool is_shown(const TableColumn& column) {
  return column.kind != ColumnKind::Bar;
}

/// Characters, not bytes: those that do not continue a UTF-8 sequence.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, length(text)), ' ');
  return right ? blanks + text : text + blanks;
}

void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = length(table.columns[c].heading);
    for (const auto& row : table.rows) width = std::max(width, length(row[c].text));
    widths.push_back(is_shown(table.columns[c]) ? width : 0);
  }
  return widths;
}

/// Columns that a group covers: [first, end), and their width with the gaps between them.
struct Span {
  std::size_t first, end, width;
};

Span span_of(const Table& table, const std::vector<std::size_t>& widths, std::size_t first,
             std::size_t columns) {
  Span span{first, first + columns, 0};
  for (std::size_t c = first; c < span.end; ++c) {
    if (!is_shown(table.columns[c])) continue;
    span.width += widths[c] + (span.width == 0 ? 0 : kColumnGap);
  }
  return span;
}

/// Group headings wider than their columns widen the last of them.
void make_room_for_groups(const Table& table, std::vector<std::size_t>& widths) {
  std::size_t first = 0;
  for (const ColumnGroup& group : table.groups) {
    const Span span = span_of(table, widths, first, group.columns);
    const std::size_t wanted = length(group.heading);
    std::size_t last = span.end - 1;
    while (last > span.first && !is_shown(table.columns[last])) --last;
    if (wanted > span.width) widths[last] += wanted - span.width;
    first = span.end;
  }
}

std::string group_line(const Table& table, const std::vector<std::size_t>& widths) {
  std::string text;
  std::size_t first = 0;
  for (const ColumnGroup& group : table.groups) {
    const Span span = span_of(table, widths, first, group.columns);
    first = span.end;
    const std::size_t free = span.width - std::min(span.width, length(group.heading) + 2);
    // "-- heading ---" shows which columns belong to it.
    const bool ruled = !group.heading.empty() && free > 1;
    text += ruled ? std::string(free / 2, '-') + " " + group.heading + " " +
                        std::string(free - free / 2, '-')
                  : padded(group.heading, span.width, group.columns == 1);
    text += std::string(kColumnGap, ' ');
  }
  end_line(text);
  return text;
}

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

std::string table_text(const Table& table) {
  if (table.rows.empty()) return "";
  std::vector<std::size_t> widths = widths_of(table);
  make_room_for_groups(table, widths);
  std::string text = table.title.empty() ? "" : table.title + "\n";
  if (!table.groups.empty()) text += group_line(table, widths);
  const auto add_line = [&](const auto& text_of) {
    std::string line;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!is_shown(table.columns[c])) continue;
      line += padded(text_of(c), widths[c], table.columns[c].kind != ColumnKind::Text);
      line += std::string(kColumnGap, ' ');
    }
    end_line(line);
    text += line;
  };
  add_line([&](std::size_t c) { return table.columns[c].heading; });
  for (const auto& row : table.rows) add_line([&](std::size_t c) { return row[c].text; });
  return text;
}

std::string table_html(const Table& table) {
  if (table.rows.empty()) return "";
  std::string html;
  if (!table.title.empty()) html += fmt::format("<h3>{}</h3>", escaped(table.title));
  html += "<div class=\"scroll\"><table>" + groups_html(table) + "<tr>";
  for (const TableColumn& column : table.columns)
    html += fmt::format("<th{}>{}</th>", cell_class(column.kind), escaped(column.heading));
  html += "</tr>";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) html += cell_html(row[c], table.columns[c].kind);
    html += "</tr>";
  }
  return html + "</table></div>";
}

} // namespace lanewise::report
