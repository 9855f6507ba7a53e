// Where what is under the cursor is defined.
#include <algorithm>
#include <array>
#include <set>

#include "chip/isa/encoding.h"
#include "chip/isa/replay.h"
#include "editor/questions.h"
#include "editor/statements.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

/// Destinations of SFPCONFIG (VU C38): templates 0 to 3, then the sequences of the macros.
constexpr std::uint32_t kTemplates = 4, kMacroWords = 2 * kTemplates;
/// VD of an instruction that becomes a template instead of executing (VU C13).
constexpr std::uint32_t kFirstTemplateRegister = 12;
constexpr std::uint32_t kNothing = ~std::uint32_t{0};

/// The template or sequence that a word programs; kNothing where it programs none.
std::uint32_t programmed_by(Arch arch, std::uint32_t word) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (decoded.row == nullptr) return kNothing;
  if (decoded.row->op == isa::Op::SFPCONFIG) {
    const isa::Field* const place = decoded.row->field("ConfigDest");
    const std::uint32_t destination = place != nullptr ? place->extract(word) : kNothing;
    return destination < kMacroWords ? destination : kNothing;
  }
  const isa::Field* const target = decoded.row->field("VD");
  if (target == nullptr || decoded.row->op == isa::Op::SFPLOAD) return kNothing;
  const std::uint32_t number = target->extract(word);
  const bool is_template =
      number >= kFirstTemplateRegister && number < kFirstTemplateRegister + kTemplates;
  return is_template ? number - kFirstTemplateRegister : kNothing;
}

/// Lines before a word that programmed its macro: the sequence, and each of the templates.
std::set<std::uint32_t> macro_lines(const execution::LoadedProgram& program, std::size_t index) {
  const std::vector<ProgramWord>& words = program.program.words;
  const std::uint32_t macro = isa::decode(program.arch, words[index].word)["MacroIndex"];
  std::array<std::uint32_t, kMacroWords> last{};
  for (std::size_t i = 0; i < index; ++i) {
    const std::uint32_t place = programmed_by(program.arch, words[i].word);
    if (place != kNothing) last[place] = words[i].line;
  }
  std::set<std::uint32_t> lines(last.begin(), last.begin() + kTemplates);
  lines.insert(last[kTemplates + macro]);
  return lines;
}

/// The line of the last REPLAY before a word that recorded the first of what it plays.
std::set<std::uint32_t> recording_lines(const execution::LoadedProgram& program,
                                        std::size_t index) {
  const std::vector<ProgramWord>& words = program.program.words;
  const auto played = isa::replay_command(words[index].word);
  std::uint32_t line = 0;
  for (std::size_t i = 0; i < index; ++i) {
    const auto command = isa::replay_command(words[i].word);
    if (!command || !command->load || !played) continue;
    if (command->index <= played->index && played->index < command->index + command->count)
      line = words[i].line;
  }
  return {line};
}

std::set<std::uint32_t> mop_lines(const execution::LoadedProgram& program, std::size_t index) {
  std::set<std::uint32_t> lines;
  for (const MopSetting& setting : program.program.mop) {
    if (setting.before <= index) lines.insert(setting.line);
  }
  return lines;
}

/// What the instruction of a line executes, where it has been programmed.
std::set<std::uint32_t> programming_lines(const execution::LoadedProgram& program, isa::Op op,
                                          std::uint32_t line) {
  const std::vector<ProgramWord>& words = program.program.words;
  const auto word = std::ranges::find_if(words, [&](const ProgramWord& each) {
    const isa::Decoded decoded = isa::decode(program.arch, each.word);
    return each.line == line && decoded.row != nullptr && decoded.row->op == op;
  });
  if (word == words.end()) return {};
  const auto index = static_cast<std::size_t>(word - words.begin());
  if (op == isa::Op::SFPLOADMACRO) return macro_lines(program, index);
  if (op == isa::Op::REPLAY) return recording_lines(program, index);
  if (op == isa::Op::MOP) return mop_lines(program, index);
  return {};
}

json location(const Document& document, const Range& range) {
  return {{"uri", document.uri}, {"range", json_of(range)}};
}

/// Lines "#define NAME".
json macro_definitions(const Document& document, std::string_view name) {
  json places = json::array();
  constexpr std::string_view kDefine = "#define ";
  for (std::uint32_t i = 0; i < document.text.lines(); ++i) {
    const std::string_view line = document.text.line(i);
    if (!line.starts_with(kDefine)) continue;
    const std::string_view behind = line.substr(kDefine.size());
    if (behind.starts_with(name) && behind.substr(name.size()).find_first_of(" (\t") == 0)
      places.push_back(
          location(document, document.text.range(i, kDefine.size(), kDefine.size() + name.size())));
  }
  return places;
}

/// The constant's .equ, or the label in front of ':'.
json name_definitions(const Document& document, const std::vector<RoledToken>& tokens,
                      std::string_view name) {
  json places = json::array();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].token.text != name) continue;
    const bool is_label = i + 1 < tokens.size() && tokens[i].role == TokenRole::Label &&
                          tokens[i + 1].token.text == ":";
    const bool is_constant = i > 0 && tokens[i].role == TokenRole::Constant &&
                             tokens[i - 1].role == TokenRole::Directive;
    if (is_label || is_constant)
      places.push_back(location(document, range_of_token(document.text, tokens[i].token)));
  }
  return places;
}

} // namespace

json definition(const Document& document, const Analysis& analysis, const Position& position) {
  const auto tokens = tokens_of(document, analysis.dialect, analysis.arch);
  const RoledToken* const token = token_at(tokens, document.text, position);
  if (token == nullptr) return json::array();
  const bool executes = token->role == TokenRole::Mnemonic || token->role == TokenRole::Macro;
  if (!executes) {
    // A label of GNU may be a name to the reader of tokens where it is used.
    json places = name_definitions(document, tokens, token->token.text);
    return places.empty() ? macro_definitions(document, token->token.text) : places;
  }
  json places = json::array();
  if (!analysis.program) return places;
  for (const std::uint32_t line :
       programming_lines(*analysis.program, token->row->op, position.line + 1)) {
    if (line != 0 && line <= document.text.lines())
      places.push_back(location(document, document.text.content_of(line - 1)));
  }
  return places;
}

} // namespace lanewise::editor
