// The statements of an assembly text and the tokens of a kernel, as far as an editor looks at them
// while they are being written.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "chip/isa/row.h"
#include "editor/document.h"
#include "source/assembly/lexer.h"

namespace lanewise::editor {

/// What a token is.
enum class TokenRole : std::uint8_t {
  Directive,
  Mnemonic, ///< of a Tensix instruction
  Macro,    ///< TTI_ and its like
  Riscv,
  Register,
  Mode,
  Field,
  Constant, ///< of .equ
  Label,
  Number,
  Name, ///< any other
  Other ///< punctuation
};

struct RoledToken {
  assembly::Token token; ///< its line from 1, its column in bytes from 1
  TokenRole role = TokenRole::Other;
  const isa::Row* row = nullptr; ///< the instruction that it is, or is an operand of
};

/// The tokens of a document, without line ends; comments are left out. The text must stay alive. Up
/// to a comment that is not closed.
std::vector<RoledToken> tokens_of(const Document& document, Dialect dialect, Arch arch);

/// The token at a position, or that ends there; nullptr where there is none.
const RoledToken* token_at(const std::vector<RoledToken>& tokens, const Text& text,
                           const Position& position);

/// Whether the name is of the form TTI_X, TT_X or TT_OP_X.
bool is_macro_name(std::string_view name);

/// Where it stands in the text.
Range range_of_token(const Text& text, const assembly::Token& token);

} // namespace lanewise::editor
