// Rows for tt-llk's sfpu_accuracy_budget.yaml: the largest error that an operation may have, in
// steps as its gate counts them (UlpMeasure::TtLlk).
#pragma once

#include <span>
#include <string>

#include "report/accuracy/table.h"

namespace lanewise::report {

/// A row for each operation that has a name there and can be measured, with the chip. As in that
/// file, the budget is 1.1 times the measured error, rounded up; above what the gate takes at most,
/// the row has a tolerance instead. Rows were counted with UlpMeasure::TtLlk.
std::string budget_yaml(std::span<const AccuracyRow> rows, const std::string& command);

} // namespace lanewise::report
