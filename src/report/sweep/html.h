// A sweep as a page, and as a picture.
#pragma once

#include <string>

#include "report/sweep/report.h"

namespace lanewise::report {

/// A page that needs nothing else: pictures of both chips, tables, assembly with cycles.
std::string sweep_html(const SweepReport& report, const std::string& command = {});

/// Verdicts, cards, pictures and numbers, for a page that has sweep_page_style().
std::string sweep_section(const SweepReport& report);

/// The tables and sentences alone: results by |ULP|, figures, special values, decades, worst
/// inputs.
std::string sweep_numbers(const SweepReport& report);

/// The pictures alone as one SVG file with its own colours: error over input, histogram, function
/// and result.
std::string sweep_svg(const SweepReport& report);

} // namespace lanewise::report
