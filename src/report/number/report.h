// Everything that 'lanewise fp16c' tells about a number.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "number/formats/number_argument.h"

namespace lanewise::report {

struct NumberReport {
  std::string text;    ///< as the user wrote it
  std::string meaning; ///< what the text was taken for: "as fp16a"; empty for a number
  formats::NumberArgument argument;
};

/// Of a number: what fp16c prints, the pattern in every form with its fields, cut and to nearest,
/// SFPLOADI as assembly and as macros of kernels, and what Dst stores in each format. Of a pattern
/// that has no form yet: what fp16c prints, and what the hardware reads, form by form. A line that
/// begins with "!" says where fp16c and the hardware disagree.
std::string number_text(const NumberReport& report);

/// The same; docs/numbers.md describes the fields. Numbers that JSON does not have (NaN,
/// infinities) are strings: "nan", "inf", "-inf".
nlohmann::json number_json(const NumberReport& report);

} // namespace lanewise::report
