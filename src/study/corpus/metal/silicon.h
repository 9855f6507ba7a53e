// Errors of tt-metal's operations that were measured on boards and published, for comparison.
//
// From the pages of tt-eltwise-accuracy-report, per chip and format: the largest error, and the
// mean of the errors above 0, in units of UlpMeasure::AccuracyReport (docs/sources.md).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "chip/isa/arch.h"
#include "number/formats/format.h"

namespace lanewise::corpus {

struct SiliconFigure {
  std::string_view op; ///< checkouts::SfpuOp::name
  Arch arch = kDefaultArch;
  formats::Format format = formats::Format::BF16;
  double largest = 0;
  double mean = 0; ///< 0 where no result was off
};

std::span<const SiliconFigure> silicon_figures();

/// Null if none was published.
const SiliconFigure* find_silicon(std::string_view op, formats::Format format, Arch arch);

/// Whether anything was published about the operation.
bool has_silicon(std::string_view op);

/// The number with the three digits that those pages print.
std::string silicon_number(double value);

/// Why a figure of ours differs from the published one, where that is known.
std::string_view silicon_difference(std::string_view op);

} // namespace lanewise::corpus
