#include <fmt/format.h>

#include <charconv>
#include <system_error>
#include <utility>

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

} // namespace

Expected<Program> parse_hex_words(std::string_view source, std::string_view name) {
  try {
    Program program{.name = std::string(name), .words = {}, .config = {}};
    TokenStream stream(source);
    while (stream.token().kind != TokenKind::EndOfText) {
      while (is_word(stream.token())) {
        const Token word = stream.take();
        if (program.words.size() == isa::kMostWords) {
          fail(word, fmt::format("the program has more than {} words", isa::kMostWords),
               "run it in parts");
        }
        program.words.push_back({parse_word(word), word.line});
      }
      stream.end_line("a hexadecimal word");
    }
    return program;
  } catch (SyntaxError& error) {
    error.fault.file = name;
    return Unexpected(std::move(error.fault));
  }
}

} // namespace lanewise::assembly
