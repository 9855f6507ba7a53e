#include "report/fit/json.h"

#include <cmath>

#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

const char* error_key(fits::ErrorKind error) {
  return error == fits::ErrorKind::Relative ? "relative" : "absolute";
}

json polynomial_object(const fits::Polynomial& polynomial, formats::Format format) {
  json terms = json::array();
  for (std::size_t i = 0; i < polynomial.powers.size(); ++i) {
    const double coefficient = polynomial.coefficients[i];
    terms.push_back({{"power", polynomial.powers[i]},
                     {"coefficient", coefficient},
                     {"bits", bits_text(format, formats::round_to_bits(format, coefficient))}});
  }
  json result{{"format", formats::format_name(format)}, {"terms", std::move(terms)},
              {"error", error_key(polynomial.error)},   {"bound", polynomial.bound},
              {"proved", polynomial.is_proved},         {"best", nullptr}};
  if (!std::isnan(polynomial.best)) result["best"] = polynomial.best;
  return result;
}

json line_object(const fits::TableLine& line) {
  json result{{"from", line.low},
              {"to", nullptr},
              {"slope", line.slope},
              {"slope_bits", line.slope_bits},
              {"intercept", line.intercept},
              {"intercept_bits", line.intercept_bits},
              {"used", line.is_used}};
  if (std::isfinite(line.high)) result["to"] = line.high;
  if (line.is_used) result["bound"] = line.bound;
  return result;
}

json table_object(const fits::LineTable& table) {
  json lines = json::array();
  for (const fits::TableLine& line : table.lines) lines.push_back(line_object(line));
  return {{"lines", std::move(lines)},
          {"copies_sign", table.copies_sign},
          {"error", error_key(table.error)},
          {"bound", table.bound},
          {"proved", table.is_proved}};
}

json chip_object(const sweep::SweepResult& sweep, const sweep::SweepStatistics& chip) {
  return {{"chip", chip_name(chip.arch)},
          {"inputs", sweep.done},
          {"largest_ulp", chip.error.largest},
          {"at", place_text(sweep, chip.error.worst)},
          {"largest_exact_ulp", chip.error.largest_exact},
          {"mean_ulp", chip.error.mean()},
          {"cycles", chip.cycles},
          {"instructions", chip.instructions}};
}

} // namespace

nlohmann::json fit_json(const FitReport& report) {
  json chips = json::array();
  for (const sweep::SweepStatistics& chip : report.sweep.chips)
    chips.push_back(chip_object(report.sweep, chip));
  json result{{"function", report.function},
              {"range", {report.low, report.high}},
              {"format", formats::format_name(report.sweep.format)},
              {"chips", std::move(chips)},
              {"kernel", report.kernel}};
  if (report.polynomial)
    result["polynomial"] = polynomial_object(*report.polynomial, report.coefficients);
  if (report.table) result["table"] = table_object(*report.table);
  return result;
}

} // namespace lanewise::report
