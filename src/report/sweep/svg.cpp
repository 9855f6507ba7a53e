#include <fmt/format.h>

#include "report/page/page.h"
#include "report/sweep/html.h"
#include "report/sweep/pictures.h"
#include "report/sweep/style.h"
#include "report/sweep/tables.h"

namespace lanewise::report {

namespace {

// Pixels.
constexpr double kWidth = 1240, kSheetMargin = 24, kHead = 62, kGap = 28;
constexpr double kErrorHeight = 390, kLowerHeight = 340;
/// Letters of the head lines that fit; a long expression is cut.
constexpr std::size_t kLetters = 90, kSmallLetters = 140;

/// At most `letters` characters of UTF-8.
std::string fitting(const std::string& text, std::size_t letters) {
  std::string result;
  for (const char each : valid_utf8(text)) {
    const bool starts = (each & 0xC0) != 0x80;
    if (starts && letters-- == 0) return result + "…";
    result += each;
  }
  return result;
}

std::string moved(double x, double y, const std::string& content) {
  return fmt::format("<g transform=\"translate({} {})\">{}</g>", x, y, content);
}

/// All inputs, and those near 0 beside them if they have a picture.
std::string error_pictures(const sweep::SweepResult& result, double half) {
  const std::string near = near_picture(result, {half, kErrorHeight});
  if (near.empty())
    return moved(kSheetMargin, kHead + 8,
                 error_picture(result, {kWidth - 2 * kSheetMargin, kErrorHeight}));
  return moved(kSheetMargin, kHead + 8, error_picture(result, {half, kErrorHeight})) +
         moved(kSheetMargin + half + kGap, kHead + 8, near);
}

} // namespace

std::string sweep_svg(const SweepReport& report) {
  const double inner = kWidth - 2 * kSheetMargin, half = (inner - kGap) / 2;
  const double height = kHead + kErrorHeight + kGap + kLowerHeight + kSheetMargin;
  const double lower = kHead + kErrorHeight + kGap;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\"><title>{2}</title><style>\n{3}"
      ".head {{ font: 600 18px system-ui, \"DejaVu Sans\", sans-serif; fill: #1c2024; }}\n"
      ".subhead {{ font: 12px system-ui, \"DejaVu Sans\", sans-serif; fill: #5b6570; }}\n"
      "</style><rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>"
      "<text class=\"head\" x=\"{4}\" y=\"30\">{5}</text>"
      "<text class=\"subhead\" x=\"{4}\" y=\"50\">{6}</text>{7}{8}{9}</svg>\n",
      kWidth, height, escaped(sweep_title(report)), sweep_picture_style(), kSheetMargin,
      escaped(fitting(sweep_title(report), kLetters)),
      escaped(fitting(sweep_inputs(report), kSmallLetters)), error_pictures(report.result, half),
      moved(kSheetMargin, lower, function_picture(report, {half, kLowerHeight})),
      moved(kSheetMargin + half + kGap, lower, histogram_picture(report, {half, kLowerHeight})));
}

} // namespace lanewise::report
