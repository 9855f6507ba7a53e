#include "source/compiler/epoch.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "base/in_quotes.h"

namespace lanewise::compiler {

namespace {

/// The numbers between the dots; nothing if there is something else.
std::optional<std::vector<int>> numbers_of(std::string_view text) {
  std::vector<int> numbers;
  const char* next = text.data();
  const char* const end = next + text.size();
  while (true) {
    constexpr std::ptrdiff_t kMostDigits = 4;
    int number = 0;
    const auto [behind, error] = std::from_chars(next, end, number);
    if (error != std::errc() || *next == '-' || behind - next > kMostDigits) return std::nullopt;
    numbers.push_back(number);
    if (behind == end) return numbers;
    if (*behind != '.') return std::nullopt;
    next = behind + 1;
  }
}

/// 0 if it is no release.
int epoch_of(const std::vector<int>& numbers) {
  constexpr int kMinors = 100;
  constexpr std::size_t kMostNumbers = 3;
  if (numbers.size() == 1) return numbers[0];
  if (numbers.size() > kMostNumbers || numbers[1] >= kMinors) return 0;
  return kMinors * numbers[0] + numbers[1];
}

} // namespace

std::string epoch_text(int epoch) {
  return fmt::format("{}.{}", epoch / 100, epoch % 100);
}

Expected<int> parse_epoch(std::string_view text) {
  const auto numbers = numbers_of(text);
  const int epoch = numbers ? epoch_of(*numbers) : 0;
  if (is_epoch(epoch)) return epoch;
  return bad_input(
      fmt::format("there is no SFPI {}", in_quotes(text)),
      fmt::format("use {}, which stands for all before {}, or {} to {}", epoch_text(kFirstEpoch),
                  epoch_text(kOldestMinor), epoch_text(kOldestMinor), epoch_text(kNewestEpoch)));
}

} // namespace lanewise::compiler
