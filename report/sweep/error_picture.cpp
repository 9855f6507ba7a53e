#include <fmt/format.h>

#include <algorithm>

#include "report/sweep/columns.h"
#include "report/sweep/pictures.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

constexpr double kLostRow = 22; ///< pixels of the row above the field

ChartLabels labels_of(const lab::SweepResult& result, bool means) {
  ChartLabels labels{"Error over input",
                     result.operands == 1 ? "input x" : "input x, with every y of the sweep",
                     "error, |ULP|",
                     {}};
  for (std::size_t i = 0; i < result.chips.size(); ++i) {
    const std::string chip = chip_name(result.chips[i].arch);
    labels.legend.push_back({i, SeriesShape::Marks, chip + (means ? " largest" : "")});
    if (means) labels.legend.push_back({i, SeriesShape::Line, chip + " mean"});
  }
  return labels;
}

std::string tooltip(const lab::SweepResult& result, const Column& column) {
  std::string text;
  for (std::size_t i = 0; i < column.chips.size(); ++i) {
    const ColumnPart& part = column.chips[i];
    if (part.inputs == 0) continue;
    if (text.empty())
      text = fmt::format("{} from x = {}", counted(part.inputs, "input"),
                         value_text(result.format, part.sample.x));
    text += fmt::format("\n{}: largest {} ULP", chip_name(result.chips[i].arch),
                        ulp_count_text(part.largest));
    if (part.largest != 0) text += " at " + place_text(result, part.worst);
    text += fmt::format(", mean {}", ulp_text(part.mean()));
    if (part.lost != 0) text += fmt::format(", {} lost", part.lost);
  }
  return text;
}

/// Errors and lost results of all bins.
struct Extent {
  double largest = 0;
  bool any_lost = false;
  bool means = false; ///< bins hold enough inputs for a mean to say more than the largest
};

Extent extent_of(const lab::SweepResult& result) {
  constexpr std::uint64_t kEnoughInputs = 4;
  Extent extent;
  std::uint64_t inputs = 0, bins = 0;
  for (const lab::SweepStatistics& chip : result.chips) {
    for (const auto& [key, part] : chip.bins) {
      extent.largest = std::max(extent.largest, part.largest);
      extent.any_lost |= part.lost != 0;
      inputs += part.inputs;
      ++bins;
    }
  }
  extent.means = inputs >= kEnoughInputs * bins;
  return extent;
}

class ErrorPicture {
 public:
  ErrorPicture(const lab::SweepResult& result, ChartSize size)
      : result_(result),
        extent_(extent_of(result)),
        chart_(labels_of(result, extent_.means), size, extent_.any_lost ? kLostRow : 0),
        x_(input_axis(result, chart_.width())),
        y_(ulp_axis(extent_.largest, vertical_room(chart_.height()))),
        columns_(columns_of(result, x_, chart_.width())) {}

  std::string draw() {
    chart_.draw_axes(x_, y_);
    if (extent_.any_lost) chart_.draw_reserved("lost");
    for (std::size_t i = 0; i < result_.chips.size(); ++i) {
      draw_largest(i);
      draw_lost(i);
    }
    for (std::size_t i = 0; extent_.means && i < result_.chips.size(); ++i) draw_mean(i);
    for (const Column& column : columns_)
      chart_.draw_tooltip(chart_.left() + column.x - kColumnWidth / 2, kColumnWidth,
                          tooltip(result_, column));
    return chart_.svg();
  }

 private:
  Point point(const Column& column, double ulp) const {
    return {chart_.left() + column.x, chart_.bottom() - y_.at(ulp) * chart_.height()};
  }

  void draw_largest(std::size_t chip) {
    std::vector<ChartMark> marks;
    for (const Column& column : columns_) {
      if (column.chips[chip].inputs == 0) continue;
      const Point at = point(column, column.chips[chip].largest);
      marks.push_back({at, marks.empty() ? at.y : marks.back().at.y});
    }
    chart_.draw_marks(chip, marks);
  }

  void draw_lost(std::size_t chip) {
    std::vector<ChartMark> marks;
    const double y = chart_.reserved_middle();
    for (const Column& column : columns_) {
      if (column.chips[chip].lost != 0) marks.push_back({{chart_.left() + column.x, y}, y});
    }
    chart_.draw_marks(chip, marks);
  }

  void draw_mean(std::size_t chip) {
    std::vector<Point> points;
    for (const Column& column : columns_) {
      if (column.chips[chip].inputs > column.chips[chip].lost)
        points.push_back(point(column, column.chips[chip].mean()));
    }
    chart_.draw_line(chip_class(chip) + " mean", points, {widest_gap(columns_), chart_.height()});
  }

  const lab::SweepResult& result_;
  Extent extent_;
  Chart chart_;
  Axis x_, y_;
  std::vector<Column> columns_;
};

} // namespace

std::string error_picture(const SweepReport& report, ChartSize size) {
  return ErrorPicture(report.result, size).draw();
}

} // namespace lanewise::report
