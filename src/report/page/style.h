// Colours and layout that all pages share.
#pragma once

#include <string_view>

namespace lanewise::report {

/// style.css, compiled in (cmake/embed.cmake), light and dark: text, cards, tables, listings, and
/// the colours of the sub-units. Lanes differ in their hue; text on them keeps a contrast of at
/// least 4.5 in both schemes.
std::string_view page_style();

} // namespace lanewise::report
