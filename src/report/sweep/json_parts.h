// The pieces that the JSON of sweeps and of comparisons have in common.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "study/sweep/sweep.h"

namespace lanewise::report {

/// The formats that value bits are in.
struct JsonFormats {
  formats::Format input, output;
  unsigned operands;
  formats::UlpMeasure measure = formats::UlpMeasure::Line;
};

/// A number, or "nan", "inf", "-inf", which JSON does not have.
nlohmann::json number_json(double value);
/// |ULP|: a whole number as an integer.
nlohmann::json ulp_count_json(double ulp);
/// Plain text; bytes that are not UTF-8 are replaced, since JSON has no others.
nlohmann::json text_json(std::string_view text);
nlohmann::json case_json(const JsonFormats& formats, const sweep::SweepCase& at);
nlohmann::json cases_json(const JsonFormats& formats, const std::vector<sweep::SweepCase>& cases);
nlohmann::json wrong_json(const sweep::WrongKinds& wrong);
nlohmann::json errors_json(const JsonFormats& formats, const sweep::UlpStatistics& errors);
nlohmann::json faults_json(const std::vector<Fault>& faults);
nlohmann::json statistics_json(const JsonFormats& formats, const sweep::SweepStatistics& chip);

} // namespace lanewise::report
