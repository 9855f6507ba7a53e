#include "study/tune/tuned.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "study/tune/row_graph.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

std::string_view part_comment(WordPart part) {
  switch (part) {
    case WordPart::Init: return "once";
    case WordPart::Body: return "body";
    case WordPart::Tile: return "tile";
  }
  return {};
}

/// Lines in front of the first word of to_assembly().
std::size_t header_lines(const Tuned& tuned) {
  return tuned.contract.sentences.size() + tuned.entry.size();
}

std::string assembly_line(Arch arch, const TunedWord& each) {
  return fmt::format("{:<44} // {}{}{}\n", isa::disassemble(arch, each.word),
                     part_comment(each.part), each.comment.empty() ? "" : ": ", each.comment);
}

std::string tti_lines(Arch arch, std::span<const TunedWord> words, std::string_view indent) {
  std::string text;
  for (const TunedWord& each : words)
    text += fmt::format("{}{};{}{}\n", indent, tti_text(arch, each.word),
                        each.comment.empty() ? "" : " // ", each.comment);
  return text;
}

/// The word as it stands there for the first time.
std::size_t first_of_word(const Tuned& tuned, std::size_t word) {
  for (const WordLoop& loop : tuned.loops)
    if (word >= loop.first && word < loop.first + loop.length * loop.times)
      word = loop.first + (word - loop.first) % loop.length;
  return word;
}

/// Words as C++. `next`: the first loop that begins there or behind.
std::string looped_lines(const Tuned& tuned, std::size_t begin, std::size_t end, std::size_t& next,
                         std::string_view indent, char counter) {
  const std::span<const TunedWord> words(tuned.words);
  std::string text;
  while (next < tuned.loops.size() && tuned.loops[next].first < end) {
    const WordLoop& loop = tuned.loops[next++];
    text += tti_lines(tuned.arch, words.subspan(begin, loop.first - begin), indent) +
            fmt::format("{0}for (int {1} = 0; {1} < {2}; ++{1}) {{\n", indent, counter, loop.times);
    text += looped_lines(tuned, loop.first, loop.first + loop.length, next,
                         fmt::format("{}  ", indent), static_cast<char>(counter + 1));
    text += fmt::format("{}}}\n", indent);
    begin = loop.first + loop.length * loop.times;
  }
  return text + tti_lines(tuned.arch, words.subspan(begin, end - begin), indent);
}

/// Where the tile begins.
std::size_t first_of_tile(const Tuned& tuned) {
  const auto tile = std::ranges::find(tuned.words, WordPart::Tile, &TunedWord::part);
  return static_cast<std::size_t>(tile - tuned.words.begin());
}

} // namespace

std::vector<WordLoop> longest_loop(const std::vector<TunedWord>& words, std::size_t body) {
  WordLoop longest{.first = 0, .length = body, .times = 1};
  std::size_t run = 0; // words so far that are the same a body later
  for (std::size_t i = 0; i + body < words.size(); ++i) {
    const bool same = words[i].part == WordPart::Tile && words[i].word == words[i + body].word;
    run = same ? run + 1 : 0;
    const std::size_t times = run / body + 1;
    if (times > longest.times) longest = {.first = i + 1 - run, .length = body, .times = times};
  }
  if (longest.times == 1) return {};
  return {longest};
}

std::vector<TunedWord> entry_words(Arch arch, bool flags, bool minus_one) {
  std::vector<TunedWord> words;
  const auto add = [&](std::uint32_t word, std::string_view comment) {
    words.push_back({.word = word, .part = WordPart::Init});
    words.back().comment = comment;
  };
  if (flags)
    add(control_word(arch, isa::Op::SFPENCC),
        "flags in use, all lanes enabled, as a kernel finds them");
  if (minus_one)
    add(set_config_word(arch, kMinusOneRegister, 0, true), "L11 = -1.0, as a kernel finds it");
  return words;
}

std::size_t pushed_words(const Tuned& tuned) {
  return static_cast<std::size_t>(
      std::ranges::count(tuned.words, WordPart::Tile, &TunedWord::part));
}

std::size_t code_words(const Tuned& tuned) {
  std::size_t words = pushed_words(tuned);
  for (const WordLoop& loop : tuned.loops) words -= loop.length * (loop.times - 1);
  return words;
}

Program to_program(const Tuned& tuned, const std::string& name) {
  Program program{.name = name, .words = {}, .config = {}};
  for (std::size_t i = 0; i < tuned.words.size(); ++i) {
    const std::size_t place = first_of_word(tuned, i);
    const std::uint32_t line = static_cast<std::uint32_t>(header_lines(tuned) + place + 1);
    const bool once = tuned.words[i].part != WordPart::Tile;
    program.words.push_back(
        {tuned.words[i].word,
         once ? line_number({.file = "", .line = line, .part = ProgramPart::Init}) : line});
  }
  return program;
}

std::string to_assembly(const Tuned& tuned) {
  std::string text;
  for (const std::string& sentence : tuned.contract.sentences) text += "// " + sentence + "\n";
  for (const TunedWord& each : tuned.entry) text += assembly_line(tuned.arch, each);
  for (const TunedWord& each : tuned.words) text += assembly_line(tuned.arch, each);
  return text;
}

std::string tti_init_lines(const Tuned& tuned, std::string_view indent) {
  return tti_lines(tuned.arch, std::span(tuned.words).first(first_of_tile(tuned)), indent);
}

std::string tti_tile_lines(const Tuned& tuned, std::string_view indent) {
  std::size_t next = 0;
  return looped_lines(tuned, first_of_tile(tuned), tuned.words.size(), next, indent, 'i');
}

std::string to_tti(const Tuned& tuned, const std::string& name) {
  std::string text;
  for (const std::string& sentence : tuned.contract.sentences) text += "// " + sentence + "\n";
  return text + fmt::format("inline void {}_init() {{\n{}}}\n\ninline void {}_tile() {{\n{}}}\n",
                            name, tti_init_lines(tuned, "  "), name, tti_tile_lines(tuned, "  "));
}

std::string to_hex(const Tuned& tuned) {
  std::string text;
  for (const TunedWord& each : tuned.entry) text += fmt::format("0x{:08x}\n", each.word);
  for (const TunedWord& each : tuned.words) text += fmt::format("0x{:08x}\n", each.word);
  return text;
}

} // namespace lanewise::tune
