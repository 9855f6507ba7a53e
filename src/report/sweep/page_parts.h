// What the pages of a sweep and of a comparison have in common.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/page/record.h"
#include "report/sweep/curves.h"
#include "report/sweep/pictures.h"
#include "report/sweep/report.h"

namespace lanewise::report {

/// A picture as <svg> of half a wide window, and its variant for a phone: what `draw` makes of each
/// size. `height` is that of both, in pixels, where it does not depend on the window.
std::string half_picture(std::string_view name,
                         const std::function<std::string(ChartSize size)>& draw,
                         std::optional<double> height = std::nullopt);

/// Two parts beside each other in a wide window, else one below the other.
std::string side_by_side(const std::string& left, const std::string& right);

/// Errors over all inputs, and beside them those near 0 where there is such a picture.
std::string error_pictures(const sweep::SweepResult& result, const ErrorWords& words = {});

/// A number in the colour of a chip.
std::string chip_card(std::size_t chip, std::string_view value, const std::string& label);

struct CardText {
  std::string value, label;
};
/// One card for all chips of a curve whose texts are the same, else one for each: "bh, wh: label".
std::string curve_cards(const sweep::SweepResult& result, const Curve& curve,
                        const std::function<CardText(std::size_t chip)>& text_of);

/// A sentence at the head of the page; red if something is missed.
std::string verdict(bool is_missed, const std::string& text);
/// The list of them; empty without any.
std::string verdict_list(const std::string& verdicts);

/// The assembly with its cycles below a heading. The format decides what the program configures.
std::string swept_listing(const SweptProgram& swept, const sweep::SweepResult& result,
                          std::string_view heading);

/// For the record at the end of the page.
std::vector<PageProgram> page_programs(std::span<const SweptProgram> programs);

} // namespace lanewise::report
