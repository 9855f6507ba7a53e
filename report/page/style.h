// Colours and layout that all pages share.
#pragma once

#include <string_view>

namespace lanewise::report {

/// CSS, light and dark: text, cards, tables, listings, and the colours of the sub-units.
std::string_view page_style();

} // namespace lanewise::report
