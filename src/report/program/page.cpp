#include "report/program/page.h"

#include <fmt/format.h>

#include <vector>

#include "chip/clock/bounds.h"
#include "report/page/page.h"
#include "report/program/picture.h"
#include "report/program/rows.h"
#include "report/program/style.h"
#include "report/program/waits.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

/// Tiles in the second picture.
constexpr std::size_t kShownTiles = 3;

std::string cards(const TileTime& time) {
  const clock::PerTile each = clock::per_tile(time.arch, time.run, time.tiles);
  std::string all = card(
      fmt::format("{:.1f}", each.cycles),
      each.is_steady ? "cycles per tile in the steady state" : "cycles per tile, by the whole run");
  all += card(std::to_string(each.tiles), "tiles");
  all += card(std::to_string(time.run.cycles), "cycles in total");
  if (!each.bounds.empty()) {
    const clock::Bound& bound = each.bounds[each.largest];
    const double share = each.cycles == 0 ? 0 : 100 * bound.cycles / each.cycles;
    all += card(bound.part, fmt::format("bounds it: alone {:.1f} cycles per tile, {:.0f} % of them",
                                        bound.cycles, share));
  }
  return card_row(all);
}

std::string pictures(const ProgramTime& time) {
  const std::vector<RunRow> rows = rows_of(time);
  std::string html = rows_legend(rows);
  html += "<h3>The whole run, cycle by cycle</h3>\n" +
          rows_svg(rows, {0, time.tile.run.cycles}, "The whole run");
  if (const auto steady = steady_stretch(time.tile.run)) {
    html += fmt::format("<h3>{} tiles from the middle of it</h3>\n", kShownTiles) +
            rows_svg(rows, *steady, "Tiles of the steady state");
  }
  return html;
}

} // namespace

std::optional<RunStretch> steady_stretch(const clock::TimedResult& run) {
  const std::vector<clock::TileEnd>& ends = run.ends;
  const std::size_t first = ends.size() / 2;
  if (first == 0 || first + kShownTiles >= ends.size()) return std::nullopt;
  return RunStretch{ends[first].cycle, ends[first + kShownTiles].cycle};
}

std::string table_columns_html(const std::vector<Table>& all) {
  std::string html = "<div class=\"columns\">";
  for (const Table& table : all) {
    const std::string text = table_html(table);
    if (!text.empty()) html += "<div>" + text + "</div>\n";
  }
  return html + "</div>\n";
}

std::string program_time_body(const ProgramTime& time) {
  return cards(time.tile) + "<h2>Who does what when</h2>\n" + pictures(time) +
         "<h2>Where the time goes</h2>\n" + table_columns_html({hot_lines_table(time)}) +
         table_columns_html(program_time_tables(time)) +
         table_columns_html(tile_time_tables(time.tile)) + "<h2>What is assumed</h2>\n" +
         list_items(time.tile.assumed);
}

std::string run_page(const TileTime& tile, const std::string& body, const std::string& command) {
  return html_page(
      {.title = tile.program + ": a run in time",
       .heading = tile.program,
       .subtitle = fmt::format("A run in time on {}: cycles of a model, not of silicon",
                               arch_params(tile.arch).names.full),
       .style = std::string(rows_style()),
       .body = body,
       .record = {command, {}}});
}

std::string program_time_html(const ProgramTime& time, const std::string& command) {
  return run_page(time.tile, program_time_body(time), command);
}

} // namespace lanewise::report
