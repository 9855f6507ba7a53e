#include "report/sweep/headline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "report/plain_number.h"
#include "report/sweep/errors.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

std::string figures(const sweep::UlpStatistics& error) {
  return fmt::format("largest {} ULP, mean {}", ulp_count_text(error.largest),
                     ulp_text(error.mean()));
}

} // namespace

std::vector<std::string> apart(const sweep::SweepStatistics& chip) {
  std::vector<std::string> texts;
  const auto add = [&](const sweep::ClassStatistics& of, const char* inputs) {
    if (of.differ != 0)
      texts.push_back(fmt::format("{} of {} {} differ", of.differ, of.inputs, inputs));
  };
  add(chip.denormal, "denormal inputs");
  add(chip.infinite, "infinite inputs");
  add(chip.nan, "NaN inputs");
  add(chip.expected_nan, "inputs with NaN as the reference");
  if (chip.zero_signs != 0)
    texts.push_back(fmt::format("{} with the wrong sign", counted(chip.zero_signs, "zero")));
  if (chip.undecided != 0)
    texts.push_back(fmt::format("{} undecided", counted(chip.undecided, "reference")));
  return texts;
}

std::string headline(const sweep::SweepStatistics& chip) {
  const sweep::UlpStatistics& error = chip.error;
  std::string text = counted(error.count(), "result");
  if (error.count() == 0) {
    text = "no result was compared";
  } else if (error.lost == 0) {
    text += ", " + figures(error);
  } else {
    text += fmt::format(", {} lost", error.lost);
    if (error.lost != error.count()) text += "; the others: " + figures(error);
  }
  std::vector<std::string> kinds;
  for (const KindName& kind : kWrongKinds) {
    if (error.wrong.*kind.count != 0)
      kinds.push_back(fmt::format("{} {}", error.wrong.*kind.count, kind.name));
  }
  if (!kinds.empty()) text += fmt::format("; among all: {}", fmt::join(kinds, ", "));
  const std::vector<std::string> rest = apart(chip);
  if (!rest.empty()) text += fmt::format("; apart from these, {}", fmt::join(rest, ", "));
  return text;
}

std::vector<std::string> measure_sentences(formats::UlpMeasure measure) {
  if (measure == formats::UlpMeasure::Line) return {};
  return {fmt::format("ULP of {}: {}", formats::ulp_measure_name(measure),
                      formats::ulp_measure_meaning(measure))};
}

std::vector<std::string> arithmetic_sentences(std::span<const Arch> chips) {
  std::vector<std::string> sentences;
  for (const Arch arch : chips) {
    const ArchParams& chip = arch_params(arch);
    if (!chip.arithmetic_source.empty())
      sentences.push_back(fmt::format("{}: results are {}", chip.names.id, chip.arithmetic_source));
  }
  return sentences;
}

std::vector<std::string> headlines(const SweepReport& report) {
  std::vector<std::pair<Arch, std::string>> sentences;
  for (const sweep::SweepStatistics& chip : report.result.chips)
    sentences.emplace_back(chip.arch, headline(chip));
  return by_chip(sentences);
}

} // namespace lanewise::report
