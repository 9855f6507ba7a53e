// What a comparison of two programs has found, in tables and sentences.
#pragma once

#include <string>
#include <vector>

#include "report/sweep/report.h"
#include "report/table/table.h"

namespace lanewise::report {

/// "old.cpp and new.cpp", with formats and inputs on a second line.
std::string diff_title(const DiffReport& report);

/// "bf16 to bf16, every: 65536 inputs".
std::string diff_inputs(const DiffReport& report);

/// What a reader has to know of the numbers: how ULP are counted, and of passes that store a part
/// of a tile only.
std::vector<std::string> diff_sentences(const DiffReport& report);

/// "first: ..." for each fault of both programs.
std::vector<std::string> diff_faults(const DiffReport& report);

/// "-952 (-74.1 %)", "same".
std::string change_text(double first, double second);

/// Bits changed, words, instructions and cycles of both programs and what lies between them.
Table diff_cost_table(const DiffReport& report);

/// ULP rows of the distance between both.
Table diff_distance_table(const DiffReport& report);
/// The largest distance and where it is, the mean.
Table diff_distance_figures(const DiffReport& report);

/// Errors of both programs against the reference beside each other; without rows if there is none.
Table diff_error_table(const DiffReport& report);
Table diff_error_figures(const DiffReport& report);

/// The inputs whose results lie farthest apart.
Table diff_worst_table(const DiffReport& report, std::size_t most);

} // namespace lanewise::report
