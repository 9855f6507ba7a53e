#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "report/plain_number.h"
#include "report/sweep/curves.h"
#include "report/sweep/pictures.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

/// Part of its place that a group of bars takes.
constexpr double kBarShare = 0.8;
constexpr int kWrittenOut = 10; ///< powers of two that are written out: up to 512

/// Errors from `first` to `last`, or lost results.
struct Group {
  std::optional<int> key; ///< of SweepStatistics::histogram; nothing = lost
};

/// 2^(|key| - 1) with its sign: where a group begins.
std::string first_text(int key) {
  if (key == 0) return "0";
  const int power = std::abs(key) - 1;
  const std::string minus = key < 0 ? "−" : "";
  return minus + (power < kWrittenOut ? std::to_string(1 << power) : "2" + raised(power));
}

/// "−3 to −2 ULP".
std::string group_text(const Group& group) {
  if (!group.key) return "lost";
  const int key = *group.key;
  if (std::abs(key) <= 1) return fmt::format("{} ULP", first_text(key));
  // Without the sign in front of the end, which is one less than where the next group begins.
  const double last = std::ldexp(1.0, std::abs(key)) - 1;
  return fmt::format("{} to {}{:.0f} ULP", first_text(key), key < 0 ? "−" : "", last);
}

std::vector<Group> groups_of(const sweep::SweepResult& result) {
  int first = -1, last = 1;
  bool any_lost = false;
  for (const sweep::SweepStatistics& chip : result.chips) {
    any_lost |= chip.error.lost != 0;
    if (chip.histogram.empty()) continue;
    first = std::min(first, chip.histogram.begin()->first);
    last = std::max(last, chip.histogram.rbegin()->first);
  }
  std::vector<Group> groups;
  for (int key = first; key <= last; ++key) groups.push_back({key});
  if (any_lost) groups.push_back({std::nullopt});
  return groups;
}

std::uint64_t count_of(const sweep::SweepStatistics& chip, const Group& group) {
  if (!group.key) return chip.error.lost;
  const auto at = chip.histogram.find(*group.key);
  return at == chip.histogram.end() ? 0 : at->second;
}

std::string tooltip(const sweep::SweepResult& result, const std::vector<Curve>& curves,
                    const Group& group) {
  std::string text = group_text(group);
  for (const Curve& curve : curves) {
    const sweep::SweepStatistics& chip = result.chips[curve.chip];
    const std::uint64_t count = count_of(chip, group);
    text += fmt::format("\n{}: {}, {}", curve.short_name, counted(count, "result"),
                        percent_text(count, chip.error.count()));
  }
  return text;
}

constexpr std::string_view kAxis =
    "signed ULP (1, 2 to 3, 4 to 7, ...), positive where the result is too large";
constexpr std::string_view kShortAxis = "signed ULP, positive: too large";

ChartLabels labels_of(const std::vector<Curve>& curves, ChartSize size) {
  ChartLabels labels{"Distribution of errors",
                     std::string(text_width(kAxis) < Chart::field_width(size) ? kAxis : kShortAxis),
                     "results",
                     {}};
  for (const Curve& curve : curves)
    labels.legend.push_back({curve.chip, SeriesShape::Bars, curve.name});
  return labels;
}

/// The bars of one group side by side in [left, left + width).
void draw_bars(Chart& chart, const sweep::SweepResult& result, const std::vector<Curve>& curves,
               const Group& group, const Axis& y, Point place) {
  const double wide = place.y * kBarShare / static_cast<double>(curves.size());
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::uint64_t count = count_of(result.chips[curves[i].chip], group);
    if (count == 0) continue;
    const double height = y.at(static_cast<double>(count)) * chart.height();
    chart.add(fmt::format(
        "<rect class=\"{} bars\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
        chip_class(curves[i].chip),
        place.x + place.y * (1 - kBarShare) / 2 + wide * static_cast<double>(i) + 0.5,
        chart.bottom() - height, std::max(1.0, wide - 1), height));
  }
}

} // namespace

std::string histogram_picture(const SweepReport& report, ChartSize size) {
  const sweep::SweepResult& result = report.result;
  const std::vector<Curve> curves = curves_of(result);
  Chart chart(labels_of(curves, size), size);
  const std::vector<Group> groups = groups_of(result);
  std::uint64_t most = 0;
  for (const Group& group : groups) {
    for (const sweep::SweepStatistics& chip : result.chips)
      most = std::max(most, count_of(chip, group));
  }
  const Axis y = count_axis(most, vertical_room(chart.height()));
  chart.draw_axes(Axis{}, y);
  const double wide = chart.width() / static_cast<double>(groups.size());
  const double pitch = horizontal_room(chart.width()).label_pitch;
  const int step = std::max(1, static_cast<int>(std::ceil(pitch / 1.5 / wide)));
  const auto zero = static_cast<double>(-*groups.front().key);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double left = chart.left() + wide * static_cast<double>(i);
    draw_bars(chart, result, curves, groups[i], y, {left, wide});
    // Labels are counted from 0; lost results have theirs in any case.
    const int from_zero = static_cast<int>(static_cast<double>(i) - zero);
    const bool room =
        groups.back().key || static_cast<double>(groups.size() - 1 - i) * wide >= pitch / 1.5;
    if (!groups[i].key) {
      chart.draw_tick_label(left + wide / 2, "lost");
    } else if (from_zero % step == 0 && room) {
      chart.draw_tick_label(left + wide / 2, first_text(*groups[i].key));
    }
    chart.draw_tooltip(left, wide, tooltip(result, curves, groups[i]));
  }
  return chart.svg();
}

} // namespace lanewise::report
