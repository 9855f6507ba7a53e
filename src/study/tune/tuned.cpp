#include "study/tune/tuned.h"

#include <fmt/format.h>

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
  std::uint32_t line = static_cast<std::uint32_t>(header_lines(tuned));
  for (const TunedWord& each : tuned.words) {
    ++line;
    const bool once = each.part != WordPart::Tile;
    program.words.push_back(
        {each.word,
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

std::string to_tti(const Tuned& tuned, const std::string& name) {
  std::string text;
  for (const std::string& sentence : tuned.contract.sentences) text += "// " + sentence + "\n";
  bool in_tile = false;
  text += fmt::format("inline void {}_init() {{\n", name);
  for (const TunedWord& each : tuned.words) {
    if (each.part == WordPart::Tile && !in_tile) {
      text += fmt::format("}}\n\ninline void {}_tile() {{\n", name);
      in_tile = true;
    }
    text += fmt::format("  {};{}{}\n", tti_text(tuned.arch, each.word),
                        each.comment.empty() ? "" : " // ", each.comment);
  }
  return text + "}\n";
}

std::string to_hex(const Tuned& tuned) {
  std::string text;
  for (const TunedWord& each : tuned.entry) text += fmt::format("0x{:08x}\n", each.word);
  for (const TunedWord& each : tuned.words) text += fmt::format("0x{:08x}\n", each.word);
  return text;
}

} // namespace lanewise::tune
