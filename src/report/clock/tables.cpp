#include "report/clock/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace lanewise::report {

namespace {

std::string percent(double share) {
  constexpr double kPercent = 100;
  return fmt::format("{:.1f} %", share * kPercent);
}

/// Rows that are left out for one reason.
struct Reason {
  std::size_t rows = 0;
  std::string first; ///< of them
};

} // namespace

std::string row_name(const silicon::CostRow& row) {
  std::string name =
      fmt::format("{} {}->{} {}", row.op, fmt::join(row.inputs, ";"), fmt::join(row.outputs, ";"),
                  silicon::width_name(silicon::width_of(row)));
  for (const auto& [option, value] : row.options) name += fmt::format(" {}={}", option, value);
  return name;
}

Table group_table(const silicon::Comparison& comparison) {
  Table table{.title = "Error by engine, unit and width of Dst"};
  table.columns = table_columns({"engine", "unit", "Dst"});
  for (TableColumn& column :
       table_columns({"rows", "compared", "median", "90 %", "near"}, ColumnKind::Number))
    table.columns.push_back(std::move(column));
  for (const silicon::ErrorGroup& group : comparison.groups) {
    const bool has = group.compared != 0;
    table.rows.push_back({silicon::engine_name(group.engine), silicon::unit_name(group.unit),
                          silicon::width_name(group.width), fmt::format("{}", group.rows),
                          fmt::format("{}", group.compared), has ? percent(group.median) : "-",
                          has ? percent(group.ninetieth) : "-",
                          has ? percent(static_cast<double>(group.near) / group.compared) : "-"});
  }
  return table;
}

Table worst_table(const silicon::Comparison& comparison) {
  Table table{.title = "Worst rows"};
  table.columns = table_columns({"row", "engine"});
  for (TableColumn& column :
       table_columns({"silicon", "model", "residual", "error"}, ColumnKind::Number))
    table.columns.push_back(std::move(column));
  for (const silicon::ComparedRow* each : silicon::worst_rows(comparison, kWorstRows)) {
    table.rows.push_back({row_name(each->row), silicon::engine_name(each->row.engine),
                          fmt::format("{:.2f}", each->row.median),
                          fmt::format("{:.2f}", *each->cycles),
                          fmt::format("{:+.2f}", each->residual()), percent(each->error())});
  }
  return table;
}

Table reason_table(const silicon::Comparison& comparison) {
  std::map<std::string, Reason> reasons;
  for (const silicon::ComparedRow& each : comparison.rows) {
    if (each.cycles) continue;
    Reason& reason = reasons[each.why];
    if (++reason.rows == 1)
      reason.first = fmt::format("line {}: {}", each.row.line, row_name(each.row));
  }
  std::vector<std::pair<std::string, Reason>> sorted(reasons.begin(), reasons.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const auto& each) { return each.second.rows; });
  Table table{.title = "Left out"};
  table.columns = table_columns({"rows"}, ColumnKind::Number);
  for (TableColumn& column : table_columns({"why", "first"}))
    table.columns.push_back(std::move(column));
  for (const auto& [why, reason] : sorted)
    table.rows.push_back({fmt::format("{}", reason.rows), why, reason.first});
  return table;
}

std::vector<Table> clock_tables(const silicon::Comparison& comparison) {
  return {group_table(comparison), worst_table(comparison), reason_table(comparison)};
}

} // namespace lanewise::report
