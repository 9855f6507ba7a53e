#include "source/assembly/token_stream.h"

#include <fmt/format.h>

#include <utility>

#include "base/in_quotes.h"

namespace lanewise::assembly {

void fail(const Token& at, std::string message, std::string remedy) {
  // Whatever was expected there: the comment is the mistake.
  if (at.kind == TokenKind::UnclosedComment) {
    message = "a comment begins here and never ends";
    remedy = "close it with */";
  }
  throw SyntaxError{bad_input(std::move(message), std::move(remedy), at.line, at.column).value()};
}

void fail_unexpected(const Token& at, std::string_view wanted, std::string remedy) {
  switch (at.kind) {
    case TokenKind::EndOfLine:
      fail(at, fmt::format("the line ends where {} should be", wanted), std::move(remedy));
    case TokenKind::EndOfText:
      fail(at, fmt::format("the text ends where {} should be", wanted), std::move(remedy));
    default:
      fail(at, fmt::format("{} stands where {} should be", in_quotes(at.text), wanted),
           std::move(remedy));
  }
}

Token TokenStream::take() {
  const Token taken = token_;
  do {
    token_ = lexer_.next();
  } while (ignores_line_ends_ && token_.kind == TokenKind::EndOfLine);
  return taken;
}

bool TokenStream::accept(std::string_view punctuation) {
  if (!token_.is(punctuation)) return false;
  take();
  return true;
}

void TokenStream::expect(std::string_view punctuation, std::string_view wanted) {
  if (!accept(punctuation)) fail_unexpected(token_, wanted);
}

Token TokenStream::expect(TokenKind kind, std::string_view wanted) {
  if (token_.kind != kind) fail_unexpected(token_, wanted);
  return take();
}

bool TokenStream::at_line_end() const {
  return token_.kind == TokenKind::EndOfLine || token_.kind == TokenKind::EndOfText ||
         token_.is(";");
}

void TokenStream::end_line(std::string_view wanted, std::string remedy) {
  if (!at_line_end()) fail_unexpected(token_, wanted, std::move(remedy));
  if (token_.is(";")) {
    lexer_.skip_line();
    take();
  }
  if (token_.kind == TokenKind::EndOfLine) take();
}

std::string_view TokenStream::rest_of_line() const {
  const auto begin = static_cast<std::size_t>(token_.text.data() - source_.data());
  return source_.substr(begin, source_.find('\n', begin) - begin);
}

std::string_view TokenStream::take_line() {
  if (at_line_end()) return {};
  const auto begin = static_cast<std::size_t>(token_.text.data() - source_.data());
  lexer_.skip_line();
  take();
  std::string_view line = source_.substr(begin);
  line = line.substr(0, line.find('\n'));
  for (const std::string_view comment : {"#", ";", "//", "/*"})
    line = line.substr(0, line.find(comment));
  const std::size_t last = line.find_last_not_of(" \t\r");
  return line.substr(0, last + 1);
}

} // namespace lanewise::assembly
