#include "report/tune/front.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/sweep/values.h"
#include "report/table/table.h"
#include "report/tune/text.h"

namespace lanewise::report {

namespace {

std::string case_text(const FrontReport& report, const sweep::UlpStatistics& error) {
  if (error.largest == 0) return "";
  return fmt::format("x = {} ({})", value_text(report.format, error.worst.x),
                     bits_text(report.format, error.worst.x));
}

std::string largest_text(const sweep::UlpStatistics& error) {
  const std::string largest = ulp_count_text(error.largest);
  return error.lost == 0 ? largest : fmt::format("{}, {} lost", largest, error.lost);
}

std::string program_text(const tune::FrontPoint& point) {
  return point.changes.empty() ? "equal to it" : fmt::format("{}", fmt::join(point.changes, "; "));
}

TableRow point_row(const FrontReport& report, std::string number, double per_row, double per_tile,
                   const sweep::UlpStatistics& error, std::string what) {
  return {std::move(number),   fmt::format("{:.1f}", per_row), fmt::format("{:.1f}", per_tile),
          largest_text(error), case_text(report, error),       fmt::format("{:.3f}", error.mean()),
          std::move(what)};
}

std::string points_table(const FrontReport& report) {
  Table table{.columns = table_columns({""}), .rows = {}};
  for (const char* heading : {"per row", "per tile", "largest ULP"})
    table.columns.push_back({.heading = heading, .kind = ColumnKind::Number});
  table.columns.push_back({.heading = "at"});
  table.columns.push_back({.heading = "mean ULP", .kind = ColumnKind::Number});
  table.columns.push_back({.heading = "program"});
  const tune::TuneResult& equal = report.front.equal;
  table.rows.push_back(
      point_row(report, "", equal.plain_cycles / static_cast<double>(equal.rows.addresses.size()),
                equal.plain_cycles, report.front.plain_error.error, "the plain kernel"));
  for (std::size_t i = 0; i < report.front.points.size(); ++i) {
    const tune::FrontPoint& point = report.front.points[i];
    table.rows.push_back(point_row(report, std::to_string(i + 1), point.interval,
                                   static_cast<double>(point.cycles), point.error,
                                   program_text(point)));
  }
  return table_text(table);
}

std::string reference_text(const FrontReport& report) {
  return report.reference.empty() ? "the plain kernel's results" : report.reference;
}

std::string nothing_text(const FrontReport& report) {
  std::string text = fmt::format(
      "No faster program within {:g} ULP was found: the plain one stays.\n", report.max_ulp);
  if (!report.front.plain_error.is_within(report.max_ulp))
    text += fmt::format(
        "The plain kernel itself is farther from {}; without --ref errors are counted from its "
        "results.\n",
        report.reference);
  return text;
}

std::string chosen_text(const FrontReport& report) {
  const std::vector<tune::FrontPoint>& points = report.front.points;
  if (points.empty()) return nothing_text(report);
  const tune::Tuned& last = points.back().tuned;
  return fmt::format(
      "Each was measured over all {} inputs, as it is printed; 'check' finds {}; the clock "
      "takes the cycles that were predicted.\n"
      "Program {} follows: LRegs: {}, macros: {}, templates: {}, replay slots: {}.\n",
      report.front.inputs, findings_text(report.front.findings), points.size(), last.registers,
      last.macros, last.templates, last.body);
}

nlohmann::json error_object(const sweep::UlpStatistics& error, formats::Format format) {
  return {{"largest_ulp", error.largest},
          {"at", bits_text(format, error.worst.x)},
          {"mean_ulp", error.mean()},
          {"lost", error.lost}};
}

} // namespace

std::string front_text(const FrontReport& report) {
  const tune::Front& front = report.front;
  std::string text =
      fmt::format("{}: {} rows; at most {:g} ULP from {}\n", report.name,
                  front.equal.rows.addresses.size(), report.max_ulp, reference_text(report));
  text += points_table(report);
  text += fmt::format(
      "Looked at {} rows that compute nearly the same: {} are within the error, and programs of "
      "{} were searched.\n",
      front.rows, front.within, front.searched);
  if (front.stopped) text += "The search was stopped before its end.\n";
  return text + chosen_text(report);
}

nlohmann::json front_json(const FrontReport& report) {
  nlohmann::json points = nlohmann::json::array();
  for (const tune::FrontPoint& point : report.front.points) {
    nlohmann::json each = error_object(point.error, report.format);
    each["changes"] = point.changes;
    each["cycles_per_row"] = point.interval;
    each["cycles_per_tile"] = point.cycles;
    each["code"] = point.text;
    points.push_back(std::move(each));
  }
  nlohmann::json plain = error_object(report.front.plain_error.error, report.format);
  plain["cycles_per_tile"] = report.front.equal.plain_cycles;
  nlohmann::json result{{"kernel", report.name},           {"reference", nullptr},
                        {"max_ulp", report.max_ulp},       {"plain", std::move(plain)},
                        {"points", std::move(points)},     {"rows", report.front.rows},
                        {"within", report.front.within},   {"searched", report.front.searched},
                        {"stopped", report.front.stopped}, {"findings", report.front.findings}};
  if (!report.reference.empty()) result["reference"] = report.reference;
  return result;
}

} // namespace lanewise::report
