#include "report/llk_diff/report.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "report/llk_diff/tables.h"
#include "report/page/page.h"

namespace lanewise::report {
namespace {

using changes::CaseDifference;
using changes::TreeDiff;
using changes::Verdict;
using nlohmann::json;

/// Cases of a test, operation or kernel that a table of results shows.
constexpr std::size_t kShownText = 4, kShownMarkdown = 3, kShownPage = 100;

std::vector<Table> tables_of(const TreeDiff& diff, std::size_t shown) {
  return {llk_diff_groups(diff),   llk_diff_results(diff, shown), llk_diff_failures(diff),
          llk_diff_findings(diff), llk_diff_state(diff),          llk_diff_cycles(diff),
          llk_diff_unmoved(diff)};
}

std::string groups_text(const std::set<std::string>& groups) {
  constexpr std::size_t kMost = 6;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& each : groups) {
    if (++shown > kMost) return text + fmt::format(" and {} more", groups.size() - kMost);
    text += (text.empty() ? "" : ", ") + each;
  }
  return text;
}

json json_of(const std::vector<changes::Finding>& findings) {
  json all = json::array();
  for (const changes::Finding& each : findings)
    all.push_back({{"what", each.what}, {"place", each.place}});
  return all;
}

std::string_view verdict_name(Verdict verdict) {
  constexpr std::array<std::string_view, 6> kNames{"not reached",  "same",        "moved",
                                                   "fails before", "fails after", "fails in both"};
  return kNames[static_cast<std::size_t>(verdict)];
}

json json_of(const CaseDifference& each) {
  json parameters = json::object();
  for (const auto& [name, value] : each.parameters) parameters[name] = value;
  json entry{{"kind", changes::kind_name(each.kind)},
             {"chip", arch_params(each.arch).names.id},
             {"id", valid_utf8(each.id)},
             {"group", valid_utf8(each.group)},
             {"source", valid_utf8(each.source)},
             {"parameters", std::move(parameters)},
             {"verdict", verdict_name(each.verdict)},
             {"inputs_differ", each.inputs_differ}};
  if (!each.error_before.empty()) entry["error_before"] = valid_utf8(each.error_before);
  if (!each.error_after.empty()) entry["error_after"] = valid_utf8(each.error_after);
  if (each.verdict == Verdict::NotReached) return entry;
  if (each.results) {
    const changes::ElementChanges& results = *each.results;
    entry["results"] = {{"changed", results.changed},
                        {"elements", results.elements},
                        {"tiles_changed", results.tiles_changed},
                        {"tiles", results.tiles},
                        {"faces", results.faces},
                        {"rows", results.rows},
                        {"columns", results.columns},
                        {"where", changes::places_text(results)},
                        {"largest_ulp", results.largest_ulp},
                        {"largest_absolute", results.largest_absolute},
                        {"lost", results.lost},
                        {"first", results.first}};
  }
  if (each.other_bytes != 0)
    entry["other_l1"] = {{"bytes", each.other_bytes}, {"first_address", each.first_other}};
  if (each.ends_before != each.ends_after) {
    entry["ends_before"] = each.ends_before;
    entry["ends_after"] = each.ends_after;
  }
  entry["new_findings"] = json_of(each.new_findings);
  entry["gone_findings"] = json_of(each.gone_findings);
  entry["instructions_before"] = each.executed_before;
  entry["instructions_after"] = each.executed_after;
  json cycles = json::array(), state = json::array();
  for (const changes::CyclesChange& change : each.cycles)
    cycles.push_back(
        {{"floor", change.resource}, {"before", change.before}, {"after", change.after}});
  for (const changes::StateChange& change : each.state)
    state.push_back({{"field", change.name}, {"before", change.before}, {"after", change.after}});
  entry["cycles"] = std::move(cycles);
  entry["state"] = std::move(state);
  return entry;
}

json json_of(const changes::KindCounts& counts) {
  return {{"known", counts.known}, {"reached", counts.reached}};
}

/// Text in a cell of Markdown.
Table for_markdown(Table table) {
  for (TableRow& row : table.rows) {
    for (TableCell& cell : row) {
      std::string text;
      for (const char c : cell.text) {
        if (c == '|') text += '\\';
        text += c == '\n' ? ' ' : c;
      }
      cell.text = std::move(text);
    }
  }
  for (TableColumn& column : table.columns) {
    if (column.heading.empty()) column.heading = "way";
  }
  return table;
}

} // namespace

std::string llk_diff_headline(const TreeDiff& diff) {
  std::set<std::string> results, others, ran;
  for (const CaseDifference& each : diff.cases) {
    if (each.verdict != Verdict::NotReached && each.verdict != Verdict::FailsBoth)
      ran.insert(each.group);
    if (!changes::is_difference(each.verdict)) continue;
    (each.has_results_moved() ? results : others).insert(each.group);
  }
  const std::string stopped =
      diff.not_run == 0 ? "" : fmt::format(" ({} cases were not run)", diff.not_run);
  if (!results.empty()) return fmt::format("results moved: {}{}", groups_text(results), stopped);
  if (!others.empty())
    return fmt::format("no result moved, but other things did: {}{}", groups_text(others), stopped);
  if (diff.no_tests) return "tests could not be listed, and nothing else moved";
  if (ran.empty() && diff.stopped) return "stopped before anything ran";
  if (ran.empty())
    return fmt::format("nothing moved: nothing that the change reaches was there to run{}",
                       stopped);
  return fmt::format("nothing moved: {}{}", groups_text(ran), stopped);
}

std::string llk_diff_text(const TreeDiff& diff) {
  std::string text = llk_diff_headline(diff) + "\n";
  for (const std::string& fact : llk_diff_facts(diff)) text += "  " + fact + "\n";
  for (const std::string& note : diff.notes) text += "note: " + note + "\n";
  for (const Table& table : tables_of(diff, kShownText)) {
    if (!table.rows.empty()) text += "\n" + table_text(table);
  }
  return text;
}

json llk_diff_json(const TreeDiff& diff) {
  json chips = json::array(), cases = json::array();
  for (const Arch arch : diff.chips) chips.push_back(arch_params(arch).names.id);
  for (const CaseDifference& each : diff.cases) cases.push_back(json_of(each));
  return {{"moved", changes::has_moved(diff)},
          {"headline", valid_utf8(llk_diff_headline(diff))},
          {"first", {{"tree", valid_utf8(diff.first)}, {"commit", diff.first_commit}}},
          {"second", {{"tree", valid_utf8(diff.second)}, {"commit", diff.second_commit}}},
          {"chips", std::move(chips)},
          {"changed_files", diff.changed},
          {"python_differs", diff.python_differs},
          {"tests", json_of(diff.tests)},
          {"operations", json_of(diff.operations)},
          {"kernels", json_of(diff.kernels)},
          {"not_run", diff.not_run},
          {"stopped", diff.stopped},
          {"tests_listed", !diff.no_tests.has_value()},
          {"notes", diff.notes},
          {"cases", std::move(cases)}};
}

std::string llk_diff_markdown(const TreeDiff& diff) {
  std::string text = fmt::format("### llk-diff: {}\n\n", llk_diff_headline(diff));
  for (const std::string& fact : llk_diff_facts(diff)) text += "- " + fact + "\n";
  for (const std::string& note : diff.notes) text += "- note: " + note + "\n";
  for (const Table& table : tables_of(diff, kShownMarkdown)) {
    if (!table.rows.empty())
      text += fmt::format("\n**{}**\n\n{}", table.title, table_markdown(for_markdown(table)));
  }
  return text;
}

std::string llk_diff_html(const TreeDiff& diff, const std::string& command) {
  std::size_t moved = 0, results = 0, ran = 0;
  for (const CaseDifference& each : diff.cases) {
    ran += each.verdict == Verdict::NotReached ? 0 : 1;
    moved += changes::is_difference(each.verdict) ? 1 : 0;
    results += each.has_results_moved() ? 1 : 0;
  }
  std::string body =
      card_row(card(std::to_string(results), "cases with other results") +
               card(std::to_string(moved), "cases in which anything moved") +
               card(std::to_string(ran), "cases that ran in both trees") +
               card(std::to_string(diff.cases.size() - ran), "cases that the change cannot reach") +
               card(std::to_string(diff.not_run), "cases that were not run"));
  // The first says which trees they are.
  std::vector<std::string> facts = llk_diff_facts(diff);
  const std::string trees = std::move(facts.front());
  facts.erase(facts.begin());
  body += list_items(facts);
  if (!diff.notes.empty()) body += "<h3>Notes</h3>" + list_items(diff.notes);
  for (const Table& table : tables_of(diff, kShownPage)) {
    body += table_html(table);
  }
  return html_page({.title = "llk-diff: " + diff.first + " to " + diff.second,
                    .heading = llk_diff_headline(diff),
                    .subtitle = trees,
                    .style = "li { overflow-wrap: anywhere; }",
                    .body = std::move(body),
                    .record = {.command = command}});
}

} // namespace lanewise::report
