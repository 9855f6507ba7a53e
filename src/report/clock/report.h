// How far a model's cycles are from those of silicon, for people and for programs (docs/timing.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "study/silicon/record.h"

namespace lanewise::report {

struct ClockReport {
  std::string table; ///< as the user named it
  std::string checkout;
  silicon::Comparison comparison = {};
  std::string held = {};                     ///< a record that it is held against; "": none
  std::vector<silicon::WorseRow> worse = {}; ///< than that
};

/// "12 of 634 rows compared: half of them within 1.2 %, nine of ten within 4.5 %, 93.1 % near": the
/// first line of every form.
std::string clock_headline(const ClockReport& report);

/// A line per engine, unit and width of Dst; the worst rows; residuals of all that are not near;
/// rows of which silicon shows more than one value; what was left out, and why; what is worse than
/// in the record.
std::string clock_text(const ClockReport& report);

/// The figures, the worst rows and the residuals as tables of docs/timing.md.
std::string clock_markdown(const ClockReport& report);

/// docs/cli.md describes the fields.
nlohmann::ordered_json clock_json(const ClockReport& report);

/// The same with a picture: measured cycles to the right, those of the model upwards, both in steps
/// of the same ratio. `command`: with which the page was made.
std::string clock_html(const ClockReport& report, const std::string& command);

} // namespace lanewise::report
