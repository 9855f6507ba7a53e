#include "report/elf/page_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "report/page/row_chart.h"
#include "report/sweep/page_parts.h"

namespace lanewise::report::flow_page {

namespace {

/// A kind of words, and the class that colours it.
struct WordKindRow {
  std::string_view colour, name;
};
constexpr std::array<WordKindRow, 8> kKinds{{{"riscv", "RISC-V"},
                                             {"load", "Load"},
                                             {"simple", "Simple"},
                                             {"mad", "MAD"},
                                             {"round", "Round"},
                                             {"store", "Store"},
                                             {"other", "other pushes"},
                                             {"unknown", "no instruction"}}};
constexpr std::size_t kFirstPush = 1, kLastPush = 6;

using Counts = std::array<std::size_t, kKinds.size()>;

std::string_view colour_of(const elf::CodeWord& word, Arch arch) {
  if (word.pushes()) return push_colour(word, arch);
  return word.kind == elf::WordKind::Unknown ? "unknown" : "riscv";
}

Counts counts_of(const FlowFacts& facts) {
  Counts counts{};
  for (const elf::CodeWord& word : facts.function.words) {
    const auto kind = std::ranges::find(kKinds, colour_of(word, facts.arch), &WordKindRow::colour);
    ++counts[static_cast<std::size_t>(kind - kKinds.begin())];
  }
  return counts;
}

/// The kinds from `first` to `last` behind each other.
RowChart chart_of(const std::vector<FlowFacts>& functions, std::string title, std::size_t first,
                  std::size_t last) {
  RowChart chart{.title = std::move(title), .x = "words"};
  std::size_t most = 1;
  for (const FlowFacts& facts : functions) {
    const Counts counts = counts_of(facts);
    const std::string& name = facts.function.symbol.readable;
    ChartRow row{.name = name};
    std::size_t sum = 0;
    for (std::size_t kind = first; kind <= last; ++kind) {
      if (counts[kind] == 0) continue;
      row.marks.push_back(
          {.classes = fmt::format("words {}", kKinds[kind].colour),
           .from = static_cast<double>(sum),
           .to = static_cast<double>(sum + counts[kind]),
           .title = fmt::format("{}, {}: {}", name, kKinds[kind].name, counts[kind])});
      sum += counts[kind];
    }
    row.value = std::to_string(sum);
    most = std::max(most, sum);
    chart.rows.push_back(std::move(row));
  }
  chart.axis = [most](AxisRoom room) { return linear_axis(0, static_cast<double>(most), room); };
  return chart;
}

std::string legend() {
  std::vector<std::pair<std::string, std::string_view>> keys;
  for (const WordKindRow& kind : kKinds) keys.emplace_back(kind.colour, kind.name);
  return chart_legend(keys);
}

} // namespace

std::string word_pictures(const std::vector<FlowFacts>& functions) {
  constexpr std::size_t kFew = 40; // in view as they are
  if (functions.empty()) return "";
  return fmt::format("<details{}><summary>What they are made of</summary>{}{}</details>\n",
                     functions.size() <= kFew ? " open=\"open\"" : "", legend(),
                     side_by_side(row_chart(chart_of(functions, "Words", 0, kKinds.size() - 1)),
                                  row_chart(chart_of(functions, "Tensix instructions pushed",
                                                     kFirstPush, kLastPush))));
}

} // namespace lanewise::report::flow_page
