#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/in_quotes.h"
#include "base/text_file.h"
#include "study/traffic/cards.h"
#include "study/traffic/series_file.h"

namespace lanewise::traffic {

namespace {

constexpr std::string_view kUnit = "cycles total";
constexpr std::size_t kFirstSize = 10;

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t end = line.find(',');
    cells.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

template <class Value, std::size_t kCount>
std::optional<Value> named(std::string_view name, std::string_view (*name_of)(Value)) {
  for (std::size_t each = 0; each < kCount; ++each)
    if (name == name_of(static_cast<Value>(each))) return static_cast<Value>(each);
  return std::nullopt;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc{} && result.ptr == text.data() + text.size();
}

/// Nothing: of another kind.
Expected<std::optional<Series>> series_of(const std::vector<std::string_view>& cells,
                                          std::uint32_t line) {
  const auto refuse = [line](std::string_view cell, const char* what, const char* remedy) {
    return bad_input(fmt::format("{} is {}", in_quotes(cell), what), remedy, line);
  };
  const auto pattern = named<Pattern, kPatterns>(cells[2], pattern_name);
  if (!pattern || cells.back() != kUnit) return std::nullopt;
  Series series{.pattern = *pattern, .line = line};
  const auto* const card = std::ranges::find(kCards, cells[1], &Card::name);
  if (card == kCards.end())
    return refuse(cells[1], "no chip that was measured", "write Blackhole or Wormhole");
  series.arch = card->arch;
  const auto mechanism = named<Mechanism, kMechanisms>(cells[3], mechanism_name);
  if (!mechanism)
    return refuse(cells[3], "no mechanism", "write UNICAST, MULTICAST or MULTICAST_LINKED");
  const auto memory = named<Memory, kMemories>(cells[4], memory_name);
  if (!memory) return refuse(cells[4], "no memory", "write L1, DRAM_INTERLEAVED or DRAM_SHARDED");
  series.mechanism = *mechanism;
  series.memory = *memory;
  if (!read_number(cells[5], series.transactions) || series.transactions == 0)
    return refuse(cells[5], "no number of transactions", "write 1 or more");
  if (!read_number(cells[6], series.others))
    return refuse(cells[6], "no number of cores", "write 0 or more");
  series.is_same_axis = cells[7] == "true";
  series.is_stateful = cells[8] == "true";
  series.is_loopback = cells[9] == "true";
  for (std::size_t size = 0; size < kSizes.size(); ++size) {
    double cycles = 0;
    const std::string_view cell = cells[kFirstSize + size];
    if (!read_number(cell, cycles) || !(cycles > 0) || cycles > 1e12)
      return refuse(cell, "no number of cycles", "write a number of cycles for each size");
    series.cycles.push_back(cycles);
  }
  leave_padding_out(series.cycles);
  return series;
}

} // namespace

Expected<std::vector<Series>> parse_series_table(const std::string& text) {
  std::vector<Series> all;
  std::uint32_t number = 0;
  for (std::string line : lines_of(text)) {
    if (line.ends_with('\r')) line.pop_back();
    ++number;
    if (number == 1) {
      if (line == kSeriesColumns) continue;
      return bad_input("the first line does not name the columns of a table of data movement",
                       fmt::format("write {}", kSeriesColumns), 1);
    }
    if (line.empty()) continue;
    const auto cells = cells_of(line);
    if (cells.size() != kFirstSize + kSizes.size() + 1)
      return bad_input(fmt::format("the line has {} columns, and {} are expected", cells.size(),
                                   kFirstSize + kSizes.size() + 1),
                       fmt::format("write {}", kSeriesColumns), number);
    auto series = series_of(cells, number);
    if (!series) return Unexpected(series.error());
    if (*series) all.push_back(std::move(**series));
  }
  if (all.empty())
    return bad_input("the table has no series", "write a line for each", number == 0 ? 1 : number);
  return all;
}

Expected<std::vector<Series>> read_series(const std::string& file) {
  const auto text = read_text_file(file);
  if (!text) return Unexpected(text.error());
  auto all = file.ends_with(".csv") ? parse_series_table(*text) : parse_series_yaml(*text);
  if (!all) all.error().file = file;
  return all;
}

} // namespace lanewise::traffic
