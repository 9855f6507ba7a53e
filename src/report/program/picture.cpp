#include "report/program/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/page/page.h"

namespace lanewise::report {

namespace {

constexpr double kNames = 130, kPlot = 960, kScales = 120; ///< pixels from left to right
constexpr double kAxis = 24, kRow = 26, kHeight = 20;      ///< from the top: a row has a gap
constexpr std::size_t kColumns = 480;
constexpr double kColumn = kPlot / kColumns;
constexpr double kFlat = 0.004; ///< a share that is not drawn

std::string_view shade_class(Shade shade) {
  switch (shade) {
    case Shade::Works: return "works";
    case Shade::AwaitsPages: return "pages";
    case Shade::AwaitsNoc: return "noc";
    case Shade::AwaitsCore: return "core";
    case Shade::AwaitsThread: return "thread";
    case Shade::AwaitsUnit: return "unit";
    case Shade::AwaitsOther: return "unknown";
    case Shade::Level: break;
  }
  return "level";
}

/// 1, 2 or 5 times a power of ten, so that about ten steps are in the whole.
std::uint64_t step_of(std::uint64_t cycles) {
  constexpr double kSteps = 10;
  const double wanted = std::max(1.0, static_cast<double>(cycles) / kSteps);
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= wanted) return static_cast<std::uint64_t>(factor * power);
  return static_cast<std::uint64_t>(10 * power);
}

/// Boxes from the bottom of each column up: neighbours of the same place and height are one.
class Boxes {
 public:
  Boxes(double bottom, const std::vector<RunShares>& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      double at = bottom;
      for (unsigned shade = 0; shade < kShades; ++shade) {
        const double share = columns[i][shade];
        if (share < kFlat) continue;
        const double height = kHeight * std::min(1.0, share);
        at -= height;
        add(shade, i, at, height);
      }
    }
  }

  /// A path of all boxes of a shade; empty if there are none.
  std::string path(unsigned shade) const {
    std::string text;
    for (const Box& box : boxes_[shade]) {
      const double width = kColumn * static_cast<double>(box.columns);
      text += fmt::format("M{:.0f} {:.1f}h{:.0f}v{:.1f}h-{:.0f}z",
                          kNames + kColumn * static_cast<double>(box.first), box.top, width,
                          box.height, width);
    }
    return text;
  }

 private:
  struct Box {
    std::size_t first = 0, columns = 1;
    double top = 0, height = 0;
  };

  void add(unsigned shade, std::size_t column, double top, double height) {
    constexpr double kSame = 0.05;
    std::vector<Box>& all = boxes_[shade];
    if (!all.empty() && all.back().first + all.back().columns == column &&
        std::abs(all.back().top - top) < kSame && std::abs(all.back().height - height) < kSame) {
      ++all.back().columns;
    } else {
      all.push_back({column, 1, top, height});
    }
  }

  std::array<std::vector<Box>, kShades> boxes_;
};

/// What a row says when it is pointed at: how its cycles were spent.
std::string shares_text(const RunRow& row, const std::vector<RunShares>& columns) {
  std::string text = row.name;
  for (unsigned shade = 0; shade < kShades; ++shade) {
    double sum = 0;
    for (const RunShares& column : columns) sum += column[shade];
    const double percent = 100 * sum / static_cast<double>(columns.size());
    if (percent < 0.5) continue;
    text += row.scale.empty()
                ? fmt::format("; {} {:.0f} %", shade_text(static_cast<Shade>(shade)), percent)
                : fmt::format("; on average {:.0f} % of {}", percent, row.scale);
  }
  return text;
}

std::string row_svg(const RunRow& row, RunStretch stretch, double top) {
  const auto columns = shares_of(row, stretch, kColumns);
  std::string svg = fmt::format(
      "<g><title>{}</title><rect class=\"row\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>"
      "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>",
      escaped(shares_text(row, columns)), kNames, top, kPlot, kHeight, kNames - 8, top + 14,
      escaped(row.name));
  const Boxes boxes(top + kHeight, columns);
  for (unsigned shade = 0; shade < kShades; ++shade) {
    const std::string path = boxes.path(shade);
    if (!path.empty())
      svg += fmt::format("<path class=\"{}\" d=\"{}\"/>", shade_class(static_cast<Shade>(shade)),
                         path);
  }
  if (!row.scale.empty())
    svg += fmt::format("<text class=\"scale\" x=\"{}\" y=\"{}\">{}</text>", kNames + kPlot + 6,
                       top + 14, escaped(row.scale));
  return svg + "</g>\n";
}

std::string axis_svg(RunStretch stretch, double bottom) {
  std::string axis;
  const std::uint64_t cycles = stretch.end - stretch.begin, step = step_of(cycles);
  for (std::uint64_t at = (stretch.begin + step - 1) / step * step; at < stretch.end; at += step) {
    const double x =
        kNames + kPlot * static_cast<double>(at - stretch.begin) / static_cast<double>(cycles);
    axis += fmt::format(
        "<path class=\"tick\" d=\"M{0:.1f} {1}V{2}\"/><text class=\"cycle\" x=\"{0:.1f}\" "
        "y=\"14\">{3}</text>",
        x, kAxis - 4, bottom, at);
  }
  return axis;
}

} // namespace

std::string rows_svg(const std::vector<RunRow>& rows, RunStretch stretch, std::string_view label) {
  if (stretch.end <= stretch.begin) return "";
  const double height = kAxis + kRow * static_cast<double>(rows.size());
  std::string drawn;
  double top = kAxis;
  for (const RunRow& row : rows) {
    drawn += row_svg(row, stretch, top);
    top += kRow;
  }
  return fmt::format(
      "<div class=\"rows\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><svg "
      "viewBox=\"0 0 {1} {2}\" role=\"img\" aria-label=\"{0}\">{3}\n{4}</svg></div>\n",
      escaped(label), kNames + kPlot + kScales, height, axis_svg(stretch, height), drawn);
}

std::string rows_legend(const std::vector<RunRow>& rows) {
  std::array<bool, kShades> is_there{};
  for (const RunRow& row : rows)
    for (const RunBar& bar : row.bars) is_there[static_cast<unsigned>(bar.shade)] = true;
  std::string legend;
  for (unsigned i = 0; i < kShades; ++i) {
    const auto shade = static_cast<Shade>(i);
    if (is_there[i])
      legend +=
          fmt::format("<span><i class=\"{}\"></i>{}</span>", shade_class(shade), shade_text(shade));
  }
  return fmt::format("<div class=\"legend\">{}</div>\n", legend);
}

} // namespace lanewise::report
