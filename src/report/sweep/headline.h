// What a sweep comes to in a sentence, with everything that its figures leave out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/sweep/report.h"

namespace lanewise::report {

/// "65026 results, largest 1 ULP, mean 1.54e-5; apart from these, 254 of 254 NaN inputs differ".
std::string headline(const sweep::SweepStatistics& chip);

/// How ULP are counted, if it is not this project's way: one sentence or none.
std::vector<std::string> measure_sentences(formats::UlpMeasure measure);

/// Of each chip whose results are not those of silicon: what they are.
std::vector<std::string> arithmetic_sentences(std::span<const Arch> chips);

/// Both, for all chips of a result.
template <class Result>
std::vector<std::string> result_sentences(const Result& result) {
  std::vector<Arch> chips;
  for (const auto& chip : result.chips) chips.push_back(chip.arch);
  std::vector<std::string> sentences = measure_sentences(result.measure);
  for (std::string& each : arithmetic_sentences(chips)) sentences.push_back(std::move(each));
  return sentences;
}

/// The headline of each chip, "bh, wh: ..." where they agree.
std::vector<std::string> headlines(const SweepReport& report);

/// What no figure in ULP counts, if it is not right: classes of inputs, signs of zeros, undecided
/// references. "254 of 254 NaN inputs differ", ...
std::vector<std::string> apart(const sweep::SweepStatistics& chip);

/// Results of another kind than expected, by name.
struct KindName {
  std::uint64_t sweep::WrongKinds::*count;
  const char* name;
};
inline constexpr std::array kWrongKinds{
    KindName{&sweep::WrongKinds::nan, "NaN where a number is expected"},
    KindName{&sweep::WrongKinds::infinite, "infinite where a finite number is expected"},
    KindName{&sweep::WrongKinds::finite, "finite where infinity is expected"},
    KindName{&sweep::WrongKinds::zero, "0 where another number is expected"},
    KindName{&sweep::WrongKinds::nonzero, "another number where 0 is expected"},
    KindName{&sweep::WrongKinds::sign, "of the wrong sign"}};

} // namespace lanewise::report
