#include "base/source_line.h"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

namespace lanewise {

namespace {

/// Every place that is no plain line, in the order in which they came up.
class Places {
 public:
  std::uint32_t number_of(const SourcePlace& place) {
    const std::scoped_lock lock(mutex_);
    const auto [entry, is_new] = numbers_.try_emplace({place.file, place.line, place.part},
                                                      static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.push_back(place);
    return kFirstPlace + entry->second;
  }

  SourcePlace at(std::uint32_t number) {
    const std::scoped_lock lock(mutex_);
    const std::size_t index = number - kFirstPlace;
    return index < places_.size() ? places_[index] : SourcePlace{};
  }

 private:
  std::mutex mutex_;
  std::map<std::tuple<std::string, std::uint32_t, ProgramPart>, std::uint32_t> numbers_;
  std::deque<SourcePlace> places_;
};

Places& places() {
  static Places all;
  return all;
}

} // namespace

std::uint32_t line_number(const SourcePlace& place) {
  const bool is_plain = place.file.empty() && place.part == ProgramPart::Tile;
  return is_plain && place.line < kFirstPlace ? place.line : places().number_of(place);
}

SourcePlace source_place(std::uint32_t number) {
  return number < kFirstPlace ? SourcePlace{.file = {}, .line = number} : places().at(number);
}

ProgramPart part_of_line(std::uint32_t number) {
  return source_place(number).part;
}

bool has_line(std::uint32_t number) {
  return source_place(number).line != 0;
}

std::string line_text(std::uint32_t number) {
  const SourcePlace place = source_place(number);
  return place.file.empty() ? fmt::format("line {}", place.line)
                            : fmt::format("{}:{}", place.file, place.line);
}

std::string line_label(std::uint32_t number) {
  const SourcePlace place = source_place(number);
  if (place.line == 0) return {};
  if (place.file.empty()) return std::to_string(place.line);
  return fmt::format("{}:{}", place.file.substr(place.file.rfind('/') + 1), place.line);
}

Fault settled(Fault fault) {
  settle_place(fault);
  return fault;
}

std::string place_text(const Fault& fault) {
  // The text of an option is no file (source/sfpi/entry.h); its line is which one it is.
  constexpr std::array kOptions{std::pair{"--call", "the call"}, std::pair{"--init", "--init"}};
  for (const auto& [option, words] : kOptions) {
    if (fault.file != option) continue;
    return fault.line > 1 ? fmt::format("in {}, number {}", words, fault.line)
                          : fmt::format("in {}", words);
  }
  // No path that a system takes is longer.
  constexpr std::size_t kLongestPath = 4096;
  std::string text = fault.file.substr(0, kLongestPath);
  if (fault.file.size() > kLongestPath) text += "...";
  for (const std::uint32_t number : {fault.line, fault.column}) {
    if (number != 0) text += fmt::format("{}{}", text.empty() ? "" : ":", number);
  }
  return text;
}

void settle_place(Fault& fault) {
  if (fault.line < kFirstPlace) return;
  SourcePlace place = source_place(fault.line);
  if (!place.file.empty()) fault.file = std::move(place.file);
  fault.line = place.line;
}

} // namespace lanewise
