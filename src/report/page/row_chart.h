// A picture with a row for each name: bars or marks on one axis, and a figure at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/sweep/axis.h"

namespace lanewise::report {

enum class RowShape : std::uint8_t { Bar, Circle, Diamond };

/// What is drawn in a row: a bar from one number to another, or a mark at the second.
struct RowMark {
  RowShape shape = RowShape::Bar;
  std::string classes = {}; ///< of CSS
  double from = 0, to = 0;
  std::string title = {};       ///< what it says when it is pointed at; plain text
  unsigned lane = 0, lanes = 1; ///< its part of the row's height
  bool is_off = false;          ///< a mark right of the axis, where no number is
};

struct ChartRow {
  std::string name, value = {}; ///< plain text; `value` stands at the row's end
  std::vector<RowMark> marks = {};
};

struct RowChart {
  std::string title, x;                         ///< plain text: of the picture and of its axis
  std::function<Axis(AxisRoom room)> axis = {}; ///< from left to right
  std::string off = {};                         ///< what marks right of the axis are; empty: none
  std::vector<ChartRow> rows = {};
};

/// The picture for a wide window and for a phone, as <svg>; its text alternative has each row's
/// name and value.
std::string row_chart(const RowChart& chart);

/// <div class="legend"> of classes and what they are.
std::string chart_legend(const std::vector<std::pair<std::string, std::string_view>>& keys);

} // namespace lanewise::report
