#include "report/time/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "isa/assembly/assembly.h"
#include "isa/interlock.h"
#include "isa/source_line.h"
#include "report/page/listing.h"
#include "report/page/page.h"
#include "report/time/timeline.h"

namespace lanewise::report {

namespace {

using timing::Event;
using timing::Issue;

// Sizes in pixels. A cycle is as wide as the longest mnemonic needs (LOADMACRO).
constexpr std::uint64_t kCycleWidth = 62, kLaneHeight = 44, kAxisHeight = 30, kNamesWidth = 96;
constexpr std::uint64_t kGap = 2;         ///< between boxes
constexpr std::uint64_t kBoxHeight = 34;  ///< below it is room for the second cycle of a result
constexpr std::uint64_t kTailHeight = 4;  ///< that second cycle
constexpr std::uint64_t kNumberEvery = 5; ///< cycles between two numbers of the axis
constexpr std::size_t kLetters = 10;      ///< that fit into a box

/// What a lane shows.
enum class Lane : std::uint8_t { FrontEnd, Waiting, Load, Simple, Mad, Round, Store, Other };

Lane lane_of(isa::SubUnit unit) {
  switch (unit) {
    case isa::SubUnit::Load: return Lane::Load;
    case isa::SubUnit::Simple: return Lane::Simple;
    case isa::SubUnit::Mad: return Lane::Mad;
    case isa::SubUnit::Round: return Lane::Round;
    case isa::SubUnit::Store: return Lane::Store;
    case isa::SubUnit::None: break;
  }
  return Lane::Other;
}

std::string_view lane_name(Lane lane) {
  switch (lane) {
    case Lane::FrontEnd: return "front end";
    case Lane::Waiting: return "waiting inside";
    case Lane::Load: return "Load";
    case Lane::Simple: return "Simple";
    case Lane::Mad: return "MAD";
    case Lane::Round: return "Round";
    case Lane::Store: return "Store";
    case Lane::Other: return "other units";
  }
  return {};
}

/// Two lines for a box: the mnemonic without SFP, and what stands behind it.
struct Label {
  std::string first, second;
};

Label split_label(std::string text) {
  if (text.starts_with("SFP")) text.erase(0, 3);
  const std::size_t blank = text.find(' ');
  if (blank == std::string::npos) return {text, ""};
  return {text.substr(0, blank), text.substr(text.find_first_not_of(' ', blank))};
}

std::string fitting(const std::string& text) {
  if (text.size() <= kLetters) return text;
  return text.substr(0, kLetters - 1) + "…";
}

class Picture {
 public:
  Picture(const TimeReport& timed, CycleRange range)
      : timed_(timed),
        schedule_(timed.timing.schedule),
        range_(range),
        events_(events_in(schedule_, range)) {
    for (const Event& event : events_) taken_.insert({lane_of(event.sub_unit), event.cycle});
  }

  TimePicture draw() {
    choose_lanes();
    const std::size_t height = kAxisHeight + kLaneHeight * lanes_.size();
    draw_grid();
    draw_issues();
    for (const Event& event : events_) draw_event(event);
    return {fmt::format("<svg class=\"names\" width=\"{}\" height=\"{}\">{}</svg>", kNamesWidth,
                        height, names_),
            fmt::format("<svg class=\"cycles\" width=\"{}\" height=\"{}\">{}</svg>",
                        kCycleWidth * range_.cycles() + 1, height, marks_)};
  }

 private:
  /// The sub-units always; waiting and other units where something happens.
  void choose_lanes() {
    lanes_ = {Lane::FrontEnd, Lane::Load, Lane::Simple, Lane::Mad, Lane::Round, Lane::Store};
    const bool waits = std::any_of(schedule_.issues.begin(), schedule_.issues.end(),
                                   [](const Issue& issue) { return issue.inside > 0; });
    if (waits) lanes_.insert(lanes_.begin() + 1, Lane::Waiting);
    const bool others =
        std::any_of(schedule_.events.begin(), schedule_.events.end(),
                    [](const Event& event) { return event.sub_unit == isa::SubUnit::None; });
    if (others) lanes_.push_back(Lane::Other);
  }

  std::size_t top(Lane lane) const {
    const auto at = std::find(lanes_.begin(), lanes_.end(), lane) - lanes_.begin();
    return kAxisHeight + kLaneHeight * static_cast<std::size_t>(at) + kGap;
  }

  std::uint64_t left(std::uint64_t cycle) const { return (cycle - range_.first) * kCycleWidth; }

  void draw_grid() {
    names_ += fmt::format("<text class=\"axis\" x=\"{}\" y=\"19\">cycle</text>", kNamesWidth - 8);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const std::size_t y = kAxisHeight + kLaneHeight * i;
      names_ += fmt::format("<text class=\"lane\" x=\"{}\" y=\"{}\">{}</text>", kNamesWidth - 8,
                            y + kLaneHeight / 2 + 3, lane_name(lanes_[i]));
      if (i % 2 == 0) {
        marks_ += fmt::format("<rect class=\"band\" x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                              y, kCycleWidth * range_.cycles(), kLaneHeight);
      }
    }
    const std::size_t bottom = kAxisHeight + kLaneHeight * lanes_.size();
    for (std::uint64_t c = range_.first; c <= range_.end; ++c) {
      const bool numbered = c % kNumberEvery == 0;
      marks_ += fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>",
                            numbered ? "tick" : "grid", left(c), left(c),
                            numbered ? kAxisHeight - 6 : kAxisHeight, bottom);
      if (c == range_.end) break;
      marks_ += fmt::format("<text class=\"number{}\" x=\"{}\" y=\"19\">{}</text>",
                            numbered ? " main" : "", left(c) + kCycleWidth / 2, c);
    }
  }

  void box(Lane lane, std::uint64_t cycle, std::uint64_t cycles, std::string_view classes,
           const Label& label, const std::string& title, std::uint32_t line) {
    const std::size_t y = top(lane);
    const std::uint64_t width = kCycleWidth * cycles - 2 * kGap;
    marks_ += fmt::format(
        "<g class=\"box {}\" data-line=\"{}\"><title>{}</title><rect x=\"{}\" y=\"{}\" "
        "width=\"{}\" height=\"{}\" rx=\"3\"/>",
        classes, line, escaped(title), left(cycle) + kGap, y, width, kBoxHeight);
    const std::uint64_t middle = left(cycle) + kGap + width / 2;
    const bool alone = label.second.empty();
    marks_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", middle, y + (alone ? 21 : 15),
                          escaped(fitting(label.first)));
    if (!alone) {
      marks_ += fmt::format("<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>", middle, y + 28,
                            escaped(fitting(label.second)));
    }
    marks_ += "</g>";
  }

  void draw_issues() {
    const auto before_range = [](const Issue& issue, std::uint64_t cycle) {
      return issue.slot + issue.inside < cycle;
    };
    auto issue = std::lower_bound(schedule_.issues.begin(), schedule_.issues.end(), range_.first,
                                  before_range);
    for (; issue != schedule_.issues.end() && issue->slot - issue->before < range_.end; ++issue)
      draw_issue(*issue);
  }

  void draw_issue(const Issue& issue) {
    const MicroOp& op = timed_.prepared.ops[issue.op];
    const std::string text = isa::disassemble(timed_.arch, op.word);
    const std::uint64_t stall_first = std::max(issue.slot - issue.before, range_.first);
    const std::uint64_t stall_end = std::min(issue.slot, range_.end);
    if (stall_first < stall_end) {
      box(Lane::FrontEnd, stall_first, stall_end - stall_first, "stall",
          {"stall", stall_label(issue.before_cause)},
          fmt::format("cycle {}: nothing is issued: {}", stall_first,
                      stall_cause_name(issue.before_cause)),
          op.line);
    }
    const std::string title = fmt::format("cycle {}: {}: {}{}", issue.slot, line_text(op.line),
                                          text, issue.discarded ? " (discarded)" : "");
    if (range_.contains(issue.slot)) {
      Label label = split_label(text);
      label.second = issue.discarded ? "discarded" : short_line(op.line);
      box(Lane::FrontEnd, issue.slot, 1, issue.discarded ? "issue discarded" : "issue", label,
          title, op.line);
    }
    if (issue.inside > 0 && range_.contains(issue.slot)) {
      Label label = split_label(text);
      label.second = stall_label(issue.inside_cause);
      box(Lane::Waiting, issue.slot, 1, "waits", label,
          fmt::format("cycle {}: {} {}", issue.slot, text, stall_cause_name(issue.inside_cause)),
          op.line);
    }
  }

  /// Boxes have no room for folders.
  static std::string short_line(std::uint32_t line) {
    return source_place(line).file.empty() ? line_text(line) : line_label(line);
  }

  static std::string stall_label(timing::StallCause cause) {
    switch (cause) {
      case timing::StallCause::None: break;
      case timing::StallCause::Result: return "result";
      case timing::StallCause::Spurious: return "spurious";
      case timing::StallCause::TwoCycles: return "2 cycles";
      case timing::StallCause::Recording: return "records";
      case timing::StallCause::Push: return "push";
      case timing::StallCause::Wait: return "STALLWAIT";
      case timing::StallCause::DstBlock: return "Dst busy";
      case timing::StallCause::MatrixUnit: return "move";
    }
    return "";
  }

  void draw_event(const Event& event) {
    const Lane lane = lane_of(event.sub_unit);
    const MicroOp& by = timed_.prepared.ops[schedule_.issues[event.issue].op];
    std::string classes(unit_class(event.sub_unit));
    if (event.scheduled) classes += " scheduled";
    if (event.op.op == isa::Op::SFPNOP) classes += " idle";
    const bool next_is_free =
        !taken_.contains({lane, event.cycle + 1}) && range_.contains(event.cycle + 1);
    const bool vector = event.sub_unit != isa::SubUnit::None;
    const bool holds = vector && isa::holds_unit(timed_.arch, event.op.word) && next_is_free;
    const std::string by_macro =
        event.scheduled ? ", scheduled by " + line_text(by.line) : std::string();
    box(lane, event.cycle, holds ? 2 : 1, classes, split_label(short_text(event)),
        fmt::format("cycle {}: {}{}", event.cycle, event_text(timed_.arch, event), by_macro),
        by.line);
    if (event.latency > 1 && !holds && range_.contains(event.cycle + 1)) {
      marks_ +=
          fmt::format("<rect class=\"tail {}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                      unit_class(event.sub_unit), left(event.cycle + 1) - kGap,
                      top(lane) + kBoxHeight + 2, kCycleWidth - 2 * kGap, kTailHeight);
    }
  }

  const TimeReport& timed_;
  const timing::Schedule& schedule_;
  CycleRange range_;
  std::span<const Event> events_;
  std::set<std::pair<Lane, std::uint64_t>> taken_; ///< lane and cycle in which something executes
  std::vector<Lane> lanes_;
  std::string names_, marks_;
};

} // namespace

TimePicture time_picture(const TimeReport& timed, CycleRange range) {
  return Picture(timed, range).draw();
}

} // namespace lanewise::report
