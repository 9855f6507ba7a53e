// Hex files: words, comments, and mistakes at their places.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "source/assembly/assembly.h"

namespace lanewise::assembly {
namespace {

TEST(HexWords, OneOrMoreALineWithComments) {
  const Expected<Program> program = parse_hex_words(
      "# header\n0x70000000 71003FC0\r\n\n  deadbeef ; note\n/* a\nb */ 1 // c\n0X8f000000",
      "a.hex");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const std::vector<ProgramWord> expected{
      {0x70000000, 2}, {0x71003FC0, 2}, {0xDEADBEEF, 4}, {1, 6}, {0x8F000000, 7}};
  EXPECT_EQ(program->words, expected);
  EXPECT_EQ(program->name, "a.hex");
  EXPECT_TRUE(program->config.empty());
}

TEST(HexWords, AnEmptyTextIsAnEmptyProgram) {
  const Expected<Program> program = parse_hex_words("", "a.hex");
  ASSERT_TRUE(program.has_value());
  EXPECT_TRUE(program->words.empty());
}

void expect_mistake(std::string_view source, std::uint32_t line, std::uint32_t column,
                    std::string_view fragment) {
  const Expected<Program> program = parse_hex_words(source, "a.hex");
  ASSERT_FALSE(program.has_value()) << source;
  const std::string text = to_string(program.error());
  EXPECT_EQ(program.error().kind, FaultKind::BadInput) << text;
  EXPECT_EQ(program.error().file, "a.hex") << text;
  EXPECT_EQ(program.error().line, line) << text;
  EXPECT_EQ(program.error().column, column) << text;
  EXPECT_NE(text.find(fragment), std::string::npos) << text;
}

TEST(HexWords, MistakesAtTheirPlaces) {
  expect_mistake("70000000\n 123456789", 2, 2, "has 9 digits");
  expect_mistake("0x000000001", 1, 1, "has 9 digits");
  expect_mistake("1 xyz", 1, 3, "'xyz' is not a hexadecimal word");
  expect_mistake("12g4", 1, 1, "not a hexadecimal word");
  expect_mistake("7000000g\n1", 1, 1, "not a hexadecimal word");
  expect_mistake("70000000g\n1", 1, 1, "not a hexadecimal word");
  expect_mistake("0x", 1, 1, "not a hexadecimal word");
  expect_mistake("1, 2", 1, 2, "',' stands where a hexadecimal word");
  expect_mistake("-1", 1, 1, "'-' stands where");
  expect_mistake("1 /* 2", 1, 3, "never ends");
}

/// The same text with a comment at the end of each line, so that none is read as a plain one.
std::string in_commented_lines(std::string_view source) {
  std::string text;
  for (const char c : source) text += c == '\n' ? std::string(" //\n") : std::string(1, c);
  return text + " //";
}

/// Lines of words, with something else in some of them.
std::string random_text(std::mt19937& random) {
  constexpr std::string_view kOthers = "g#;,-/*x:.\v";
  std::string text;
  for (unsigned i = 0; i < 40; ++i) {
    const unsigned digits = random() % 40 == 0 ? 9 : 1 + random() % 8;
    if (random() % 3 == 0) text += random() % 2 == 0 ? "0x" : "0X";
    for (unsigned k = 0; k < digits; ++k) text += "0123456789abcdefABCDEF"[random() % 22];
    if (random() % 60 == 0) text += kOthers[random() % kOthers.size()];
    if (random() % 60 == 0) text += "/* 5\n 6 */";
    text += " \t\n\n\r\f"[random() % 6];
    if (random() % 8 == 0) text += " \n  ";
  }
  return text;
}

TEST(HexWords, PlainLinesAreReadAsAllOthers) {
  std::mt19937 random(1);
  std::size_t sound = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    const std::string text = random_text(random);
    const auto plain = parse_hex_words(text, "a.hex");
    const auto slow = parse_hex_words(in_commented_lines(text), "a.hex");
    ASSERT_EQ(plain.has_value(), slow.has_value()) << text;
    if (!plain) {
      EXPECT_EQ(to_string(plain.error()), to_string(slow.error())) << text;
      continue;
    }
    ++sound;
    EXPECT_EQ(plain->words, slow->words) << text;
  }
  EXPECT_GT(sound, 500U);
}

} // namespace
} // namespace lanewise::assembly
