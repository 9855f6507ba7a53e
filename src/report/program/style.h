// Colours and layout of the page of a run in time: rows.css, compiled in (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace lanewise::report {

std::string_view rows_style(); ///< light and dark, in addition to page_style()

} // namespace lanewise::report
