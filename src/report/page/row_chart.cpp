#include "report/page/row_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/page/page.h"
#include "report/sweep/chart.h"
#include "report/sweep/page_parts.h"

namespace lanewise::report {

namespace {

// Pixels.
constexpr double kHead = 30, kRowHeight = 22, kFoot = 44;
constexpr double kMostName = 190, kOff = 40, kGap = 8;
constexpr double kRadius = 4, kFill = 0.66; ///< of a mark; the share of a row that bars fill

/// Letters may be a little wider than text_width() says.
double room_for(std::string_view text) {
  return 1.12 * text_width(text);
}

class RowPicture {
 public:
  RowPicture(const RowChart& chart, ChartSize size) : chart_(chart), size_(size) {
    double names = 0, values = 0;
    for (const ChartRow& row : chart.rows) {
      names = std::max(names, room_for(row.name));
      values = std::max(values, room_for(row.value));
    }
    left_ = std::min({names, kMostName, size.width / 3}) + kGap;
    right_ = size.width - values - kGap - (chart.off.empty() ? 0 : kOff);
    axis_ = chart.axis(horizontal_room(right_ - left_));
  }

  std::string svg() const {
    const double bottom = size_.height - kFoot;
    std::string svg = fmt::format(
        "<desc>{}</desc><g class=\"chart\"><text class=\"title\" x=\"0\" y=\"15\">{}</text><rect "
        "class=\"field\" "
        "x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"/>",
        escaped(alternative()), escaped(chart_.title), left_, kHead, right_ - left_,
        bottom - kHead);
    for (const AxisTick& tick : axis_.ticks) {
      const double at = x(tick.at);
      svg += fmt::format(
          "<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text class=\"tick\" x=\"{0:.1f}\" "
          "y=\"{3}\">{4}</text>",
          at, kHead, bottom, bottom + 15, escaped(tick.label));
    }
    svg += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{}\">{}</text>",
                       (left_ + right_) / 2, size_.height - 8, escaped(chart_.x));
    if (!chart_.off.empty())
      svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\">{}</text>", right_ + kOff / 2,
                         bottom + 15, escaped(chart_.off));
    double top = kHead;
    for (const ChartRow& row : chart_.rows) {
      svg += drawn(row, top);
      top += kRowHeight;
    }
    return svg + "</g>";
  }

 private:
  double x(double at) const { return left_ + std::clamp(at, 0.0, 1.0) * (right_ - left_); }

  std::string drawn(const ChartRow& row, double top) const {
    const double base = top + kRowHeight / 2 + 4;
    std::string svg = fmt::format(
        "<text class=\"name\" x=\"{:.1f}\" y=\"{}\">{}</text><text class=\"value\" x=\"{}\" "
        "y=\"{}\">{}</text>",
        left_ - kGap, base, escaped(shortened(row.name)), size_.width, base, escaped(row.value));
    for (const RowMark& mark : row.marks)
      svg += fmt::format("<g class=\"{}\"><title>{}</title>{}</g>\n", mark.classes,
                         escaped(mark.title), shape(mark, top));
    return svg;
  }

  std::string shape(const RowMark& mark, double top) const {
    const double free = kRowHeight * (1 - kFill), high = (kRowHeight - free) / mark.lanes;
    const double upper = top + free / 2 + mark.lane * high;
    const double at = mark.is_off ? right_ + kOff / 2 : x(axis_.at(mark.to));
    const double middle = upper + high / 2;
    switch (mark.shape) {
      case RowShape::Bar: break;
      case RowShape::Circle:
        return fmt::format("<circle class=\"mark\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", at,
                           middle, kRadius);
      case RowShape::Diamond:
        return fmt::format(
            "<path class=\"mark\" d=\"M{0:.1f} {1:.1f}l{2} {2}l-{2} {2}l-{2}-{2}z\"/>", at,
            middle - kRadius, kRadius);
    }
    const double from = x(axis_.at(mark.from));
    return fmt::format(
        "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", from,
        upper, std::max(at - from, 0.5), high);
  }

  /// The name's end, as far as there is room for it.
  std::string shortened(const std::string& name) const {
    if (room_for(name) <= left_ - kGap) return name;
    const std::size_t letters = static_cast<std::size_t>((left_ - kGap) / room_for("m")) - 1;
    std::size_t begin = name.size() - std::min(letters, name.size());
    while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0) == 0x80) ++begin;
    return "…" + name.substr(begin);
  }

  std::string alternative() const {
    std::string text = chart_.title;
    for (const ChartRow& row : chart_.rows) text += fmt::format("; {}: {}", row.name, row.value);
    return text;
  }

  const RowChart& chart_;
  ChartSize size_;
  double left_ = 0, right_ = 0;
  Axis axis_;
};

} // namespace

std::string row_chart(const RowChart& chart) {
  return half_picture(
      chart.title, [&](ChartSize size) { return RowPicture(chart, size).svg(); },
      kHead + kFoot + kRowHeight * static_cast<double>(chart.rows.size()));
}

std::string chart_legend(const std::vector<std::pair<std::string, std::string_view>>& keys) {
  std::string html = "<div class=\"legend\">";
  for (const auto& [classes, text] : keys)
    html += fmt::format("<span><i class=\"{}\"></i>{}</span>", classes, escaped(text));
  return html + "</div>";
}

} // namespace lanewise::report
