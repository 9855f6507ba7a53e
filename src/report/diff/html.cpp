#include "report/diff/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/diff/tables.h"
#include "report/page/page.h"
#include "report/plain_number.h"
#include "report/sweep/errors.h"
#include "report/sweep/page_parts.h"
#include "report/sweep/style.h"
#include "report/sweep/values.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

using sweep::DiffStatistics;

/// Statistics of the same inputs, as pictures take them.
sweep::SweepResult result_with(const sweep::DiffResult& of,
                               std::vector<sweep::SweepStatistics> chips) {
  return {.format = of.format,
          .output_format = of.output_format,
          .measure = of.measure,
          .operands = of.operands,
          .space = of.space,
          .total = of.total,
          .done = of.done,
          .chips = std::move(chips)};
}

/// What the pictures show: finite inputs, so that chips which differ in others are one curve. The
/// first program's results are numbers of the format: from there, a distance before rounding is the
/// distance.
sweep::SweepResult distances_of(const sweep::DiffResult& of) {
  sweep::SweepResult result = result_with(of, of.distances);
  for (sweep::SweepStatistics& chip : result.chips) {
    chip.error = {};
    chip.histogram.clear();
    std::erase_if(chip.bins, [&](const auto& bin) {
      return !std::isfinite(formats::value_of_bits(of.format, bin.second.sample.x));
    });
    for (auto& [key, part] : chip.bins) part.largest_exact = formats::kNotCompared;
    for (auto& [key, part] : chip.near) part.largest_exact = formats::kNotCompared;
  }
  return result;
}

std::string difference_text(const DiffStatistics& chip) {
  if (chip.changed == 0) return fmt::format("all {} results have the same bits", chip.inputs);
  std::string text = fmt::format("{} of {} results have other bits, {}", chip.changed, chip.inputs,
                                 percent_text(chip.changed, chip.inputs));
  text += fmt::format("; they are up to {} ULP apart", ulp_count_text(chip.distance.largest));
  if (chip.distance.lost != 0)
    text += fmt::format(", and {} are no numbers any more", chip.distance.lost);
  return text;
}

std::string verdicts(const DiffReport& report) {
  const sweep::DiffResult& result = report.result;
  std::string items;
  if (result.done != result.total) {
    items += verdict(true, fmt::format("The comparison stopped after {} of {} inputs.", result.done,
                                       result.total));
  }
  std::vector<std::pair<Arch, std::string>> differences;
  for (const DiffStatistics& chip : result.chips)
    differences.emplace_back(chip.arch, difference_text(chip));
  const bool differ = std::ranges::any_of(
      result.chips, [](const DiffStatistics& chip) { return chip.changed != 0; });
  for (const std::string& text : by_chip(differences)) items += verdict(differ, text);
  for (const std::string& text : diff_sentences(report)) items += verdict(false, text);
  for (const std::string& text : diff_faults(report)) items += verdict(true, text);
  return verdict_list(items);
}

std::string cards(const DiffReport& report, const sweep::SweepResult& distances) {
  const auto& chips = report.result.chips;
  const auto equal = [&](std::size_t i) {
    return CardText{std::to_string(chips[i].inputs - chips[i].changed), "results with equal bits"};
  };
  const auto different = [&](std::size_t i) {
    return CardText{std::to_string(chips[i].changed),
                    "with other bits, " + percent_text(chips[i].changed, chips[i].inputs)};
  };
  const auto largest = [&](std::size_t i) {
    const sweep::UlpStatistics& distance = chips[i].distance;
    CardText text{ulp_count_text(distance.largest), "largest distance, |ULP|"};
    if (distance.lost != 0) text.value += fmt::format(" and {} lost", distance.lost);
    if (distance.largest != 0) text.label += ", at " + place_text(distances, distance.worst);
    return text;
  };
  const auto cycles = [&](std::size_t i) {
    const double first = chips[i].first.cycles, second = chips[i].second.cycles;
    return CardText{fmt::format("{} \u2192 {}", number(first), number(second)),
                    "cycles per tile, " + change_text(first, second)};
  };
  std::string rows;
  for (const Curve& curve : curves_of(distances)) {
    rows +=
        card_row(curve_cards(distances, curve, equal) + curve_cards(distances, curve, different) +
                 curve_cards(distances, curve, largest) + curve_cards(distances, curve, cycles));
  }
  return rows;
}

std::string pictures(const DiffReport& report, const sweep::SweepResult& distances) {
  std::string html = error_pictures(distances, {.title = "Distance over input",
                                                .near_title = "Distance near 0",
                                                .y = "second from first, |ULP|"});
  const sweep::DiffResult& result = report.result;
  if (result.first_errors.empty()) return html;
  const auto picture = [&](const std::vector<sweep::SweepStatistics>& errors, const char* title) {
    const sweep::SweepResult shown = result_with(result, errors);
    return half_picture(
        title, [&](ChartSize size) { return error_picture(shown, size, {.title = title}); });
  };
  return html + side_by_side(picture(result.first_errors, "First against the reference"),
                             picture(result.second_errors, "Second against the reference"));
}

/// Two tables that belong together.
std::string tables(const std::string& title, Table rows, const Table& figures) {
  rows.title = title;
  return "<div class=\"columns\"><div>" + table_html(rows) + "</div><div>" + table_html(figures) +
         "</div></div>";
}

std::string numbers(const DiffReport& report) {
  std::string html =
      tables("Second against first", diff_distance_table(report), diff_distance_figures(report));
  Table costs = diff_cost_table(report);
  costs.title = "Costs";
  html += table_html(costs);
  if (!report.result.first_errors.empty()) {
    html += tables("Against the reference", diff_error_table(report), diff_error_figures(report));
  }
  Table worst = diff_worst_table(report, ~std::size_t{0});
  worst.title = "Farthest apart";
  return html + table_html(worst);
}

std::string listings(const DiffReport& report, const sweep::SweepResult& distances) {
  std::string html;
  for (std::size_t i = 0; i < report.first_programs.size(); ++i) {
    html += swept_listing(report.first_programs[i], distances, "first, " + report.first_name);
    html += swept_listing(report.second_programs[i], distances, "second, " + report.second_name);
  }
  return html;
}

PageRecord record(const DiffReport& report, const std::string& command) {
  PageRecord record{command, page_programs(report.first_programs)};
  for (PageProgram& each : page_programs(report.second_programs))
    record.programs.push_back(std::move(each));
  return record;
}

} // namespace

std::string diff_html(const DiffReport& report, const std::string& command) {
  const sweep::SweepResult distances = distances_of(report.result);
  std::string body = verdicts(report);
  if (!report.result.chips.empty()) {
    body += cards(report, distances) + pictures(report, distances) + "<h2>Numbers</h2>" +
            numbers(report);
  }
  body += listings(report, distances);
  std::string subtitle = "lanewise diff, " + diff_inputs(report);
  if (!report.reference.empty()) subtitle += "; reference " + report.reference;
  return html_page({.title = report.first_name + " and " + report.second_name,
                    .heading = report.first_name + " and " + report.second_name,
                    .subtitle = subtitle,
                    .style = sweep_page_style(),
                    .body = body,
                    .record = record(report, command)});
}

} // namespace lanewise::report
