#include "report/time/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/source_line.h"
#include "report/table/table.h"
#include "report/time/figures.h"
#include "report/time/timeline.h"

namespace lanewise::report {

namespace {

/// Cycles side by side in the timeline; a longer range comes in pieces.
constexpr std::uint64_t kPieceCycles = 64;
constexpr std::uint64_t kTick = 10; ///< cycles from one number of the ruler to the next
constexpr std::size_t kLineColumns = 5, kTextColumns = 34, kSourceColumns = 48;
constexpr std::size_t kCycleColumns = 6, kLabelColumns = 44, kTotalColumns = 8, kPartColumns = 10;
constexpr std::size_t kStalledLines = 8;         ///< that are named at most
constexpr std::string_view kBelowMacro = "  > "; ///< in front of what a macro has scheduled

constexpr std::string_view kLegend =
    "L Load, S Simple, M MAD, R Round, W Store, o other units, n SFPNOP; small letter: second "
    "cycle;\n"
    "- the front end issues nothing, = waits inside the Vector Unit, X discarded, > scheduled by "
    "SFPLOADMACRO\n";

char letter(const TimelineRow& row, MarkKind kind) {
  switch (kind) {
    case MarkKind::Held: return '-';
    case MarkKind::Inside: return '=';
    case MarkKind::Discarded: return 'X';
    case MarkKind::Executes:
    case MarkKind::SecondCycle: break;
  }
  if (row.op == isa::Op::SFPNOP) return 'n';
  const char unit = sub_unit_letter(row.sub_unit);
  return kind == MarkKind::Executes ? unit : static_cast<char>(unit - 'A' + 'a');
}

/// Dots mark every fifth cycle.
std::string empty_cells(CycleRange range) {
  std::string cells(range.cycles(), ' ');
  for (std::uint64_t c = range.first; c < range.end; ++c) {
    if (c % (kTick / 2) == 0) cells[c - range.first] = '.';
  }
  return cells;
}

std::string ruler(CycleRange range) {
  std::string numbers;
  for (std::uint64_t c = range.first; c < range.end;) {
    const std::string text = c % kTick == 0 || c == range.first ? fmt::format("{}", c) : "";
    const std::uint64_t next = std::min(range.end, (c / kTick + 1) * kTick);
    // The first number makes way where the next one is too near.
    const std::string shown = text.size() < next - c || next == range.end ? text : "";
    numbers += fmt::format("{:<{}}", shown, next - c);
    c = next;
  }
  return numbers;
}

/// Letters without blanks, small: to see whether a source line says more than the disassembly.
std::string essence(std::string_view text) {
  std::string letters;
  for (char each : text) {
    if (each != ' ')
      letters += static_cast<char>(each >= 'a' && each <= 'z' ? each - 'a' + 'A' : each);
  }
  return letters;
}

std::string with_single_blanks(std::string_view text) {
  std::string result;
  for (char each : text) {
    if (each != ' ' || !result.ends_with(' ')) result += each;
  }
  return result;
}

std::string source_beside(const TimeReport& timed, const TimelineRow& row) {
  const std::string source = source_line(timed.source, row.line);
  if (essence(source) == essence(row.text)) return "";
  return with_single_blanks(source).substr(0, kSourceColumns);
}

std::string timeline_name(const TimelineRow& row) {
  return (row.scheduled ? std::string(kBelowMacro) : "") + row.text;
}

std::string timeline_cells(const TimelineRow& row, CycleRange range) {
  std::string cells = empty_cells(range);
  for (const Mark& mark : row.marks) cells[mark.cycle - range.first] = letter(row, mark.kind);
  return cells;
}

std::string timeline_piece(const TimeReport& timed, CycleRange range) {
  // Cycles and source are one column: the ruler may be longer than the cycles.
  Table table{.columns = {{"line", ColumnKind::Number, kLineColumns}, {"cycle"}, {ruler(range)}}};
  std::uint32_t last_line = 0;
  for (const TimelineRow& row : timeline_rows(timed, range)) {
    const bool has_source = !row.scheduled && row.line != last_line;
    if (!row.scheduled) last_line = row.line;
    table.rows.push_back({row.scheduled ? "" : line_label(row.line),
                          timeline_name(row).substr(0, kTextColumns),
                          fmt::format("{}  {}", timeline_cells(row, range),
                                      has_source ? source_beside(timed, row) : "")});
  }
  return table_text(table);
}

std::string timeline(const TimeReport& timed, CycleRange range) {
  std::string text;
  while (range.first < range.end) {
    const std::uint64_t end = std::min(range.end, range.first + kPieceCycles);
    text += timeline_piece(timed, {range.first, end}) + "\n";
    range.first = end;
  }
  return text + std::string(kLegend);
}

/// One cycle of the view by sub-units.
struct UnitsRow {
  std::string issue;                   ///< what the front end does
  std::array<std::string, 6> sub_unit; ///< by isa::SubUnit; None = other units
};

constexpr std::array kColumns{isa::SubUnit::Load,  isa::SubUnit::Simple, isa::SubUnit::Mad,
                              isa::SubUnit::Round, isa::SubUnit::Store,  isa::SubUnit::None};

void put(std::string& cell, std::string text) {
  cell += (cell.empty() ? "" : " + ") + std::move(text);
}

std::vector<UnitsRow> units_rows(const TimeReport& timed, CycleRange range) {
  std::vector<UnitsRow> rows(range.cycles());
  for (const timing::Event& event : events_in(timed.timing.schedule, range)) {
    std::string& cell =
        rows[event.cycle - range.first].sub_unit[static_cast<std::size_t>(event.sub_unit)];
    put(cell, (event.scheduled ? ">" : "") + short_text(event));
  }
  for (const TimelineRow& row : timeline_rows(timed, range)) {
    if (row.scheduled) continue;
    const std::uint64_t slot = timed.timing.schedule.issues[row.issue].slot;
    for (const Mark& mark : row.marks) {
      UnitsRow& at = rows[mark.cycle - range.first];
      if (mark.kind == MarkKind::Held)
        at.issue = fmt::format("  -  {}", stall_cause_name(mark.cause));
      if (mark.kind == MarkKind::Inside)
        put(at.sub_unit[static_cast<std::size_t>(row.sub_unit)], "(waits)");
      if (mark.kind == MarkKind::Discarded)
        put(at.sub_unit[static_cast<std::size_t>(row.sub_unit)], "X discarded");
    }
    if (range.contains(slot))
      rows[slot - range.first].issue = fmt::format("{:>4} {}", line_label(row.line), row.text);
  }
  return rows;
}

std::string unit_heading(isa::SubUnit unit) {
  if (unit == isa::SubUnit::None) return "other";
  return unit == isa::SubUnit::Mad ? "MAD" : std::string(isa::sub_unit_name(unit));
}

std::string units_view(const TimeReport& timed, CycleRange range) {
  Table table{.columns = {{"cycle", ColumnKind::Number, kCycleColumns}, {"line issued"}}};
  for (isa::SubUnit unit : kColumns)
    table.columns.push_back({.heading = unit_heading(unit), .gap = " | "});
  std::uint64_t cycle = range.first;
  for (const UnitsRow& row : units_rows(timed, range)) {
    TableRow cells{std::to_string(cycle++), row.issue};
    for (isa::SubUnit unit : kColumns)
      cells.emplace_back(row.sub_unit[static_cast<std::size_t>(unit)]);
    table.rows.push_back(std::move(cells));
  }
  return table_text(table) +
         "> scheduled by SFPLOADMACRO; names without SFP, then the registers that are "
         "written, or the row of Dst\n";
}

std::string figures_table(const TimeReport& timed) {
  std::string text;
  for (const FigureGroup& group : figure_groups(timed)) {
    // Widths that do not depend on the figures put the groups below each other.
    Table table{.columns = {{group.title, ColumnKind::Text, kLabelColumns},
                            {"total", ColumnKind::Number, kTotalColumns},
                            {"per pass", ColumnKind::Number, kPartColumns},
                            {"per row", ColumnKind::Number, kPartColumns}}};
    for (const FigureRow& row : group.rows) {
      table.rows.push_back({"  " + row.label, number(row.total), number(row.pass),
                            row.row ? number(*row.row) : "-"});
    }
    text += table_text(table);
  }
  return text;
}

/// Where the stalls are, if there are any.
std::string stalls_table(const TimeReport& timed) {
  const std::vector<StalledLine> lines = stalled_lines(timed);
  if (lines.empty()) return "";
  Table table{.columns = {{"stalls by source line", ColumnKind::Text, kLabelColumns},
                          {"total", ColumnKind::Number, kTotalColumns},
                          {"per pass", ColumnKind::Number, kPartColumns}}};
  for (const StalledLine& each : std::span(lines).first(std::min(lines.size(), kStalledLines))) {
    table.rows.push_back(
        {fmt::format("  {}: {}", line_label(each.line), stall_cause_name(each.cause)),
         number(each.total), number(each.pass)});
  }
  if (lines.size() > kStalledLines) {
    table.rows.push_back(
        {fmt::format("  and {} more (--json has all)", lines.size() - kStalledLines), "", ""});
  }
  return table_text(table);
}

} // namespace

std::string time_text(const TimeReport& timed, TimeView view, CycleRange range) {
  const CycleRange shown = clipped(timed, range, ~std::uint64_t{0});
  std::string text = fmt::format("{}: {}", arch_params(timed.arch).names.id, timed.program.name);
  if (!timed.untimed.empty()) return text + ": " + timed.untimed + "\n";
  if (view != TimeView::None && shown.cycles() != 0) {
    text += fmt::format(", cycles {} to {} of {}", shown.first, shown.end - 1,
                        timed.timing.schedule.cycles);
  }
  text += "\n\n";
  if (view == TimeView::Timeline) text += timeline(timed, shown) + "\n";
  if (view == TimeView::Units) text += units_view(timed, shown) + "\n";
  text += figures_table(timed) + stalls_table(timed) + "\n";
  for (const std::string& sentence : conclusions(timed)) text += sentence + "\n";
  text += "Rules that decided:\n";
  for (const std::string& rule : deciding_rules(timed)) text += "  " + rule + "\n";
  return text;
}

} // namespace lanewise::report
