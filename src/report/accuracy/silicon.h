// Our errors beside those that were measured on boards.
#pragma once

#include <span>
#include <string>

#include "report/accuracy/table.h"

namespace lanewise::report {

/// A page in Markdown: for each operation and chip the largest error and the mean of those above 0,
/// published and ours, and why they differ where they do. Only operations with published figures
/// are in it. The rows were counted with UlpMeasure::AccuracyReport. `command` is what made it.
std::string silicon_markdown(std::span<const AccuracyRow> rows, const std::string& command);

} // namespace lanewise::report
