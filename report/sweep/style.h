// Colours and layout of the page and the pictures of a sweep.
#pragma once

#include <string>
#include <string_view>

namespace lanewise::report {

/// CSS in addition to page_style(): the page's layout, and the pictures in both schemes.
std::string sweep_page_style();

/// CSS of the pictures in light colours that do not depend on variables, so that programs which
/// know SVG but not all of CSS show them, too.
std::string sweep_picture_style();

} // namespace lanewise::report
