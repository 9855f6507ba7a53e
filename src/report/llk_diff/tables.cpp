#include "report/llk_diff/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/plain_number.h"

namespace lanewise::report {
namespace {

using changes::CaseDifference;
using changes::TreeDiff;
using changes::Verdict;

std::string chip_of(const CaseDifference& each) {
  return std::string(arch_params(each.arch).names.id);
}

std::string group_name(const CaseDifference& each) {
  if (each.kind == changes::CaseKind::Test) return each.group;
  return fmt::format("{} {}", changes::kind_name(each.kind), each.group);
}

/// "formats=..., reduce_dim=Row": what tells a case from others of its group.
std::string parameters_text(const CaseDifference& each) {
  std::string text;
  for (const auto& [name, value] : each.parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text;
}

struct GroupCounts {
  std::size_t ran = 0, results = 0, findings = 0, state = 0, cycles = 0, ends = 0, fails = 0;
};

bool has_cycles_moved(const CaseDifference& each) {
  return each.executed_before != each.executed_after || !each.cycles.empty();
}

std::map<std::pair<std::string, std::string>, GroupCounts> group_counts(const TreeDiff& diff) {
  std::map<std::pair<std::string, std::string>, GroupCounts> groups;
  for (const CaseDifference& each : diff.cases) {
    if (each.verdict == Verdict::NotReached) continue;
    GroupCounts& counts = groups[{group_name(each), chip_of(each)}];
    ++counts.ran;
    const bool fails = each.verdict == Verdict::FailsBefore || each.verdict == Verdict::FailsAfter;
    counts.fails += fails ? 1 : 0;
    if (each.verdict != Verdict::Moved) continue;
    counts.results += each.has_results_moved() ? 1 : 0;
    counts.findings += !each.new_findings.empty() || !each.gone_findings.empty() ? 1 : 0;
    counts.state += each.state.empty() ? 0 : 1;
    counts.cycles += has_cycles_moved(each) ? 1 : 0;
    counts.ends += each.ends_before != each.ends_after ? 1 : 0;
  }
  return groups;
}

bool is_quiet(const GroupCounts& counts) {
  return counts.results + counts.findings + counts.state + counts.cycles + counts.ends +
             counts.fails ==
         0;
}

std::string number_or_none(std::size_t number) {
  return number == 0 ? "-" : std::to_string(number);
}

/// The first line of a text.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// What g++ says first, behind the sentence that it failed.
std::string short_error(const std::string& error) {
  const std::size_t at = error.find("error:", std::min(error.find('\n'), error.size()));
  if (at == std::string::npos) return first_line(error);
  const std::size_t begin = error.rfind('\n', at);
  return first_line(error.substr(begin == std::string::npos ? 0 : begin + 1));
}

/// A percentage of elements: "100 %", "3.1 %", "<0.1 %".
std::string share_text(std::uint64_t part, std::uint64_t all) {
  const double percent =
      all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
  if (part == all) return "100 %";
  if (percent < 0.1) return "<0.1 %";
  return fmt::format("{:.1f} %", std::min(percent, 99.9));
}

} // namespace

Table llk_diff_groups(const TreeDiff& diff) {
  Table table{.title = "What moved",
              .columns = {{"test, operation or kernel"},
                          {"chip"},
                          {"ran", ColumnKind::Number},
                          {"results", ColumnKind::Number},
                          {"findings", ColumnKind::Number},
                          {"state", ColumnKind::Number},
                          {"cycles", ColumnKind::Number},
                          {"ends", ColumnKind::Number},
                          {"fails on one side", ColumnKind::Number}}};
  for (const auto& [name, counts] : group_counts(diff)) {
    if (is_quiet(counts)) continue;
    table.rows.push_back({name.first, name.second, std::to_string(counts.ran),
                          number_or_none(counts.results), number_or_none(counts.findings),
                          number_or_none(counts.state), number_or_none(counts.cycles),
                          number_or_none(counts.ends), number_or_none(counts.fails)});
  }
  return table;
}

Table llk_diff_unmoved(const TreeDiff& diff) {
  Table table{.title = "Ran, and nothing moved",
              .columns = {{"test, operation or kernel"}, {"chip"}, {"ran", ColumnKind::Number}}};
  for (const auto& [name, counts] : group_counts(diff)) {
    if (is_quiet(counts))
      table.rows.push_back({name.first, name.second, std::to_string(counts.ran)});
  }
  return table;
}

Table llk_diff_results(const TreeDiff& diff, std::size_t most) {
  Table table{.title = "Results",
              .columns = {{"case"},
                          {"chip"},
                          {"elements", ColumnKind::Number},
                          {"of", ColumnKind::Number},
                          {"share", ColumnKind::Number},
                          {"where"},
                          {"largest ULP", ColumnKind::Number},
                          {"largest difference", ColumnKind::Number},
                          {"first"}}};
  std::vector<const CaseDifference*> moved;
  for (const CaseDifference& each : diff.cases) {
    if (each.verdict == Verdict::Moved && each.has_results_moved()) moved.push_back(&each);
  }
  // Largest shares first; of the same, in their order.
  const auto share = [](const CaseDifference* each) {
    if (!each->results || each->results->elements == 0) return 0.0;
    return static_cast<double>(each->results->changed) /
           static_cast<double>(each->results->elements);
  };
  std::ranges::stable_sort(moved, std::ranges::greater{}, share);
  std::map<std::string, std::size_t> shown;
  for (const CaseDifference* each : moved) {
    if (++shown[group_name(*each) + chip_of(*each)] > most) continue;
    const std::string name = fmt::format("{} [{}]", group_name(*each), parameters_text(*each));
    if (!each->results) {
      table.rows.push_back({name, chip_of(*each), "-", "-", "-",
                            fmt::format("{} of L1 from 0x{:X} on",
                                        counted(each->other_bytes, "byte"), each->first_other),
                            "-", "-", "-"});
      continue;
    }
    const changes::ElementChanges& results = *each->results;
    table.rows.push_back(
        {name, chip_of(*each), std::to_string(results.changed), std::to_string(results.elements),
         share_text(results.changed, results.elements), changes::places_text(results),
         results.largest_ulp == 0 ? "-" : std::to_string(results.largest_ulp),
         fmt::format("{:.4g}{}", results.largest_absolute,
                     results.lost == 0 ? "" : fmt::format(", {} lost", results.lost)),
         results.first});
  }
  return table;
}

Table llk_diff_findings(const TreeDiff& diff) {
  Table table{.title = "Hazards and other findings",
              .columns = {{""}, {"chip"}, {"cases", ColumnKind::Number}, {"what"}, {"where"}}};
  struct Entry {
    std::set<std::string> cases;
    std::string place;
  };
  std::map<std::tuple<std::string, std::string, std::string>, Entry> all;
  for (const CaseDifference& each : diff.cases) {
    const auto add = [&](const char* way, const std::vector<changes::Finding>& findings) {
      for (const changes::Finding& finding : findings) {
        Entry& entry = all[{way, chip_of(each), finding.what}];
        entry.cases.insert(each.id);
        entry.place = finding.place;
      }
    };
    add("new", each.new_findings);
    add("gone", each.gone_findings);
  }
  for (const auto& [key, entry] : all) {
    const auto& [way, chip, what] = key;
    table.rows.push_back({way, chip, std::to_string(entry.cases.size()), what, entry.place});
  }
  std::ranges::stable_sort(table.rows, [](const TableRow& a, const TableRow& b) {
    return a.front().text > b.front().text; // "new" before "gone"
  });
  return table;
}

Table llk_diff_state(const TreeDiff& diff) {
  Table table{.title = "State left behind",
              .columns = {{"field"},
                          {"chip"},
                          {"cases", ColumnKind::Number},
                          {"before", ColumnKind::Bits},
                          {"after", ColumnKind::Bits}}};
  struct Entry {
    std::size_t cases = 0;
    std::set<std::uint32_t> before, after;
  };
  std::map<std::pair<std::string, std::string>, Entry> all;
  for (const CaseDifference& each : diff.cases) {
    for (const changes::StateChange& change : each.state) {
      Entry& entry = all[{change.name, chip_of(each)}];
      ++entry.cases;
      entry.before.insert(change.before);
      entry.after.insert(change.after);
    }
  }
  const auto text = [](const std::set<std::uint32_t>& values) {
    constexpr std::size_t kMostValues = 3;
    std::string joined;
    std::size_t shown = 0;
    for (const std::uint32_t value : values) {
      if (++shown > kMostValues) return joined + ", ...";
      joined += fmt::format("{}0x{:X}", joined.empty() ? "" : ", ", value);
    }
    return joined;
  };
  for (const auto& [name, entry] : all)
    table.rows.push_back({name.first, name.second, std::to_string(entry.cases), text(entry.before),
                          text(entry.after)});
  return table;
}

Table llk_diff_cycles(const TreeDiff& diff) {
  Table table{.title = "Cycles: instructions of each thread, and cycles of a tile",
              .columns = {{"test, operation or kernel"},
                          {"chip"},
                          {"figure"},
                          {"cases", ColumnKind::Number},
                          {"before", ColumnKind::Number},
                          {"after", ColumnKind::Number},
                          {"largest change", ColumnKind::Number}}};
  struct Entry {
    std::size_t cases = 0;
    double before = 0, after = 0, largest = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string>, Entry> all;
  const auto add = [&](const CaseDifference& each, const std::string& figure, double before,
                       double after) {
    if (before == after) return;
    Entry& entry = all[{group_name(each), chip_of(each), figure}];
    ++entry.cases;
    entry.before += before;
    entry.after += after;
    const double change = before == 0 ? 100.0 : 100.0 * (after - before) / before;
    if (std::abs(change) > std::abs(entry.largest)) entry.largest = change;
  };
  for (const CaseDifference& each : diff.cases) {
    if (each.verdict != Verdict::Moved) continue;
    for (unsigned thread = 0; thread < kThreads; ++thread)
      add(each, fmt::format("instructions of T{}", thread),
          static_cast<double>(each.executed_before[thread]),
          static_cast<double>(each.executed_after[thread]));
    for (const changes::CyclesChange& change : each.cycles)
      add(each, change.resource, change.before, change.after);
  }
  for (const auto& [key, entry] : all) {
    const auto& [group, chip, figure] = key;
    table.rows.push_back({group, chip, figure, std::to_string(entry.cases),
                          fmt::format("{:.0f}", entry.before), fmt::format("{:.0f}", entry.after),
                          fmt::format("{:+.1f} %", entry.largest)});
  }
  return table;
}

Table llk_diff_failures(const TreeDiff& diff) {
  Table table{.title = "What fails", .columns = {{"case"}, {"chip"}, {"in"}, {"why"}}};
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> all;
  const auto add = [&](const CaseDifference& each, const std::string& side,
                       const std::string& why) {
    ++all[{group_name(each), chip_of(each), side, why}];
  };
  for (const CaseDifference& each : diff.cases) {
    if (each.verdict == Verdict::FailsBoth) {
      add(each, "both", short_error(each.error_before));
    } else if (!each.error_before.empty()) {
      add(each, diff.first, short_error(each.error_before));
    } else if (!each.error_after.empty()) {
      add(each, diff.second, short_error(each.error_after));
    }
    if (each.ends_before == each.ends_after) continue;
    for (const std::string& end : each.ends_before) add(each, diff.first, end);
    for (const std::string& end : each.ends_after) add(each, diff.second, end);
  }
  for (const auto& [key, cases] : all) {
    const auto& [group, chip, side, why] = key;
    table.rows.push_back({fmt::format("{} ({})", group, counted(cases, "case")), chip, side, why});
  }
  return table;
}

std::vector<std::string> llk_diff_facts(const TreeDiff& diff) {
  std::vector<std::string> facts;
  const auto named = [](const std::string& name, const std::string& commit) {
    return commit.empty() ? name : fmt::format("{} ({})", name, commit.substr(0, 12));
  };
  facts.push_back(fmt::format("from {} to {}", named(diff.first, diff.first_commit),
                              named(diff.second, diff.second_commit)));
  std::string files;
  constexpr std::size_t kMostFiles = 8;
  std::size_t shown = 0;
  for (const std::string& name : diff.changed) {
    if (++shown > kMostFiles) break;
    files += fmt::format("{}{}", files.empty() ? "" : ", ", name);
  }
  if (diff.changed.size() > kMostFiles) files += ", ...";
  facts.push_back(fmt::format("{} in more than comments{}{}",
                              diff.changed.size() == 1
                                  ? "1 file differs"
                                  : fmt::format("{} files differ", diff.changed.size()),
                              files.empty() ? "" : ": ", files));
  if (diff.python_differs) facts.emplace_back("the tests in Python differ");
  const auto reach = [&](const char* what, const changes::KindCounts& counts) {
    if (counts.known != 0)
      facts.push_back(
          fmt::format("{} of {} {} can be reached", counts.reached, counts.known, what));
  };
  reach("sources of tests", diff.tests);
  reach("operations", diff.operations);
  reach("kernels", diff.kernels);
  const std::size_t unreached = changes::count(diff, Verdict::NotReached);
  facts.push_back(
      fmt::format("{}: {} ran in both trees, {} not, since what is compiled is the same",
                  counted(diff.cases.size(), "case"), diff.cases.size() - unreached, unreached));
  if (const std::size_t both = changes::count(diff, Verdict::FailsBoth); both != 0)
    facts.push_back(fmt::format("{} cannot be run in either tree", counted(both, "case")));
  const auto others = std::ranges::count_if(diff.cases, &CaseDifference::inputs_differ);
  if (others != 0)
    facts.push_back(fmt::format("{} found something else in L1 in the two trees",
                                counted(static_cast<std::size_t>(others), "case")));
  if (diff.not_run != 0)
    facts.push_back(
        fmt::format("{} not run{}",
                    diff.not_run == 1 ? "1 case was" : fmt::format("{} cases were", diff.not_run),
                    diff.stopped ? ", since it was stopped" : ""));
  return facts;
}

} // namespace lanewise::report
