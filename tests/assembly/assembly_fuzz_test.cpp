// Arbitrary bytes never crash the readers of programs: they give a program, or a fault with a
// place.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "source/assembly/assembly.h"

namespace lanewise::assembly {
namespace {

constexpr std::array<std::string_view, 4> kValidSources{
    "# bare\n.equ ACC L2\n.cfg ALU_ACC_CTRL_Fp32_enabled 1\nSFPLOADI L0, FLOATB, bf16(1.5)\n"
    "sfpmad L0, L1, L9, ACC, 3 ; note\nSFPIADD -5, VD=L2, VC=L0, Mod1=ARG_IMM|CC_NONE, raw=0\n",
    "/* kernel\n form */\nTTI_SFPMAD(p_sfpu::LREG0, 1,\n 9, (2 << 1) + 1, 0);\n"
    "TT_SFPLOAD(3, 3, ADDR_MOD_6, 0x1fff) // wide\nTT_OP_SFPSHFT(-8 & 0xfff, 0, 1, 1);\nTTI_NOP;\n",
    ".repeat 2\n.repeat 3\nSFPNOP\n.endr\n.word 0xDEADBEEF\n.endr\nSFPADDI fp16(-1e-3), L0, 0\n",
    "0x70000000 71003fc0\n; words\ndeadbeef # end\n"};

constexpr std::string_view kNul("\0", 1);

constexpr std::array<std::string_view, 24> kPieces{
    "(",     ")",     ",",     "=",       ";",  "/*",       "*/",   "::",
    ".",     "-",     "<<",    "|",       "\n", "TTI_",     "raw=", "0x",
    ".endr", "99999", "bf16(", ".equ X ", kNul, "\xC3\x28", "1e9",  "L16"};

/// Makes sources out of valid ones; the same seed makes the same sources.
class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string mutated_source() {
    std::string source(kValidSources[below(kValidSources.size())]);
    for (std::size_t left = 1 + below(6); left != 0; --left) mutate(source);
    return source;
  }

  std::string random_bytes() {
    std::string bytes(below(200), '\0');
    for (char& byte : bytes) byte = static_cast<char>(below(256));
    return bytes;
  }

 private:
  /// 0 to limit - 1. std::uniform_int_distribution differs between libraries.
  std::size_t below(std::size_t limit) { return random_() % limit; }

  void mutate(std::string& source) {
    const std::size_t at = below(source.size() + 1);
    const std::size_t length = below(12);
    switch (below(5)) {
      case 0: source.insert(at, kPieces[below(kPieces.size())]); break;
      case 1: source.erase(at, length); break;
      case 2: source.insert(at, source.substr(below(source.size() + 1), length)); break;
      case 3: source.insert(at, kValidSources[below(kValidSources.size())]); break;
      default:
        if (at < source.size()) source[at] = static_cast<char>(below(256));
    }
  }

  std::mt19937 random_;
};

void expect_program_or_place(const Expected<Program>& program, const std::string& source) {
  if (program) {
    for (const ProgramWord& word : program->words) ASSERT_GE(word.line, 1U) << source;
    return;
  }
  const Fault& fault = program.error();
  ASSERT_EQ(fault.kind, FaultKind::BadInput) << source;
  ASSERT_GE(fault.line, 1U) << source;
  ASSERT_GE(fault.column, 1U) << source;
  ASSERT_FALSE(fault.message.empty()) << source;
  ASSERT_LT(to_string(fault).size(), 1000U) << source;
}

void expect_readers_survive(const std::string& source) {
  expect_program_or_place(assemble(Arch::Blackhole, source, "fuzz"), source);
  expect_program_or_place(assemble(Arch::Wormhole, source, "fuzz"), source);
  expect_program_or_place(parse_hex_words(source, "fuzz"), source);
}

TEST(AssemblyFuzz, MutatedSources) {
  constexpr int kCases = 20'000;
  Mutator mutator(7);
  for (int i = 0; i < kCases && !testing::Test::HasFatalFailure(); ++i) {
    expect_readers_survive(mutator.mutated_source());
  }
}

TEST(AssemblyFuzz, RandomBytes) {
  constexpr int kCases = 5'000;
  Mutator mutator(8);
  for (int i = 0; i < kCases && !testing::Test::HasFatalFailure(); ++i) {
    expect_readers_survive(mutator.random_bytes());
  }
}

TEST(AssemblyFuzz, LongAndDeepSources) {
  constexpr std::size_t kLength = 1'000'000;
  constexpr std::array<std::string_view, 17> kRepeated{
      "(",  "-",   "A",        "9",  ",",  "/*",   "*/",     "\n",   ".repeat 1\n",
      "::", "A::", "SFPMAD (", "1+", kNul, "/**/", "NOP /*", ".equ "};
  for (std::string_view piece : kRepeated) {
    std::string source = "SFPMAD ";
    while (source.size() < kLength) source += piece;
    expect_readers_survive(source);
  }
}

} // namespace
} // namespace lanewise::assembly
