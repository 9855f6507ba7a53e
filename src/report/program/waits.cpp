#include "report/program/waits.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "base/source_line.h"
#include "chip/tile/tile.h"
#include "report/plain_number.h"
#include "report/tile/awaited.h"
#include "report/tile/report.h"

namespace lanewise::report {

namespace {

constexpr std::size_t kMostRows = 12;

/// What a thread spends at a line.
struct Spent {
  std::uint64_t instructions = 0, cycles = 0;
  std::array<std::uint64_t, clock::kWhys> waited{};
};

} // namespace

Table core_waits_table(const ProgramTime& time) {
  // One address more than once in a line: one row for what it means.
  std::map<std::pair<unsigned, std::string>, std::map<std::uint32_t, std::uint64_t>> all;
  for (const clock::CoreWait& wait : time.tile.run.core_waits)
    all[{wait.core, awaited_text(time.tile.arch, wait.address)}][wait.line] += wait.cycles;
  struct Row {
    unsigned core;
    std::string what;
    std::uint32_t line;
    std::uint64_t cycles;
  };
  std::vector<Row> rows;
  for (const auto& [key, lines] : all)
    for (const auto& [line, cycles] : lines) rows.push_back({key.first, key.second, line, cycles});
  std::ranges::stable_sort(rows, std::greater(), &Row::cycles);
  if (rows.size() > kMostRows) rows.resize(kMostRows);
  Table table{.title = "Who waits for what",
              .columns = {{""},
                          {"waits for"},
                          {"line"},
                          {"cycles", ColumnKind::Number},
                          {"of the run", ColumnKind::Number}}};
  for (const Row& row : rows)
    table.rows.push_back(
        {core_text(row.core), row.what, line_label(row.line), std::to_string(row.cycles),
         percent_of(static_cast<double>(row.cycles), static_cast<double>(time.tile.run.cycles))});
  return table;
}

Table hot_lines_table(const ProgramTime& time) {
  std::map<std::pair<std::uint32_t, unsigned>, Spent> all;
  for (const clock::Issued& each : time.tile.run.timeline) {
    Spent& spent = all[{each.word.line, each.thread}];
    ++spent.instructions;
    spent.cycles += each.waited + 1;
    spent.waited[static_cast<unsigned>(each.why)] += each.waited;
  }
  std::vector<std::pair<std::pair<std::uint32_t, unsigned>, Spent>> rows(all.begin(), all.end());
  std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.second.cycles; });
  if (rows.size() > kMostRows) rows.resize(kMostRows);
  Table table{.title = "The hottest lines of the threads",
              .columns = {{"line"},
                          {"thread"},
                          {"instructions", ColumnKind::Number},
                          {"cycles", ColumnKind::Number},
                          {"of the run", ColumnKind::Number},
                          {"waits most for"}}};
  for (const auto& [place, spent] : rows) {
    const auto most = std::ranges::max_element(spent.waited);
    const auto why = static_cast<clock::Why>(most - spent.waited.begin());
    table.rows.push_back(
        {line_label(place.first), thread_text(place.second), std::to_string(spent.instructions),
         std::to_string(spent.cycles),
         percent_of(static_cast<double>(spent.cycles), static_cast<double>(time.tile.run.cycles)),
         *most == 0 ? "" : std::string(clock::why_text(why))});
  }
  return table;
}

} // namespace lanewise::report
