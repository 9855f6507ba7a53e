// Tokens of assembly text and of hex files: names, numbers, punctuation, line ends. Comments end
// here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise::assembly {

/// What may stand between the tokens of a line.
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

enum class TokenKind : std::uint8_t {
  Name,        ///< letters, digits, `_`; parts may be joined by `::`
  Number,      ///< begins with a digit, or with a dot before a digit; not checked any further
  Directive,   ///< a dot and a name
  Punctuation, ///< one character, or `<<`, or `>>`
  EndOfLine,
  EndOfText,
  UnclosedComment, ///< `/*` whose `*/` is missing
  Stray            ///< a byte that begins no token
};

struct Token {
  TokenKind kind = TokenKind::EndOfText;
  std::string_view text = {}; ///< points into the source
  std::uint32_t line = 0;     ///< from 1
  std::uint32_t column = 0;   ///< from 1, in bytes

  /// Punctuation has one or two characters.
  bool is(std::string_view punctuation) const {
    return kind == TokenKind::Punctuation && text.size() == punctuation.size() &&
           text.front() == punctuation.front() && text.back() == punctuation.back();
  }
};

/// Cuts a source into tokens. Any bytes will do; nothing is copied, so the source must stay alive.
///
/// `;` comes out as punctuation: it ends an instruction in the kernel form and begins a comment
/// everywhere else, which only the parser can tell. A parser that meets a comment calls
/// skip_line().
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}
  /// From a token of the source on.
  Lexer(std::string_view source, const Token& first)
      : source_(source),
        position_(static_cast<std::size_t>(first.text.data() - source.data())),
        line_start_(position_ - (first.column - 1)),
        line_(first.line) {}

  Token next();

  /// Whether the next token is this punctuation of one character.
  bool comes_next(char punctuation) const;

  /// Goes on to the end of the current line; the next token is EndOfLine or EndOfText.
  void skip_line();

  /// At the end of a line: the next one up to its end as one token, without the blanks before it;
  /// an empty one behind the last.
  Token next_line();

 private:
  /// The byte at a distance from the position; NUL behind the end, where NUL begins no token
  /// either.
  char at(std::size_t distance) const {
    return position_ + distance < source_.size() ? source_[position_ + distance] : '\0';
  }
  Token token(TokenKind kind, std::size_t length);
  /// False if the comment at the position is not closed.
  bool skip_block_comment();
  /// Passes over blanks and comments. False at an unclosed comment.
  bool skip_blanks();
  std::size_t name_length(std::size_t start) const;
  std::size_t number_length() const;

  std::string_view source_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

} // namespace lanewise::assembly
