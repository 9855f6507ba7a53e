#include "source/assembly/lexer.h"

#include <fmt/format.h>

#include "base/characters.h"

namespace lanewise::assembly {
namespace {

constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

constexpr std::string_view kPunctuation = ",;=()|&+-";

} // namespace

Token Lexer::token(TokenKind kind, std::size_t length) {
  const Token result{kind, source_.substr(position_, length), line_,
                     static_cast<std::uint32_t>(position_ - line_start_ + 1)};
  position_ += length;
  return result;
}

void Lexer::skip_line() {
  const std::size_t end = source_.find('\n', position_);
  position_ = end == std::string_view::npos ? source_.size() : end;
}

bool Lexer::skip_block_comment() {
  const std::size_t close = source_.find("*/", position_ + 2);
  if (close == std::string_view::npos) return false;
  for (; position_ < close; ++position_) {
    if (source_[position_] == '\n') {
      ++line_;
      line_start_ = position_ + 1;
    }
  }
  position_ += 2;
  return true;
}

bool Lexer::skip_blanks() {
  while (true) {
    if (is_space(at(0))) {
      ++position_;
    } else if (at(0) == '#' || (at(0) == '/' && at(1) == '/')) {
      skip_line();
    } else if (at(0) == '/' && at(1) == '*') {
      if (!skip_block_comment()) return false;
    } else {
      return true;
    }
  }
}

std::size_t Lexer::name_length(std::size_t start) const {
  std::size_t length = start;
  while (true) {
    if (is_name_part(at(length))) {
      ++length;
    } else if (at(length) == ':' && at(length + 1) == ':' && is_name_start(at(length + 2))) {
      length += 3;
    } else {
      return length;
    }
  }
}

std::size_t Lexer::number_length() const {
  const bool has_prefix = at(0) == '0' && is_name_start(at(1));
  std::size_t length = 1;
  while (true) {
    const bool after_exponent = at(length - 1) == 'e' || at(length - 1) == 'E';
    const bool is_exponent_sign =
        !has_prefix && after_exponent && (at(length) == '+' || at(length) == '-');
    if (!is_name_part(at(length)) && at(length) != '.' && !is_exponent_sign) return length;
    ++length;
  }
}

Token Lexer::next() {
  if (!skip_blanks()) {
    const Token comment = token(TokenKind::UnclosedComment, 2);
    position_ = source_.size();
    return comment;
  }
  if (position_ == source_.size()) return token(TokenKind::EndOfText, 0);
  const char first = at(0);
  if (first == '\n') {
    const Token end = token(TokenKind::EndOfLine, 1);
    ++line_;
    line_start_ = position_;
    return end;
  }
  if (is_name_start(first)) return token(TokenKind::Name, name_length(1));
  if (is_digit(first) || (first == '.' && is_digit(at(1)))) {
    return token(TokenKind::Number, number_length());
  }
  if (first == '.' && is_name_start(at(1))) return token(TokenKind::Directive, name_length(2));
  if ((first == '<' || first == '>') && at(1) == first) return token(TokenKind::Punctuation, 2);
  if (kPunctuation.find(first) != std::string_view::npos) {
    return token(TokenKind::Punctuation, 1);
  }
  return token(TokenKind::Stray, 1);
}

} // namespace lanewise::assembly
