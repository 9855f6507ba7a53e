// The tables that all forms of the report of cycles share.
#pragma once

#include <string>
#include <vector>

#include "report/table/table.h"
#include "study/silicon/compare.h"

namespace lanewise::report {

/// How many of the worst rows are listed.
inline constexpr std::size_t kWorstRows = 12;

/// "recip_tile Float16_b->Float32 f math_fidelity=LoFi".
std::string row_name(const silicon::CostRow& row);

Table group_table(const silicon::Comparison& comparison);
Table worst_table(const silicon::Comparison& comparison);
/// The reasons why rows are left out, the most frequent one first, and how many rows each has.
Table reason_table(const silicon::Comparison& comparison);

std::vector<Table> clock_tables(const silicon::Comparison& comparison);

} // namespace lanewise::report
