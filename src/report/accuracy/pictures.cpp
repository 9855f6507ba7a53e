#include "report/accuracy/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "report/page/row_chart.h"
#include "report/plain_number.h"
#include "report/sweep/chart.h"
#include "report/sweep/page_parts.h"

namespace lanewise::report {

namespace {

using Rows = std::span<const AccuracyRow>;

bool is_same_kernel(const AccuracyRow& one, const AccuracyRow& other) {
  return one.kernel == other.kernel && one.reference == other.reference &&
         one.format == other.format && one.statistics.arch != other.statistics.arch;
}

/// The rows of each kernel, one for each chip.
std::vector<Rows> kernels_of(Rows rows) {
  std::vector<Rows> kernels;
  for (std::size_t first = 0, i = 1; i <= rows.size(); ++i) {
    if (i < rows.size() && is_same_kernel(rows[first], rows[i])) continue;
    kernels.push_back(rows.subspan(first, i - first));
    first = i;
  }
  return kernels;
}

/// In the order in which they come.
std::vector<Arch> chips_of(Rows rows) {
  std::vector<Arch> chips;
  for (const AccuracyRow& row : rows) {
    if (std::ranges::find(chips, row.statistics.arch) == chips.end())
      chips.push_back(row.statistics.arch);
  }
  return chips;
}

/// The chips' values, or the one that all have.
std::string joined(const std::vector<std::string>& values) {
  if (std::ranges::all_of(values, [&](const auto& each) { return each == values.front(); }))
    return values.front();
  return fmt::format("{}", fmt::join(values, ", "));
}

/// What a row is drawn as, and its value in words.
using Drawing = std::function<std::string(const AccuracyRow& row, std::size_t chip, RowMark& mark)>;

std::vector<ChartRow> chart_rows(Rows rows, const Drawing& draw) {
  const std::vector<Arch> chips = chips_of(rows);
  std::vector<ChartRow> drawn;
  for (const Rows kernel : kernels_of(rows)) {
    ChartRow row{.name = kernel.front().kernel};
    std::vector<std::string> values;
    for (const AccuracyRow& each : kernel) {
      const auto chip =
          static_cast<std::size_t>(std::ranges::find(chips, each.statistics.arch) - chips.begin());
      RowMark mark{.classes = chip_class(chip),
                   .lane = static_cast<unsigned>(row.marks.size()),
                   .lanes = static_cast<unsigned>(kernel.size())};
      values.push_back(draw(each, chip, mark));
      mark.title = fmt::format("{}, {}: {}", each.kernel,
                               arch_params(each.statistics.arch).names.family, values.back());
      row.marks.push_back(std::move(mark));
    }
    row.value = joined(values);
    drawn.push_back(std::move(row));
  }
  return drawn;
}

RowChart error_chart(Rows rows) {
  double largest = 1;
  RowChart chart{.title = "Largest error", .x = "|ULP|"};
  chart.rows = chart_rows(rows, [&](const AccuracyRow& row, std::size_t chip, RowMark& mark) {
    const sweep::UlpStatistics& error = row.statistics.error;
    mark.shape = chip == 0 ? RowShape::Circle : RowShape::Diamond;
    mark.to = error.largest;
    if (error.lost == 0) {
      largest = std::max(largest, error.largest);
      return number(error.largest);
    }
    chart.off = "lost";
    mark.is_off = true;
    mark.classes += " lost";
    return chart.off;
  });
  chart.axis = [largest](AxisRoom room) { return ulp_axis(largest, room); };
  return chart;
}

RowChart cycle_chart(Rows rows) {
  double most = 1;
  RowChart chart{.title = "Cycles per tile", .x = "cycles of a tile in the steady state"};
  chart.rows = chart_rows(rows, [&](const AccuracyRow& row, std::size_t, RowMark& mark) {
    mark.to = row.statistics.cycles;
    most = std::max(most, mark.to);
    return number(mark.to);
  });
  chart.axis = [most](AxisRoom room) { return linear_axis(0, most, room); };
  return chart;
}

std::string legend(Rows rows) {
  std::vector<std::pair<std::string, std::string_view>> keys;
  for (const Arch arch : chips_of(rows))
    keys.emplace_back(chip_class(keys.size()), arch_params(arch).names.family);
  return chart_legend(keys);
}

} // namespace

std::string accuracy_pictures(Rows rows) {
  constexpr std::size_t kFew = 40; // in view as they are
  if (rows.empty()) return "";
  const RowChart errors = error_chart(rows);
  return fmt::format("<details{}><summary>Pictures</summary>{}{}</details>",
                     errors.rows.size() <= kFew ? " open=\"open\"" : "", legend(rows),
                     side_by_side(row_chart(errors), row_chart(cycle_chart(rows))));
}

} // namespace lanewise::report
