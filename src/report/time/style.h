// Colours, layout and highlighting of the page of `lanewise time --html`: style.css and script.js,
// compiled in (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace lanewise::report {

std::string_view time_style();  ///< CSS, light and dark, in addition to page_style()
std::string_view time_script(); ///< JavaScript: pointing at a line marks what belongs to it

} // namespace lanewise::report
