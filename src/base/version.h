// Which Lanewise this is.
#pragma once

#include <string_view>

namespace lanewise {

/// The version of the project, "0.1.0".
std::string_view version();

} // namespace lanewise
