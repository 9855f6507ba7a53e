#include "number/formats/ulp_measure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/in_quotes.h"
#include "number/formats/ulp_rules.h"

namespace lanewise::formats {

namespace {

struct MeasureRow {
  std::string_view name, meaning;
  bool has_exact_errors;
};

MeasureRow row_of(UlpMeasure measure) {
  switch (measure) {
    case UlpMeasure::Line: return {"line", "steps in the line of the chip's numbers", true};
    case UlpMeasure::TtLlk:
      return {"tt-llk", "steps as tt-llk's gate counts them; infinity is never near", false};
    case UlpMeasure::Ttnn:
      return {"ttnn", "|found - golden| / gap above the golden, as ttnn's comp_ulp", true};
    case UlpMeasure::AccuracyReport:
      return {"accuracy-report", "the same of flushed numbers, as tt-eltwise-accuracy-report",
              true};
    case UlpMeasure::AccuracyReportUnrounded: break;
  }
  return {"accuracy-report-unrounded", "that report's form with a golden that is not rounded",
          true};
}

} // namespace

std::string_view ulp_measure_name(UlpMeasure measure) {
  return row_of(measure).name;
}

std::string_view ulp_measure_meaning(UlpMeasure measure) {
  return row_of(measure).meaning;
}

std::string ulp_measure_help() {
  std::string text;
  for (const UlpMeasure measure : kUlpMeasures) {
    const MeasureRow row = row_of(measure);
    text += fmt::format("{}{:<27}{}", text.empty() ? "" : "\n", row.name, row.meaning);
  }
  return text;
}

Expected<UlpMeasure> parse_ulp_measure(std::string_view name) {
  const auto* const found = std::ranges::find(kUlpMeasures, name, ulp_measure_name);
  if (found != kUlpMeasures.end()) return *found;
  std::vector<std::string_view> names;
  names.reserve(kUlpMeasures.size());
  for (const UlpMeasure measure : kUlpMeasures) names.push_back(ulp_measure_name(measure));
  return bad_input(fmt::format("there is no way to count ULP called {}", in_quotes(name)),
                   fmt::format("use one of {}", fmt::join(names, ", ")));
}

bool has_exact_errors(UlpMeasure measure) {
  return row_of(measure).has_exact_errors;
}

UlpError ulp_error(UlpMeasure measure, Format format, double exact, std::uint32_t expected,
                   std::uint32_t found) {
  return with_line(format, [&]<class Line>(Line) {
    if (Line::is_nan(expected)) return Line::is_nan(found) ? UlpError{0, 0} : kLostResult;
    const WantedResult wanted{.bits = expected,
                              .exact = exact,
                              .position = Line::position(expected),
                              .place = place_of<Line>(exact, value_range(format))};
    return with_rule(measure,
                     [&]<class Rule>(Rule) { return Rule::template error<Line>(wanted, found); });
  });
}

} // namespace lanewise::formats
