#include "report/sweep/page_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/page/listing.h"
#include "report/page/page.h"
#include "report/sweep/values.h"
#include "run/execution/tile_runner.h"

namespace lanewise::report {

namespace {

// A wide window shows halves beside each other.
constexpr ChartSize kWide{1240, 400}, kNarrow{640, 360}, kHalf{606, 390}, kPhone{366, 300};

std::string picture(const std::string& content, ChartSize size, std::string_view name,
                    std::string_view classes) {
  return fmt::format(
      "<svg class=\"picture{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>",
      classes, size.width, size.height, escaped(name), content);
}

} // namespace

std::string half_picture(std::string_view name,
                         const std::function<std::string(ChartSize size)>& draw,
                         std::optional<double> height) {
  const auto drawn = [&](ChartSize size, std::string_view classes) {
    size.height = height.value_or(size.height);
    return picture(draw(size), size, name, classes);
  };
  return drawn(kHalf, " half") + drawn(kPhone, " phone");
}

std::string side_by_side(const std::string& left, const std::string& right) {
  return fmt::format("<div class=\"pair\">{}{}</div>", left, right);
}

std::string error_pictures(const sweep::SweepResult& result, const ErrorWords& words) {
  const auto whole = [&](ChartSize size) { return error_picture(result, size, words); };
  const auto near = [&](ChartSize size) { return near_picture(result, size, words); };
  if (!near(kHalf).empty())
    return side_by_side(half_picture(words.title, whole), half_picture(words.near_title, near));
  return picture(whole(kWide), kWide, words.title, " wide") +
         picture(whole(kNarrow), kNarrow, words.title, " narrow") +
         picture(whole(kPhone), kPhone, words.title, " phone");
}

std::string chip_card(std::size_t chip, std::string_view value, const std::string& label) {
  return fmt::format("<div class=\"card {}\"><b>{}</b><span>{}</span></div>", chip_class(chip),
                     escaped(value), escaped(label));
}

std::string curve_cards(const sweep::SweepResult& result, const Curve& curve,
                        const std::function<CardText(std::size_t chip)>& text_of) {
  const CardText first = text_of(curve.chip);
  const bool is_one = std::ranges::all_of(curve.chips, [&](std::size_t chip) {
    const CardText text = text_of(chip);
    return text.value == first.value && text.label == first.label;
  });
  if (is_one) return chip_card(curve.chip, first.value, curve.short_name + ": " + first.label);
  std::string cards;
  for (const std::size_t chip : curve.chips) {
    const CardText text = text_of(chip);
    cards +=
        chip_card(curve.chip, text.value, chip_name(result.chips[chip].arch) + ": " + text.label);
  }
  return cards;
}

std::string verdict(bool is_missed, const std::string& text) {
  return fmt::format("<li{}>{}</li>", is_missed ? " class=\"missed\"" : "", escaped(text));
}

std::string verdict_list(const std::string& verdicts) {
  return verdicts.empty() ? "" : "<ul class=\"verdicts\">" + verdicts + "</ul>";
}

std::string swept_listing(const SweptProgram& swept, const sweep::SweepResult& result,
                          std::string_view heading) {
  execution::TileRunOptions options;
  options.format = result.format;
  options.output_format = result.output_format;
  options.as_kernel = swept.as_kernel;
  const auto timed = execution::schedule_on_tile(swept.arch, swept.program, options);
  const std::string content = timed ? program_listing({swept.arch, swept.program, timed->program,
                                                       timed->schedule, swept.source})
                                    : fmt::format("<p>{}</p>", escaped(to_string(timed.error())));
  const ArchParams& chip = arch_params(swept.arch);
  return fmt::format("<section data-chip=\"{}\"><h2>{}: {}</h2>{}</section>", chip.names.id,
                     chip.names.full, escaped(heading), content);
}

std::vector<PageProgram> page_programs(std::span<const SweptProgram> programs) {
  std::vector<PageProgram> records;
  records.reserve(programs.size());
  for (const SweptProgram& each : programs)
    records.push_back(page_program(each.arch, each.program));
  return records;
}

} // namespace lanewise::report
