// The accuracy of many kernels in one table.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "report/table/table.h"
#include "study/corpus/accuracy/corpus.h"
#include "study/sweep/sweep.h"

namespace lanewise::report {

/// A kernel on one chip.
struct AccuracyRow {
  std::string kernel, reference;
  std::string domain; ///< of the finite inputs; empty = all
  unsigned operands = 1;
  formats::Format format = formats::Format::BF16, output_format = formats::Format::BF16;
  formats::UlpMeasure measure = formats::UlpMeasure::Line; ///< the same for all rows of a table
  sweep::SweepStatistics statistics;
};

/// A row for each chip of a sweep.
std::vector<AccuracyRow> accuracy_rows(const corpus::AccuracyKernel& kernel,
                                       const sweep::SweepResult& result);

/// The figures, without markup: kernel, function, inputs, chip, the percentages of each row of ULP,
/// largest and mean error, the same if stored to nearest, order, special values, instructions,
/// cycles.
Table accuracy_table(std::span<const AccuracyRow> rows);

/// What went wrong while the kernels ran, as far as it makes results worthless.
std::vector<std::string> accuracy_faults(std::span<const AccuracyRow> rows);

/// A page in Markdown with the table, columns aligned. `command` is what made it, for its first
/// lines. The same rows give the same text: it has neither dates nor paths.
std::string accuracy_markdown(std::span<const AccuracyRow> rows, const std::string& command);

/// The same rows; docs/cli.md describes the fields.
nlohmann::json accuracy_json(std::span<const AccuracyRow> rows);

} // namespace lanewise::report
