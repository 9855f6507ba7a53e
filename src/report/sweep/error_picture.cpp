#include <fmt/format.h>

#include <algorithm>

#include "report/plain_number.h"
#include "report/sweep/columns.h"
#include "report/sweep/curves.h"
#include "report/sweep/pictures.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

constexpr double kLostRow = 24; ///< pixels of the row above the field

/// What the columns of a picture have to show.
struct Extent {
  double largest = 0;
  bool any_lost = false;
  std::vector<std::size_t> all_lost; ///< chips that have columns without another result
  bool any_exact = false;
  bool means = false; ///< columns hold enough inputs for a mean to say more than the largest
};

Extent extent_of(const sweep::SweepResult& result, const std::vector<Column>& columns) {
  constexpr std::uint64_t kEnoughInputs = 4;
  Extent extent;
  std::uint64_t inputs = 0, parts = 0;
  for (std::size_t i = 0; i < result.chips.size(); ++i) {
    bool all_lost = false;
    for (const Column& column : columns) {
      const ColumnPart& part = column.chips[i];
      extent.largest = std::max({extent.largest, part.largest, part.largest_exact});
      extent.any_lost |= part.lost != 0;
      extent.any_exact |= part.largest_exact != formats::kNotCompared;
      all_lost |= part.is_lost();
      inputs += part.inputs;
      if (part.inputs != 0) ++parts;
    }
    if (all_lost) extent.all_lost.push_back(i);
  }
  extent.means = inputs >= kEnoughInputs * parts;
  return extent;
}

std::vector<LegendItem> legend_of(const std::vector<Curve>& curves, const Extent& extent,
                                  const ErrorWords& words) {
  std::vector<LegendItem> legend;
  for (const Curve& curve : curves) {
    const auto add = [&](SeriesShape shape, const std::string& what) {
      legend.push_back({curve.chip, shape, curve.name + " " + what});
    };
    add(SeriesShape::Marks, "largest");
    if (extent.means) add(SeriesShape::Line, "mean");
    if (extent.any_exact) add(SeriesShape::ThinLine, words.exact);
    if (std::ranges::count(extent.all_lost, curve.chip) != 0)
      add(SeriesShape::Hatching, "all lost");
  }
  return legend;
}

std::string part_text(const sweep::SweepResult& result, const ColumnPart& part,
                      const ErrorWords& words) {
  if (part.is_lost()) return fmt::format("all {} lost", part.inputs);
  std::string text = fmt::format("largest {} ULP", ulp_count_text(part.largest));
  if (part.largest != 0) text += " at " + place_text(result, part.worst);
  text += fmt::format(", mean {}", ulp_text(part.mean()));
  if (part.largest_exact != formats::kNotCompared)
    text += fmt::format(", {} {}", words.exact, ulp_text(part.largest_exact));
  if (part.lost != 0) text += fmt::format(", {} lost", part.lost);
  return text;
}

class ErrorPicture {
 public:
  ErrorPicture(const sweep::SweepResult& result, InputView view, const std::string& title,
               ChartSize size, const ErrorWords& words)
      : result_(result),
        words_(words),
        curves_(curves_of(result)),
        view_(std::move(view)),
        extent_(extent_of(result, view_.columns)),
        chart_({title, result.operands == 1 ? "input x" : "input x, with every y of the sweep",
                words.y, legend_of(curves_, extent_, words)},
               size, extent_.any_lost ? kLostRow : 0),
        y_(ulp_axis(extent_.largest, vertical_room(chart_.height()))) {}

  std::string draw() {
    chart_.draw_axes(view_.axis, y_);
    if (extent_.any_lost) chart_.draw_reserved("lost");
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      draw_exact(curves_[i].chip);
      draw_largest(curves_[i].chip);
      draw_lost(curves_[i].chip);
      draw_all_lost(i);
    }
    for (std::size_t i = 0; extent_.means && i < curves_.size(); ++i) draw_mean(curves_[i].chip);
    for (const Column& column : words_.has_tips ? view_.columns : std::vector<Column>())
      chart_.draw_tooltip(chart_.left() + column.x - kColumnWidth / 2, kColumnWidth,
                          tooltip(column));
    return chart_.svg();
  }

 private:
  Point point(const Column& column, double ulp) const {
    return {chart_.left() + column.x, chart_.bottom() - y_.at(ulp) * chart_.height()};
  }

  std::string tooltip(const Column& column) const {
    std::string text;
    for (const Curve& curve : curves_) {
      const ColumnPart& part = column.chips[curve.chip];
      if (part.inputs == 0) continue;
      if (text.empty())
        text = fmt::format("{} from x = {}", counted(part.inputs, "input"),
                           value_text(result_.format, part.sample.x));
      text += fmt::format("\n{}: {}", curve.short_name, part_text(result_, part, words_));
    }
    return text;
  }

  void draw_largest(std::size_t chip) {
    std::vector<ChartMark> marks;
    for (const Column& column : view_.columns) {
      const ColumnPart& part = column.chips[chip];
      if (part.inputs == part.lost) continue;
      const Point at = point(column, part.largest);
      marks.push_back({at, marks.empty() ? at.y : marks.back().at.y});
    }
    chart_.draw_marks(chip, marks);
  }

  /// Marks where some results are lost and others are not.
  void draw_lost(std::size_t chip) {
    std::vector<ChartMark> marks;
    const double y = chart_.reserved_middle();
    for (const Column& column : view_.columns) {
      const ColumnPart& part = column.chips[chip];
      if (part.lost != 0 && !part.is_lost()) marks.push_back({{chart_.left() + column.x, y}, y});
    }
    chart_.draw_marks(chip, marks);
  }

  /// A band over each run of columns without another result.
  void draw_all_lost(std::size_t curve) {
    const std::size_t chip = curves_[curve].chip;
    const double gap = widest_gap(view_.columns);
    const auto draw = [&](double from, double to) {
      chart_.draw_band(chip, chart_.left() + from - kColumnWidth, chart_.left() + to + kColumnWidth,
                       curve, curves_.size());
    };
    const Column *first = nullptr, *last = nullptr;
    for (const Column& column : view_.columns) {
      const bool is_lost = column.chips[chip].is_lost();
      if (first != nullptr && (!is_lost || column.x - last->x > gap)) {
        draw(first->x, last->x);
        first = nullptr;
      }
      if (!is_lost) continue;
      if (first == nullptr) first = &column;
      last = &column;
    }
    if (first != nullptr) draw(first->x, last->x);
  }

  /// A line through a number of the columns that have it.
  template <class HasNumber, class NumberOf>
  void draw_line(std::size_t chip, const char* shape, const HasNumber& has_number,
                 const NumberOf& number_of) {
    std::vector<Point> points;
    for (const Column& column : view_.columns) {
      const ColumnPart& part = column.chips[chip];
      if (has_number(part)) points.push_back(point(column, number_of(part)));
    }
    chart_.draw_line(chip_class(chip) + shape, points,
                     {widest_gap(view_.columns), chart_.height()});
  }

  void draw_mean(std::size_t chip) {
    draw_line(
        chip, " mean", [](const ColumnPart& part) { return part.inputs > part.lost; },
        [](const ColumnPart& part) { return part.mean(); });
  }

  void draw_exact(std::size_t chip) {
    draw_line(
        chip, " exact",
        [](const ColumnPart& part) { return part.largest_exact != formats::kNotCompared; },
        [](const ColumnPart& part) { return part.largest_exact; });
  }

  const sweep::SweepResult& result_;
  const ErrorWords& words_;
  std::vector<Curve> curves_;
  InputView view_;
  Extent extent_;
  Chart chart_;
  Axis y_;
};

} // namespace

std::string error_picture(const sweep::SweepResult& result, ChartSize size,
                          const ErrorWords& words) {
  InputView view = all_inputs(result, Chart::field_width(size));
  return ErrorPicture(result, std::move(view), words.title, size, words).draw();
}

std::string near_picture(const sweep::SweepResult& result, ChartSize size,
                         const ErrorWords& words) {
  auto view = near_inputs(result, Chart::field_width(size));
  if (!view) return "";
  return ErrorPicture(result, std::move(*view), words.near_title, size, words).draw();
}

} // namespace lanewise::report
