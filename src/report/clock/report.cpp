#include "report/clock/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "report/clock/tables.h"

namespace lanewise::report {

std::string clock_headline(const ClockReport& report) {
  std::vector<double> errors;
  std::size_t near = 0;
  for (const silicon::ComparedRow& each : report.comparison.rows) {
    if (!each.cycles) continue;
    errors.push_back(each.error());
    near += each.is_near() ? 1 : 0;
  }
  std::string text =
      fmt::format("{} of {} rows compared", errors.size(), report.comparison.rows.size());
  if (errors.empty()) return text;
  return text +
         fmt::format(": half of them within {}, nine of ten within {}, {} near",
                     percent_text(silicon::median_of(errors)),
                     percent_text(silicon::ninetieth_of(errors)),
                     percent_text(static_cast<double>(near) / static_cast<double>(errors.size())));
}

std::string clock_text(const ClockReport& report) {
  std::string text = clock_headline(report) + "\n";
  for (const Table& table : clock_tables(report.comparison)) {
    const std::string part = table_text(table);
    if (!part.empty()) text += "\n" + part;
  }
  if (!report.held.empty()) {
    const std::string worse = table_text(worse_table(report.worse));
    text += worse.empty() ? fmt::format("\nno row is further away than {} has it\n", report.held)
                          : "\n" + worse;
  }
  return text;
}

std::string clock_markdown(const ClockReport& report) {
  std::string text =
      clock_headline(report) + ".\n\n" + table_markdown(group_table(report.comparison));
  const auto add = [&](std::string_view sentence, const Table& table) {
    if (!table.rows.empty()) text += fmt::format("\n{}:\n\n{}", sentence, table_markdown(table));
  };
  add("The rows that are furthest away", worst_table(report.comparison));
  add("What is not near, by operation: silicon's medians, and the model less these",
      residual_table(report.comparison));
  add("Rows of which silicon shows more than one value, those whose range the model is within, "
      "those of whose initialisation it has two forms, and of these the ones whose forms are near "
      "silicon's least and most",
      band_table(report.comparison));
  add("Rows that are left out", reason_table(report.comparison));
  return text;
}

nlohmann::ordered_json clock_json(const ClockReport& report) {
  nlohmann::ordered_json document{
      {"source", "lanewise-model"},        {"table", report.table},
      {"checkout", report.checkout},       {"compared", report.comparison.compared()},
      {"groups", nlohmann::json::array()}, {"rows", nlohmann::json::array()}};
  for (const silicon::ErrorGroup& group : report.comparison.groups) {
    nlohmann::ordered_json entry{{"engine", silicon::engine_name(group.engine)},
                                 {"unit", silicon::unit_name(group.unit)},
                                 {"dest_acc", silicon::width_name(group.width)},
                                 {"rows", group.rows},
                                 {"compared", group.compared},
                                 {"near", group.near},
                                 {"bands", group.bands},
                                 {"within", group.within},
                                 {"forms", group.forms},
                                 {"ends", group.ends},
                                 {"median_error", nullptr},
                                 {"ninetieth_error", nullptr}};
    if (group.compared != 0) {
      entry["median_error"] = group.median;
      entry["ninetieth_error"] = group.ninetieth;
    }
    document["groups"].push_back(std::move(entry));
  }
  for (const silicon::ComparedRow& each : report.comparison.rows) {
    nlohmann::ordered_json entry{{"line", each.row.line},
                                 {"op", each.row.op},
                                 {"engine", silicon::engine_name(each.row.engine)},
                                 {"unit", silicon::unit_name(each.row.unit)},
                                 {"inputs", each.row.inputs},
                                 {"outputs", each.row.outputs},
                                 {"dest_acc", silicon::width_name(silicon::width_of(each.row))},
                                 {"options", nlohmann::json::object()},
                                 {"silicon", each.row.median},
                                 {"silicon_least", each.row.least},
                                 {"silicon_most", each.row.most},
                                 {"model", nullptr},
                                 {"forms", nullptr},
                                 {"within", nullptr},
                                 {"left_out", nullptr}};
    for (const auto& [name, value] : each.row.options) entry["options"][name] = value;
    if (each.forms)
      entry["forms"] = {{"taken_in", each.forms->taken_in}, {"left", each.forms->left}};
    if (each.cycles) {
      entry["model"] = *each.cycles;
      entry["within"] = each.is_within();
    } else {
      entry["left_out"] = each.why;
    }
    document["rows"].push_back(std::move(entry));
  }
  if (report.held.empty()) return document;
  document["held"] = report.held;
  document["worse"] = nlohmann::json::array();
  for (const silicon::WorseRow& each : report.worse) {
    nlohmann::ordered_json entry{{"line", each.now.row.line},
                                 {"row", row_name(each.now.row)},
                                 {"silicon", each.now.row.median},
                                 {"recorded", each.before},
                                 {"model", nullptr}};
    if (each.now.cycles) entry["model"] = *each.now.cycles;
    document["worse"].push_back(std::move(entry));
  }
  return document;
}

} // namespace lanewise::report
