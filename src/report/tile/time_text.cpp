#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/source_line.h"
#include "report/plain_number.h"
#include "report/table/table.h"
#include "report/tile/report.h"
#include "report/tile/time.h"

namespace lanewise::report {

namespace {

using clock::Why;

std::string tiles_text(std::uint64_t tiles) {
  return fmt::format("{} tile{}", tiles, tiles == 1 ? "" : "s");
}

std::string per_tile_text(const clock::PerTile& each) {
  if (each.is_steady)
    return fmt::format("{:.1f} cycles per tile in the steady state, over the second half of {}\n",
                       each.cycles, tiles_text(each.tiles));
  return fmt::format(
      "{:.1f} cycles per tile, by the whole run of {}: {} or more packed tiles show "
      "the steady state\n",
      each.cycles, tiles_text(each.tiles), clock::kSteadyTiles);
}

Table bounds_table(const clock::PerTile& each) {
  Table table{
      .title = "If only this counted, cycles per tile",
      .columns = {{"part"}, {"cycles", ColumnKind::Number}, {"share", ColumnKind::Number}, {""}}};
  for (std::size_t i = 0; i < each.bounds.size(); ++i) {
    const clock::Bound& bound = each.bounds[i];
    table.rows.push_back(
        {bound.part, fmt::format("{:.1f}", bound.cycles),
         each.cycles == 0 ? "" : fmt::format("{:.0f} %", 100 * bound.cycles / each.cycles),
         i == each.largest ? "bounds it" : ""});
  }
  return table;
}

/// A row with a figure of each thread, and its share of that thread's cycles.
TableRow thread_row(std::string name, const std::array<std::uint64_t, kThreads>& figures,
                    const std::array<std::uint64_t, kThreads>& whole, bool has_share) {
  TableRow row{std::move(name)};
  for (unsigned i = 0; i < kThreads; ++i) {
    row.emplace_back(std::to_string(figures[i]));
    row.emplace_back(
        has_share ? percent_of(static_cast<double>(figures[i]), static_cast<double>(whole[i]))
                  : std::string());
  }
  return row;
}

/// What is counted of each thread or core, in the order of threads.
template <class Figure>
std::array<std::uint64_t, kThreads> of_each(Figure figure) {
  std::array<std::uint64_t, kThreads> figures{};
  for (unsigned i = 0; i < kThreads; ++i) figures[i] = figure(i);
  return figures;
}

std::uint64_t all_waits(const clock::ThreadTime& thread) {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : thread.waited) sum += each;
  return sum;
}

Table table_of_threads(std::string title) {
  Table table{.title = std::move(title), .columns = {{""}}};
  for (unsigned i = 0; i < kThreads; ++i) {
    table.columns.push_back({thread_text(i), ColumnKind::Number});
    table.columns.push_back({"", ColumnKind::Number});
  }
  return table;
}

Table threads_table(const clock::TimedResult& run) {
  Table table = table_of_threads("Cycles of the threads, until their last instructions");
  const auto whole =
      of_each([&](unsigned i) { return run.thread[i].issuing + all_waits(run.thread[i]); });
  const auto add = [&](std::string name, const auto& figures, bool has_share) {
    table.rows.push_back(thread_row(std::move(name), figures, whole, has_share));
  };
  add("instructions", of_each([&](unsigned i) { return run.thread[i].issued; }), false);
  add("cycles", whole, false);
  add("issuing", of_each([&](unsigned i) { return run.thread[i].issuing; }), true);
  for (unsigned why = 0; why < clock::kWhys; ++why) {
    const auto waited = of_each([&](unsigned i) { return run.thread[i].waited[why]; });
    if (std::ranges::all_of(waited, [](std::uint64_t each) { return each == 0; })) continue;
    add(fmt::format("waits for {}", clock::why_text(static_cast<Why>(why))), waited, true);
  }
  return table;
}

Table cores_table(const clock::TimedResult& run) {
  Table table = table_of_threads("Cycles of the cores, until the last that they push or store");
  const auto whole = of_each([&](unsigned i) { return run.core[i].own + run.core[i].waited; });
  table.rows.push_back(
      thread_row("own code", of_each([&](unsigned i) { return run.core[i].own; }), whole, true));
  table.rows.push_back(thread_row(
      "waits for the tile", of_each([&](unsigned i) { return run.core[i].waited; }), whole, true));
  return table;
}

Table functions_table(const TileTime& time) {
  Table table{.title = "Cycles of the cores by function, up to their last instructions",
              .columns = {{"core"},
                          {"function"},
                          {"instructions", ColumnKind::Number},
                          {"cycles", ColumnKind::Number},
                          {"", ColumnKind::Number}}};
  std::map<unsigned, std::uint64_t> of_core; // of all its functions, which is all of its run
  for (const section::FunctionCost& each : time.functions) of_core[each.thread] += each.cycles;
  for (const section::FunctionCost& each : time.functions) {
    table.rows.push_back(
        {thread_text(each.thread), each.name.empty() ? "outside of functions" : each.name,
         std::to_string(each.instructions), std::to_string(each.cycles),
         percent_of(static_cast<double>(each.cycles), static_cast<double>(of_core[each.thread]))});
  }
  return table;
}

Table zones_table(const TileTime& time) {
  Table table{.title = "Zones",
              .columns = {{"thread"},
                          {"zone"},
                          {"begins", ColumnKind::Number},
                          {"ends", ColumnKind::Number},
                          {"cycles", ColumnKind::Number}}};
  for (const section::Zone& zone : time.zones) {
    const bool is_whole = zone.kind == section::Zone::Kind::Whole;
    table.rows.push_back({thread_text(zone.thread), zone.name, std::to_string(zone.begin),
                          is_whole ? std::to_string(zone.end) : "",
                          is_whole ? std::to_string(zone.end - zone.begin) : ""});
  }
  return table;
}

Table timeline_table(const TileTime& time) {
  const auto& all = time.run.timeline;
  const std::size_t shown = std::min(time.shown, all.size());
  Table table{.title = fmt::format("The last {} of {} instructions", shown, all.size()),
              .columns = {{"cycle", ColumnKind::Number},
                          {"thread"},
                          {"line", ColumnKind::Number},
                          {"instruction"},
                          {"waited", ColumnKind::Number},
                          {"for"}}};
  for (std::size_t i = all.size() - shown; i < all.size(); ++i) {
    const clock::Issued& each = all[i];
    const bool waited = each.waited != 0;
    table.rows.push_back({std::to_string(each.cycle), thread_text(each.thread),
                          line_label(each.word.line), instruction_text(time.arch, each.word.word),
                          waited ? std::to_string(each.waited) : "",
                          waited ? std::string(clock::why_text(each.why)) : ""});
  }
  return table;
}

} // namespace

std::vector<Table> tile_time_tables(const TileTime& time) {
  return {bounds_table(clock::per_tile(time.arch, time.run, time.tiles)),
          threads_table(time.run),
          cores_table(time.run),
          functions_table(time),
          zones_table(time),
          timeline_table(time)};
}

std::vector<std::string> gather_notes(Arch arch, bool gathers) {
  if (arch_params(arch).cores.fused_pushes < 2) return {};
  return {fmt::format("assumed of the cores: gathering of pushes is {} (--gather)",
                      gathers ? "on" : "off")};
}

std::string tile_time_text(const TileTime& time) {
  const clock::PerTile each = clock::per_tile(time.arch, time.run, time.tiles);
  std::string text =
      fmt::format("{}: {} cycles of the model\n", arch_params(time.arch).names.id, time.run.cycles);
  text += per_tile_text(each);
  if (time.slow) {
    text += fmt::format(
        "{:.1f} to {:.1f} cycles per tile: each core pushes a word in 1 cycle, or in {}\n",
        each.cycles, clock::per_tile(time.arch, time.slow->run, time.tiles).cycles,
        time.slow->cycles_per_word);
  }
  text += "\n" + tables_text(tile_time_tables(time));
  if (!time.assumed.empty()) text += "\n";
  for (const std::string& sentence : time.assumed) text += fmt::format("note: {}\n", sentence);
  return text;
}

} // namespace lanewise::report
