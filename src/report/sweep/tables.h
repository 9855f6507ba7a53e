// What a sweep has found, in the tables and sentences that text and page share.
#pragma once

#include <string>
#include <vector>

#include "report/sweep/report.h"
#include "report/table/table.h"

namespace lanewise::report {

/// "tanh.cpp against tanh(x)".
std::string sweep_title(const SweepReport& report);

/// "bf16, every input: 65536 inputs" with what cuts them down: the domain, a stop.
std::string sweep_inputs(const SweepReport& report);

/// ULP rows with counts and percent: of the results, and rounded before the store where that is
/// known.
Table ulp_table(const SweepReport& report);

/// Largest and mean errors with their places, zeros with a wrong sign, cost of a tile.
Table figure_table(const SweepReport& report);

/// What rounding before the store would change, a sentence for each chip that knows.
std::vector<std::string> store_sentences(const SweepReport& report);

/// Inputs that are no normal numbers, and inputs without a number as the reference.
Table class_table(const SweepReport& report);

/// Special values one by one: those that differ somewhere, or all of them if they are few.
Table special_table(const SweepReport& report);
/// "40 of 42 special values agree." Empty if there are none.
std::string special_sentence(const SweepReport& report);

/// Monotonicity and symmetry.
std::vector<std::string> shape_sentences(const SweepReport& report);

/// Errors by decade of x. Neighbouring decades whose results are equally good, with at most 1 ULP,
/// are one row.
Table decade_table(const SweepReport& report);

/// The worst inputs, at most `most` of each chip.
Table worst_table(const SweepReport& report, std::size_t most);

/// "bh: ..." for each fault.
std::vector<std::string> fault_texts(const SweepReport& report);

} // namespace lanewise::report
