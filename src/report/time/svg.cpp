#include "report/time/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "chip/isa/interlock.h"
#include "chip/timing/line_stalls.h"
#include "report/page/page.h"
#include "report/time/arrows.h"
#include "report/time/layout.h"
#include "report/time/steady.h"
#include "report/time/timeline.h"

namespace lanewise::report {

namespace {

using timing::Event;
using timing::Issue;

constexpr std::size_t kAxisHeight = 30, kNamesWidth = 96;
constexpr std::uint64_t kNumberEvery = 5, kMainNumberEvery = 50; ///< cycles between two numbers
constexpr std::size_t kBoxLetters = 10; ///< that fit into a box of one cycle

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

std::size_t letters_of(std::string_view utf8) {
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
  return static_cast<std::size_t>(std::ranges::count_if(utf8, begins));
}

std::string fitting_box(const std::string& text, std::size_t letters) {
  if (letters_of(text) <= letters) return text;
  return text.substr(0, letters - 1) + "…";
}

/// Boxes have room for a line's number and the end of its file's name.
std::string short_line(std::uint32_t line) {
  if (source_place(line).file.empty()) return line_text(line);
  const std::string label = line_label(line);
  return label.size() <= kBoxLetters ? label : "…" + label.substr(label.size() - kBoxLetters + 1);
}

std::string stall_label(timing::StallCause cause) {
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

/// How often a cycle has a number: every one, every fifth, every fiftieth. The closer cycles are,
/// the fewer of them the page shows.
std::string_view number_class(std::uint64_t cycle) {
  if (cycle % kMainNumberEvery == 0) return "number main";
  return cycle % kNumberEvery == 0 ? "number fifth" : "number";
}

std::string_view grid_class(std::uint64_t cycle) {
  if (cycle % kMainNumberEvery == 0) return "tick main";
  return cycle % kNumberEvery == 0 ? "tick" : "grid";
}

/// One box of the picture.
struct Box {
  Lane lane = Lane::FrontEnd;
  CycleRange cycles;
  std::string classes;
  Label label;
  std::string title;
  std::uint32_t line = 0;
  std::optional<std::size_t> event = std::nullopt; ///< index into Schedule::events
};

class Picture {
 public:
  Picture(const TimeReport& timed, CycleRange range)
      : timed_(timed),
        schedule_(timed.timing.schedule),
        layout_{range, lanes_of(schedule_)},
        events_(events_in(schedule_, range)) {
    for (const Event& event : events_) {
      taken_.insert({lane_of(timed.arch, event), event.cycle});
      if (!event.scheduled) event_of_issue_[event.issue] = index_of(event);
    }
  }

  std::string draw() {
    const std::optional<SteadyState> steady = steady_state(timed_);
    draw_grid();
    draw_issues();
    for (const Event& event : events_) draw_event(event);
    const std::uint64_t begin = steady ? steady->cycles.first : 0;
    const bool opens = steady && layout_.range.contains(begin);
    return fmt::format(
        "<div class=\"frame\" tabindex=\"0\"{} style=\"--cycles:{}\">"
        "<svg class=\"corner\" width=\"{}\" height=\"{}\"><text x=\"88\" y=\"19\">cycle</text>"
        "</svg><svg class=\"axis\" height=\"{}\">{}{}</svg>"
        "<svg class=\"names\" width=\"{}\" height=\"{}\">{}</svg>"
        "<svg class=\"cycles\" height=\"{}\">{}{}</svg></div>",
        opens ? fmt::format(" data-steady=\"{}\"", begin - layout_.range.first) : "",
        layout_.range.cycles(), kNamesWidth, kAxisHeight, kAxisHeight, axis(),
        steady ? steady_bar(*steady) : "", kNamesWidth, layout_.height(), names(), layout_.height(),
        marks_, arrows(timed_, layout_));
  }

 private:
  std::size_t index_of(const Event& event) const {
    return static_cast<std::size_t>(&event - schedule_.events.data());
  }

  std::string names() const {
    std::string all;
    for (const Lane lane : layout_.lanes) {
      all += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", kNamesWidth - 8,
                         layout_.top(lane) + PictureLayout::kLaneHeight / 2 + 3, lane_name(lane));
    }
    return all;
  }

  std::string axis() const {
    std::string all;
    const CycleRange& range = layout_.range;
    for (std::uint64_t c = range.first; c < range.end; ++c) {
      all += fmt::format("<text class=\"{}\" x=\"{}\" y=\"19\">{}</text>", number_class(c),
                         layout_.middle(c), c);
    }
    return all;
  }

  std::string steady_bar(const SteadyState& steady) const {
    const CycleRange drawn{std::max(steady.cycles.first, layout_.range.first),
                           std::min(steady.cycles.end, layout_.range.end)};
    if (drawn.first >= drawn.end) return "";
    return fmt::format(
        "<rect class=\"steady\" x=\"{}\" y=\"25\" width=\"{}\" height=\"5\"><title>steady state: "
        "cycles {} to {}</title></rect>",
        layout_.left(drawn.first), layout_.share(drawn.cycles()), steady.cycles.first,
        steady.cycles.end - 1);
  }

  void draw_grid() {
    for (std::size_t i = 0; i < layout_.lanes.size(); i += 2) {
      marks_ += fmt::format("<rect class=\"band\" y=\"{}\" width=\"100%\" height=\"{}\"/>",
                            PictureLayout::kLaneHeight * i, PictureLayout::kLaneHeight);
    }
    for (std::uint64_t c = layout_.range.first; c <= layout_.range.end; ++c) {
      const std::string x = layout_.left(c);
      marks_ += fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y2=\"{}\"/>", grid_class(c), x,
                            x, layout_.height());
    }
  }

  void draw(const Box& box) {
    const bool alone = box.label.second.empty();
    const std::size_t letters = kBoxLetters * box.cycles.cycles();
    marks_ += fmt::format(
        "<svg class=\"box {}{}\" data-line=\"{}\"{} x=\"{}\" y=\"{}\" width=\"{}\" "
        "height=\"{}\"><title>{}</title><rect/><text x=\"50%\" y=\"{}\">{}</text>",
        box.classes, box.cycles.cycles() > 1 ? " long" : "", box.line,
        box.event ? fmt::format(" data-event=\"{}\"", *box.event) : "",
        layout_.left(box.cycles.first), layout_.top(box.lane) + PictureLayout::kBoxTop,
        layout_.share(box.cycles.cycles()), PictureLayout::kBoxHeight, escaped(box.title),
        alone ? 23 : 17, escaped(fitting_box(box.label.first, letters)));
    if (!alone) {
      marks_ += fmt::format("<text class=\"small\" x=\"50%\" y=\"30\">{}</text>",
                            escaped(fitting_box(box.label.second, letters)));
    }
    marks_ += "</svg>";
  }

  void draw_issues() {
    const auto before_range = [](const Issue& issue, std::uint64_t cycle) {
      return issue.slot + issue.inside < cycle;
    };
    const auto& issues = schedule_.issues;
    auto issue = std::lower_bound(issues.begin(), issues.end(), layout_.range.first, before_range);
    for (; issue != issues.end() && issue->slot - issue->before < layout_.range.end; ++issue) {
      draw_stall(static_cast<std::size_t>(issue - issues.begin()));
      if (layout_.range.contains(issue->slot)) draw_issue(*issue);
    }
  }

  const MicroOp& op_of(const Issue& issue) const { return timed_.prepared.ops[issue.op]; }

  /// The cycles in front of an instruction; the line is that of the one that waits.
  void draw_stall(std::size_t index) {
    const Issue& issue = schedule_.issues[index];
    const CycleRange cycles{std::max(issue.slot - issue.before, layout_.range.first),
                            std::min(issue.slot, layout_.range.end)};
    if (cycles.first >= cycles.end) return;
    const Issue& waiting = schedule_.issues[timing::waiting_issue(schedule_, index)];
    draw({Lane::FrontEnd,
          cycles,
          "stall",
          {"stall", stall_label(issue.before_cause)},
          fmt::format("cycle {}: nothing is issued: {}: {}", cycles.first,
                      line_text(op_of(waiting).line), stall_cause_name(issue.before_cause)),
          op_of(waiting).line});
  }

  void draw_issue(const Issue& issue) {
    const MicroOp& op = op_of(issue);
    const std::string text = isa::disassemble(timed_.arch, op.word);
    const auto found =
        event_of_issue_.find(static_cast<std::uint32_t>(&issue - schedule_.issues.data()));
    Box box{.cycles = {issue.slot, issue.slot + 1},
            .classes = issue.discarded ? "issue discarded" : "issue",
            .label = split_label(text),
            .title = fmt::format("cycle {}: {}: {}{}", issue.slot, line_text(op.line), text,
                                 issue.discarded ? " (discarded)" : ""),
            .line = op.line};
    if (found != event_of_issue_.end()) box.event = found->second;
    box.label.second = issue.discarded ? "discarded" : short_line(op.line);
    draw(box);
    if (issue.inside == 0) return;
    box.lane = Lane::Waiting;
    box.classes = "waits";
    box.label.second = stall_label(issue.inside_cause);
    box.title =
        fmt::format("cycle {}: {} {}", issue.slot, text, stall_cause_name(issue.inside_cause));
    draw(box);
  }

  void draw_event(const Event& event) {
    const Lane lane = lane_of(timed_.arch, event);
    const MicroOp& by = op_of(schedule_.issues[event.issue]);
    const bool next_is_free =
        !taken_.contains({lane, event.cycle + 1}) && layout_.range.contains(event.cycle + 1);
    const bool vector = event.sub_unit != isa::SubUnit::None;
    const bool holds = vector && isa::holds_unit(timed_.arch, event.op.word) && next_is_free;
    const std::string by_macro =
        event.scheduled ? ", scheduled by " + line_text(by.line) : std::string();
    draw({.lane = lane,
          .cycles = {event.cycle, event.cycle + (holds ? 2 : 1)},
          .classes = fmt::format("{}{}{}", lane_class(lane), event.scheduled ? " scheduled" : "",
                                 event.op.op == isa::Op::SFPNOP ? " idle" : ""),
          .label = split_label(short_text(event)),
          .title =
              fmt::format("cycle {}: {}{}", event.cycle, event_text(timed_.arch, event), by_macro),
          .line = by.line,
          .event = index_of(event)});
    if (event.latency > 1 && !holds && layout_.range.contains(event.cycle + 1)) {
      marks_ +=
          fmt::format("<rect class=\"tail {}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                      lane_class(lane), layout_.left(event.cycle + 1),
                      layout_.top(lane) + PictureLayout::kTailTop, layout_.share(1),
                      PictureLayout::kTailHeight);
    }
  }

  const TimeReport& timed_;
  const timing::Schedule& schedule_;
  PictureLayout layout_;
  std::span<const Event> events_;
  std::set<std::pair<Lane, std::uint64_t>> taken_; ///< lane and cycle in which something executes
  std::map<std::uint32_t, std::size_t> event_of_issue_; ///< its own event, not what it schedules
  std::string marks_;
};

} // namespace

std::string time_picture(const TimeReport& timed, CycleRange range) {
  return Picture(timed, range).draw();
}

} // namespace lanewise::report
