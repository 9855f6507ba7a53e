#include "study/sweep/space.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <span>
#include <vector>

#include "base/float_chars.h"
#include "base/in_quotes.h"

namespace lanewise::sweep {

namespace {

using Arguments = std::span<const std::string_view>;

constexpr std::string_view kPossibilities =
    "use every, range:LO:HI, or sample:N, sample:N:SEED, sample:N:SEED:LO:HI";

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t colon = text.find(':');
    words.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return words;
    text.remove_prefix(colon + 1);
  }
}

Expected<std::uint64_t> parse_whole(std::string_view text, std::string_view what) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc{} && stop == end && !text.empty()) return number;
  return bad_input(fmt::format("{} is not {}, a whole number below 2^64", in_quotes(text), what),
                   "write it in digits, for instance 1000000");
}

Expected<double> parse_end(std::string_view text) {
  std::string_view digits = text;
  // std::from_chars() knows only the minus sign.
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = float_from_chars(digits.data(), end, number);
  if (error == std::errc{} && stop == end && !digits.empty() && !std::isnan(number)) return number;
  return bad_input(fmt::format("{} is not the end of a range, a number or inf", in_quotes(text)),
                   "write it in digits, for instance -1.5 or 1e-3");
}

Expected<SweepRange> parse_range(Arguments ends) {
  const auto lowest = parse_end(ends[0]);
  if (!lowest) return Unexpected(lowest.error());
  const auto highest = parse_end(ends[1]);
  if (!highest) return Unexpected(highest.error());
  if (*lowest > *highest) {
    return bad_input(fmt::format("the lower end {} is above the upper end {}", *lowest, *highest),
                     "swap the two");
  }
  return SweepRange{*lowest, *highest};
}

Expected<SweepSpace> parse_sample(Arguments arguments) {
  SweepSpace space;
  const auto count = parse_whole(arguments[0], "a number of samples");
  if (!count) return Unexpected(count.error());
  if (*count == 0) return bad_input("0 samples are none", "ask for at least 1");
  space.sample = SweepSample{.count = *count};
  if (arguments.size() > 1) {
    const auto seed = parse_whole(arguments[1], "a seed");
    if (!seed) return Unexpected(seed.error());
    space.sample->seed = *seed;
  }
  if (arguments.size() > 2) {
    const auto range = parse_range(arguments.subspan(2));
    if (!range) return Unexpected(range.error());
    space.range = *range;
  }
  return space;
}

} // namespace

Expected<SweepSpace> parse_sweep_space(std::string_view text) {
  const std::vector<std::string_view> words = split(text);
  const Arguments arguments = Arguments(words).subspan(1);
  if (words[0] == "every" && arguments.empty()) return SweepSpace{};
  if (words[0] == "range" && arguments.size() == 2) {
    const auto range = parse_range(arguments);
    if (!range) return Unexpected(range.error());
    return SweepSpace{.range = *range, .sample = std::nullopt};
  }
  const bool may_be_sample =
      arguments.size() == 1 || arguments.size() == 2 || arguments.size() == 4;
  if (words[0] == "sample" && may_be_sample) return parse_sample(arguments);
  return bad_input(fmt::format("{} does not say which inputs to take", in_quotes(text)),
                   std::string(kPossibilities));
}

std::string to_string(const SweepSpace& space) {
  const auto ends = [](const SweepRange& range) {
    return fmt::format(":{}:{}", range.lowest, range.highest);
  };
  if (space.sample) {
    std::string text = fmt::format("sample:{}", space.sample->count);
    if (space.sample->seed != 0 || space.range) text += fmt::format(":{}", space.sample->seed);
    return space.range ? text + ends(*space.range) : text;
  }
  return space.range ? "range" + ends(*space.range) : "every";
}

} // namespace lanewise::sweep
