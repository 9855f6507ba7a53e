#include "report/time/arrows.h"

#include <fmt/format.h>

#include <algorithm>

#include "chip/timing/dependences.h"

namespace lanewise::report {

namespace {

using timing::Dependence;
using timing::Event;

/// In cycles: how far an arrow reaches into its boxes, and how far it bends at least.
constexpr double kInside = 0.1, kBend = 0.4;
/// In pixels: how far it bends down around boxes of its own lane.
constexpr double kDetour = 30;

struct Point {
  double x = 0, y = 0; ///< cycles, pixels
};

class Arrow {
 public:
  Arrow(const TimeReport& timed, const PictureLayout& layout, const Dependence& value)
      : arch_(timed.arch),
        layout_(layout),
        value_(value),
        from_(timed.timing.schedule.events[value.from]),
        to_(timed.timing.schedule.events[value.to]) {}

  std::string draw() const {
    const Point begin = end_of(from_), end = start_of(to_);
    return fmt::format(
        "<g class=\"edge{}\" data-from=\"{}\" data-to=\"{}\"><svg width=\"100%\" height=\"100%\" "
        "viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\"><path d=\"{}\"/></svg>"
        "<svg class=\"head\" x=\"{:.7g}%\" y=\"{}\"><path d=\"M-6-3L0 0-6 3\"/></svg></g>",
        value_.decides ? " decides" : "", value_.from, value_.to, layout_.range.cycles(),
        layout_.height(), curve(begin, end),
        100 * end.x / static_cast<double>(layout_.range.cycles()), end.y);
  }

 private:
  double middle(const Event& event) const {
    const std::size_t top = layout_.top(lane_of(arch_, event)) + PictureLayout::kBoxTop;
    return static_cast<double>(top) + PictureLayout::kBoxHeight / 2.0;
  }

  Point start_of(const Event& event) const {
    return {static_cast<double>(event.cycle - layout_.range.first) + kInside, middle(event)};
  }

  Point end_of(const Event& event) const {
    return {static_cast<double>(event.cycle + 1 - layout_.range.first) - kInside, middle(event)};
  }

  static std::string curve(Point begin, Point end) {
    const double bend = std::max(kBend, (end.x - begin.x) / 3);
    const double down = begin.y == end.y && end.x - begin.x > 1.5 ? kDetour : 0;
    return fmt::format("M{:.6g} {}C{:.6g} {} {:.6g} {} {:.6g} {}", begin.x, begin.y, begin.x + bend,
                       begin.y + down, end.x - bend, end.y + down, end.x, end.y);
  }

  Arch arch_;
  const PictureLayout& layout_;
  const Dependence& value_;
  const Event &from_, &to_;
};

} // namespace

std::string arrows(const TimeReport& timed, const PictureLayout& layout) {
  const auto& events = timed.timing.schedule.events;
  std::string all;
  for (const Dependence& value : timing::dependences(timed.timing.schedule)) {
    if (layout.range.contains(events[value.from].cycle) &&
        layout.range.contains(events[value.to].cycle))
      all += Arrow(timed, layout, value).draw();
  }
  return all;
}

} // namespace lanewise::report
