// Tables that a report has both in text and on a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lanewise::report {

enum class ColumnKind : std::uint8_t {
  Text,
  Number, ///< to the right
  Bits,   ///< to the right, with letters of equal width
  Bar     ///< on pages only: the cell's share as a bar
};

struct TableColumn {
  std::string heading;
  ColumnKind kind = ColumnKind::Text;
};

/// A heading over neighbouring columns.
struct ColumnGroup {
  std::string heading;
  std::size_t columns = 1;
};

struct TableCell {
  std::string text;
  double share = 0; ///< of a bar, 0..1; `text` is then its tooltip

  TableCell(std::string content = {}, double bar = 0) : text(std::move(content)), share(bar) {}
  TableCell(const char* content) : text(content) {}
};

/// Every row has as many cells as there are columns; groups cover all columns, or there are none.
struct Table {
  std::string title;
  std::vector<ColumnGroup> groups;
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows;
};

/// Columns as wide as they need to be, two blanks between them, a line of headings. Empty for a
/// table without rows.
std::string table_text(const Table& table);

/// <h3> and <table>; empty for a table without rows.
std::string table_html(const Table& table);

} // namespace lanewise::report
