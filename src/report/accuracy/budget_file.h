// tt-llk's sfpu_accuracy_budget.yaml: how many steps its operations may be off.
//
// The file maps names of operations to lists of rows. A row says for which variants it is (`in`,
// `out`, `approx`, `dest`, `arch`; what it leaves out is any) and what these hold: `max_ulp`, or
// `metric: tolerance`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"

namespace lanewise::report {

/// Keys with their values: {"in", "Float16_b"}, {"approx", "No"}, {"arch", "WORMHOLE"}, ...
using BudgetKeys = std::map<std::string, std::string>;

struct BudgetRow {
  BudgetKeys keys;
  std::optional<double> max_ulp = std::nullopt; ///< none: the row has a tolerance
  std::uint32_t line = 0;
};

using Budget = std::map<std::string, std::vector<BudgetRow>>; ///< rows by operation

/// Error: BadInput with the file and the line of what is wrong.
Expected<Budget> parse_budget(const std::string& text, const std::string& file);

/// Of the rows that match a variant, which has all keys, the one that says most; null if there is
/// none. A row without `arch` was measured on Wormhole, and holds there alone.
/// Error: BadInput with the line if two say equally much.
Expected<const BudgetRow*> find_budget_row(const std::vector<BudgetRow>& rows,
                                           const BudgetKeys& variant);

} // namespace lanewise::report
