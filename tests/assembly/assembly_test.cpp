// The assembly language: what each construct assembles to, and that text and words agree.
#include "source/assembly/assembly.h"
#include "chip/isa/disassembler.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/encoding.h"
#include "chip/isa/limits.h"
#include "chip/isa/row.h"
#include "project.h"
#include "source/assembly/kernel_macros.h"
#include "source/assembly/syntax.h"

namespace lanewise::assembly {
namespace {

using Words = std::vector<std::uint32_t>;

Program program_of(Arch arch, std::string_view source) {
  const Expected<Program> program = assemble(arch, source, "test.tt");
  if (!program) {
    ADD_FAILURE() << to_string(program.error());
    return {};
  }
  return *program;
}

Words words_of(std::string_view source, Arch arch = Arch::Blackhole) {
  Words words;
  for (const ProgramWord& each : program_of(arch, source).words) words.push_back(each.word);
  return words;
}

/// The words of two sources are the same, and there are some.
void expect_same(std::string_view left, std::string_view right, Arch arch = Arch::Blackhole) {
  const Words words = words_of(left, arch);
  EXPECT_FALSE(words.empty()) << left;
  EXPECT_EQ(words, words_of(right, arch)) << left;
}

// ---------------------------------------------------------------- Text and words agree

/// Disassembles words into one source and assembles that.
void expect_round_trip(Arch arch, const Words& words) {
  std::string source;
  for (std::uint32_t word : words) source += isa::disassemble(arch, word) + '\n';
  const Words again = words_of(source, arch);
  ASSERT_EQ(words.size(), again.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    ASSERT_EQ(words[i], again[i]) << isa::disassemble(arch, words[i]);
  }
}

TEST(AssemblyRoundTrip, FieldExtremesOfEveryOpcode) {
  for (Arch arch : kArchs) {
    Words words;
    for (std::uint32_t opcode = 0; opcode < 256; ++opcode) {
      const std::uint32_t base = opcode << 24;
      words.insert(words.end(), {base, base | 0xFFFFFFU, base | 0xAAAAAAU, base | 0x555555U});
      for (unsigned bit = 0; bit < 24; ++bit) words.push_back(base | 1U << bit);
      const isa::Row* row = isa::find_row(arch, static_cast<std::uint8_t>(opcode));
      if (row == nullptr) continue;
      for (const isa::Field& field : row->fields()) {
        const std::uint32_t top_bit = 1U << field.high;
        words.insert(words.end(), {base | field.mask(), base | (field.mask() & ~top_bit)});
      }
    }
    expect_round_trip(arch, words);
  }
}

TEST(AssemblyRoundTrip, RandomWords) {
  constexpr std::size_t kWords = 200'000;
  std::mt19937 random(1);
  for (Arch arch : kArchs) {
    Words words(kWords);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
    expect_round_trip(arch, words);
  }
}

TEST(Disassembly, Forms) {
  const auto text = [](std::string_view source) {
    const Words words = words_of(source);
    return words.size() == 1 ? isa::disassemble(Arch::Blackhole, words[0]) : std::string();
  };
  EXPECT_EQ(text("SFPMAD L0, L1, L9, L2, 3"), "SFPMAD L0, L1, L9, L2, 3");
  EXPECT_EQ(text("SFPIADD -5, L0, L2, 5"), "SFPIADD -5, L0, L2, 5");
  EXPECT_EQ(text("SFPLOADI L0, 0, 0x3FC0"), "SFPLOADI L0, 0, 0x3fc0");
  EXPECT_EQ(text("SFPMOV L1, L2, 0, Imm12=3"), "SFPMOV L1, L2, 0, Imm12=3");
  EXPECT_EQ(text("SFPNOP VD=7"), "SFPNOP VD=7");
  EXPECT_EQ(text("SFPNOP raw=0x1"), "SFPNOP raw=0x1");
  EXPECT_EQ(text(".word 0xFF000001"), ".word 0xff000001");
  EXPECT_EQ(isa::disassemble(Arch::Wormhole, 0x97000000), ".word 0x97000000") << "SFPGT";
}

TEST(Disassembly, CommentNamesTheModifiers) {
  const Words words = words_of("SFPIADD -5, L0, L2, ARG_IMM|CC_NONE");
  EXPECT_EQ(isa::modifier_comment(Arch::Blackhole, words.at(0)), "ARG_IMM | CC_NONE");
  EXPECT_EQ(isa::modifier_comment(Arch::Blackhole, 0xFF000000), "");
}

// ---------------------------------------------------------------- The bare form

TEST(BareForm, OperandsInTheOrderOfTheTable) {
  EXPECT_EQ(words_of("SFPMAD L0, L1, L9, L2, 3"), Words{0x84001923});
}

TEST(BareForm, MnemonicsInAnyCaseAndAliases) {
  expect_same("sfpmad L0, L1, L9, L2, 3", "SFPMAD L0, L1, L9, L2, 3");
  expect_same("SFP_STOCH_RND 1, 2, L3, L4, L5, 6", "SFPSTOCHRND 1, 2, L3, L4, L5, 6");
}

TEST(BareForm, IgnoredAndExtraFieldsTakeNoPlace) {
  expect_same("SFPMOV L1, L2, 0", "SFPMOV VC=1, VD=2");
  EXPECT_EQ(words_of("SFPMOV L1, L2, 0, Imm12=0xFFF"), Words{0x7CFFF120});
}

TEST(BareForm, NamedOperandsInAnyOrderAndOmittedOnes) {
  expect_same("SFPMAD L0, L1, Mod1=3, VD=L2, VC=L9", "SFPMAD L0, L1, L9, L2, 3");
  EXPECT_EQ(words_of("SFPMAD L1, L2, L3, L4"), Words{0x84012340});
  EXPECT_EQ(words_of("SFPLOAD L3"), Words{0x70300000});
}

TEST(BareForm, OperandsThatMayBeLeftOut) { // docs/assembly.md
  expect_same("SFPSTORE L3", "SFPSTORE L3, 0, 0, 0");
  expect_same("SFPLOADMACRO 1, 2", "SFPLOADMACRO 1, 2, 0, 0, 0, 0");
  expect_same("SFPMAD L0, L1, L2, L3", "SFPMAD L0, L1, L2, L3, 0");
  expect_same("SFPPUSHC", "SFPPUSHC L0, 0");
  expect_same("SFPTRANSP", "SFPTRANSP L0");
  expect_same("SFPENCC", "SFPENCC 0, L0, 0");
  expect_same("SFPSETCC Mod1=CLEAR", "SFPSETCC 0, L0, L0, CLEAR");
  expect_same("SFPAND VC=L3, VD=L2", "SFPAND L0, L3, L2, 0");
  expect_same("SFPIADD VC=L3, VD=L2, Mod1=4", "SFPIADD 0, L3, L2, 4");
  expect_same("SFPSHFT -8, VD=L2, Mod1=1", "SFPSHFT -8, L0, L2, 1");
  expect_same("SFPSTOCHRND VC=L3, VD=L2", "SFPSTOCHRND 0, 0, L0, L3, L2, 0");
  expect_same("SFPARECIP VC=L3, VD=L2", "SFPARECIP L0, L3, L2, 0");
  expect_same("SFPCONFIG ConfigDest=4", "SFPCONFIG 0, 4, 0");
  expect_same("REPLAY 3, 4", "REPLAY 3, 4, 0, 0");
  expect_same("MOP 1", "MOP 1, 0, 0");
  expect_same("MVMUL", "MVMUL 0, 0, 0, 0, 0");
  expect_same("MOVA2D", "MOVA2D DstRow=0");
  expect_same("ZEROACC 3", "ZEROACC 3, 0, 0, 0, 0");
  expect_same("INCRWC SrcAInc=1", "INCRWC 0, 0, 0, 0, 0, 1");
}

TEST(BareForm, Numbers) {
  expect_same("SFPLOADI 1, 2, 0x1F", "SFPLOADI 0b1, 0b10, 31");
  expect_same("SFPIADD -1, L0, L0, 0", "SFPIADD 0xFFF, L0, L0, 0");
  expect_same("SFPIADD -2048, L0, L0, 0", "SFPIADD 0x800, L0, L0, 0");
  expect_same("SFPDIVP2 -1, L0, L0, 1", "SFPDIVP2 0xFFF, L0, L0, 1");
}

TEST(BareForm, Operators) {
  expect_same("SFPLOADI L0, 0, (1 << 4) + 3 - 1 | 0x100", "SFPLOADI L0, 0, 0x112");
  expect_same("SFPLOADI L0, 0, 1 | 2 & 6 << 1 + 1", "SFPLOADI L0, 0, 1");
  expect_same("SFPLOADI L0, 0, 1 << 2 + 1", "SFPLOADI L0, 0, 8"); // sums before shifts, as in C
  expect_same("SFPLOADI L0, 0, 64 >> 7 - 4", "SFPLOADI L0, 0, 8");
  expect_same("SFPLOADI L0, 0, 10 - 3 - 2", "SFPLOADI L0, 0, 5");
  expect_same("SFPLOADI L0, 0, 0xFF00 >> 4", "SFPLOADI L0, 0, 0xFF0");
  expect_same("SFPLOADI L0, 0, -(1 - 3)", "SFPLOADI L0, 0, 2");
}

TEST(BareForm, RegisterAndModifierNames) {
  expect_same("SFPMAD p_sfpu::LREG0, LREG1, p_sfpu::LCONST_0, L2, 0", "SFPMAD 0, 1, 9, 2, 0");
  expect_same("SFPIADD 1, L0, L1, ARG_IMM|CC_NONE", "SFPIADD 1, 0, 1, 5");
  expect_same("SFPIADD 1, L0, L1, sfpi::SFPIADD_MOD1_ARG_IMM", "SFPIADD 1, 0, 1, 1");
  expect_same("SFPLOAD L0, SFPLOAD_MOD0_FMT_FP32, ADDR_MOD_6, 0", "SFPLOAD 0, 3, 6, 0");
}

TEST(BareForm, RawBitsBesideTheFields) {
  EXPECT_EQ(words_of("SFPMAD L0, L1, L9, L2, 3, raw=0x00F00000"), Words{0x84F01923});
}

TEST(BareForm, FloatingPointImmediates) {
  expect_same("SFPLOADI L0, FLOATB, bf16(1.5)", "SFPLOADI L0, 0, 0x3FC0");
  expect_same("SFPLOADI L0, FLOATA, fp16(-1.5)", "SFPLOADI L0, 1, 0xBE00");
  expect_same("SFPADDI bf16( -25e-2 ), L0, 0", "SFPADDI 0xBE80, L0, 0");
  expect_same("SFPMULI VD=L3, Imm16=bf16(.5)", "SFPMULI 0x3F00, L3, 0");
}

// ---------------------------------------------------------------- The kernel form

TEST(KernelForm, EveryPrefix) {
  for (const char* prefix : {"TTI_", "TT_", "TT_OP_"}) {
    const std::string call = std::string(prefix) + "SFPMAD(p_sfpu::LREG0, 1, 9, 2, 0)";
    for (const char* end : {"", ";", " ; // comment", " ;; comment"}) {
      expect_same(call + end, "SFPMAD L0, L1, L9, L2, 0");
    }
  }
}

TEST(KernelForm, MacrosWithoutOperands) {
  expect_same("TTI_SFPNOP;\nTTI_SFPNOP()\nTTI_NOP", "SFPNOP\nSFPNOP\nNOP");
}

TEST(KernelForm, IgnoredFieldsAreOperandsAndExtraOnesAreNot) {
  expect_same("TTI_SFPMOV(3, 1, 2, 0);", "SFPMOV L1, L2, 0, Imm12=3");
  expect_same("TTI_SFPLUTFP32(7, 2);", "SFPLUTFP32 L7, 2");
}

TEST(KernelForm, JoinedFieldsAreOneOperand) {
  expect_same("TTI_SFPLOADMACRO((2 << 2) | 1, 0, ADDR_MOD_6, 5);", "SFPLOADMACRO 2, 1, 0, 6, 2, 1");
  expect_same("TTI_SETRWC(3, 0, 0, 0, 0, 0xF);",
              "SETRWC FlipSrcB=1, FlipSrcA=1, Fidelity=1, Dst=1, SrcB=1, SrcA=1");
}

/// The call of a row's macro that gives a word; joined fields are one operand, counted from the
/// last.
std::string macro_call(const isa::Row& row, std::uint32_t word) {
  std::string operands;
  std::uint32_t joined = 0;
  for (const isa::Field& field : row.fields()) {
    if (field.role == isa::Role::Extra) continue;
    joined |= word & field.mask();
    if (field.joins_next) continue;
    operands += (operands.empty() ? "" : ", ") + std::to_string(joined >> field.low);
    joined = 0;
  }
  return "TTI_" + std::string(row.mnemonic) + "(" + operands + ");\n";
}

TEST(KernelForm, EveryRowTakesEveryValueOfItsFields) {
  constexpr int kWordsOfARow = 50;
  std::mt19937 random(2);
  for (Arch arch : kArchs) {
    std::string source;
    Words words;
    for (const isa::Row& row : isa::rows()) {
      if (!isa::includes(row.chips, arch)) continue;
      std::uint32_t operand_bits = 0;
      for (const isa::Field& field : row.fields()) {
        if (field.role != isa::Role::Extra) operand_bits |= field.mask();
      }
      for (int i = 0; i < kWordsOfARow; ++i) {
        const auto bits = static_cast<std::uint32_t>(random()) & operand_bits;
        words.push_back(static_cast<std::uint32_t>(row.opcode) << 24 | bits);
        source += macro_call(row, words.back());
      }
    }
    const Words assembled = words_of(source, arch);
    ASSERT_EQ(assembled.size(), words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      ASSERT_EQ(assembled[i], words[i]) << isa::disassemble(arch, words[i]);
    }
  }
}

TEST(KernelForm, OperandsMayReachUnusedBits) {
  expect_same("TTI_SFPLOAD(3, 3, 6, 0x1FFF);", "SFPLOAD 3, 3, 6, 0x3FF, raw=0x1C00");
  expect_same("TTI_SFPSETCC(0xFFF, 0, 0, 0);", "SFPSETCC 1, 0, 0, 0, raw=0xFFE000");
}

TEST(KernelForm, NegativeAndMaskedNumbers) {
  expect_same("TTI_SFPSHFT(-8 & 0xfff, 0, 1, 1);\nTTI_SFPSHFT(-8, 0, 1, 1);",
              "SFPSHFT -8, L0, L1, 1\nSFPSHFT -8, L0, L1, 1");
}

/// The kernel form with one operand, zeros elsewhere.
std::string kernel_form(const isa::Row& row, std::string_view operand, const std::string& value) {
  std::string arguments;
  for (const MacroOperand& each : macro_operands(row))
    arguments += (arguments.empty() ? "" : ", ") + (each.name == operand ? value : "0");
  return "TTI_" + std::string(row.mnemonic) + "(" + arguments + ");";
}

/// Kernels give signed numbers masked to the 12 bits of the word's operand.
TEST(KernelForm, SignedNumbersAreThoseOfTheBareForm) {
  std::set<std::string_view> found;
  for (const Arch arch : kArchs) {
    for (const isa::Row& row : isa::rows()) {
      if (!isa::includes(row.chips, arch)) continue;
      for (const isa::Field& field : row.fields()) {
        if (field.role != isa::Role::SignedImmediate) continue;
        found.insert(row.mnemonic);
        ASSERT_EQ(field.width(), 12U) << row.mnemonic;
        for (const int number : {-1, -28, -128, -2048, 0, 127, 2047}) {
          const std::uint32_t bits = static_cast<std::uint32_t>(number) & 0xFFF;
          const Words word{std::uint32_t{row.opcode} << 24 | field.insert(bits)};
          const std::string decimal = std::to_string(number);
          EXPECT_EQ(words_of(kernel_form(row, field.name, decimal), arch), word) << row.mnemonic;
          EXPECT_EQ(words_of(kernel_form(row, field.name, decimal + " & 0xfff"), arch), word);
          EXPECT_EQ(words_of(kernel_form(row, field.name, std::to_string(bits)), arch), word);
          const std::string bare = isa::disassemble(arch, word[0]);
          EXPECT_NE(bare.find(decimal), std::string::npos) << bare;
          EXPECT_EQ(words_of(bare, arch), word) << bare;
        }
      }
    }
  }
  EXPECT_EQ(found, (std::set<std::string_view>{"SFPDIVP2", "SFPIADD", "SFPSHFT", "SFPSHFT2"}));
}

TEST(KernelForm, LinesMayBreakInsideTheParentheses) {
  const Program program =
      program_of(Arch::Blackhole, "NOP\nTTI_SFPMAD(\n 0, 1, // a\n 9,\n2, 0\n);\nNOP");
  ASSERT_EQ(program.words.size(), 3U);
  EXPECT_EQ(program.words[1], (ProgramWord{0x84001920, 2}));
  EXPECT_EQ(program.words[2].line, 7U);
}

// ---------------------------------------------------------------- Comments and directives

TEST(Comments, EveryKind) {
  expect_same(
      "# a\n// b\n; c\n/* d */ NOP /* e\n f */\nNOP # g\nNOP // h\nNOP ; i /* j\n\r\nNOP\r\n",
      "NOP\nNOP\nNOP\nNOP\nNOP");
  EXPECT_EQ(words_of("SFPMAD L0, /* VB */ L1, L0, L0 ; , L9"), Words{0x84001000});
}

TEST(Directives, Word) {
  EXPECT_EQ(words_of(".word 0x7d000000\n.word 1<<31"), (Words{0x7D000000, 0x80000000}));
}

TEST(Directives, RepeatKeepsTheLines) {
  const Program program = program_of(
      Arch::Blackhole, ".repeat 2\nNOP\n.repeat 1 + 1\n.word 7\n.endr\n.endr\n.repeat 9\n.endr");
  const std::vector<ProgramWord> expected{{0x02000000, 2}, {7, 4}, {7, 4},
                                          {0x02000000, 2}, {7, 4}, {7, 4}};
  EXPECT_EQ(program.words, expected);
}

TEST(Directives, RepeatUpToTheLimits) {
  EXPECT_EQ(words_of(".repeat 1000000\nNOP\n.endr").size(), 1'000'000U);
  EXPECT_EQ(words_of(".repeat 2\n.repeat 1000000\nNOP\n.endr\n.endr").size(), isa::kMostWords);
}

TEST(Directives, Configuration) {
  const Program program = program_of(
      Arch::Blackhole, "# first\n.cfg FIDELITY_BASE_Phase 2\n.cfg ANY_NAME 0xFFFFFFFF\nNOP");
  const std::vector<ConfigSetting> expected{{"FIDELITY_BASE_Phase", 2, 2},
                                            {"ANY_NAME", 0xFFFFFFFF, 3}};
  EXPECT_EQ(program.config, expected);
  EXPECT_EQ(program.name, "test.tt");
}

TEST(Directives, ArchitectureOfTheProgram) {
  EXPECT_EQ(words_of(".arch wh\nNOP", Arch::Wormhole).size(), 1U);
  EXPECT_EQ(words_of(".arch bh\nNOP", Arch::Blackhole).size(), 1U);
}

TEST(Directives, Constants) {
  expect_same(".equ ACC L2\n.equ STEP -3\n.equ MODE 4|1\nSFPIADD STEP, L0, ACC, MODE",
              "SFPIADD -3, L0, L2, 5");
  expect_same(".equ HALF bf16(0.5)\nTTI_SFPLOADI(0, 0, HALF);", "SFPLOADI L0, 0, 0x3F00");
}

// ---------------------------------------------------------------- Lines that come again

TEST(RepeatedLines, HaveTheirOwnLineNumbers) {
  const Program program =
      program_of(Arch::Blackhole, "SFPLOADI L1, 0, 5 // five\nNOP\n  SFPLOADI L1, 0, 5 // five");
  ASSERT_EQ(program.words.size(), 3U);
  EXPECT_EQ(program.words[2].word, program.words[0].word);
  EXPECT_EQ(program.words[2].line, 3U);
}

TEST(RepeatedLines, StandBetweenOthers) {
  const Program program = program_of(
      Arch::Blackhole, "NOP\n\t NOP\n\n.repeat 2\nNOP\n  NOP\r\n# two\n.endr\nNOP\nNOP ; end");
  std::vector<std::uint32_t> lines;
  for (const ProgramWord& each : program.words) lines.push_back(each.line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{1, 2, 5, 6, 5, 6, 9, 10}));
  const auto wrong = assemble(Arch::Blackhole, "NOP\nNOP\nNOP\n  NOPE\n", "test.tt");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().line, 4U);
  EXPECT_EQ(wrong.error().column, 3U);
}

TEST(RepeatedLines, MeanSomethingElseBehindAConstant) {
  const std::string line = "SFPLOAD L0, FP32, 3, 0\n";
  expect_same(line + ".equ FP32 2\n" + line, "SFPLOAD L0, 3, 3, 0\nSFPLOAD L0, 2, 3, 0");
}

TEST(RepeatedLines, GoOnInOtherLines) {
  expect_same("TTI_SFPMAD(0, 1,\n 2, 3, 0);\nTTI_SFPMAD(0, 1,\n 2, 4, 0);",
              "SFPMAD L0, L1, L2, L3, 0\nSFPMAD L0, L1, L2, L4, 0");
  expect_same("NOP /*\n*/\nNOP /*\nSFPNOP\n*/\nNOP", "NOP\nNOP\nNOP");
}

TEST(RepeatedLines, AreTakenWhole) {
  expect_same("NOP ; one\nNOP ; two\nNOP\nSFPNOP\nNOP", "NOP\nNOP\nNOP\nSFPNOP\nNOP");
  expect_same("SFPABS L1, L2, Mod1 /* x */ = 1\nSFPABS L1, L2, Mod1 /* x */ = 0",
              "SFPABS L1, L2, 1\nSFPABS L1, L2, 0");
}

// Of a line with a comment the name is a copy, in whose place the next one comes; these two share
// their place among the known names, too.
TEST(RepeatedLines, HaveNamesOfTheirOwn) {
  const auto read =
      read_assembly(Arch::Blackhole, ".arch bh\nmova2d # x\nttpacr # x\n", "test.tt", Syntax::Auto);
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(read.error().message.find("line 3 the vendor's"), std::string::npos)
      << to_string(read.error());
}

TEST(RepeatedLines, BeginTheirCommentAgain) {
  const auto read = read_assembly(Arch::Blackhole, "/* x\n*/\nSFPNOP\n/* x\nlabel:\n*/\nSFPNOP\n",
                                  "test.tt", Syntax::Auto);
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  EXPECT_FALSE(read->vendors);
  EXPECT_EQ(read->program.words.size(), 2U);
}

// More different lines than are remembered at a time.
TEST(RepeatedLines, MakeRoomForOthers) {
  std::string text;
  Words expected;
  for (unsigned i = 0; i < 6000; ++i) {
    const unsigned number = i % 3000;
    text += "SFPLOADI L2, 0, " + std::to_string(number) + "\n";
    expected.push_back(*isa::encode(Arch::Blackhole, isa::Op::SFPLOADI,
                                    {{"VD", 2}, {"Mod0", 0}, {"Imm16", number}}));
  }
  EXPECT_EQ(words_of(text), expected);
}

// ---------------------------------------------------------------- The manual

TEST(Manual, ItsExamplesAssemble) {
  std::ifstream file(in_project("docs/assembly.md"));
  std::string line;
  std::string example;
  bool in_example = false;
  int examples = 0;
  while (std::getline(file, line)) {
    if (in_example && line == "```") {
      EXPECT_FALSE(words_of(example).empty()) << example;
      ++examples;
      example.clear();
    }
    in_example = line == "```asm" || (in_example && line != "```");
    if (in_example && line != "```asm") example += line + '\n';
  }
  EXPECT_GE(examples, 6);
}

} // namespace
} // namespace lanewise::assembly
