// Colours of text on terminals. What is printed is the same text without them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise::cli {

/// Auto: on a terminal that has colours, unless NO_COLOR is set (no-color.org).
enum class ColourWhen : std::uint8_t { Auto, Always, Never };

/// "auto", "always" or "never", as --color takes them; anything else is auto.
void choose_colours(std::string_view name);

/// Whether text for that stream (STDOUT_FILENO, STDERR_FILENO) is to be coloured.
bool takes_colours(int stream);

/// A report or a message: what is wrong red, warnings yellow, that nothing is wrong green, what
/// silicon may do dimmed.
std::string painted_report(std::string_view text);

/// A help: its headings bold.
std::string painted_help(std::string_view text);

} // namespace lanewise::cli
