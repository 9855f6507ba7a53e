// Colours, layout and highlighting of the page of `lanewise elf --html`: page.css and page.js,
// compiled in (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace lanewise::report {

std::string_view elf_style();  ///< CSS, light and dark, in addition to page_style()
std::string_view elf_script(); ///< JavaScript: pointing at a block marks what belongs to it

} // namespace lanewise::report
