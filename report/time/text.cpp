#include "report/time/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/source_line.h"
#include "report/time/figures.h"
#include "report/time/timeline.h"

namespace lanewise::report {

namespace {

/// Cycles side by side in the timeline; a longer range comes in pieces.
constexpr std::uint64_t kPieceCycles = 64;
constexpr std::uint64_t kTick = 10; ///< cycles from one number of the ruler to the next
constexpr std::size_t kLineColumns = 5, kTextColumns = 34, kSourceColumns = 48;
constexpr std::string_view kBelowMacro = "  > "; ///< in front of what a macro has scheduled

constexpr std::string_view kLegend =
    "L Load, S Simple, M MAD, R Round, W Store, o other units, n SFPNOP; small letter: second "
    "cycle;\n"
    "- the front end issues nothing, = waits inside the Vector Unit, X discarded, > scheduled by "
    "SFPLOADMACRO\n";

std::string without_trailing_blanks(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

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

std::string timeline_piece(const TimeReport& timed, CycleRange range) {
  const std::vector<TimelineRow> rows = timeline_rows(timed, range);
  std::size_t width = 0, line_width = kLineColumns;
  for (const TimelineRow& row : rows) {
    width = std::max(width, row.text.size() + (row.scheduled ? kBelowMacro.size() : 0));
    line_width = std::max(line_width, line_label(row.line).size());
  }
  width = std::min(width, kTextColumns);

  std::string text = without_trailing_blanks(fmt::format("{:>{}}  {:<{}}  {}", "line", line_width,
                                                         "cycle", width, ruler(range))) +
                     "\n";
  std::uint32_t last_line = 0;
  for (const TimelineRow& row : rows) {
    std::string cells = empty_cells(range);
    for (const Mark& mark : row.marks) cells[mark.cycle - range.first] = letter(row, mark.kind);
    std::string name = (row.scheduled ? std::string(kBelowMacro) : "") + row.text;
    name.resize(std::min(name.size(), width));
    const std::string number = row.scheduled ? "" : line_label(row.line);
    const std::string source = row.line == last_line ? "" : source_beside(timed, row);
    if (!row.scheduled) last_line = row.line;
    text += without_trailing_blanks(fmt::format("{:>{}}  {:<{}}  {}  {}", number, line_width, name,
                                                width, cells, row.scheduled ? "" : source)) +
            "\n";
  }
  return text;
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

std::string units_view(const TimeReport& timed, CycleRange range) {
  const std::vector<UnitsRow> rows = units_rows(timed, range);
  UnitsRow heading{"line issued", {}};
  for (isa::SubUnit unit : kColumns) {
    heading.sub_unit[static_cast<std::size_t>(unit)] = unit == isa::SubUnit::None ? "other"
                                                       : unit == isa::SubUnit::Mad
                                                           ? "MAD"
                                                           : isa::sub_unit_name(unit);
  }
  std::array<std::size_t, 6> width{};
  std::size_t issue_width = 0;
  const auto measure = [&](const UnitsRow& row) {
    issue_width = std::max(issue_width, row.issue.size());
    for (std::size_t unit = 0; unit < width.size(); ++unit)
      width[unit] = std::max(width[unit], row.sub_unit[unit].size());
  };
  measure(heading);
  for (const UnitsRow& row : rows) measure(row);

  std::string text;
  const auto add = [&](std::string_view cycle, const UnitsRow& row) {
    std::string line = fmt::format("{:>6}  {:<{}}", cycle, row.issue, issue_width);
    for (isa::SubUnit unit : kColumns) {
      const auto at = static_cast<std::size_t>(unit);
      line += fmt::format(" | {:<{}}", row.sub_unit[at], width[at]);
    }
    text += without_trailing_blanks(std::move(line)) + "\n";
  };
  add("cycle", heading);
  for (std::size_t i = 0; i < rows.size(); ++i) add(std::to_string(range.first + i), rows[i]);
  return text +
         "> scheduled by SFPLOADMACRO; names without SFP, then the registers that are "
         "written, or the row of Dst\n";
}

std::string figures_table(const TimeReport& timed) {
  const auto cell = [](std::optional<double> value) {
    return value ? number(*value) : std::string("-");
  };
  std::string text;
  for (const FigureGroup& group : figure_groups(timed)) {
    text += fmt::format("{:<44}{:>10}{:>12}{:>12}\n", group.title, "total", "per pass", "per row");
    for (const FigureRow& row : group.rows) {
      text += fmt::format("  {:<42}{:>10}{:>12}{:>12}\n", row.label, number(row.total),
                          number(row.pass), cell(row.row));
    }
  }
  return text;
}

} // namespace

std::string time_text(const TimeReport& timed, TimeView view, CycleRange range) {
  const CycleRange shown = clipped(timed, range, ~std::uint64_t{0});
  std::string text = fmt::format("{}: {}", arch_params(timed.arch).name, timed.program.name);
  if (!timed.untimed.empty()) return text + ": " + timed.untimed + "\n";
  if (view != TimeView::None && shown.cycles() != 0) {
    text += fmt::format(", cycles {} to {} of {}", shown.first, shown.end - 1,
                        timed.timing.schedule.cycles);
  }
  text += "\n\n";
  if (view == TimeView::Timeline) text += timeline(timed, shown) + "\n";
  if (view == TimeView::Units) text += units_view(timed, shown) + "\n";
  text += figures_table(timed) + "\n";
  for (const std::string& sentence : conclusions(timed)) text += sentence + "\n";
  text += "Rules that decided:\n";
  for (const std::string& rule : deciding_rules(timed)) text += "  " + rule + "\n";
  return text;
}

} // namespace lanewise::report
