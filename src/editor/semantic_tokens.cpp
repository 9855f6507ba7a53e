// The colours of names that a grammar cannot know.
#include <array>

#include "editor/questions.h"
#include "editor/statements.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

/// A role, and the type of tokens that themes know for it.
struct RoleType {
  TokenRole role;
  std::string_view type;
};

constexpr std::array kTypes{
    RoleType{TokenRole::Directive, "keyword"}, RoleType{TokenRole::Mnemonic, "function"},
    RoleType{TokenRole::Macro, "macro"},       RoleType{TokenRole::Riscv, "method"},
    RoleType{TokenRole::Register, "variable"}, RoleType{TokenRole::Mode, "enumMember"},
    RoleType{TokenRole::Field, "property"},    RoleType{TokenRole::Constant, "parameter"},
    RoleType{TokenRole::Label, "namespace"},   RoleType{TokenRole::Number, "number"}};

} // namespace

json token_types() {
  json names = json::array();
  for (const RoleType& each : kTypes) names.push_back(each.type);
  return names;
}

json semantic_tokens(const Document& document, Arch arch) {
  const Dialect dialect = dialect_of(document);
  json data = json::array();
  Position last;
  for (const RoledToken& each : tokens_of(document, dialect, arch)) {
    // Of C++, numbers and names are clangd's.
    if (dialect == Dialect::Other || (dialect == Dialect::Kernel && each.row == nullptr)) continue;
    const auto* const type = std::ranges::find(kTypes, each.role, &RoleType::role);
    if (type == kTypes.end()) continue;
    const Range range = range_of_token(document.text, each.token);
    const bool same_line = range.start.line == last.line;
    data.push_back(range.start.line - last.line);
    data.push_back(same_line ? range.start.character - last.character : range.start.character);
    data.push_back(range.end.character - range.start.character);
    data.push_back(type - kTypes.begin());
    data.push_back(0);
    last = range.start;
  }
  return {{"data", std::move(data)}};
}

} // namespace lanewise::editor
