// What a user wrote, in a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanewise {

/// The longest text that in_quotes() repeats whole, in bytes: longer than any name, and less than
/// two lines of a terminal.
inline constexpr std::size_t kLongestQuotation = 120;

/// "'text'", or its beginning and how long it is: "'tex...' (100000 bytes)". What is no printable
/// ASCII is \xNN, so that nothing moves the cursor of a terminal or breaks a line or JSON.
std::string in_quotes(std::string_view text);

} // namespace lanewise
