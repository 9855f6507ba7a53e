#include "report/sweep/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/page/page.h"

namespace lanewise::report {

namespace {

// Pixels around the field.
constexpr double kLeft = 74, kRight = 18, kBottom = 48;
constexpr double kTitle = 20, kLegendLine = 20, kLegendGap = 12;
constexpr double kKeyWidth = 28;      ///< of the sample in front of a legend's text
constexpr double kItemGap = 20;       ///< between two items
constexpr double kLegendLetter = 6.7; ///< width of an average letter at 12 px
constexpr std::size_t kColours = 2;
constexpr double kHatchPitch = 5;

/// Marks are small where they stand close together.
constexpr std::size_t kManyMarks = 80;
/// Of marks that tell nothing new, one in so many pixels is enough. Those of the second chip stand
/// between those of the first.
constexpr double kMarkPitch = 9, kSameHeight = 1;

std::vector<Point> thinned(std::size_t chip, const std::vector<ChartMark>& marks) {
  const double phase = kMarkPitch * static_cast<double>(chip % kColours) / kColours;
  const auto place = [phase](const Point& at) { return std::floor((at.x + phase) / kMarkPitch); };
  std::vector<Point> kept;
  for (const ChartMark& mark : marks) {
    if (kept.empty() || place(mark.at) != place(kept.back()) ||
        std::abs(mark.at.y - mark.plain) >= kSameHeight)
      kept.push_back(mark.at);
  }
  return kept;
}

std::string circles(const std::vector<Point>& points) {
  std::string path;
  for (const Point& at : points) path += fmt::format("M{:.1f} {:.1f}h0", at.x, at.y);
  return path;
}

std::string diamonds(const std::vector<Point>& points, double radius) {
  std::string path;
  for (const Point& at : points)
    path += fmt::format("M{0:.1f} {1:.1f}l{2} {2}l-{2} {2}l-{2}-{2}z", at.x, at.y - radius, radius);
  return path;
}

std::string_view shape_class(SeriesShape shape) {
  switch (shape) {
    case SeriesShape::Marks: return "marks";
    case SeriesShape::Line: return "mean";
    case SeriesShape::ThinLine: return "exact";
    case SeriesShape::Hatching: return "hatching";
    case SeriesShape::Bars: return "bars";
    case SeriesShape::Reference: return "reference";
  }
  return "";
}

} // namespace

std::string chip_class(std::size_t chip) {
  return fmt::format("chip{}", chip % kColours);
}

double text_width(std::string_view text) {
  const auto letters =
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return kLegendLetter * static_cast<double>(letters);
}

Chart::Chart(ChartLabels labels, ChartSize size, double reserved)
    : labels_(std::move(labels)), size_(size), reserved_(reserved) {
  svg_ = fmt::format("<text class=\"title\" x=\"0\" y=\"{}\">{}</text>", kTitle - 5,
                     escaped(labels_.title));
  draw_legend();
  svg_ += fmt::format("<rect class=\"field\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                      left(), top() - reserved_, width(), height() + reserved_);
  svg_ += fmt::format("<text class=\"label\" x=\"{}\" y=\"{}\">{}</text>", (left() + right()) / 2,
                      size_.height - 8, escaped(labels_.x));
  svg_ += fmt::format("<text class=\"label\" transform=\"translate(13 {}) rotate(-90)\">{}</text>",
                      (top() + bottom()) / 2, escaped(labels_.y));
}

double Chart::field_width(ChartSize size) {
  return size.width - kRight - kLeft;
}
double Chart::left() const {
  return kLeft;
}
double Chart::right() const {
  return kLeft + field_width(size_);
}
double Chart::top() const {
  return head_ + reserved_;
}
double Chart::bottom() const {
  return size_.height - kBottom;
}

void Chart::draw_legend() {
  Point at{0, kTitle + kLegendLine - 4};
  for (const LegendItem& item : labels_.legend) {
    const double wide = kKeyWidth + text_width(item.text);
    if (at.x > 0 && at.x + wide > size_.width) at = {0, at.y + kLegendLine};
    draw_legend_item(item, at);
    at.x += wide + kItemGap;
  }
  head_ = at.y + kLegendGap;
}

void Chart::draw_legend_item(const LegendItem& item, Point at) {
  const double middle = at.y - 4;
  const bool of_chip = item.shape != SeriesShape::Reference;
  const std::string colour = of_chip ? chip_class(item.chip) + " " : "";
  switch (item.shape) {
    case SeriesShape::Marks: draw_marks(item.chip, {{{at.x + 10, middle}, middle}}); break;
    case SeriesShape::Line:
    case SeriesShape::ThinLine:
    case SeriesShape::Reference:
      svg_ += fmt::format("<path class=\"{}{}\" d=\"M{} {}h22\"/>", colour, shape_class(item.shape),
                          at.x, middle);
      break;
    case SeriesShape::Hatching:
      draw_hatching(item.chip, {at.x + 1, middle - 5}, {at.x + 21, middle + 5});
      break;
    case SeriesShape::Bars:
      svg_ += fmt::format("<rect class=\"{}bars\" x=\"{}\" y=\"{}\" width=\"20\" height=\"10\"/>",
                          colour, at.x + 1, middle - 5);
      break;
  }
  svg_ += fmt::format("<text class=\"key\" x=\"{}\" y=\"{}\">{}</text>", at.x + kKeyWidth, at.y,
                      escaped(item.text));
}

void Chart::draw_axes(const Axis& x, const Axis& y) {
  for (const AxisTick& tick : x.ticks) {
    const double at = left() + tick.at * width();
    svg_ += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", at, top() - reserved_,
                        bottom() + 4);
    draw_tick_label(at, tick.label);
  }
  for (const AxisTick& tick : y.ticks) {
    const double at = bottom() - tick.at * height();
    svg_ += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>"
        "<text class=\"tick y\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
        left() - 4, at, right(), left() - 8, at + 4, escaped(tick.label));
  }
}

void Chart::draw_tick_label(double x, std::string_view label) {
  svg_ += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x, bottom() + 18,
                      escaped(label));
}

void Chart::draw_reserved(std::string_view label) {
  svg_ += fmt::format(
      "<path class=\"rule\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>"
      "<text class=\"tick y\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
      left(), top(), right(), left() - 8, reserved_middle() + 4, escaped(label));
}

void Chart::draw_marks(std::size_t chip, const std::vector<ChartMark>& marks) {
  const std::vector<Point> points = thinned(chip, marks);
  if (points.empty()) return;
  const bool many = points.size() > kManyMarks;
  const bool first = chip % kColours == 0;
  svg_ += fmt::format("<path class=\"{} {}{}\" d=\"{}\"/>", chip_class(chip),
                      first ? "circles" : "diamonds", many ? " many" : "",
                      first ? circles(points) : diamonds(points, many ? 3 : 4));
}

void Chart::draw_line(std::string_view classes, const std::vector<Point>& points, Point widest) {
  if (points.empty()) return;
  std::string path;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool joined = i > 0 && points[i].x - points[i - 1].x <= widest.x &&
                        std::abs(points[i].y - points[i - 1].y) <= widest.y;
    path += fmt::format("{}{:.1f} {:.1f}", joined ? "L" : "M", points[i].x, points[i].y);
  }
  svg_ += fmt::format("<path class=\"{}\" d=\"{}\"/>", classes, path);
}

void Chart::draw_band(std::size_t chip, double from, double to, std::size_t lane,
                      std::size_t lanes) {
  const double high = reserved_ / static_cast<double>(lanes);
  const double y = top() - reserved_ + high * static_cast<double>(lane);
  draw_hatching(chip, {std::max(from, left()), y + 2}, {std::min(to, right()), y + high - 2});
}

/// A frame with strokes that rise to the right.
void Chart::draw_hatching(std::size_t chip, Point from, Point to) {
  const double high = to.y - from.y;
  std::string path =
      fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}z", from.x, from.y, to.x, to.y, from.x);
  const double first = from.x + kHatchPitch - high;
  const int strokes = static_cast<int>(std::ceil((to.x - first) / kHatchPitch));
  for (int i = 0; i < strokes; ++i) {
    const double x = first + i * kHatchPitch;
    const double left = std::max(x, from.x), right = std::min(x + high, to.x);
    path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", left, to.y - (left - x), right,
                        to.y - (right - x));
  }
  svg_ += fmt::format("<path class=\"{} hatching\" d=\"{}\"/>", chip_class(chip), path);
}

void Chart::draw_tooltip(double x, double width, std::string_view text) {
  svg_ += fmt::format(
      "<rect class=\"tip\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}"
      "</title></rect>",
      x, top() - reserved_, width, height() + reserved_, escaped(text));
}

std::string Chart::svg() const {
  return "<g class=\"chart\">" + svg_ + "</g>";
}

} // namespace lanewise::report
