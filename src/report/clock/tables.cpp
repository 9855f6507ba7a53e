#include "report/clock/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace lanewise::report {

namespace {

/// "38.00", or the first and the last of several values.
std::string range_text(double least, double most, std::string_view sign = "") {
  const auto text = [&](double value) {
    return sign.empty() ? fmt::format("{:.2f}", value) : fmt::format("{:+.2f}", value);
  };
  return text(least) == text(most) ? text(least) : fmt::format("{} to {}", text(least), text(most));
}

/// Rows that are not near and go by one name.
struct FarRows {
  std::string op;
  silicon::Engine engine;
  silicon::Unit unit;
  silicon::Width width;
  std::size_t rows = 0;
  double least = 0, most = 0;               ///< residuals
  double least_median = 0, most_median = 0; ///< of silicon

  bool has(const silicon::CostRow& row) const {
    return op == row.op && engine == row.engine && unit == row.unit &&
           width == silicon::width_of(row);
  }
  void add(const silicon::ComparedRow& each) {
    const bool is_first = rows++ == 0;
    const auto stretch = [&](double& low, double& high, double value) {
      low = is_first ? value : std::min(low, value);
      high = is_first ? value : std::max(high, value);
    };
    stretch(least, most, each.residual());
    stretch(least_median, most_median, each.row.median);
  }
};

/// How far a model's cycles are outside of what was measured.
double beyond(const silicon::ComparedRow& each) {
  return std::max(each.row.least - *each.cycles, *each.cycles - each.row.most);
}

/// Rows that are left out for one reason.
struct Reason {
  std::size_t rows = 0;
  std::string first; ///< of them
};

} // namespace

std::string percent_text(double share) {
  constexpr double kPercent = 100;
  return fmt::format("{:.1f} %", share * kPercent);
}

std::string model_text(const silicon::ComparedRow& each) {
  std::string text = fmt::format("{:.2f}", *each.cycles);
  if (each.forms)
    text += fmt::format(" ({:.2f} or {:.2f})", each.forms->taken_in, each.forms->left);
  return text;
}

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
    table.rows.push_back(
        {silicon::engine_name(group.engine), silicon::unit_name(group.unit),
         silicon::width_name(group.width), fmt::format("{}", group.rows),
         fmt::format("{}", group.compared), has ? percent_text(group.median) : "-",
         has ? percent_text(group.ninetieth) : "-",
         has ? percent_text(static_cast<double>(group.near) / group.compared) : "-"});
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
                          fmt::format("{:.2f}", each->row.median), model_text(*each),
                          fmt::format("{:+.2f}", each->residual()), percent_text(each->error())});
  }
  return table;
}

Table residual_table(const silicon::Comparison& comparison) {
  std::vector<FarRows> all;
  for (const silicon::ComparedRow& each : comparison.rows) {
    if (!each.cycles || each.is_near()) continue;
    auto found = std::ranges::find_if(all, [&](const FarRows& one) { return one.has(each.row); });
    if (found == all.end()) {
      found = all.insert(all.end(), {.op = each.row.op,
                                     .engine = each.row.engine,
                                     .unit = each.row.unit,
                                     .width = silicon::width_of(each.row)});
    }
    found->add(each);
  }
  Table table{.title = "Residuals of the rows that are not near"};
  table.columns = table_columns({"operation", "engine", "unit", "Dst"});
  for (TableColumn& column : table_columns({"rows", "silicon", "residual"}, ColumnKind::Number))
    table.columns.push_back(std::move(column));
  for (const FarRows& each : all) {
    table.rows.push_back({each.op, silicon::engine_name(each.engine), silicon::unit_name(each.unit),
                          silicon::width_name(each.width), fmt::format("{}", each.rows),
                          range_text(each.least_median, each.most_median),
                          range_text(each.least, each.most, "+")});
  }
  return table;
}

Table band_table(const silicon::Comparison& comparison) {
  Table table{.title = "Rows of which silicon shows more than one value"};
  table.columns = table_columns({"engine", "unit", "Dst"});
  for (TableColumn& column :
       table_columns({"rows", "model within", "two forms", "at both ends"}, ColumnKind::Number))
    table.columns.push_back(std::move(column));
  for (const silicon::ErrorGroup& group : comparison.groups) {
    if (group.bands == 0) continue;
    table.rows.push_back({silicon::engine_name(group.engine), silicon::unit_name(group.unit),
                          silicon::width_name(group.width), fmt::format("{}", group.bands),
                          fmt::format("{}", group.within), fmt::format("{}", group.forms),
                          fmt::format("{}", group.ends)});
  }
  return table;
}

Table outside_table(const silicon::Comparison& comparison) {
  std::vector<const silicon::ComparedRow*> rows;
  for (const silicon::ComparedRow& each : comparison.rows)
    if (each.cycles && silicon::has_band(each.row) && !each.is_within()) rows.push_back(&each);
  std::ranges::stable_sort(rows, std::greater(),
                           [](const silicon::ComparedRow* each) { return beyond(*each); });
  rows.resize(std::min(rows.size(), kWorstRows));
  Table table{.title = "Furthest outside of the values of silicon"};
  table.columns = table_columns({"row", "engine"});
  for (TableColumn& column : table_columns({"silicon", "model", "beyond"}, ColumnKind::Number))
    table.columns.push_back(std::move(column));
  for (const silicon::ComparedRow* each : rows) {
    table.rows.push_back({row_name(each->row), silicon::engine_name(each->row.engine),
                          range_text(each->row.least, each->row.most), model_text(*each),
                          fmt::format("{:.2f}", beyond(*each))});
  }
  return table;
}

Table worse_table(const std::vector<silicon::WorseRow>& worse) {
  Table table{.title = "Further away than recorded"};
  table.columns = table_columns({"row", "engine"});
  for (TableColumn& column : table_columns({"silicon", "recorded", "model"}, ColumnKind::Number))
    table.columns.push_back(std::move(column));
  for (const silicon::WorseRow& each : worse) {
    const silicon::ComparedRow& now = each.now;
    table.rows.push_back({row_name(now.row), silicon::engine_name(now.row.engine),
                          fmt::format("{:.2f}", now.row.median), fmt::format("{:.2f}", each.before),
                          now.cycles ? fmt::format("{:.2f}", *now.cycles) : "left out"});
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
  return {group_table(comparison), worst_table(comparison),   residual_table(comparison),
          band_table(comparison),  outside_table(comparison), reason_table(comparison)};
}

} // namespace lanewise::report
