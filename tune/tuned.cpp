#include "tune/tuned.h"

#include <fmt/format.h>

#include <string_view>

#include "isa/assembly/assembly.h"
#include "isa/source_line.h"
#include "tune/words.h"

namespace lanewise::tune {

namespace {

constexpr std::string_view kSectionBase = "ADDR_MOD_SET_Base";

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
  return tuned.contract.sentences.size() + (arch_params(tuned.arch).addr_mod_has_base ? 1 : 0);
}

} // namespace

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
  if (arch_params(tuned.arch).addr_mod_has_base)
    program.config.push_back({std::string(kSectionBase), 1, 0});
  return program;
}

std::string to_assembly(const Tuned& tuned) {
  std::string text;
  for (const std::string& sentence : tuned.contract.sentences) text += "// " + sentence + "\n";
  if (arch_params(tuned.arch).addr_mod_has_base) text += fmt::format(".cfg {} 1\n", kSectionBase);
  for (const TunedWord& each : tuned.words)
    text += fmt::format("{:<44} // {}{}{}\n", isa::disassemble(tuned.arch, each.word),
                        part_comment(each.part), each.comment.empty() ? "" : ": ", each.comment);
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
  for (const TunedWord& each : tuned.words) text += fmt::format("0x{:08x}\n", each.word);
  return text;
}

} // namespace lanewise::tune
