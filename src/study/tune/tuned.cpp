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

/// Words of a program that stand there `times` times, one behind the other.
struct Loop {
  std::size_t first = 0, times = 0;
};

/// What the core pushes word by word repeats itself: the longest run of bodies.
Loop loop_of(const Tuned& tuned) {
  Loop longest;
  if (tuned.is_recorded) return longest;
  const std::vector<TunedWord>& words = tuned.words;
  std::size_t run = 0; // words so far that are the same a body later
  for (std::size_t i = 0; i + tuned.body < words.size(); ++i) {
    const bool same =
        words[i].part == WordPart::Tile && words[i].word == words[i + tuned.body].word;
    run = same ? run + 1 : 0;
    const std::size_t times = run / tuned.body + 1;
    if (times > std::max<std::size_t>(longest.times, 1)) longest = {i + 1 - run, times};
  }
  return longest;
}

/// Where the tile begins.
std::size_t first_of_tile(const Tuned& tuned) {
  const auto tile = std::ranges::find(tuned.words, WordPart::Tile, &TunedWord::part);
  return static_cast<std::size_t>(tile - tuned.words.begin());
}

} // namespace

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

Program to_program(const Tuned& tuned, const std::string& name) {
  Program program{.name = name, .words = {}, .config = {}};
  const Loop loop = loop_of(tuned);
  for (std::size_t i = 0; i < tuned.words.size(); ++i) {
    const bool repeats = i >= loop.first && i < loop.first + loop.times * tuned.body;
    const std::size_t place = repeats ? loop.first + (i - loop.first) % tuned.body : i;
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
  const std::span<const TunedWord> words(tuned.words);
  const std::size_t first = first_of_tile(tuned);
  const Loop loop = loop_of(tuned);
  if (loop.times == 0) return tti_lines(tuned.arch, words.subspan(first), indent);
  const std::size_t end = loop.first + loop.times * tuned.body;
  return tti_lines(tuned.arch, words.subspan(first, loop.first - first), indent) +
         fmt::format("{}for (int i = 0; i < {}; ++i) {{\n", indent, loop.times) +
         tti_lines(tuned.arch, words.subspan(loop.first, tuned.body), fmt::format("{}  ", indent)) +
         fmt::format("{}}}\n", indent) + tti_lines(tuned.arch, words.subspan(end), indent);
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
