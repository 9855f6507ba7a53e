#include "report/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plain_number.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

constexpr std::size_t kPartColumns = 44, kNumberColumns = 10;

std::string difference_text(const ChangeRow& row) {
  const double change = row.after - row.before;
  if (change == 0) return "0";
  return (change > 0 ? "+" : "-") + number(std::abs(change));
}

std::string share_text(double before, double after) {
  constexpr double kPercent = 100;
  return fmt::format("{:+.1f} %", kPercent * (after - before) / before);
}

std::string share_text(const ChangeRow& row) {
  return row.after == row.before || row.before == 0 ? "" : share_text(row.before, row.after);
}

std::string group_text(const ChangeGroup& group) {
  Table table{.columns = {{group.title, ColumnKind::Text, kPartColumns},
                          {"before", ColumnKind::Number, kNumberColumns},
                          {"after", ColumnKind::Number, kNumberColumns},
                          {"change", ColumnKind::Number, kNumberColumns},
                          {"", ColumnKind::Number, kNumberColumns}}};
  for (const ChangeRow& row : group.rows) {
    table.rows.push_back({"  " + row.part, number(row.before), number(row.after),
                          difference_text(row), share_text(row)});
  }
  return table_text(table);
}

} // namespace

void add_figures(ChangeGroup& group, const NamedFigures& figures, bool is_after) {
  for (const auto& [part, value] : figures) {
    auto found = std::ranges::find(group.rows, part, &ChangeRow::part);
    if (found == group.rows.end()) found = group.rows.insert(group.rows.end(), {.part = part});
    (is_after ? found->after : found->before) = value;
  }
}

std::string gain_text(double before, double after) {
  std::string text = fmt::format("{} cycles, then {}: ", number(before), number(after));
  if (before == after) return text + "no change";
  text += fmt::format("{} {}", number(std::abs(after - before)), after < before ? "fewer" : "more");
  return before == 0 ? text : text + fmt::format(" ({})", share_text(before, after));
}

std::string change_text(const Change& change) {
  std::string text = fmt::format("before: {}\nafter:  {}\n\n", change.before, change.after);
  for (const ChangeGroup& group : change.groups) text += group_text(group);
  text += "\n";
  for (const std::string& sentence : change.sentences) text += sentence + "\n";
  return text;
}

nlohmann::ordered_json change_json(const Change& change) {
  using nlohmann::ordered_json;
  ordered_json document{{"before", change.before},
                        {"after", change.after},
                        {"groups", ordered_json::array()},
                        {"sentences", change.sentences}};
  for (const ChangeGroup& group : change.groups) {
    ordered_json rows = ordered_json::array();
    for (const ChangeRow& row : group.rows) {
      rows.push_back({{"part", row.part},
                      {"before", row.before},
                      {"after", row.after},
                      {"change", row.after - row.before}});
    }
    document["groups"].push_back({{"title", group.title}, {"rows", std::move(rows)}});
  }
  return document;
}

} // namespace lanewise::report
