#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "report/sweep/columns.h"
#include "report/sweep/curves.h"
#include "report/sweep/pictures.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

/// Results up to this size are on a linear axis, as are those that differ by no larger factor.
constexpr double kLinearLimit = 1000;
/// A line that jumps by more than this part of the field is not drawn through.
constexpr double kJump = 0.5;

/// Finite numbers among expected and found results.
std::vector<double> results_of(const sweep::SweepResult& result,
                               const std::vector<Column>& columns) {
  std::vector<double> numbers;
  for (const Column& column : columns) {
    for (const ColumnPart& part : column.chips) {
      if (part.inputs == 0) continue;
      for (const std::uint32_t bits : {part.sample.expected, part.sample.found}) {
        const double number = formats::value_of_bits(result.output_format, bits);
        if (std::isfinite(number)) numbers.push_back(number);
      }
    }
  }
  return numbers;
}

/// Denormal results are zeros, so a logarithmic axis begins above them.
constexpr double kSmallestResult = 1.17549435082228750797e-38; ///< 2^-126

Axis result_axis(const std::vector<double>& numbers, AxisRoom room) {
  if (numbers.empty()) return linear_axis(0, 1, room);
  double least = 0, most = 0;
  for (const double number : numbers) {
    const double size = std::abs(number);
    most = std::max(most, size);
    if (size != 0) least = least == 0 ? size : std::min(least, size);
  }
  if (most > kLinearLimit && most > kLinearLimit * least)
    return symmetric_log_axis(numbers, kSmallestResult, room);
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  const double margin = 0.04 * (*high - *low);
  return linear_axis(*low - margin, *high + margin, room);
}

ChartLabels labels_of(const sweep::SweepResult& result, const std::vector<Curve>& curves) {
  const bool is_curve = result.operands == 1;
  ChartLabels labels{is_curve ? "Function and result" : "Some results",
                     is_curve ? "input x" : "input x, with the first y of each",
                     "result",
                     {}};
  if (is_curve) labels.legend.push_back({0, SeriesShape::Reference, "reference"});
  for (const Curve& curve : curves)
    labels.legend.push_back({curve.chip, SeriesShape::Marks, curve.name});
  return labels;
}

std::string result_tooltip(const sweep::SweepResult& result, const std::vector<Curve>& curves,
                           const Column& column) {
  std::string text;
  for (const Curve& curve : curves) {
    const ColumnPart& part = column.chips[curve.chip];
    if (part.inputs == 0) continue;
    if (text.empty())
      text = fmt::format("{}\nexpected {}", place_text(result, part.sample),
                         value_text(result.output_format, part.sample.expected));
    text += fmt::format("\n{}: {} ({} ULP)", curve.short_name,
                        value_text(result.output_format, part.sample.found),
                        case_ulp_text(result.measure, result.output_format, part.sample));
  }
  return text;
}

class FunctionPicture {
 public:
  FunctionPicture(const SweepReport& report, ChartSize size)
      : result_(report.result),
        curves_(curves_of(result_)),
        chart_(labels_of(result_, curves_), size),
        view_(all_inputs(result_, chart_.width())),
        y_(result_axis(results_of(result_, view_.columns), vertical_room(chart_.height()))) {}

  std::string draw() {
    chart_.draw_axes(view_.axis, y_);
    for (const Curve& curve : curves_) draw_found(curve.chip);
    // Of two operands, neighbours have another y: a line between them would mean nothing.
    if (!result_.chips.empty() && result_.operands == 1) draw_reference();
    for (const Column& column : view_.columns)
      chart_.draw_tooltip(chart_.left() + column.x - kColumnWidth / 2, kColumnWidth,
                          result_tooltip(result_, curves_, column));
    return chart_.svg();
  }

 private:
  /// Where value bits of the output format lie in a column; nothing for a NaN.
  std::optional<Point> point(const Column& column, std::uint32_t bits) const {
    const double number = formats::value_of_bits(result_.output_format, bits);
    if (std::isnan(number)) return std::nullopt;
    return Point{chart_.left() + column.x, chart_.bottom() - y_.at(number) * chart_.height()};
  }

  void draw_found(std::size_t chip) {
    std::vector<ChartMark> marks;
    for (const Column& column : view_.columns) {
      const sweep::SweepCase& sample = column.chips[chip].sample;
      const auto found = point(column, sample.found), expected = point(column, sample.expected);
      if (column.chips[chip].inputs != 0 && found)
        marks.push_back({*found, expected ? expected->y : chart_.size().height});
    }
    chart_.draw_marks(chip, marks);
  }

  void draw_reference() {
    std::vector<Point> points;
    for (const Column& column : view_.columns) {
      const auto expected = point(column, column.chips.front().sample.expected);
      if (column.chips.front().inputs != 0 && expected) points.push_back(*expected);
    }
    chart_.draw_line("reference", points, {widest_gap(view_.columns), kJump * chart_.height()});
  }

  const sweep::SweepResult& result_;
  std::vector<Curve> curves_;
  Chart chart_;
  InputView view_;
  Axis y_;
};

} // namespace

std::string function_picture(const SweepReport& report, ChartSize size) {
  return FunctionPicture(report, size).draw();
}

} // namespace lanewise::report
