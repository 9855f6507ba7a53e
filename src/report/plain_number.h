// Counts and averages of counts as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise::report {

/// "12" or "4.031": a count without decimals, anything else with three; "unknown" of a NaN.
std::string number(double value);

/// "12 %": the share of a part in a whole; nothing where there is no whole.
std::string percent_of(double part, double whole);

/// "1 loop" or "2 loops".
std::string counted(std::uint64_t count, std::string_view noun);

} // namespace lanewise::report
