// Colours and layout of the page and the pictures of a sweep.
#pragma once

#include <string>
#include <string_view>

namespace lanewise::report {

// Files of this folder that are compiled in (cmake/embed.cmake).

/// colours.css: variables, light and dark. Blue and orange stay apart for every kind of colour
/// blindness; circles and diamonds, full and dashed lines say the same without colour.
std::string_view sweep_colours();
std::string_view sweep_pictures(); ///< pictures.css: the pictures, in these variables
std::string_view sweep_layout();   ///< style.css: the page around the pictures

/// CSS in addition to page_style(): the page's layout, and the pictures in both schemes.
std::string sweep_page_style();

/// CSS of the pictures in light colours that do not depend on variables, so that programs which
/// know SVG but not all of CSS show them, too.
std::string sweep_picture_style();

/// The same with dark colours where the reader prefers them, for a picture by itself: with the
/// classes `page` for its ground and `head` for its title.
std::string picture_style_of_both();

} // namespace lanewise::report
