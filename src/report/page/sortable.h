// Tables of pages that a click on a heading sorts and a field searches.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/table/table.h"

namespace lanewise::report {

/// A cell in HTML. `key` is what numbers are sorted by; texts are sorted by themselves, and only
/// they are searched.
std::string text_cell(std::string_view html);
std::string number_cell(std::string_view html, double key, bool is_right_aligned = true);

/// The field, with an example of what to search for, and the table behind it. `rows` are <tr>
/// elements with a cell for each column. One table on a page.
std::string search_field(std::string_view example);
std::string sortable_table(std::span<const TableColumn> columns, std::string_view rows);

// Files of this folder that are compiled in (cmake/embed.cmake).
std::string_view sortable_style();  ///< sortable.css
std::string_view sortable_script(); ///< sortable.js

} // namespace lanewise::report
