// Dependences between the boxes of a picture.
#pragma once

#include <string>

#include "report/time/layout.h"

namespace lanewise::report {

/// A <g class="edge"> with data-from and data-to (indices of events) for each dependence between
/// two events of the picture. Those that somebody has waited for are of the class "decides", and
/// are all that a page without a script shows.
std::string arrows(const TimeReport& timed, const PictureLayout& layout);

} // namespace lanewise::report
