#include "report/time/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/page/listing.h"
#include "report/page/page.h"
#include "report/table/table.h"
#include "report/time/figures.h"
#include "report/time/style.h"
#include "report/time/svg.h"

namespace lanewise::report {

namespace {

std::string cards(const TimeReport& timed) {
  const timing::TileCost& cost = timed.timing.tile;
  std::string all;
  if (const auto k = cost.cycles_per_row())
    all += card(fmt::format("{:.3f}", *k), "k: cycles per row of 32 lanes");
  if (const auto tile = cost.cycles()) {
    all += card(number(*tile), "cycles per tile in the steady state");
    all += card(fmt::format("{:.1f} ns", nanoseconds(timed.arch, *tile)),
                fmt::format("per tile at {} GHz", arch_params(timed.arch).clock_ghz));
  }
  if (cost.init > 0) all += card(number(cost.init), "cycles of init, once");
  if (const auto with_harness = timed.harness_cycles())
    all += card(fmt::format("{:.1f}", *with_harness),
                fmt::format("cycles per tile in {}", timed.harness->name));
  all += card(number(timed.timing.total.cycles), "cycles in total");
  if (cost.pass.slots > 0) {
    all += card(resource_name(timing::bottleneck(cost.pass.bounds)),
                "bottleneck (largest lower bound)");
  }
  if (finds_anything(timed.checked))
    all += card(finding_counts(timed.checked), "see lanewise check");
  return card_row(all);
}

constexpr std::string_view kPageLegend =
    R"(<div class="legend"><span><i class="issue"></i>leaves the front end (one slot)</span>)"
    R"(<span><i class="stall"></i>nothing is issued</span>)"
    R"(<span><i class="waits"></i>waits inside the Vector Unit</span>)"
    R"(<span><i class="load"></i>Load</span><span><i class="simple"></i>Simple</span>)"
    R"(<span><i class="mad"></i>MAD</span><span><i class="round"></i>Round</span>)"
    R"(<span><i class="store"></i>Store</span><span><i class="other"></i>other units</span>)"
    R"(<span><i class="mad scheduled"></i>scheduled by SFPLOADMACRO</span>)"
    R"(<span><i class="mad tailkey"></i>until the result can be read</span></div>)";

std::string picture(const TimeReport& timed, std::optional<CycleRange> wanted) {
  const CycleRange all = clipped(timed, {0, ~std::uint64_t{0}}, ~std::uint64_t{0});
  const CycleRange range =
      clipped(timed, wanted.value_or(CycleRange{0, kDrawnCycles}), kMostDrawnCycles);
  if (range.cycles() == 0) return "<p class=\"muted\">No cycles to draw.</p>";
  const TimePicture drawn = time_picture(timed, range);
  const std::string part =
      range.cycles() == all.cycles()
          ? ""
          : fmt::format(" These are {} of {} cycles; --cycles draws others, at most {}.",
                        range.cycles(), all.cycles(), kMostDrawnCycles);
  return fmt::format(
      "<div class=\"picture\">{}<div class=\"scroll\">{}</div></div>{}"
      "<p class=\"muted\">Cycles {} to {} from left to right, {:.3f} ns each: what executes in "
      "which sub-unit. Point at a box for details.{}</p>",
      drawn.lanes, drawn.cycles, kPageLegend, range.first, range.end - 1,
      nanoseconds(timed.arch, 1), part);
}

/// The share of the cycles as a bar.
TableCell share_cell(double pass, double cycles) {
  const double share = std::min(1.0, pass / std::max(1.0, cycles));
  return {fmt::format("{:.0f} %", 100 * share), share};
}

Table figure_group_table(const timing::TileCost& tile, const FigureGroup& group, bool bars) {
  Table table{
      .columns = {{group.title}, {"total", ColumnKind::Number}, {"per pass", ColumnKind::Number}}};
  if (tile.rows > 0) table.columns.push_back({"per row", ColumnKind::Number});
  if (bars) table.columns.push_back({"of the cycles", ColumnKind::Bar});
  for (const FigureRow& row : group.rows) {
    TableRow cells{row.label, number(row.total), number(row.pass)};
    if (tile.rows > 0) cells.emplace_back(number(row.row.value_or(0)));
    if (bars) cells.push_back(share_cell(row.pass, tile.pass.cycles));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string tables(const TimeReport& timed) {
  std::string html = "<div class=\"columns\">";
  const std::vector<FigureGroup> groups = figure_groups(timed);
  for (std::size_t i = 0; i < groups.size(); ++i)
    html +=
        "<div>" + table_html(figure_group_table(timed.timing.tile, groups[i], i != 0)) + "</div>";
  return html + "</div>";
}

std::string section(const TimeReport& timed, std::string_view title, const std::string& content) {
  const ArchParams& chip = arch_params(timed.arch);
  return fmt::format("<section data-chip=\"{}\"><h2>{}{}</h2>{}</section>", chip.name,
                     chip.long_name, title, content);
}

std::string details(const TimeReport& timed) {
  return fmt::format(
      "<h3>Numbers</h3>{}<h3>What follows</h3>{}<h3>Listing</h3>{}"
      "<h3>Rules that decided</h3>{}",
      tables(timed), list_items(conclusions(timed)),
      program_listing(
          {timed.arch, timed.program, timed.prepared, timed.timing.schedule, timed.source}),
      list_items(deciding_rules(timed)));
}

} // namespace

std::string time_section(const TimeReport& timed, std::optional<CycleRange> range) {
  return section(timed, "", cards(timed) + picture(timed, range)) +
         section(timed, ": details",
                 "<h3>Numbers</h3>" + tables(timed) + "<h3>What follows</h3>" +
                     list_items(conclusions(timed)));
}

std::string time_html(std::span<const TimeReport> reports, std::optional<CycleRange> range,
                      const std::string& command) {
  const std::string name = reports.empty() ? "" : reports.front().program.name;
  std::string body;
  std::vector<PageProgram> programs;
  for (const TimeReport& timed : reports)
    programs.push_back(page_program(timed.arch, timed.program));
  for (const TimeReport& timed : reports)
    body += section(timed, "", cards(timed) + picture(timed, range));
  for (const TimeReport& timed : reports) body += section(timed, ": details", details(timed));
  const std::size_t passes = reports.empty() ? 1 : reports.front().passes;
  const std::string times = passes == 1 ? "" : fmt::format(", {} passes of the program", passes);
  return html_page({.title = name + ": cycles",
                    .heading = name,
                    .subtitle = "lanewise time" + times,
                    .style = std::string(time_style()),
                    .body = body,
                    .script = std::string(time_script()),
                    .record = {command, std::move(programs)}});
}

} // namespace lanewise::report
