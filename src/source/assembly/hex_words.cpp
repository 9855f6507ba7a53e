#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "base/in_quotes.h"
#include "chip/isa/limits.h"
#include "source/assembly/assembly.h"
#include "source/assembly/token_stream.h"

namespace lanewise::assembly {
namespace {

constexpr std::size_t kMostDigits = 8;

/// Digits may begin with a letter, so a word is a Number or a Name to the lexer.
bool is_word(const Token& token) {
  return token.kind == TokenKind::Number || token.kind == TokenKind::Name;
}

/// Throws SyntaxError.
std::uint32_t parse_word(const Token& token) {
  std::string_view digits = token.text;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  std::uint32_t word = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), word, 16);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    fail(token, fmt::format("{} is not a hexadecimal word", in_quotes(token.text)),
         "write up to 8 digits 0-9, a-f, with or without 0x");
  }
  if (digits.size() > kMostDigits) {
    fail(token, fmt::format("{} has {} digits", in_quotes(token.text), digits.size()),
         "a word has up to 8; separate words with blanks");
  }
  return word;
}

constexpr std::int8_t kNoDigit = -1; ///< all its bits are set, however many it has

/// Values of hexadecimal digits, by character.
constexpr auto kDigits = [] {
  std::array<std::int8_t, 256> values{};
  for (unsigned i = 0; i < values.size(); ++i) {
    const char c = static_cast<char>(i);
    values[i] = is_hex_digit(c) ? static_cast<std::int8_t>(hex_digit_value(c)) : kNoDigit;
  }
  return values;
}();

constexpr std::int64_t digit_of(char c) {
  return kDigits[static_cast<unsigned char>(c)];
}

/// Reads lines that are words and blanks and nothing else, as most are, without tokens. What it
/// does not take, comments and mistakes among it, is for the parser.
class PlainLines {
 public:
  PlainLines(std::string_view source, const Token& first, std::vector<ProgramWord>& words)
      : words_(words),
        next_(first.text.data()),
        end_(source.data() + source.size()),
        place_(first) {}

  /// The beginning of the first line that is left.
  Token read() {
    while (next_ != end_ && read_line()) {
      place_ = {TokenKind::Name, std::string_view(next_, next_), place_.line + 1, 1};
    }
    return place_;
  }

 private:
  /// False, with no word of it, for a line that is not plain. Else stands behind it.
  bool read_line() {
    const std::size_t before = words_.size();
    while (true) {
      while (next_ != end_ && is_space(*next_)) ++next_;
      if (next_ != end_ && *next_ == '\n') {
        ++next_;
        return true;
      }
      if (next_ == end_ || words_.size() == isa::kMostWords || !read_word()) break;
    }
    words_.resize(before);
    return false;
  }

  bool read_word() { return read_whole_word() || read_short_word(); }

  /// Of all eight digits, which most have. Else stays where it is.
  bool read_whole_word() {
    if (end_ - next_ <= static_cast<std::ptrdiff_t>(kMostDigits) || !ends(next_ + kMostDigits))
      return false;
    // What is no digit sets bits above the word, which stay.
    std::uint64_t digits = 0;
    for (std::size_t i = 0; i < kMostDigits; ++i)
      digits = digits << 4 | static_cast<std::uint64_t>(digit_of(next_[i]));
    if (digits >> 32 != 0) return false;
    next_ += kMostDigits;
    words_.push_back({static_cast<std::uint32_t>(digits), place_.line});
    return true;
  }

  bool read_short_word() {
    if (end_ - next_ > 2 && next_[0] == '0' && (next_[1] == 'x' || next_[1] == 'X')) next_ += 2;
    const char* const begin = next_;
    std::uint32_t word = 0;
    for (; next_ != end_; ++next_) {
      const std::int64_t digit = digit_of(*next_);
      if (digit == kNoDigit) break;
      word = word << 4 | static_cast<std::uint32_t>(digit);
    }
    const auto digits = static_cast<std::size_t>(next_ - begin);
    if (digits == 0 || digits > kMostDigits || !ends(next_)) return false;
    words_.push_back({word, place_.line});
    return true;
  }

  /// Whether a word may end in front of this place.
  bool ends(const char* place) const { return place == end_ || *place == '\n' || is_space(*place); }

  std::vector<ProgramWord>& words_;
  const char* next_;
  const char* end_;
  Token place_; ///< the beginning of the line at hand
};

/// Whatever a line has. The first token of the next one.
Token parse_line(TokenStream& stream, std::vector<ProgramWord>& words) {
  while (is_word(stream.token())) {
    const Token word = stream.take();
    if (words.size() == isa::kMostWords) {
      fail(word, fmt::format("the program has more than {} words", isa::kMostWords),
           "run it in parts");
    }
    words.push_back({parse_word(word), word.line});
  }
  stream.end_line("a hexadecimal word");
  return stream.token();
}

} // namespace

Expected<Program> parse_hex_words(std::string_view source, std::string_view name) {
  try {
    Program program{.name = std::string(name), .words = {}, .config = {}};
    program.words.reserve(std::min(source.size() / (kMostDigits + 1) + 1, isa::kMostWords));
    Token next{TokenKind::Name, source.substr(0, 0), 1, 1};
    while (next.kind != TokenKind::EndOfText) {
      next = PlainLines(source, next, program.words).read();
      TokenStream stream(source, next);
      if (stream.token().kind == TokenKind::EndOfText) break;
      next = parse_line(stream, program.words);
    }
    return program;
  } catch (SyntaxError& error) {
    error.fault.file = name;
    return Unexpected(std::move(error.fault));
  }
}

} // namespace lanewise::assembly
