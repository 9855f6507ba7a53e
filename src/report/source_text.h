// The text of a program's source lines, those of included files as well.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace lanewise::report {

/// A source line without the blanks around it; empty where there is no such line. `own` are the
/// lines of the program's file; other files (base/source_line.h) are read when they are asked for.
std::string source_line(std::span<const std::string> own, std::uint32_t line);

/// {"file": ..., "line": ...} of a line number, to be merged into an entry; `file` is null for the
/// program's own file.
nlohmann::json place_json(std::uint32_t line);

} // namespace lanewise::report
