#include <algorithm>

#include "report/table/table.h"

namespace lanewise::report {

namespace {

using Widths = std::vector<std::size_t>;

bool is_shown(const TableColumn& column) {
  return column.kind != ColumnKind::Bar;
}

bool is_right_aligned(const TableColumn& column) {
  return column.kind != ColumnKind::Text;
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

std::string without_last_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::size_t width_of(const Table& table, std::size_t c) {
  const TableColumn& column = table.columns[c];
  if (!is_shown(column)) return 0;
  std::size_t width = length(column.heading);
  for (const TableRow& row : table.rows) width = std::max(width, length(row[c].text));
  return std::clamp(width, column.least, column.most);
}

Widths widths_of(const Table& table) {
  Widths widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) widths.push_back(width_of(table, c));
  return widths;
}

/// Columns that a group covers: [first, end), and their width with the gaps between them.
struct Span {
  std::size_t first, end, width;
};

Span span_of(const Table& table, const Widths& widths, std::size_t first, std::size_t columns) {
  Span span{first, first + columns, 0};
  for (std::size_t c = first; c < span.end; ++c) {
    if (!is_shown(table.columns[c])) continue;
    span.width += widths[c] + (span.width == 0 ? 0 : table.columns[c].gap.size());
  }
  return span;
}

/// Group headings wider than their columns widen the last of them.
void make_room_for_groups(const Table& table, Widths& widths) {
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

/// "-- heading ---" shows which columns belong to it.
std::string group_heading(const ColumnGroup& group, const Span& span) {
  const std::size_t free = span.width - std::min(span.width, length(group.heading) + 2);
  if (group.heading.empty() || free <= 1)
    return padded(group.heading, span.width, group.columns == 1);
  return std::string(free / 2, '-') + " " + group.heading + " " + std::string(free - free / 2, '-');
}

std::string group_line(const Table& table, const Widths& widths) {
  std::string line(table.indent, ' ');
  std::size_t first = 0;
  for (const ColumnGroup& group : table.groups) {
    const Span span = span_of(table, widths, first, group.columns);
    if (first != 0) line += table.columns[first].gap;
    line += group_heading(group, span);
    first = span.end;
  }
  return without_last_blanks(std::move(line));
}

/// The texts of a line by column.
auto heading_texts(const Table& table) {
  return [&](std::size_t c) -> const std::string& { return table.columns[c].heading; };
}

auto cell_texts(const TableRow& row) {
  return [&](std::size_t c) -> const std::string& { return row[c].text; };
}

template <class TextOf>
std::string line_of(const Table& table, const Widths& widths, const TextOf& text_of) {
  std::string line(table.indent, ' ');
  bool is_first = true;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TableColumn& column = table.columns[c];
    if (!is_shown(column)) continue;
    if (!is_first) line += column.gap;
    line += padded(text_of(c), widths[c], is_right_aligned(column));
    is_first = false;
  }
  return without_last_blanks(std::move(line));
}

bool has_headings(const Table& table) {
  return std::any_of(table.columns.begin(), table.columns.end(), [](const TableColumn& column) {
    return is_shown(column) && !column.heading.empty();
  });
}

template <class TextOf>
std::string markdown_line(const Table& table, const Widths& widths, const TextOf& text_of) {
  std::string line;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (is_shown(table.columns[c]))
      line += "| " + padded(text_of(c), widths[c], is_right_aligned(table.columns[c])) + " ";
  }
  return line + "|\n";
}

std::string markdown_rule(const Table& table, const Widths& widths) {
  std::string line;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (is_shown(table.columns[c]))
      line +=
          "|" + std::string(widths[c] + 1, '-') + (is_right_aligned(table.columns[c]) ? ":" : "-");
  }
  return line + "|\n";
}

} // namespace

std::vector<TableColumn> table_columns(std::initializer_list<const char*> headings,
                                       ColumnKind kind) {
  std::vector<TableColumn> columns;
  for (const char* heading : headings) columns.push_back({heading, kind});
  return columns;
}

std::vector<std::string> table_lines(const Table& table) {
  std::vector<std::string> lines;
  if (table.rows.empty()) return lines;
  Widths widths = widths_of(table);
  make_room_for_groups(table, widths);
  if (!table.title.empty()) lines.push_back(table.title);
  if (!table.groups.empty()) lines.push_back(group_line(table, widths));
  if (has_headings(table)) lines.push_back(line_of(table, widths, heading_texts(table)));
  for (const TableRow& row : table.rows) lines.push_back(line_of(table, widths, cell_texts(row)));
  return lines;
}

std::string table_text(const Table& table) {
  std::string text;
  for (const std::string& line : table_lines(table)) text += line + "\n";
  return text;
}

std::string table_markdown(const Table& table) {
  const Widths widths = widths_of(table);
  std::string text =
      markdown_line(table, widths, heading_texts(table)) + markdown_rule(table, widths);
  for (const TableRow& row : table.rows) text += markdown_line(table, widths, cell_texts(row));
  return text;
}

std::string tables_text(std::span<const Table> tables) {
  std::string all;
  for (const Table& table : tables) {
    const std::string text = table_text(table);
    if (!all.empty() && !text.empty()) all += "\n";
    all += text;
  }
  return all;
}

} // namespace lanewise::report
