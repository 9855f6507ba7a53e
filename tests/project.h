// Files of the project that tests read.
#pragma once

#include <string>
#include <string_view>

namespace lanewise {

/// The path of a file or folder of the project, given from its root on. One small file alone knows
/// where the project lies (project.cpp), so that all tests can come from a compiler cache.
std::string in_project(std::string_view path);

} // namespace lanewise
