// The tables that all forms of the report of cycles share.
#pragma once

#include <string>
#include <vector>

#include "report/table/table.h"
#include "study/silicon/record.h"

namespace lanewise::report {

/// How many of the worst rows are listed.
inline constexpr std::size_t kWorstRows = 12;

/// "4.5 %", of a share.
std::string percent_text(double share);

/// "54.50", or "54.50 (51.00 or 58.00)": the model's value, and those that it lies between.
std::string model_text(const silicon::ComparedRow& each);

/// "recip_tile Float16_b->Float32 f math_fidelity=LoFi".
std::string row_name(const silicon::CostRow& row);

Table group_table(const silicon::Comparison& comparison);
Table worst_table(const silicon::Comparison& comparison);
/// Rows that are not near, by operation, engine, unit and width of Dst: how many, and their
/// residuals.
Table residual_table(const silicon::Comparison& comparison);
/// Rows of which silicon shows more than one value: how many there are, how many of them the model
/// is within, of how many it has two forms, and of how many of these it has silicon's least and
/// most.
Table band_table(const silicon::Comparison& comparison);
/// Those of them that it is not within, the furthest first.
Table outside_table(const silicon::Comparison& comparison);
/// The rows that are further away than they were.
Table worse_table(const std::vector<silicon::WorseRow>& worse);
/// The reasons why rows are left out, the most frequent one first, and how many rows each has.
Table reason_table(const silicon::Comparison& comparison);

std::vector<Table> clock_tables(const silicon::Comparison& comparison);

} // namespace lanewise::report
