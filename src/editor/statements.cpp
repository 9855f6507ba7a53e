#include "editor/statements.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/characters.h"
#include "chip/isa/config.h"
#include "chip/isa/gnu_forms.h"
#include "chip/isa/modifiers.h"
#include "chip/isa/registers.h"
#include "source/assembly/expression.h"
#include "source/assembly/riscv_names.h"

namespace lanewise::editor {

namespace {

using assembly::Token;
using assembly::TokenKind;

constexpr std::string_view kLocalLabel = ".L";
constexpr std::string_view kConstantDirective = ".equ", kSettingDirective = ".set";
constexpr std::string_view kMopDirective = ".mop", kConfigDirective = ".cfg";

/// Whether objdump has written it between the address and the instruction.
bool is_bytes(std::string_view text) {
  constexpr std::size_t kDigits = 8;
  return text.size() == kDigits && std::ranges::all_of(text, is_hex_digit);
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

/// Gives each token its role, statement by statement.
class RoleReader {
 public:
  RoleReader(const Document& document, Dialect dialect, Arch arch)
      : lexer_(document.text.all()), dialect_(dialect), arch_(arch) {}

  std::vector<RoledToken> read() {
    for (Token token = lexer_.next(); !is_end(token); token = lexer_.next()) take(token);
    name_constants();
    return std::move(tokens_);
  }

 private:
  static bool is_end(const Token& token) {
    return token.kind == TokenKind::EndOfText || token.kind == TokenKind::UnclosedComment;
  }
  bool is_ours() const { return dialect_ == Dialect::Ours || dialect_ == Dialect::Tile; }

  void take(const Token& token) {
    if (token.kind == TokenKind::EndOfLine) {
      // The operands of a macro may go on in the next line.
      if (nesting_ == 0) begin_statement();
    } else if (token.is(";")) {
      take_semicolon(token);
    } else if (token.kind == TokenKind::Punctuation || token.kind == TokenKind::Stray) {
      take_punctuation(token);
    } else if (at_start_) {
      take_first(token);
    } else {
      add(token, role_of_operand(token));
    }
  }

  void begin_statement() {
    at_start_ = true;
    row_ = nullptr;
    directive_ = {};
    nesting_ = 0;
  }

  /// In our bare form the rest is a comment; everywhere else a statement ends.
  void take_semicolon(const Token& token) {
    const bool is_comment = is_ours() && !in_macro_;
    if (is_comment) {
      lexer_.skip_line();
    } else {
      add(token, TokenRole::Other);
    }
    in_macro_ = false;
    begin_statement();
  }

  void take_punctuation(const Token& token) {
    if (token.is("(")) ++nesting_;
    if (token.is(")") && nesting_ > 0) --nesting_;
    // What stands in front was a label.
    if (token.text == ":" && !is_ours() && dialect_ != Dialect::Kernel && !tokens_.empty() &&
        tokens_.back().token.line == token.line) {
      tokens_.back().role = TokenRole::Label;
      begin_statement();
    }
    if (token.is("=") && !tokens_.empty() && row_ != nullptr &&
        row_->field(tokens_.back().token.text) != nullptr)
      tokens_.back().role = TokenRole::Field;
    add(token, TokenRole::Other);
    if (dialect_ == Dialect::Kernel && (token.text == "{" || token.text == "}")) begin_statement();
  }

  void take_first(const Token& token) {
    at_start_ = false;
    in_macro_ = is_macro_name(token.text);
    if (token.kind == TokenKind::Directive) {
      directive_ = token.text;
      return add(token,
                 token.text.starts_with(kLocalLabel) ? TokenRole::Label : TokenRole::Directive);
    }
    if (dialect_ == Dialect::Vendors && is_bytes(token.text)) {
      at_start_ = true;
      return add(token, TokenRole::Number);
    }
    row_ = row_of(token.text);
    if (row_ != nullptr) return add(token, in_macro_ ? TokenRole::Macro : TokenRole::Mnemonic);
    const bool riscv = dialect_ == Dialect::Vendors &&
                       assembly::riscv_flow(lower_case(token.text)) != assembly::RiscvFlow::Unknown;
    if (riscv) return add(token, TokenRole::Riscv);
    add(token, role_of_operand(token));
  }

  const isa::Row* row_of(std::string_view name) const {
    if (dialect_ == Dialect::Words || (dialect_ == Dialect::Kernel && !is_macro_name(name)))
      return nullptr;
    if (dialect_ == Dialect::Vendors) {
      if (const auto op = isa::find_gnu_name(arch_, name)) return isa::find_row(arch_, *op);
    }
    return isa::find_row(arch_, name);
  }

  TokenRole role_of_operand(const Token& token) {
    if (token.kind == TokenKind::Number) return TokenRole::Number;
    if (token.kind == TokenKind::Directive)
      return token.text.starts_with(kLocalLabel) ? TokenRole::Label : TokenRole::Directive;
    if (is_macro_name(token.text) && row_of(token.text) != nullptr) {
      row_ = row_of(token.text);
      in_macro_ = true;
      return TokenRole::Macro;
    }
    if (directive_ == kMopDirective && row_ == nullptr && row_of(token.text) != nullptr) {
      row_ = row_of(token.text);
      return TokenRole::Mnemonic;
    }
    if (directive_ == kConfigDirective && isa::find_config_field(arch_, token.text))
      return TokenRole::Field;
    if (directive_ == kConstantDirective || directive_ == kSettingDirective) note_constant(token);
    if (dialect_ == Dialect::Kernel && row_ == nullptr) return TokenRole::Name;
    if (isa::register_number(token.text)) return TokenRole::Register;
    if (row_ == nullptr) return TokenRole::Name;
    const std::string_view name = assembly::mode_name(token.text, row_->mnemonic);
    const bool mode = std::ranges::any_of(
        isa::modifiers(row_->op), [&](const isa::Modifier& each) { return each.name == name; });
    return mode ? TokenRole::Mode : TokenRole::Name;
  }

  /// The first name behind .equ.
  void note_constant(const Token& token) {
    constants_.insert(token.text);
    directive_ = {};
  }

  void name_constants() {
    for (RoledToken& each : tokens_) {
      if (each.role == TokenRole::Name && constants_.contains(each.token.text))
        each.role = TokenRole::Constant;
    }
  }

  void add(const Token& token, TokenRole role) { tokens_.push_back({token, role, row_}); }

  assembly::Lexer lexer_;
  Dialect dialect_;
  Arch arch_;
  std::vector<RoledToken> tokens_;
  std::set<std::string_view> constants_;
  // Of the statement.
  bool at_start_ = true;
  bool in_macro_ = false;
  const isa::Row* row_ = nullptr;
  std::string_view directive_;
  unsigned nesting_ = 0;
};

} // namespace

bool is_macro_name(std::string_view name) {
  return std::ranges::any_of(std::array<std::string_view, 2>{"TTI_", "TT_"},
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::vector<RoledToken> tokens_of(const Document& document, Dialect dialect, Arch arch) {
  if (dialect == Dialect::Other) return {};
  return RoleReader(document, dialect, arch).read();
}

Range range_of_token(const Text& text, const Token& token) {
  return text.range(token.line - 1, token.column - 1, token.column - 1 + token.text.size());
}

const RoledToken* token_at(const std::vector<RoledToken>& tokens, const Text& text,
                           const Position& position) {
  const std::size_t byte = text.byte_of(position);
  const RoledToken* ends = nullptr;
  for (const RoledToken& each : tokens) {
    if (each.token.line != position.line + 1) continue;
    const std::size_t first = each.token.column - 1;
    const std::size_t behind = first + each.token.text.size();
    if (first <= byte && byte < behind) return &each;
    if (behind == byte && each.role != TokenRole::Other) ends = &each;
  }
  return ends;
}

} // namespace lanewise::editor
