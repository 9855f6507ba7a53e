// The page: figures, and every compared row as a point of a picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/clock/report.h"
#include "report/clock/tables.h"
#include "report/page/page.h"

namespace lanewise::report {

namespace {

constexpr double kSide = 480, kPictureMargin = 44;

constexpr std::string_view kStyle =
    ".correlation { max-width: 40rem; }\n"
    ".correlation .even { stroke: currentColor; fill: none; }\n"
    ".correlation .near { stroke: currentColor; fill: none; opacity: 0.35; }\n"
    ".correlation text { fill: currentColor; font-size: 12px; }\n"
    ".correlation .unpack { fill: var(--load-line); }\n"
    ".correlation .math { fill: var(--round-line); }\n"
    ".correlation .pack { fill: var(--store-line); }\n"
    ".correlation .side { fill: var(--muted); }\n"
    "@media (max-width: 500px) { .correlation text { font-size: 15px; } }\n";

/// A picture with the same steps for equal ratios on both sides.
class CorrelationPicture {
 public:
  explicit CorrelationPicture(const silicon::Comparison& comparison) : comparison_(comparison) {
    double least = std::numeric_limits<double>::max(), most = 0;
    for (const silicon::ComparedRow& each : comparison.rows) {
      if (!has_point(each)) continue;
      least = std::min({least, each.row.median, *each.cycles});
      most = std::max({most, each.row.median, *each.cycles});
    }
    is_empty_ = most == 0;
    if (is_empty_) return;
    first_ = static_cast<int>(std::floor(std::log2(least)));
    last_ = std::max(static_cast<int>(std::ceil(std::log2(most))), first_ + 1);
  }

  std::string svg() const {
    if (is_empty_) return "<p>No row has both values.</p>";
    std::string marks;
    for (int power = first_; power <= last_; ++power) {
      const double cycles = std::exp2(power);
      marks += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\">{:g}</text><text x=\"2\" y=\"{:.1f}\">{:g}</text>",
          x(cycles), kSide + kPictureMargin - 6, cycles, y(cycles), cycles);
    }
    marks += captions();
    const double low = std::exp2(first_), high = std::exp2(last_);
    marks += line("even", low, low, high, high);
    marks +=
        line("near", low, low * (1 + silicon::kNearShare), high, high * (1 + silicon::kNearShare));
    marks +=
        line("near", low, low * (1 - silicon::kNearShare), high, high * (1 - silicon::kNearShare));
    for (const silicon::ComparedRow& each : comparison_.rows) {
      if (!has_point(each)) continue;
      marks += fmt::format(
          "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}: {:.2f} measured, "
          "{} here</title></circle>",
          silicon::engine_name(each.row.engine), x(each.row.median), y(*each.cycles),
          escaped(row_name(each.row)), each.row.median, model_text(each));
    }
    return fmt::format(
        "<svg class=\"correlation\" viewBox=\"0 0 {0} {0}\" role=\"img\" aria-label=\"Measured "
        "cycles to the right, those of the model upwards\">{1}</svg>",
        kSide + kPictureMargin, marks);
  }

 private:
  static bool has_point(const silicon::ComparedRow& each) {
    return each.cycles && *each.cycles > 0;
  }
  double along(double cycles) const {
    return (std::log2(cycles) - first_) / (last_ - first_) * (kSide - kPictureMargin);
  }
  double x(double cycles) const { return kPictureMargin + along(cycles); }
  double y(double cycles) const { return kSide - along(cycles); }
  /// What the sides and the colours are.
  static std::string captions() {
    constexpr double kLine = 16, kBelow = 1.4 * kPictureMargin;
    std::string text = fmt::format(
        "<text class=\"side\" x=\"{:.1f}\" y=\"{:.1f}\">silicon, cycles</text><text "
        "class=\"side\" x=\"2\" y=\"{:.1f}\">model, cycles</text>",
        kSide - 2 * kPictureMargin, kSide - kLine / 2, kLine);
    double y = kBelow;
    for (const std::string_view engine : {"unpack", "math", "pack"}) {
      text += fmt::format(
          "<circle class=\"{0}\" cx=\"{1:.1f}\" cy=\"{2:.1f}\" r=\"4\"/><text x=\"{3:.1f}\" "
          "y=\"{4:.1f}\">{0}</text>",
          engine, kPictureMargin + kLine, y, kPictureMargin + 2 * kLine, y + 4);
      y += kLine;
    }
    return text + fmt::format(
                      "<text class=\"side\" x=\"{:.1f}\" y=\"{:.1f}\">lines: equal, and "
                      "5 % to either side</text>",
                      kPictureMargin + kLine, y + 4);
  }
  std::string line(std::string_view name, double x1, double y1, double x2, double y2) const {
    return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", name, x(x1),
                       y(y1), x(x2), y(y2));
  }

  const silicon::Comparison& comparison_;
  int first_ = 0, last_ = 1; ///< powers of two
  bool is_empty_ = false;
};

} // namespace

std::string clock_html(const ClockReport& report, const std::string& command) {
  Page page;
  page.title = page.heading = "Cycles of silicon and of the model";
  page.subtitle =
      report.checkout.empty()
          ? fmt::format("{}; {}", clock_headline(report), report.table)
          : fmt::format("{}; {} against {}", clock_headline(report), report.checkout, report.table);
  page.style = kStyle;
  page.body = CorrelationPicture(report.comparison).svg();
  for (const Table& table : clock_tables(report.comparison)) page.body += table_html(table);
  page.body += table_html(worse_table(report.worse));
  page.record.command = command;
  return html_page(page);
}

} // namespace lanewise::report
