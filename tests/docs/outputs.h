// Outputs as a page shows them, held against what a command prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lanewise::docs {

/// What stands for any number of lines, also for none, on a line of its own, however far it is
/// indented.
inline constexpr const char* kAnyLines = "...";

/// Whether the output is the expected one.
bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& found);

/// What the page should show instead: the output; where the page leaves lines out between a
/// beginning and an end, as many lines at either end as it showed before. Nothing if it leaves out
/// lines in several places, which only a person can choose.
std::optional<std::vector<std::string>> blessed(const std::vector<std::string>& expected,
                                                const std::vector<std::string>& found);

} // namespace lanewise::docs
