// The ways in which errors are counted in units in the last place, by their names.
//
// A sweep, a comparison, a table of accuracy and the check of LLK's kernels all take one of these;
// without another choice it is Line, the one that this project defines (number/formats/ulp.h). The
// others are those of tools that the same kernels are measured with, so that figures can be
// compared. docs/ulp.md has every formula, and what becomes of zeros, denormals, infinities and
// NaN.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "number/formats/format.h"

namespace lanewise::formats {

enum class UlpMeasure : std::uint8_t {
  Line,           ///< steps between the chip's numbers; before rounding, in proportion
  TtLlk,          ///< steps, as the gate of tt-llk's tests counts them (helpers/ulp.py)
  Ttnn,           ///< |found - golden| / gap above the golden, as ttnn's comp_ulp()
  AccuracyReport, ///< the same of flushed numbers, as tt-eltwise-accuracy-report scores them
  AccuracyReportUnrounded ///< that report's earlier form: against the golden before rounding
};

inline constexpr std::array kUlpMeasures{UlpMeasure::Line, UlpMeasure::TtLlk, UlpMeasure::Ttnn,
                                         UlpMeasure::AccuracyReport,
                                         UlpMeasure::AccuracyReportUnrounded};

/// "line", "tt-llk", "ttnn", ...: the name on the command line.
std::string_view ulp_measure_name(UlpMeasure measure);

/// One line that says how it counts.
std::string_view ulp_measure_meaning(UlpMeasure measure);

/// The names with their meanings, one line for each, for --help.
std::string ulp_measure_help();

/// The measure of a name. Error: BadInput that lists the names.
Expected<UlpMeasure> parse_ulp_measure(std::string_view name);

/// Whether the measure knows errors against the reference before it is rounded.
bool has_exact_errors(UlpMeasure measure);

/// Instead of a distance: the measure has no number for what was found.
inline constexpr double kLost = std::numeric_limits<double>::infinity();
/// Instead of an error against the unrounded reference: there is none.
inline constexpr double kNotCompared = -1;

/// The error of one result.
struct UlpError {
  double distance = 0; ///< from the rounded reference, positive where the result is larger; kLost
  double exact = kNotCompared; ///< from the reference before rounding, >= 0; kNotCompared
  friend bool operator==(const UlpError&, const UlpError&) = default;
};

/// The error of the result `found` where the true one is `exact`, and `expected` the same rounded
/// (value bits of the format, number/references/reference.h). 0 and 0 if both are NaN, lost if one
/// of them is.
UlpError ulp_error(UlpMeasure measure, Format format, double exact, std::uint32_t expected,
                   std::uint32_t found);

} // namespace lanewise::formats
