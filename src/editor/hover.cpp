// What is under the cursor.
#include <fmt/format.h>

#include <algorithm>

#include "chip/isa/config.h"
#include "chip/isa/explain.h"
#include "chip/isa/modifiers.h"
#include "chip/isa/registers.h"
#include "editor/line_text.h"
#include "editor/questions.h"
#include "editor/statements.h"
#include "source/assembly/expression.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

std::string as_code(std::string_view text) {
  return fmt::format("```text\n{}{}```\n", text, text.ends_with('\n') ? "" : "\n");
}

/// Each field of the instruction in which the name is a mode.
std::string mode_text(const isa::Row& row, std::string_view name) {
  std::string text;
  for (const isa::Modifier& each : isa::modifiers(row.op)) {
    if (each.name != assembly::mode_name(name, row.mnemonic)) continue;
    text += fmt::format("`{}` of {}: {} & {} = {} ({})\n\n", each.name, row.mnemonic, each.field,
                        each.mask, each.value, fmt::join(isa::chip_names(each.chips), " "));
  }
  return text;
}

/// The field's bits, and the names of its values.
std::string field_text(Arch arch, const isa::Row& row, std::string_view name) {
  const isa::Field* const field = row.field(name);
  if (field == nullptr) return {};
  std::string text = fmt::format("`{}` of {}: bits {}:{}, {}\n\n", name, row.mnemonic, field->high,
                                 field->low, isa::role_name(field->role));
  for (const isa::Modifier& each : isa::modifiers(row.op)) {
    if (each.field == name && isa::includes(each.chips, arch))
      text += fmt::format("- `{}`: & {} = {}\n", each.name, each.mask, each.value);
  }
  return text;
}

std::string config_text(Arch arch, std::string_view name) {
  const auto found = isa::find_config_field(arch, name);
  if (!found) return {};
  const isa::ConfigPlace& place = isa::config_place(*found);
  const isa::ConfigBits& bits = place.on(arch);
  constexpr std::array<std::string_view, 3> kScopes{
      "shared configuration, word", "configuration of a thread, word", "debug registers, byte"};
  return fmt::format("`{}`: {} {}, bits {}:{}\n\n", name,
                     kScopes[static_cast<std::size_t>(place.scope)], bits.word, bits.high,
                     bits.low);
}

std::string register_text(std::string_view name) {
  const auto number = isa::register_number(name);
  return number ? fmt::format("`{}`: LReg[{}]\n\n", name, *number) : std::string();
}

std::string token_text(const RoledToken& token, Arch arch) {
  const std::string_view name = token.token.text;
  switch (token.role) {
    case TokenRole::Mnemonic:
    case TokenRole::Macro: return as_code(isa::explain(token.row->op));
    case TokenRole::Register: return register_text(name);
    case TokenRole::Mode: return mode_text(*token.row, name);
    case TokenRole::Field:
      return token.row != nullptr ? field_text(arch, *token.row, name) : config_text(arch, name);
    case TokenRole::Directive:
    case TokenRole::Riscv:
    case TokenRole::Constant:
    case TokenRole::Label:
    case TokenRole::Number:
    case TokenRole::Name:
    case TokenRole::Other: return {};
  }
  return {};
}

} // namespace

json hover(const Document& document, const Analysis& analysis, const Position& position) {
  const auto tokens = tokens_of(document, analysis.dialect, analysis.arch);
  const RoledToken* const token = token_at(tokens, document.text, position);
  std::string line;
  if (const auto use = analysis.lines.find(position.line + 1); use != analysis.lines.end()) {
    line = fmt::format("{}\n\n{}", line_summary(analysis, use->second),
                       as_code(line_words(analysis, use->second)));
  }
  // What the line has become stands in front: the page on an instruction is long.
  const std::string text = line + (token != nullptr ? token_text(*token, analysis.arch) : "");
  if (text.empty()) return nullptr;
  const Range range = token != nullptr ? range_of_token(document.text, token->token)
                                       : document.text.content_of(position.line);
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}, {"range", json_of(range)}};
}

} // namespace lanewise::editor
