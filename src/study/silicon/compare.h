// The rows of a table of cycles, measured on a model.
#pragma once

#include "study/silicon/cases_measured.h"
#include "study/silicon/compared.h"

namespace lanewise::silicon {

/// The value of a row: the median over its members, and so of either form. Error: of the meter; of
/// members_of().
Expected<RowCycles> row_cycles(const CostRow& row, ZoneMeter& meter);

/// Every row of the table, in its order; one whose value cannot be had is left out, with the
/// reason. A case that several rows have is measured once. Where `progress` stops it, rows are
/// missing whose cases were not reached. Error: BadInput if there can be no processes.
Expected<Comparison> compare(const std::vector<CostRow>& table, ZoneMeter& meter,
                             const CompareSettings& settings = {});

} // namespace lanewise::silicon
