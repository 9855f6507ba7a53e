#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/page/page.h"
#include "report/sweep/chart.h"
#include "report/sweep/style.h"
#include "report/sweep/values.h"
#include "report/tune/front.h"

namespace lanewise::report {

namespace {

constexpr double kFrontWidth = 860, kFrontHeight = 460, kFrontMargin = 24, kFrontHead = 56;
/// Series of the picture, in the colours of chips.
constexpr std::size_t kFound = 0, kPlain = 1;
/// Part of the width that is left free beside the outermost points.
constexpr double kBeside = 0.1;
constexpr std::size_t kMostLetters = 90;

/// A program as a point.
struct Placed {
  double cycles = 0, ulp = 0;
  std::string label, tooltip;
};

Placed placed(const std::string& label, double cycles, const sweep::UlpStatistics& error,
              const std::string& what) {
  return {
      .cycles = cycles,
      .ulp = error.largest,
      .label = label,
      .tooltip = fmt::format("{}: {:.0f} cycles for a tile\nlargest error {} ULP, mean {:.3f}\n{}",
                             label, cycles, ulp_count_text(error.largest), error.mean(), what)};
}

class FrontPicture {
 public:
  explicit FrontPicture(const FrontReport& report)
      : chart_({"Error against cycles",
                "cycles for a tile",
                "largest error, |ULP|",
                {{kFound, SeriesShape::Marks, "proved programs"},
                 {kPlain, SeriesShape::Marks, "the plain kernel"}}},
               {kFrontWidth - 2 * kFrontMargin, kFrontHeight - kFrontHead - kFrontMargin}),
        plain_(placed("plain", report.front.equal.plain_cycles, report.front.plain_error.error,
                      "the kernel as it is written")) {
    for (const tune::FrontPoint& point : report.front.points)
      points_.push_back(
          placed(std::to_string(points_.size() + 1), static_cast<double>(point.cycles), point.error,
                 point.changes.empty() ? "equal to the plain kernel"
                                       : fmt::format("{}", fmt::join(point.changes, "\n"))));
    double least = plain_.cycles, most = plain_.cycles, largest = plain_.ulp;
    for (const Placed& point : points_) {
      least = std::min(least, point.cycles);
      most = std::max(most, point.cycles);
      largest = std::max(largest, point.ulp);
    }
    const double beside = std::max(1.0, (most - least) * kBeside);
    x_ = linear_axis(least - beside, most + beside, horizontal_room(chart_.width()));
    y_ = ulp_axis(largest, vertical_room(chart_.height()));
  }

  std::string draw() {
    chart_.draw_axes(x_, y_);
    draw_steps();
    std::vector<ChartMark> marks;
    for (auto point = points_.rbegin(); point != points_.rend(); ++point)
      marks.push_back({at(*point), chart_.bottom() + 1});
    chart_.draw_marks(kFound, marks);
    chart_.draw_marks(kPlain, {{at(plain_), at(plain_).y}});
    for (const Placed& point : points_) draw_label(point);
    draw_label(plain_);
    return chart_.svg();
  }

 private:
  Point at(const Placed& point) const {
    return {chart_.left() + x_.at(point.cycles) * chart_.width(),
            chart_.bottom() - y_.at(point.ulp) * chart_.height()};
  }

  /// What can be had: with fewer cycles than a program takes, the error is that of the next one.
  void draw_steps() {
    std::vector<Point> line;
    for (const Placed& point : points_) {
      const Point next = at(point);
      if (!line.empty()) line.push_back({line.back().x, next.y});
      line.push_back(next);
    }
    chart_.draw_line(chip_class(kFound) + " exact", line, {chart_.width(), chart_.height()});
  }

  /// To the right of the mark, where no line goes.
  void draw_label(const Placed& point) {
    constexpr double kBesideMark = 10, kMiddleOfText = 4, kTip = 24;
    const Point where = at(point);
    const std::string label = fmt::format("{}: {:.0f}", point.label, point.cycles);
    chart_.add(fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                           where.x + kBesideMark + text_width(label) / 2, where.y + kMiddleOfText,
                           escaped(label)));
    chart_.draw_tooltip(where.x - kTip / 2, kTip, point.tooltip);
  }

  Chart chart_;
  Placed plain_;
  std::vector<Placed> points_;
  Axis x_, y_;
};

} // namespace

std::string front_svg(const FrontReport& report) {
  const std::string title =
      fmt::format("{}: at most {:g} ULP from {}", report.name, report.max_ulp,
                  report.reference.empty() ? "the plain kernel's results" : report.reference);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\"><title>{2}</title><style>\n{3}</style>"
      "<rect class=\"page\" width=\"{0}\" height=\"{1}\"/>"
      "<text class=\"head\" x=\"{4}\" y=\"32\">{5}</text>"
      "<g transform=\"translate({4} {6})\">{7}</g></svg>\n",
      kFrontWidth, kFrontHeight, escaped(title), picture_style_of_both(), kFrontMargin,
      escaped(title.substr(0, kMostLetters)), kFrontHead, FrontPicture(report).draw());
}

} // namespace lanewise::report
