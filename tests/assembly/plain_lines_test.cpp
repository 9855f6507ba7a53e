// Lines of assembly that are read without tokens mean what all others mean.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "chip/isa/encoding.h"
#include "chip/isa/modifiers.h"
#include "chip/isa/row.h"
#include "source/assembly/assembly.h"
#include "source/assembly/syntax.h"

namespace lanewise::assembly {
namespace {

/// The same text with a comment at the end of each line, which the parser has to read.
std::string with_comments(std::string_view source) {
  std::string text;
  for (const char c : source) text += c == '\n' ? std::string(" //\n") : std::string(1, c);
  return text;
}

/// An operand that often fits its field, and sometimes is nothing.
std::string random_operand(std::mt19937& random, const isa::Row& row, const isa::Field& field) {
  const auto modes = isa::modifiers(row.op);
  switch (random() % 16) {
    case 0: return std::to_string(random() % 70000);
    case 1: return "-" + std::to_string(random() % 3000);
    case 2: return "0x" + std::to_string(random() % 300);
    case 3: return "00";
    case 4: return "1 | 2";
    case 5: return "ADDR_MOD_" + std::to_string(random() % 9);
    case 6: return modes.empty() ? "X" : std::string(modes[random() % modes.size()].name);
    case 7: return std::string(field.name) + "=1";
    case 8: return "C";
    case 9: return "p_sfpu::LREG3";
    case 10: return "bf16(1.5)";
    default: break;
  }
  if (field.is_lreg()) return "L" + std::to_string(random() % 18);
  return std::to_string(random() % (std::uint64_t{1} << field.width()));
}

std::string random_line(std::mt19937& random, const isa::Row& row) {
  constexpr std::array<std::string_view, 8> kEnds{"", "", "", "", " ", " # 1, 2", ";3,4", " ,"};
  constexpr std::array<std::string_view, 4> kCommas{", ", ",", " ,\t", ", "};
  std::string line = std::string(random() % 4 == 0 ? "  " : "") + std::string(row.mnemonic);
  const std::size_t wanted = random() % 4 == 0 ? random() % 4 : isa::kMaxFields;
  std::size_t given = 0;
  for (const isa::Field& field : row.fields()) {
    if (given == wanted || !isa::is_positional(field)) continue;
    line += given++ == 0 ? " " : kCommas[random() % kCommas.size()];
    line += random_operand(random, row, field);
  }
  return line + std::string(kEnds[random() % kEnds.size()]) + "\n";
}

/// The end of a line, where an operand may be missing, is further right with a comment.
std::string without_column(Fault fault) {
  fault.column = 0;
  return to_string(fault);
}

/// With 0 for each operand.
std::string line_of_zeros(const isa::Row& row) {
  std::string line(row.mnemonic);
  for (const isa::Field& field : row.fields()) {
    if (isa::is_positional(field)) line += line == row.mnemonic ? " 0" : ", 0";
  }
  return line;
}

struct SoundAndWrong {
  std::size_t sound = 0, wrong = 0;
};

/// Without tokens and with them a text means the same, or has the same mistake.
void compare_plain(Arch arch, const std::string& text, SoundAndWrong& count) {
  const auto plain = assemble(arch, text, "a.tt");
  const auto parsed = assemble(arch, with_comments(text), "a.tt");
  ASSERT_EQ(plain.has_value(), parsed.has_value()) << text;
  ++(plain ? count.sound : count.wrong);
  if (plain) {
    EXPECT_EQ(plain->words, parsed->words) << text;
  } else {
    EXPECT_EQ(without_column(plain.error()), without_column(parsed.error())) << text;
  }
}

// Of each instruction, line by line, since the first mistake ends a text.
TEST(PlainLines, AreReadAsAllOthers) {
  std::mt19937 random(1);
  SoundAndWrong count;
  for (const Arch arch : kArchs) {
    for (const isa::Row& row : isa::rows()) {
      if (!isa::includes(row.chips, arch)) continue;
      // A line in the form that the parser reads makes the mnemonic known.
      const std::string known = ".equ C 3\n" + line_of_zeros(row) + " //\n";
      ASSERT_TRUE(assemble(arch, known, "a.tt")) << known;
      for (unsigned i = 0; i < 60; ++i)
        compare_plain(arch, known + random_line(random, row), count);
    }
  }
  EXPECT_GT(count.sound, 1000U);
  EXPECT_GT(count.wrong, 1000U);
}

/// Up to the last comma, which may be in its comment.
std::string beginning_of(const std::string& line) {
  return line.substr(0, line.rfind(',') + 1);
}

/// Of random lines with the same mnemonic: the first one that is sound.
std::optional<std::string> sound_line(std::mt19937& random, Arch arch, const isa::Row& row,
                                      const std::string& before) {
  for (unsigned i = 0; i < 20; ++i) {
    const std::string line = random_line(random, row);
    if (line.find(',') != line.npos && assemble(arch, before + line, "a.tt")) return line;
  }
  return std::nullopt;
}

TEST(PlainLines, ThatBeginAlikeAreReadAsAllOthers) {
  std::mt19937 random(2);
  SoundAndWrong count;
  for (const Arch arch : kArchs) {
    for (const isa::Row& row : isa::rows()) {
      if (!isa::includes(row.chips, arch)) continue;
      const std::string known = ".equ C 3\n" + line_of_zeros(row) + " //\n";
      for (unsigned i = 0; i < 20; ++i) {
        const auto first = sound_line(random, arch, row, known);
        if (!first) continue;
        const std::string other = random_line(random, row);
        const std::string end = random() % 8 == 0 ? "\n" : other.substr(other.rfind(',') + 1);
        compare_plain(arch, known + *first + beginning_of(*first) + end, count);
      }
    }
  }
  EXPECT_GT(count.sound, 500U);
  EXPECT_GT(count.wrong, 500U);
}

// A name that is a mode in the first line is a constant in the second.
TEST(PlainLines, ThatBeginAlikeMayMeanSomethingElse) {
  const std::string text =
      "SFPLOADI L0, 0, 1 //\n"
      "SFPLOADI L1, FLOATA, 1\n"
      ".equ FLOATA 2\n"
      "SFPLOADI L1, FLOATA, 3\n";
  const auto program = assemble(Arch::Blackhole, text, "a.tt");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  ASSERT_EQ(program->words.size(), 3U);
  EXPECT_EQ(program->words[2].word, isa::encode(Arch::Blackhole, isa::Op::SFPLOADI,
                                                {{"VD", 1}, {"Mod0", 2}, {"Imm16", 3}}));
}

// A tab behind the mnemonic is the vendor's, also where a blank stood there before.
TEST(PlainLines, OfTheVendorHaveTabs) {
  const auto blanks =
      read_assembly(Arch::Blackhole, "SFPNOP\nSFPMUL L0, L1, L9, L2, 0\n", "a.tt", Syntax::Auto);
  ASSERT_TRUE(blanks.has_value()) << to_string(blanks.error());
  const auto tabs =
      read_assembly(Arch::Blackhole, "SFPMUL L0, L1, L9, L2, 0\nSFPMUL\tL0, L1, L2, L9, 0\n",
                    "a.tt", Syntax::Auto);
  ASSERT_FALSE(tabs.has_value());
  EXPECT_NE(to_string(tabs.error()).find("--syntax"), std::string::npos);
}

TEST(PlainLines, AreNoKernelMacros) {
  const std::string known = "TTI_SFPABS(0, 1, 2, 0);\n";
  EXPECT_TRUE(assemble(Arch::Blackhole, known, "a.tt"));
  EXPECT_FALSE(assemble(Arch::Blackhole, known + "TTI_SFPABS 1, 2, 0\n", "a.tt"));
}

// 2^64 + 1 and 10^19 + 1 fit where their lowest bits do.
TEST(PlainLines, HaveNumbersOfAnyLength) {
  for (const char* number : {"0x10000000000000001", "10000000000000000001", "0x0000000000001"}) {
    const std::string known = "SFPLOADI L0, 0, 1 //\n";
    const std::string text = known + "SFPLOADI L0, 0, " + number + "\n";
    const auto plain = assemble(Arch::Blackhole, text, "a.tt");
    const auto parsed = assemble(Arch::Blackhole, with_comments(text), "a.tt");
    ASSERT_EQ(plain.has_value(), parsed.has_value()) << text;
    if (!plain) continue;
    EXPECT_EQ(plain->words, parsed->words) << text;
  }
}

// A product means something else to the vendor's assembler. Comments behind it, and a mnemonic in
// one of them, change nothing, wherever they stand; a label is the vendor's.
TEST(PlainLines, OfAnyNumberStandBetweenComments) {
  const std::string product = "SFPMUL L0, L1, L9, L2, 0\n";
  for (const std::string comment : {"#lui\n", "//lui\n", ";lui\n", "/*lui\n*/\n"}) {
    const auto read = read_assembly(
        Arch::Blackhole, product + comment + product + product + comment, "a.tt", Syntax::Auto);
    ASSERT_TRUE(read.has_value()) << comment << to_string(read.error());
    EXPECT_FALSE(read->vendors) << comment;
  }
  for (const std::string before : {"", "SFPNOP\n", "#\nSFPNOP\n", "#\nSFPNOP\n#\nSFPNOP\n"}) {
    const auto read =
        read_assembly(Arch::Blackhole, before + "loop:\nSFPNOP\n", "a.tt", Syntax::Auto);
    ASSERT_TRUE(read.has_value()) << before << to_string(read.error());
    EXPECT_TRUE(read->vendors) << before;
  }
}

// The vendor's mnemonic in a comment says nothing of the syntax.
TEST(PlainLines, AreNotThoseOfComments) {
  for (const std::string before : {"", "SFPNOP "}) {
    const std::string text = ".arch bh\n" + before + "/* one\nlui a0\n*/\nSFPNOP\n";
    const auto read = read_assembly(Arch::Blackhole, text, "a.tt", Syntax::Auto);
    ASSERT_TRUE(read.has_value()) << text << to_string(read.error());
    EXPECT_FALSE(read->vendors) << text;
  }
}

} // namespace
} // namespace lanewise::assembly
