#include "number/references/expression_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "base/characters.h"
#include "base/in_quotes.h"

namespace lanewise::references {
namespace {

using Kind = ExpressionToken::Kind;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Longer ones first.
constexpr std::array<std::string_view, 19> kSigns{"<=", ">=", "==", "!=", "&&", "||", "+",
                                                  "-",  "*",  "/",  "^",  "<",  ">",  "!",
                                                  "?",  ":",  "(",  ")",  ","};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Expected<std::vector<ExpressionToken>> run() {
    std::vector<ExpressionToken> tokens;
    for (;;) {
      while (is_space(peek())) ++at_;
      auto token = next();
      if (!token) return Unexpected(token.error());
      tokens.push_back(*token);
      if (token->kind == Kind::End) return tokens;
    }
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  std::uint32_t column(std::size_t at) const { return static_cast<std::uint32_t>(at + 1); }

  ExpressionToken take(Kind kind, std::size_t start) const {
    return {kind, text_.substr(start, at_ - start), column(start)};
  }

  Expected<ExpressionToken> next() {
    const std::size_t start = at_;
    if (at_ == text_.size()) return take(Kind::End, start);
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (is_name_start(peek())) {
      while (is_name_part(peek())) ++at_;
      return take(Kind::Name, start);
    }
    for (const std::string_view sign : kSigns) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      at_ += sign.size();
      return take(Kind::Sign, start);
    }
    return stranger();
  }

  Unexpected stranger() const {
    const char c = peek();
    const bool is_printable = c > ' ' && c <= '~';
    const std::string what = is_printable
                                 ? in_quotes({&c, 1})
                                 : fmt::format("the byte {:#04x}", static_cast<unsigned char>(c));
    constexpr std::string_view kBitwise = "&|=";
    return expression_fault(column(at_), fmt::format("{} means nothing here", what),
                            kBitwise.find(c) != std::string_view::npos
                                ? fmt::format("write {0}{0}", c)
                                : "use numbers, x, y, functions, and the operators of C, with ^ "
                                  "for powers");
  }

  template <class IsDigit>
  void skip_digits(IsDigit is_one) {
    while (is_one(peek())) ++at_;
    if (peek() != '.') return;
    ++at_;
    while (is_one(peek())) ++at_;
  }

  /// digits[.digits][e[sign]digits], or 0xdigits[.digits][p[sign]digits]
  Expected<ExpressionToken> number() {
    const std::size_t start = at_;
    const bool is_hex = peek() == '0' && (peek(1) | 0x20) == 'x';
    if (is_hex) {
      at_ += 2;
      const std::size_t digits = at_;
      skip_digits(is_hex_digit);
      const bool has_digits =
          std::any_of(text_.begin() + digits, text_.begin() + at_, is_hex_digit);
      if (!has_digits) return bad_number(start, "hexadecimal digits are missing");
    } else {
      skip_digits(is_digit);
    }
    if ((peek() | 0x20) == (is_hex ? 'p' : 'e')) {
      ++at_;
      if (const auto fault = exponent(start); !fault) return Unexpected(fault.error());
    }
    if (is_name_part(peek()) || peek() == '.') {
      return bad_number(start, "something follows that is no digit of it");
    }
    if (at_ - start > kLongestNumber) return bad_number(start, "it has too many digits");
    return take(Kind::Number, start);
  }

  Expected<void> exponent(std::size_t start) {
    if (peek() == '+' || peek() == '-') ++at_;
    const std::size_t digits = at_;
    while (is_digit(peek())) ++at_;
    if (at_ == digits) return bad_number(start, "the exponent has no digits");
    long value = 0;
    const auto [stop, error] = std::from_chars(&text_[digits], text_.data() + at_, value);
    if (error != std::errc{} || value > kLargestExponent) {
      return bad_number(start, fmt::format("the exponent is beyond {}", kLargestExponent));
    }
    return {};
  }

  Unexpected bad_number(std::size_t start, std::string_view why) const {
    return expression_fault(
        column(start),
        fmt::format("{} is not a number: {}", in_quotes(text_.substr(start, at_ + 1 - start)), why),
        "write for instance 12, 0.5, 1e-3 or 0x1.8p3");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

} // namespace

Unexpected expression_fault(std::uint32_t column, std::string_view message, std::string remedy) {
  return bad_input(fmt::format("in column {} of the expression: {}", column, message),
                   std::move(remedy), 0, column);
}

Expected<std::vector<ExpressionToken>> split_expression(std::string_view text) {
  return Lexer(text).run();
}

} // namespace lanewise::references
