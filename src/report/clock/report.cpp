#include "report/clock/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "report/clock/tables.h"

namespace lanewise::report {

std::string clock_headline(const ClockReport& report) {
  return fmt::format("{} of {} rows compared", report.comparison.compared(),
                     report.comparison.rows.size());
}

std::string clock_text(const ClockReport& report) {
  std::string text = clock_headline(report) + "\n";
  for (const Table& table : clock_tables(report.comparison)) {
    const std::string part = table_text(table);
    if (!part.empty()) text += "\n" + part;
  }
  return text;
}

std::string clock_markdown(const ClockReport& report) {
  return clock_headline(report) + ".\n\n" + table_markdown(group_table(report.comparison)) +
         "\nThe rows that are furthest away:\n\n" + table_markdown(worst_table(report.comparison));
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
                                 {"model", nullptr},
                                 {"left_out", nullptr}};
    for (const auto& [name, value] : each.row.options) entry["options"][name] = value;
    if (each.cycles) {
      entry["model"] = *each.cycles;
    } else {
      entry["left_out"] = each.why;
    }
    document["rows"].push_back(std::move(entry));
  }
  return document;
}

} // namespace lanewise::report
