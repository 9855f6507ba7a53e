#include "report/score/score.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/plain_number.h"
#include "report/sweep/headline.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

std::string error_text(const sweep::SweepResult& result, const sweep::SweepStatistics& chip) {
  const sweep::UlpStatistics& error = chip.error;
  if (error.count() == 0) return "no result was compared";
  std::string text = fmt::format("largest {} ULP", ulp_count_text(error.largest));
  if (error.largest != 0) text += fmt::format(" at {}", place_text(result, error.worst));
  if (error.lost != 0) text += fmt::format(", {} lost", error.lost);
  return text + (is_faithful(chip) ? ", faithful" : ", not faithful") +
         fmt::format(" ({} ULP before rounding)", ulp_text(error.largest_exact));
}

std::string specials_text(const sweep::SweepStatistics& chip) {
  const std::vector<std::string> differing = apart(chip);
  if (differing.empty()) return "specials as the reference";
  return fmt::format("specials: {}", fmt::join(differing, ", "));
}

/// "-12.5 %"
std::string change_text(double before, double after) {
  return before == 0 ? "" : fmt::format(" ({:+.1f} %)", 100 * (after - before) / before);
}

std::string cycles_text(const sweep::SweepStatistics& chip, const sweep::SweepStatistics* before) {
  std::string now = fmt::format("{} cycles per tile", number(chip.cycles));
  if (before == nullptr) return now;
  return fmt::format("{}, {} before{}, whose largest was {} ULP", now, number(before->cycles),
                     change_text(before->cycles, chip.cycles),
                     ulp_count_text(before->error.largest));
}

const sweep::SweepStatistics* before_of(const ScoreReport& report, std::size_t chip) {
  return report.before ? &report.before->chips[chip] : nullptr;
}

json chip_object(const sweep::SweepResult& result, const sweep::SweepStatistics& chip) {
  return {{"largest_ulp", chip.error.largest},
          {"at", place_text(result, chip.error.worst)},
          {"largest_exact_ulp", chip.error.largest_exact},
          {"mean_ulp", chip.error.mean()},
          {"lost", chip.error.lost},
          {"faithful", is_faithful(chip)},
          {"specials", apart(chip)},
          {"cycles", chip.cycles}};
}

} // namespace

bool is_faithful(const sweep::SweepStatistics& chip) {
  return chip.error.count() != 0 && chip.error.lost == 0 && chip.error.largest_exact < 1;
}

std::string score_text(const ScoreReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.result.chips.size(); ++i) {
    const sweep::SweepStatistics& chip = report.result.chips[i];
    text += fmt::format("{}: {}; {}; {}\n", chip_name(chip.arch), error_text(report.result, chip),
                        specials_text(chip), cycles_text(chip, before_of(report, i)));
  }
  return text;
}

nlohmann::json score_json(const ScoreReport& report) {
  json chips = json::object();
  for (std::size_t i = 0; i < report.result.chips.size(); ++i) {
    json object = chip_object(report.result, report.result.chips[i]);
    if (const sweep::SweepStatistics* before = before_of(report, i))
      object["before"] = chip_object(*report.before, *before);
    chips[chip_name(report.result.chips[i].arch)] = std::move(object);
  }
  return {{"kernel", report.name},
          {"reference", report.reference},
          {"format", formats::format_name(report.result.format)},
          {"inputs", report.result.done},
          {"chips", std::move(chips)}};
}

} // namespace lanewise::report
