#include "editor/line_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "chip/isa/disassembler.h"
#include "report/plain_number.h"

namespace lanewise::editor {

namespace {

/// Lines of words that a hover shows.
constexpr std::size_t kMostWords = 24;

std::string counted(double count, std::string_view noun) {
  return fmt::format("{} {}{}", report::number(count), noun, count == 1 ? "" : "s");
}

/// Different words with how often they occur, in the order of the first of each.
std::vector<std::pair<std::uint32_t, std::size_t>> different_words(const LineUse& use) {
  std::vector<std::pair<std::uint32_t, std::size_t>> found;
  for (const std::uint32_t word : use.words) {
    const auto known =
        std::ranges::find(found, word, &std::pair<std::uint32_t, std::size_t>::first);
    if (known == found.end()) {
      found.emplace_back(word, 1);
    } else {
      ++known->second;
    }
  }
  return found;
}

} // namespace

std::string line_summary(const Analysis& analysis, const LineUse& use) {
  std::string text = counted(static_cast<double>(use.words.size()), "word");
  if (!analysis.timed) {
    if (analysis.dialect == Dialect::Tile)
      text += fmt::format(", executed {}", counted(static_cast<double>(use.executed), "time"));
    return text;
  }
  if (use.executed != use.words.size())
    text += fmt::format(", executed {}", counted(static_cast<double>(use.executed), "time"));
  text += fmt::format(", {}", counted(use.cycles(), "cycle"));
  const double waits = use.cycles() - static_cast<double>(use.executed);
  if (waits > 0) text += fmt::format(" ({} waiting)", report::number(waits));
  return text;
}

std::string line_words(const Analysis& analysis, const LineUse& use) {
  std::string text;
  const auto words = different_words(use);
  for (const auto& [word, count] : std::span(words).first(std::min(words.size(), kMostWords))) {
    text += isa::disassemble(analysis.arch, word);
    if (count > 1) text += fmt::format("  x{}", count);
    if (const std::string modes = isa::modifier_comment(analysis.arch, word); !modes.empty())
      text += "  // " + modes;
    text += '\n';
  }
  if (words.size() > kMostWords) text += fmt::format("and {} more\n", words.size() - kMostWords);
  for (const auto& [cause, cycles] : use.stalls)
    text += fmt::format("{} for {}\n", timing::stall_cause_name(cause), counted(cycles, "cycle"));
  return text;
}

} // namespace lanewise::editor
