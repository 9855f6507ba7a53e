// Tables of reports: one description, and its forms as text, Markdown and HTML.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanewise::report {

enum class ColumnKind : std::uint8_t {
  Text,
  Number, ///< to the right
  Bits,   ///< to the right, with letters of equal width
  Bar     ///< on pages only: the cell's share as a bar
};

/// In text, a column is as wide as its widest cell, within `least` and `most`. A cell that is wider
/// pushes the rest of its line to the right.
struct TableColumn {
  std::string heading = {};
  ColumnKind kind = ColumnKind::Text;
  std::size_t least = 0, most = SIZE_MAX; ///< characters
  std::string_view gap = "  ";            ///< between it and the column in front of it
};

/// Columns of one kind with these headings.
std::vector<TableColumn> table_columns(std::initializer_list<const char*> headings,
                                       ColumnKind kind = ColumnKind::Text);

/// A heading over neighbouring columns.
struct ColumnGroup {
  std::string heading;
  std::size_t columns = 1;
};

struct TableCell {
  std::string text;
  double share = 0; ///< of a bar, 0..1; `text` is then its tooltip

  TableCell(std::string content = {}, double bar = 0) : text(std::move(content)), share(bar) {}
  TableCell(std::string_view content) : text(content) {}
  TableCell(const char* content) : text(content) {}
};
using TableRow = std::vector<TableCell>;

/// Every row has as many cells as there are columns; groups cover all columns, or there are none.
struct Table {
  std::string title = {};
  std::vector<ColumnGroup> groups = {};
  std::vector<TableColumn> columns = {};
  std::vector<TableRow> rows = {};
  std::size_t indent = 0; ///< blanks in front of every line of text
  /// On pages: the source line of each row, for scripts that mark all that belongs to a line.
  std::vector<std::uint32_t> lines = {};
};

/// The title, a line of headings unless all are empty, then the rows. Empty for a table without
/// rows.
std::string table_text(const Table& table);

/// The texts of those that have rows, with a blank line between them.
std::string tables_text(std::span<const Table> tables);

/// The same line by line, without ends of lines and without blanks at the end.
std::vector<std::string> table_lines(const Table& table);

/// Headings, rule and rows in Markdown; neither title nor groups.
std::string table_markdown(const Table& table);

/// <h3> and <table>; empty for a table without rows.
std::string table_html(const Table& table);

} // namespace lanewise::report
