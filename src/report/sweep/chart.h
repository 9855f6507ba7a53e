// The frame of a picture: title, legend, axes with labels, and the field between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/sweep/axis.h"

namespace lanewise::report {

/// Pixels of a picture without scaling.
struct ChartSize {
  double width = 0, height = 0;
};

/// How a series is drawn; its colour is that of the chip.
enum class SeriesShape : std::uint8_t { Marks, Line, ThinLine, Bars, Hatching, Reference };

struct LegendItem {
  std::size_t chip = 0; ///< its place in the report; Reference has a colour of its own
  SeriesShape shape = SeriesShape::Marks;
  std::string text;
};

struct ChartLabels {
  std::string title, x, y; ///< plain text
  std::vector<LegendItem> legend;
};

/// A point of the field in pixels.
struct Point {
  double x = 0, y = 0;
};

/// A mark, and the height at which it would tell nothing new: that of its neighbour, or of a line
/// that is drawn anyway.
struct ChartMark {
  Point at;
  double plain = 0;
};

class Chart {
 public:
  /// `reserved` pixels at the top of the field are for a row of their own, above the axis.
  Chart(ChartLabels labels, ChartSize size, double reserved = 0);

  // The field, in pixels.
  double left() const;
  double right() const;
  double top() const; ///< of the part with the y axis, below what is reserved
  double bottom() const;
  double width() const { return right() - left(); }
  double height() const { return bottom() - top(); }

  /// Gridlines with labels.
  void draw_axes(const Axis& x, const Axis& y);
  /// A gridline with a label for the row at the top.
  void draw_reserved(std::string_view label);
  /// What the width of the field will be.
  static double field_width(ChartSize size);
  double reserved_middle() const { return top() - reserved_ / 2; }

  /// A mark for each point: filled circles for the first chip, diamonds for the second. Of close
  /// neighbours that tell nothing new only some are drawn. They come from left to right.
  void draw_marks(std::size_t chip, const std::vector<ChartMark>& marks);
  /// A line through points; it breaks where two are farther apart than `widest`, in x or in y.
  void draw_line(std::string_view classes, const std::vector<Point>& points, Point widest);
  /// Part `lane` of `lanes` of the row at the top, hatched from one x to another.
  void draw_band(std::size_t chip, double from, double to, std::size_t lane, std::size_t lanes);
  /// What a reader sees who points at part of the field. `text` is plain, with line breaks.
  void draw_tooltip(double x, double width, std::string_view text);
  void draw_tick_label(double x, std::string_view label);
  void add(std::string_view svg) { svg_ += svg; }

  /// <g> with everything, from (0, 0) to the size.
  std::string svg() const;
  ChartSize size() const { return size_; }

 private:
  void draw_hatching(std::size_t chip, Point from, Point to);
  void draw_legend();
  void draw_legend_item(const LegendItem& item, Point at);

  ChartLabels labels_;
  ChartSize size_;
  double reserved_;
  double head_ = 0; ///< pixels of title and legend
  std::string svg_;
};

/// The class that colours a chip: "chip0", "chip1".
std::string chip_class(std::size_t chip);

/// About how wide a text of 12 pixels is.
double text_width(std::string_view text);

} // namespace lanewise::report
