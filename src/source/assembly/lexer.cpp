#include "source/assembly/lexer.h"

#include <array>

#include "base/characters.h"

namespace lanewise::assembly {
namespace {

/// What a byte is to the lexer, as bits.
enum : std::uint8_t { kSpace = 1, kNameStart = 2, kNamePart = 4, kPunctuation = 8 };

constexpr auto kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto c = static_cast<char>(i);
    if (is_name_start(c)) classes[i] |= kNameStart;
    if (is_name_part(c)) classes[i] |= kNamePart;
    if (is_space(c)) classes[i] |= kSpace;
  }
  for (const char c : {',', ';', '=', '(', ')', '|', '&', '+', '-'})
    classes[static_cast<unsigned char>(c)] |= kPunctuation;
  return classes;
}();

bool is(char c, std::uint8_t classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

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

Token Lexer::next_line() {
  if (position_ == source_.size()) return token(TokenKind::EndOfText, 0);
  ++position_;
  ++line_;
  line_start_ = position_;
  while (is(at(0), kSpace)) ++position_;
  const std::size_t end = source_.find('\n', position_);
  return token(TokenKind::Name, (end == std::string_view::npos ? source_.size() : end) - position_);
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
    while (is(at(0), kSpace)) ++position_;
    if (at(0) == '#' || (at(0) == '/' && at(1) == '/')) {
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
    while (is(at(length), kNamePart)) ++length;
    if (at(length) == ':' && at(length + 1) == ':' && is_name_start(at(length + 2))) {
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
    if (!is(at(length), kNamePart) && at(length) != '.' && !is_exponent_sign) return length;
    ++length;
  }
}

bool Lexer::comes_next(char punctuation) const {
  std::size_t ahead = 0;
  while (is(at(ahead), kSpace)) ++ahead;
  if (at(ahead) != '#' && at(ahead) != '/') return at(ahead) == punctuation;
  return Lexer(*this).next().is({&punctuation, 1}); // behind a comment
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
  if (is(first, kNameStart)) return token(TokenKind::Name, name_length(1));
  if (is_digit(first) || (first == '.' && is_digit(at(1)))) {
    return token(TokenKind::Number, number_length());
  }
  if (first == '.' && is_name_start(at(1))) return token(TokenKind::Directive, name_length(2));
  if ((first == '<' || first == '>') && at(1) == first) return token(TokenKind::Punctuation, 2);
  if (is(first, kPunctuation)) return token(TokenKind::Punctuation, 1);
  return token(TokenKind::Stray, 1);
}

} // namespace lanewise::assembly
