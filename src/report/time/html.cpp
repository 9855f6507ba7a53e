#include "report/time/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source_line.h"
#include "report/page/listing.h"
#include "report/page/page.h"
#include "report/table/table.h"
#include "report/time/figures.h"
#include "report/time/layout.h"
#include "report/time/steady.h"
#include "report/time/style.h"
#include "report/time/svg.h"

namespace lanewise::report {

namespace {

/// What the Matrix Unit does in a cycle in which it computes.
std::string matrix_cards(const timing::Figures& pass) {
  if (pass.operations == 0) return "";
  return card(fmt::format("{:.0f}", pass.operations / pass.cycles),
              "multiplications and additions of the Matrix Unit per cycle");
}

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
  all += matrix_cards(cost.pass);
  if (cost.pass.slots > 0) {
    all += card(resource_name(timing::bottleneck(cost.pass.bounds)),
                "bottleneck (largest lower bound)");
  }
  if (finds_anything(timed.checked))
    all += card(finding_counts(timed.checked), "see lanewise check");
  return card_row(all);
}

std::string key(std::string_view classes, std::string_view meaning) {
  return fmt::format("<span><i class=\"{}\"></i>{}</span>", classes, meaning);
}

std::string legend(const timing::Schedule& schedule) {
  std::string all =
      key("issue", "leaves the front end (one slot)") + key("stall", "nothing is issued");
  bool vector = false;
  for (const Lane lane : lanes_of(schedule)) {
    vector = vector || (lane >= Lane::Load && lane <= Lane::Store);
    if (lane == Lane::Waiting)
      all += key("waits", "waits inside the Vector Unit");
    else if (lane != Lane::FrontEnd)
      all += key(lane_class(lane), lane_name(lane));
  }
  if (schedule.has_macros) all += key("mad scheduled", "scheduled by SFPLOADMACRO");
  if (vector) all += key("mad tailkey", "until the result can be read");
  return "<div class=\"legend\">" + all + key("edgekey", "has waited for this value") + "</div>";
}

/// Which cycles there are, and why.
std::string caption(const TimeReport& timed, CycleRange range) {
  const CycleRange all = clipped(timed, {0, ~std::uint64_t{0}}, ~std::uint64_t{0});
  std::string text = fmt::format(
      "Cycles {} to {} from left to right, {:.3f} ns each: what executes in which sub-unit. Point "
      "at a box for details, and for the values that it takes and gives.",
      range.first, range.end - 1, nanoseconds(timed.arch, 1));
  if (const auto steady = steady_state(timed)) {
    text += fmt::format(
        " The steady state, where there is a bar below the numbers, is the second of {} equal "
        "repetitions: cycles {} to {}, {} of them.",
        steady->repeats, steady->cycles.first, steady->cycles.end - 1, steady->cycles.cycles());
  } else if (timed.passes == 1) {
    text += " Nothing in the program repeats itself; --repeat shows more than one pass.";
  }
  if (range.cycles() != all.cycles())
    text += fmt::format(" These are {} of {} cycles; --cycles draws others, at most {}.",
                        range.cycles(), all.cycles(), kMostDrawnCycles);
  return text;
}

/// Nothing but the page's script needs them, so without it they are not shown.
constexpr std::string_view kControls =
    R"(<div class="controls"><button data-go="begin">begin</button>)"
    R"(<button data-go="steady">steady state</button>)"
    R"(<button data-zoom="out" title="narrower cycles">−</button>)"
    R"(<button data-zoom="in" title="wider cycles">+</button>)"
    R"(<button data-zoom="fit">fit to width</button>)"
    R"(<label><input type="checkbox" data-dependences=""/> dependencies</label></div>)";

std::string timeline_html(const TimeReport& timed, std::optional<CycleRange> wanted) {
  const CycleRange range = clipped(timed, wanted.value_or(drawn_range(timed)), kMostDrawnCycles);
  if (range.cycles() == 0) return "<p class=\"muted\">No cycles to draw.</p>";
  return fmt::format("<div class=\"timeline\">{}{}{}<p class=\"muted\">{}</p></div>", kControls,
                     time_picture(timed, range), legend(timed.timing.schedule),
                     caption(timed, range));
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

std::string stalls(const TimeReport& timed) {
  Table table{.columns = {{"line", ColumnKind::Number},
                          {"source"},
                          {"cause"},
                          {"cycles", ColumnKind::Number},
                          {"per pass", ColumnKind::Number},
                          {"of all cycles", ColumnKind::Bar}}};
  for (const StalledLine& each : stalled_lines(timed)) {
    table.rows.push_back({line_label(each.line),
                          source_line(timed.source, each.line),
                          std::string(stall_cause_name(each.cause)),
                          number(each.total),
                          number(each.pass),
                          {fmt::format("{:.1f} %", 100 * each.share), each.share}});
    table.lines.push_back(each.line);
  }
  if (table.rows.empty()) return "<p class=\"muted\">Nothing waits.</p>";
  return table_html(table) +
         "<p class=\"muted\">Cycles in which nothing is issued, with the line that waits.</p>";
}

std::string section(const TimeReport& timed, std::string_view title, const std::string& content) {
  const ArchParams& chip = arch_params(timed.arch);
  return fmt::format("<section data-chip=\"{}\"><h2>{}{}</h2>{}</section>", chip.names.id,
                     chip.names.full, title, content);
}

std::string details(const TimeReport& timed) {
  return fmt::format("<h3>Stalls by source line</h3>{}<h3>Numbers</h3>{}<h3>What follows</h3>{}",
                     stalls(timed), tables(timed), list_items(conclusions(timed)));
}

std::string listing(const TimeReport& timed) {
  return fmt::format("<h3>Listing</h3>{}<h3>Rules that decided</h3>{}",
                     program_listing({timed.arch, timed.program, timed.prepared,
                                      timed.timing.schedule, timed.source}),
                     list_items(deciding_rules(timed)));
}

constexpr std::string_view kDetails = ": details";

} // namespace

CycleRange drawn_range(const TimeReport& timed) {
  const auto steady = steady_state(timed);
  if (!steady) return {0, kDrawnCycles};
  const std::uint64_t end = steady->cycles.first + std::max(kDrawnCycles, steady->cycles.cycles());
  return {end <= kMostDrawnCycles ? 0 : steady->cycles.first, end};
}

std::string time_section(const TimeReport& timed, std::optional<CycleRange> range) {
  return section(timed, "", cards(timed) + timeline_html(timed, range)) +
         section(timed, kDetails, details(timed));
}

std::string time_html(std::span<const TimeReport> reports, std::optional<CycleRange> range,
                      const std::string& command) {
  const std::string name = reports.empty() ? "" : reports.front().program.name;
  std::string body;
  std::vector<PageProgram> programs;
  for (const TimeReport& timed : reports)
    programs.push_back(page_program(timed.arch, timed.program));
  for (const TimeReport& timed : reports)
    body += section(timed, "", cards(timed) + timeline_html(timed, range));
  for (const TimeReport& timed : reports)
    body += section(timed, kDetails, details(timed) + listing(timed));
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
