#include "report/state/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/version.h"
#include "chip/isa/disassembler.h"
#include "report/table/table.h"
#include "run/section/call_text.h"

namespace lanewise::report {

namespace {

using tile::FieldChange;
using tile::StateField;

constexpr std::uint32_t kLargestDecimal = 9999;

/// Instructions as such, small numbers in decimal, others in hexadecimal.
std::string config_value_text(Arch arch, std::uint32_t value, bool is_word) {
  if (is_word && value != 0) return isa::disassemble(arch, value);
  return value <= kLargestDecimal ? fmt::to_string(value) : fmt::format("0x{:x}", value);
}

const std::vector<StateField>& end_of(const StateWay& way) {
  return way.steps.empty() ? way.start : way.steps.back().after;
}

/// The last call behind which the field has another value than in front of it.
std::optional<std::size_t> left_by(const StateWay& way, std::size_t field) {
  for (std::size_t i = way.steps.size(); i-- > 0;) {
    const section::StateStep& step = way.steps[i];
    if (step.before[field].value != step.after[field].value) return i;
  }
  return std::nullopt;
}

std::string call_text(const StateWay& way, std::optional<std::size_t> call) {
  if (!call) return "the start";
  const std::string& text = way.steps[*call].call.text;
  const std::string_view name = section::called_name(text);
  return fmt::format("{}: {}", *call + 1, name.empty() ? std::string_view(text) : name);
}

// ---------------------------------------------------------------- Lanes and columns

/// "LReg[11], lane " and 5 of "LReg[11], lane 5".
std::optional<std::pair<std::string_view, unsigned>> numbered(std::string_view name) {
  for (const std::string_view kind : {", lane ", ", column "}) {
    const std::size_t at = name.find(kind);
    if (at == std::string_view::npos) continue;
    const std::string_view digits = name.substr(at + kind.size());
    unsigned number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size())
      return std::pair(name.substr(0, at + kind.size()), number);
  }
  return std::nullopt;
}

/// Lists with equal values and neighbouring numbers, from the i-th on: where they end.
template <class Item, class NameOf, class Same>
std::size_t end_of_run(const std::vector<Item>& items, std::size_t i, const NameOf& name_of,
                       const Same& same) {
  const auto first = numbered(name_of(items[i]));
  std::size_t end = i + 1;
  for (; first && end < items.size(); ++end) {
    const auto next = numbered(name_of(items[end]));
    if (!next || next->first != first->first || next->second != first->second + (end - i) ||
        !same(items[i], items[end]))
      break;
  }
  return end;
}

std::string joined_name(std::string_view first, std::string_view last) {
  if (first == last) return std::string(first);
  const auto from = numbered(first), to = numbered(last);
  std::string_view front = from->first;
  front.remove_suffix(1);
  return fmt::format("{}s {} to {}", front, from->second, to->second);
}

/// Differences, joined as changes are.
std::vector<StateDifference> joined(std::vector<StateDifference> differences) {
  std::vector<StateDifference> result;
  const auto name = [](const StateDifference& each) { return std::string_view(each.field.name); };
  for (std::size_t i = 0; i < differences.size();) {
    const std::size_t end =
        end_of_run(differences, i, name, [](const StateDifference& a, const StateDifference& b) {
          return a.field.before == b.field.before && a.field.after == b.field.after &&
                 a.first_left_by == b.first_left_by && a.second_left_by == b.second_left_by;
        });
    StateDifference one = differences[i];
    one.field.name = joined_name(differences[i].field.name, differences[end - 1].field.name);
    result.push_back(std::move(one));
    i = end;
  }
  return result;
}

// ---------------------------------------------------------------- Tables

bool shows(const StateReport& report, tile::StateKind kind) {
  return report.only.empty() || std::ranges::find(report.only, kind) != report.only.end();
}

std::vector<FieldChange> shown_changes(const StateReport& report, const section::StateStep& step) {
  std::vector<FieldChange> changes = tile::field_changes(step.before, step.after);
  std::erase_if(changes, [&](const FieldChange& each) { return !shows(report, each.kind); });
  return changes;
}

Table change_table(const StateReport& report, const section::StateStep& step) {
  Table table{.columns = table_columns({"field", "before", "after"}), .indent = 2};
  for (const FieldChange& change : joined_changes(shown_changes(report, step)))
    table.rows.push_back({change.name,
                          config_value_text(report.arch, change.before, change.is_word),
                          config_value_text(report.arch, change.after, change.is_word)});
  return table;
}

Table difference_table(const StateReport& report) {
  const StateWay &first = report.ways[0], &second = report.ways[1];
  Table table{.columns = table_columns({"field", "", "", "", ""}), .indent = 2};
  table.columns[1].heading = first.name;
  table.columns[2].heading = second.name;
  table.columns[3].heading = "left by, " + first.name;
  table.columns[4].heading = "left by, " + second.name;
  for (const StateDifference& each : joined(state_differences(report))) {
    table.rows.push_back(
        {each.field.name, config_value_text(report.arch, each.field.before, each.field.is_word),
         config_value_text(report.arch, each.field.after, each.field.is_word),
         call_text(first, each.first_left_by), call_text(second, each.second_left_by)});
  }
  return table;
}

std::string heading_of(const section::StateStep& step, std::size_t number, std::size_t changes) {
  std::string text =
      fmt::format("{}: {}, {}", number, section::kSectionNames[step.call.thread], step.call.text);
  if (step.line != 0) text += fmt::format(", line {}", step.line);
  text += fmt::format(": {} field{} changed", changes == 0 ? "no" : fmt::to_string(changes),
                      changes == 1 ? "" : "s");
  if (!step.alone) text += " (another thread has changed some of them, too, meanwhile)";
  return text;
}

std::string summary_of(const StateReport& report, std::size_t differences) {
  const StateWay &first = report.ways[0], &second = report.ways[1];
  if (differences == 0) {
    return fmt::format("{} and {} end in the same state", first.name, second.name);
  }
  return fmt::format("{} and {} end with {} field{} different", first.name, second.name,
                     differences, differences == 1 ? "" : "s");
}

std::string title_of(const StateReport& report) {
  const std::string_view chip = arch_params(report.arch).names.id;
  return report.file.empty() ? std::string(chip) : fmt::format("{}: {}", chip, report.file);
}

// ---------------------------------------------------------------- JSON

nlohmann::json change_json(Arch arch, const FieldChange& change) {
  nlohmann::json result{{"kind", tile::state_kind_name(change.kind)},
                        {"field", change.name},
                        {"before", change.before},
                        {"after", change.after}};
  if (change.is_word) {
    result["before_text"] = config_value_text(arch, change.before, true);
    result["after_text"] = config_value_text(arch, change.after, true);
  }
  return result;
}

nlohmann::json way_json(const StateReport& report, const StateWay& way) {
  nlohmann::json calls = nlohmann::json::array();
  for (const section::StateStep& step : way.steps) {
    nlohmann::json changes = nlohmann::json::array();
    for (const FieldChange& change : shown_changes(report, step))
      changes.push_back(change_json(report.arch, change));
    nlohmann::json call{{"thread", section::kSectionNames[step.call.thread]},
                        {"call", step.call.text},
                        {"alone", step.alone},
                        {"changes", std::move(changes)}};
    if (step.line != 0) call["line"] = step.line;
    calls.push_back(std::move(call));
  }
  return {{"name", way.name}, {"calls", std::move(calls)}};
}

nlohmann::json index_json(std::optional<std::size_t> index) {
  return index ? nlohmann::json(*index) : nlohmann::json();
}

} // namespace

std::vector<FieldChange> joined_changes(std::vector<FieldChange> changes) {
  std::vector<FieldChange> result;
  const auto name = [](const FieldChange& each) { return std::string_view(each.name); };
  for (std::size_t i = 0; i < changes.size();) {
    const std::size_t end =
        end_of_run(changes, i, name, [](const FieldChange& a, const FieldChange& b) {
          return a.before == b.before && a.after == b.after;
        });
    FieldChange one = changes[i];
    one.name = joined_name(changes[i].name, changes[end - 1].name);
    result.push_back(std::move(one));
    i = end;
  }
  return result;
}

std::vector<StateDifference> state_differences(const StateReport& report) {
  const StateWay &first = report.ways[0], &second = report.ways[1];
  const std::vector<StateField>&one = end_of(first), &other = end_of(second);
  std::vector<StateDifference> differences;
  for (std::size_t i = 0; i < one.size() && i < other.size(); ++i) {
    if (one[i].value == other[i].value || !shows(report, one[i].kind)) continue;
    differences.push_back({.field = {.kind = one[i].kind,
                                     .name = one[i].name,
                                     .before = one[i].value,
                                     .after = other[i].value,
                                     .is_word = one[i].is_word},
                           .first_left_by = left_by(first, i),
                           .second_left_by = left_by(second, i)});
  }
  return differences;
}

std::string state_text(const StateReport& report) {
  std::string text = title_of(report) + "\n";
  if (report.ways.size() == 2) {
    const auto differences = joined(state_differences(report));
    text += summary_of(report, differences.size()) + "\n";
    return text + table_text(difference_table(report));
  }
  for (std::size_t i = 0; i < report.ways.front().steps.size(); ++i) {
    const section::StateStep& step = report.ways.front().steps[i];
    const Table table = change_table(report, step);
    text += heading_of(step, i + 1, table.rows.size()) + "\n" + table_text(table);
  }
  return text;
}

std::string state_markdown(const StateReport& report) {
  std::string text = fmt::format("**{}**\n\n", title_of(report));
  if (report.ways.size() == 2) {
    const Table table = difference_table(report);
    text += summary_of(report, table.rows.size()) + "\n";
    return table.rows.empty() ? text : text + "\n" + table_markdown(table);
  }
  for (std::size_t i = 0; i < report.ways.front().steps.size(); ++i) {
    const section::StateStep& step = report.ways.front().steps[i];
    const Table table = change_table(report, step);
    text += heading_of(step, i + 1, table.rows.size()) + "\n";
    text += table.rows.empty() ? "\n" : "\n" + table_markdown(table) + "\n";
  }
  return text;
}

nlohmann::json state_json(const StateReport& report) {
  nlohmann::json result{{"format", "lanewise-llk-state"},
                        {"version", version()},
                        {"arch", arch_params(report.arch).names.id},
                        {"ways", nlohmann::json::array()}};
  if (!report.file.empty()) result["file"] = report.file;
  for (const StateWay& way : report.ways) result["ways"].push_back(way_json(report, way));
  if (report.ways.size() != 2) return result;
  nlohmann::json& differences = result["differences"] = nlohmann::json::array();
  for (const StateDifference& each : state_differences(report)) {
    differences.push_back({{"kind", tile::state_kind_name(each.field.kind)},
                           {"field", each.field.name},
                           {"first", each.field.before},
                           {"second", each.field.after},
                           {"first_left_by", index_json(each.first_left_by)},
                           {"second_left_by", index_json(each.second_left_by)}});
  }
  return result;
}

} // namespace lanewise::report
