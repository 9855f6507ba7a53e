// The tokens of a source as a parser sees them: one at a time, with one place where mistakes leave.
#pragma once

#include <string>
#include <string_view>

#include "base/fault.h"
#include "source/assembly/lexer.h"

namespace lanewise::assembly {

/// Leaves the nested parse functions; never leaves assemble() or parse_hex_words(), which return
/// its fault. A recursive parser that returned it instead would check for it after every token.
struct SyntaxError {
  Fault fault;
};

/// Throws SyntaxError, a BadInput fault at the place of the token.
[[noreturn]] void fail(const Token& at, std::string message, std::string remedy = {});

/// The same for a token that cannot stand where it stands; `wanted` says what could.
[[noreturn]] void fail_unexpected(const Token& at, std::string_view wanted,
                                  std::string remedy = {});

class TokenStream {
 public:
  explicit TokenStream(std::string_view source) : source_(source), lexer_(source) { take(); }
  /// From a token of the source on.
  TokenStream(std::string_view source, const Token& first)
      : source_(source), lexer_(source, first) {
    take();
  }

  /// The current token.
  const Token& token() const { return token_; }
  /// Whether the token behind the current one is this punctuation of one character.
  bool is_before(char punctuation) const { return lexer_.comes_next(punctuation); }
  /// Moves on and returns the token left behind.
  Token take();
  /// Moves on if the current token is that punctuation.
  bool accept(std::string_view punctuation);
  void expect(std::string_view punctuation, std::string_view wanted);
  /// Moves on behind a token of a kind.
  Token expect(TokenKind kind, std::string_view wanted);

  /// Whether the current token ends a statement: end of line or text, or a `;` comment.
  bool at_line_end() const;
  /// Moves on to the first token of the next line. Error if the line has more than a comment left.
  void end_line(std::string_view wanted, std::string remedy = {});

  /// The line from the current token on, with everything up to its end.
  std::string_view rest_of_line() const;
  /// Moves on to the first token of the next line, whatever is left of this one, and before that
  /// over all lines that `takes` takes as a whole (Lexer::next_line()).
  template <class Takes>
  void skip_lines(Takes&& takes) {
    lexer_.skip_line();
    for (Lexer ahead = lexer_; takes(ahead.next_line());) lexer_ = ahead;
    take();
    if (token_.kind == TokenKind::EndOfLine) take();
  }

  /// What is left of the line as it stands there, from the current token on, without a comment and
  /// blanks at its end; the current token is then the end of the line.
  std::string_view take_line();

  /// From now on line ends are blanks, as inside the parentheses of the kernel form, or no longer.
  void ignore_line_ends(bool ignored) { ignores_line_ends_ = ignored; }

 private:
  std::string_view source_;
  Lexer lexer_;
  Token token_;
  bool ignores_line_ends_ = false;
};

} // namespace lanewise::assembly
