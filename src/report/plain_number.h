// Counts and averages of counts as text.
#pragma once

#include <string>

namespace lanewise::report {

/// "12" or "4.031": a count without decimals, anything else with three; "unknown" of a NaN.
std::string number(double value);

/// "12 %": the share of a part in a whole; nothing where there is no whole.
std::string percent_of(double part, double whole);

} // namespace lanewise::report
