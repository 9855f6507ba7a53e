// A comparison as a file: the rows of a table with what the model said of each, so that it can be
// shown again without a checkout, and held against a later one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/silicon/compared.h"

namespace lanewise::silicon {

/// The columns behind those of a table of cycles: the model's cycles, those of either form of an
/// initialisation where the model has both, and why there are none.
inline constexpr std::string_view kRecordColumns = ",model,model_taken_in,model_left,left_out";

/// Every row on a line of its own, in order. Commas of reasons become semicolons.
std::string record_text(const Comparison& comparison);

/// Error: BadInput with line and column.
Expected<Comparison> parse_record(std::string_view text);

/// Errors as of parse_record(), with the file; one that cannot be read.
Expected<Comparison> read_record(const std::string& file);

/// A row that is further from silicon than it was, or that is not compared any more.
struct WorseRow {
  ComparedRow now;
  double before = 0; ///< the model's cycles in the record
};

/// By how much a row may be further away without being worse: cycles, and a share of what was
/// measured; the larger counts.
inline constexpr double kWorseCycles = 0.25, kWorseShare = 0.005;

/// The rows of `now` that are worse than in `record`; rows that it has not are none of them.
std::vector<WorseRow> worse_rows(const Comparison& record, const Comparison& now);

} // namespace lanewise::silicon
