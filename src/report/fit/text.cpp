#include "report/fit/text.h"

#include <fmt/format.h>

#include <cmath>

#include "report/plain_number.h"
#include "report/sweep/headline.h"
#include "report/sweep/values.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

std::string error_name(fits::ErrorKind error) {
  return error == fits::ErrorKind::Relative ? "relative" : "absolute";
}

/// "relative error at most 1.23e-4 (2^-13)"
std::string bound_text(fits::ErrorKind error, double bound, bool is_proved) {
  const std::string power = bound > 0 ? fmt::format(" (2^{:.1f})", std::log2(bound)) : "";
  return fmt::format("{} error {} {:.4g}{}", error_name(error), is_proved ? "at most" : "about",
                     bound, power);
}

std::string polynomial_text(const fits::Polynomial& polynomial, formats::Format format) {
  Table table{.columns = table_columns({"power", "coefficient", "bits"}, ColumnKind::Number)};
  for (std::size_t i = 0; i < polynomial.powers.size(); ++i) {
    const double coefficient = polynomial.coefficients[i];
    table.rows.push_back({fmt::format("{}", polynomial.powers[i]),
                          fmt::format("{:.9g}", coefficient),
                          bits_text(format, formats::round_to_bits(format, coefficient))});
  }
  std::string text = table_text(table);
  text += fmt::format("Before any rounding: {}",
                      bound_text(polynomial.error, polynomial.bound, polynomial.is_proved));
  if (!std::isnan(polynomial.best))
    text += fmt::format("; {:.4g} if coefficients were not rounded", polynomial.best);
  return text + ".\n";
}

std::string line_bits(const fits::LineTable& table, std::uint32_t bits) {
  return table.kind == fits::TableKind::Fp32Three ? fmt::format("{:08X}", bits)
                                                  : fmt::format("{:04X}", bits);
}

std::string lines_text(const fits::LineTable& lines) {
  Table table{.columns = table_columns(
                  {"|x| from", "to", "slope", "bits", "intercept", "bits", "largest error"},
                  ColumnKind::Number)};
  for (const fits::TableLine& line : lines.lines) {
    table.rows.push_back({fmt::format("{:g}", line.low), fmt::format("{:g}", line.high),
                          fmt::format("{:.7g}", line.slope), line_bits(lines, line.slope_bits),
                          fmt::format("{:.7g}", line.intercept),
                          line_bits(lines, line.intercept_bits),
                          line.is_used ? fmt::format("{:.3g}", line.bound) : "not in the range"});
  }
  return table_text(table) +
         fmt::format("Before any rounding: {}{}.\n",
                     bound_text(lines.error, lines.bound, lines.is_proved),
                     lines.copies_sign ? "; the result takes the sign of x" : "");
}

std::string chips_text(const sweep::SweepResult& sweep) {
  Table table{.columns = table_columns({"chip", "largest ULP", "at", "largest exact ULP",
                                        "mean ULP", "cycles per tile", "instructions"},
                                       ColumnKind::Number)};
  for (const sweep::SweepStatistics& chip : sweep.chips) {
    table.rows.push_back({chip_name(chip.arch), ulp_count_text(chip.error.largest),
                          place_text(sweep, chip.error.worst), ulp_text(chip.error.largest_exact),
                          ulp_text(chip.error.mean()), number(chip.cycles),
                          number(chip.instructions)});
  }
  return table_text(table);
}

std::string inputs_text(const sweep::SweepResult& sweep) {
  return fmt::format(
      "The kernel on {} in the range, {}:\n",
      counted(sweep.done, fmt::format("{} input", formats::format_name(sweep.format))),
      sweep.space.sample ? "a sample" : "all there are");
}

} // namespace

std::string fit_text(const FitReport& report) {
  std::string text =
      fmt::format("{} for x from {} to {}\n\n", report.function, report.low, report.high);
  if (report.polynomial) text += polynomial_text(*report.polynomial, report.coefficients);
  if (report.table) text += lines_text(*report.table);
  text += "\n" + inputs_text(report.sweep) + chips_text(report.sweep);
  for (const sweep::SweepStatistics& chip : report.sweep.chips) {
    for (const std::string& sentence : apart(chip))
      text += fmt::format("{}: {}\n", chip_name(chip.arch), sentence);
  }
  if (report.file.empty()) return text + "\n" + report.kernel;
  return text + fmt::format("\nThe kernel is in {}.\n", report.file);
}

} // namespace lanewise::report
