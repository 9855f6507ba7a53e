// The vendor's assembly: orders of operands, what stands between Tensix instructions, objdump, and
// what tells the syntaxes apart. The words are those that the fields' places in the ISA
// documentation give; the texts are our own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/form_text.h"
#include "chip/isa/gnu_forms.h"
#include "chip/isa/row.h"
#include "source/assembly/assembly.h"
#include "source/assembly/gnu.h"
#include "source/assembly/gnu_operands.h"
#include "source/assembly/syntax.h"

namespace lanewise::assembly {
namespace {

using Words = std::vector<std::uint32_t>;

Words words_of(const GnuText& text) {
  Words words;
  for (const ProgramWord& each : text.program.words) words.push_back(each.word);
  return words;
}

/// The words of a text in the vendor's syntax; none, and a failure, if it is refused.
Words vendors_words(const std::string& source, Arch arch = Arch::Blackhole) {
  const auto text = read_gnu(arch, source, "test.s");
  EXPECT_TRUE(text) << to_string(text.error());
  return text ? words_of(*text) : Words{};
}

/// The words of a text in our own syntax.
Words our_words(const std::string& source, Arch arch = Arch::Blackhole) {
  const auto program = assemble(arch, source, "test.tt");
  EXPECT_TRUE(program) << to_string(program.error());
  if (!program) return {};
  Words words;
  for (const ProgramWord& each : program->words) words.push_back(each.word);
  return words;
}

std::string vendors_error(const std::string& source, Arch arch = Arch::Blackhole) {
  const auto text = read_gnu(arch, source, "test.s");
  return text ? "" : to_string(text.error());
}

std::string error_by_content(const std::string& source) {
  const auto text = read_assembly(Arch::Blackhole, source, "test.s", Syntax::Auto);
  return text ? "" : to_string(text.error());
}

std::vector<std::string> doubts_of(const std::string& source) {
  const auto text = read_gnu(Arch::Blackhole, source, "test.s");
  EXPECT_TRUE(text) << to_string(text.error());
  std::vector<std::string> doubts;
  for (const Fault& each : text->doubts) doubts.push_back(to_string(each));
  return doubts;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A line of the vendor's and the same in our syntax, whose fields have names.
struct Pair {
  std::string vendors, ours;
  Arch arch = Arch::Blackhole;
};

class OrderOfOperands : public testing::TestWithParam<Pair> {};

TEST_P(OrderOfOperands, IsTheVendors) {
  EXPECT_EQ(vendors_words(GetParam().vendors, GetParam().arch),
            our_words(GetParam().ours, GetParam().arch));
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, OrderOfOperands,
    testing::Values(
        Pair{"sfpload L1,2,4,3", "SFPLOAD VD=L1, Imm10=2, Mod0=4, AddrMod=3"},
        Pair{"sfpload L1,2,4,3", "SFPLOAD VD=L1, Imm10=2, Mod0=4, AddrMod=3", Arch::Wormhole},
        Pair{"sfpstore L1,2,4,3", "SFPSTORE VD=L1, Imm10=2, Mod0=4, AddrMod=3"},
        Pair{"sfpstore 2,L1,4,3", "SFPSTORE VD=L1, Imm10=2, Mod0=4, AddrMod=3"},
        Pair{"SFPLOADI\tL3, -1, 4", "SFPLOADI VD=L3, Mod0=4, Imm16=0xffff"},
        Pair{"sfpmad L1,L2,L3,L4,1", "SFPMAD VD=L1, VA=L2, VB=L3, VC=L4, Mod1=1"},
        Pair{"sfpmul L1,L2,L3,1", "SFPMUL VD=L1, VA=L2, VB=L3, VC=L9, Mod1=1"},
        Pair{"sfpmul L1,L2,L3,L9,1", "SFPMUL VD=L1, VA=L2, VB=L3, VC=L9, Mod1=1"},
        Pair{"sfpadd L1,L2,L3,1", "SFPADD VD=L1, VA=L10, VB=L2, VC=L3, Mod1=1"},
        Pair{"sfpadd L1,L10,L2,L3,1", "SFPADD VD=L1, VA=L10, VB=L2, VC=L3, Mod1=1"},
        Pair{"sfpiadd L1,L2,0xFFB,5", "SFPIADD VD=L1, VC=L2, Imm12=-5, Mod1=5"},
        Pair{"sfpsetcc L2,0x000,6", "SFPSETCC VC=L2, Imm1=0, Mod1=6"},
        Pair{"sfpencc 0x003,10", "SFPENCC Imm2=3, Mod1=10"},
        Pair{"sfpand L1,L2", "SFPAND VD=L1, VC=L2, VB=L0, Mod1=0"},
        Pair{"sfpand L1,L3,L2,1", "SFPAND VD=L1, VB=L3, VC=L2, Mod1=1"},
        Pair{"sfpconfig 12,5,1", "SFPCONFIG ConfigDest=12, Imm16=5, Mod1=1"},
        Pair{"sfpswap L1,L2,1", "SFPSWAP VD=L1, VC=L2, Mod1=1"},
        Pair{"sfploadmacro 2,L7,5,3,1",
             "SFPLOADMACRO MacroIndex=2, VDLo=3, VDHi=1, Imm9=2, Mod0=3, AddrMod=1"},
        Pair{"sfplut L3,4", "SFPLUT VD=L3, Mod0=4"},
        Pair{"sfpmuli L3,0x1234,1", "SFPMULI VD=L3, Imm16=0x1234, Mod1=1"},
        Pair{"sfpaddi L3,0x1234,1", "SFPADDI VD=L3, Imm16=0x1234, Mod1=1"},
        Pair{"sfpdivp2 L1,L2,5,1", "SFPDIVP2 VD=L1, VC=L2, Imm12=5, Mod1=1"},
        Pair{"sfpexexp L1,L2,8", "SFPEXEXP VD=L1, VC=L2, Mod1=8"},
        Pair{"sfpexman L1,L2,1", "SFPEXMAN VD=L1, VC=L2, Mod1=1"},
        Pair{"sfpshft L1,L2,-3,1", "SFPSHFT VD=L1, VC=L2, Imm12=-3, Mod1=1"},
        Pair{"sfpmov L1,L2,2", "SFPMOV VD=L1, VC=L2, Mod1=2"},
        Pair{"sfpabs L1,L2,1", "SFPABS VD=L1, VC=L2, Mod1=1"},
        Pair{"sfpor L1,L3,L2,1", "SFPOR VD=L1, VB=L3, VC=L2, Mod1=1"},
        Pair{"sfpor L1,L2", "SFPOR VD=L1, VC=L2", Arch::Wormhole},
        Pair{"sfpand L1,L2", "SFPAND VD=L1, VC=L2", Arch::Wormhole},
        Pair{"sfpnot L1,L2", "SFPNOT VD=L1, VC=L2"}, Pair{"sfpxor L1,L2", "SFPXOR VD=L1, VC=L2"},
        Pair{"sfplz L1,L2,2", "SFPLZ VD=L1, VC=L2, Mod1=2"},
        Pair{"sfpsetexp L1,L2,5,1", "SFPSETEXP VD=L1, VC=L2, Imm8=5, Mod1=1"},
        Pair{"sfpsetman L1,L2,5,1", "SFPSETMAN VD=L1, VC=L2, Imm12=5, Mod1=1"},
        Pair{"sfpsetsgn L1,L2,1,1", "SFPSETSGN VD=L1, VC=L2, Imm1=1, Mod1=1"},
        Pair{"sfppushc 3", "SFPPUSHC Mod1=3"}, Pair{"sfppopc 3", "SFPPOPC Mod1=3"},
        Pair{"sfpcompc", "SFPCOMPC"}, Pair{"sfptransp", "SFPTRANSP"}, Pair{"sfpnop", "SFPNOP"},
        Pair{"sfpcast L1,L2,1", "SFPCAST VD=L1, VC=L2, Mod1=1"},
        Pair{"sfpstochrnd L1,L2,L3,4,1,2",
             "SFPSTOCHRND VD=L1, VB=L2, VC=L3, Imm5=4, Mod1=1, RoundingMode=2"},
        Pair{"sfpshft2 L1,L2,5,3", "SFPSHFT2 VD=L1, VC=L2, Imm12=5, Mod1=3"},
        Pair{"sfpshft2 L1,L2,3", "SFPSHFT2 VD=L1, VC=L2, Imm12=0, Mod1=3"},
        Pair{"sfplutfp32 L1,10", "SFPLUTFP32 VD=L1, Mod1=10"},
        Pair{"sfple L1,L2,1,8", "SFPLE VD=L1, VC=L2, Imm12=1, Mod1=8"},
        Pair{"sfpgt L1,L2,1,8", "SFPGT VD=L1, VC=L2, Imm12=1, Mod1=8"},
        Pair{"sfparecip L1,L2,1", "SFPARECIP VD=L1, VC=L2, VB=L0, Mod1=1"},
        Pair{"sfpmul24 L1,L2,L3,1", "SFPMUL24 VD=L1, VA=L2, VB=L3, VC=L9, Mod1=1"},
        Pair{"ttreplay 3,4,1,1", "REPLAY Index=3, Count=4, Exec=1, Load=1"},
        Pair{"ttincrwc 0,2,0,0", "INCRWC DstInc=2, SrcBInc=0, SrcAInc=0"},
        Pair{"ttsetc16 7,12", "SETC16 CfgIndex=7, NewValue=12"}, Pair{"ttnop", "NOP"},
        Pair{"tttrnspsrca", "TRNSPSRCA"}, Pair{"tttrnspsrca", "TRNSPSRCA", Arch::Wormhole}));

/// The lowest bits of the operands, in their order, without those that share a place.
std::vector<unsigned> places_of(const isa::GnuForm& form) {
  std::vector<unsigned> places;
  for (const isa::GnuOperand& each : form.operands()) places.push_back(each.low);
  return places;
}

// binutils has instructions of the Vector Unit with the destination first, which OrderOfOperands
// holds one by one; all others from the highest bits to the lowest.
TEST(GnuForms, OtherUnitsHaveTheirOperandsFromTheHighestBitsOn) {
  for (const isa::GnuForm& form : isa::gnu_forms()) {
    if (!form.name.starts_with("tt")) continue;
    const std::vector<unsigned> places = places_of(form);
    EXPECT_TRUE(std::ranges::is_sorted(places, std::ranges::greater_equal{}))
        << form.name << " of " << static_cast<unsigned>(form.chips);
  }
}

TEST(GnuForms, EachRowHasAFormOrAReason) {
  for (const isa::Row& row : isa::rows()) {
    for (const Arch arch : kArchs) {
      if (!isa::includes(row.chips, arch)) continue;
      const isa::GnuForm* form = isa::find_gnu_form(arch, row.op);
      EXPECT_NE(form == nullptr, isa::gnu_form_absence(arch, row.op).empty()) << row.mnemonic;
      const std::vector<std::string> lines = isa::gnu_form_lines(arch, row);
      ASSERT_FALSE(lines.empty()) << row.mnemonic;
      EXPECT_TRUE(
          lines[0].starts_with(form == nullptr ? std::string_view(".ttinsn WORD (") : form->name))
          << lines[0];
    }
  }
  EXPECT_TRUE(has(std::string(isa::gnu_form_absence(Arch::Blackhole, isa::Op::TRNSPSRCA)),
                  "Wormhole only"));
  EXPECT_EQ(isa::gnu_form_absence(Arch::Wormhole, isa::Op::SFPGT), "")
      << "Wormhole lacks the instruction";
}

TEST(GnuForms, EachIsFoundByItsName) {
  for (const isa::GnuForm& form : isa::gnu_forms()) {
    for (const Arch arch : kArchs) {
      if (form.name.empty() || !isa::includes(form.chips, arch)) continue;
      std::string capitals(form.name);
      for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      EXPECT_EQ(isa::find_gnu_name(arch, form.name), form.op) << form.name;
      EXPECT_EQ(isa::find_gnu_name(arch, capitals), form.op) << form.name;
      EXPECT_EQ(isa::find_gnu_name(arch, capitals + "Z"), std::nullopt);
    }
  }
  EXPECT_EQ(isa::find_gnu_name(Arch::Wormhole, "sfpgt"), std::nullopt);
  EXPECT_EQ(isa::find_gnu_name(Arch::Blackhole, ""), std::nullopt);
}

TEST(GnuReader, ReadsTheExamplesOfTheDocumentation) {
  EXPECT_EQ(vendors_words("sfpload L0,2,0,3\n"), Words{0x70006002U})
      << "register, address, mode, address mode: 0, 2, 0, 3 << 13";
  EXPECT_EQ(vendors_words("sfpmul L0,L0,L1,L9,0\n"), Words{0x86001900U})
      << "destination first: VA = L0, VB = L1, VC = L9";
}

TEST(GnuReader, SfpstochrndFollowsTheStoresOfTheText) {
  const Words today = our_words("SFPSTOCHRND VD=L1, VB=L2, VC=L3, Imm5=4, Mod1=1, RoundingMode=0");
  const Words before = our_words("SFPSTOCHRND VD=L1, VB=L2, VC=L3, Imm5=0, Mod1=4, RoundingMode=1");
  const std::string line = "sfpstochrnd L1,L2,L3,4,1,0\n";
  EXPECT_EQ(vendors_words(line), today);
  EXPECT_EQ(doubts_of(line).size(), 1U) << "nothing tells which binutils it is for";
  EXPECT_EQ(vendors_words("sfpstore L0,0,0,0\n" + line)[1], today[0]);
  EXPECT_TRUE(doubts_of("sfpstore L0,0,0,0\n" + line).empty());
  EXPECT_EQ(vendors_words("sfpstore 0,L0,0,0\n" + line)[1], before[0]);
}

TEST(GnuReader, TakesTensixInstructionsOutOfTheirSurroundings) {
  const std::string source =
      "\t.file\t\"f.cc\"\n"
      "\t.text\n"
      "\t.globl\tf\n"
      "\t.type\tf, @function\n"
      "f: addi a0,a0,1 # comment; ttnop\n"
      "\t/* ttnop\n"
      "ttnop */ SFPNOP // ttnop\n"
      "\tsfpnop; ttnop\n"
      "\t.section .rodata\n"
      "\t.word 0\n"
      "\t.string \"# ttnop; \\\" ttnop\"\n"
      "\t.text\n"
      "\t.word 0x08000000, 0x00000013\n"
      "\t.ttinsn 0x8f000000\n"
      "\tret\n"
      "\t.size\tf, .-f\n";
  const auto text = read_gnu(Arch::Blackhole, source, "f.s");
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_EQ(words_of(*text),
            (Words{0x8F000000U, 0x8F000000U, 0x02000000U, 0x02000000U, 0x8F000000U}));
  EXPECT_EQ(text->riscv, 3U) << "addi, the second .word, which is one in memory, and ret";
  EXPECT_EQ(text->program.words[0].line, 7U);
  ASSERT_EQ(text->functions.size(), 1U);
  EXPECT_EQ(text->functions[0].name, "f");
  EXPECT_TRUE(text->doubts.empty());
}

TEST(GnuReader, MemoryWordsAreRotatedByTwo) { // the encoding of .ttinsn in the ISA documentation
  EXPECT_EQ(memory_of_word(0x8F000000U), 0x3C000002U);
  EXPECT_EQ(word_of_memory(0x3C000002U), 0x8F000000U);
  EXPECT_TRUE(is_tensix_in_memory(0x3C000002U));
  EXPECT_FALSE(is_tensix_in_memory(0x00000013U)) << "addi x0, x0, 0";
}

TEST(GnuReader, SaysWhatItDoesNotUnderstand) {
  EXPECT_TRUE(has(vendors_error("sfpmad L0,L1,0\n"), "5 operands, not 3"));
  EXPECT_TRUE(has(vendors_error("sfpmad L0,L1,0\n"), "VD, VA, VB, VC, Mod1"));
  EXPECT_TRUE(has(vendors_error("\tsfpabs 0,L1,0\n"), "test.s:1:2"));
  EXPECT_TRUE(has(vendors_error("sfpabs L0,L16,0\n"), "'L16' is not a register"));
  EXPECT_TRUE(has(vendors_error("sfpabs L0,L1,16\n"), "16 is not within 0 to 15"));
  EXPECT_TRUE(has(vendors_error("sfploadmacro 0,L7,4,0,0\n"), "bit 2 of the register's number"));
  EXPECT_TRUE(has(vendors_error("sfpgt L0,L1,0,0\n", Arch::Wormhole), "bh only"));
  EXPECT_TRUE(has(vendors_error("ttstreamwait 0,0,0,0\n", Arch::Wormhole), "bh only"));
  EXPECT_TRUE(has(vendors_error("tttrnspsrca 1\n"), ".ttinsn 0x"))
      << "an instruction that only an older binutils could write";
  EXPECT_TRUE(has(vendors_error("sfpload L0,0,0,7\n", Arch::Wormhole), "--arch bh"));
  EXPECT_TRUE(has(vendors_error(".ttinsn 1,2\n"), "one word"));
  EXPECT_TRUE(has(vendors_error("sfpabz L0,L1,0\n"), "SFPABS"));
  EXPECT_TRUE(has(vendors_error("frobnicate a0\n"), "neither a Tensix nor a RISC-V instruction"));
  EXPECT_TRUE(has(vendors_error(".rept 4\n"), "is not followed here"));
  EXPECT_TRUE(has(vendors_error("TTI_SFPNOP;\n"), "macro of kernels"));
}

TEST(GnuReader, KnowsConstantsBehindAFunctionWithoutSections) { // as Compiler Explorer shows them
  const std::string constants =
      "f():\n\tsfpnop\n\tret\n.LC0:\n\t.word 1065353216\n\t.string \"a\"\n"
      "table:\n\t.word 1\n\t.word 2\n";
  EXPECT_EQ(vendors_words(constants), Words{0x8F000000U});
  EXPECT_TRUE(doubts_of(constants).empty());
  EXPECT_EQ(vendors_words("f:\n\tret\ng:\n\t.word 0x3c000002\n\tret\n"), Words{0x8F000000U})
      << "an instruction behind the label makes it code";
  EXPECT_EQ(vendors_words("f:\n\tj .L3\n.L2:\n\t.word 0x3c000002\n.L3:\n\tbnez a0,.L2\n"),
            Words{0x8F000000U})
      << "the target of a jump";
  EXPECT_EQ(vendors_words("\tret\n\t.type g,@function\ng:\n\t.word 0x3c000002\n"),
            Words{0x8F000000U})
      << "a function by its type";
}

TEST(GnuReader, WarnsOfBytesBetweenInstructions) {
  const auto doubts = doubts_of("f:\n sfpnop\n .byte 2,0,0,60\n ret\n");
  ASSERT_EQ(doubts.size(), 1U);
  EXPECT_TRUE(has(doubts[0], "test.s:3")) << doubts[0];
  EXPECT_TRUE(has(doubts[0], ".byte puts bytes between instructions")) << doubts[0];
}

/// What stands in one section, and whether it is code.
struct SectionCase {
  std::string enter;
  bool is_code;
};

class Sections : public testing::TestWithParam<SectionCase> {};

TEST_P(Sections, AreCodeOrData) {
  const std::string source = GetParam().enter + "\n\t.word 0x3c000002\n\t.text\n\tret\n";
  EXPECT_EQ(vendors_words(source), GetParam().is_code ? Words{0x8F000000U} : Words{});
}

INSTANTIATE_TEST_SUITE_P(Names, Sections,
                         testing::Values(SectionCase{".data", false}, SectionCase{".bss", false},
                                         SectionCase{".rodata", false}, SectionCase{".text", true},
                                         SectionCase{".section .rodata.cst4,\"aM\"", false},
                                         SectionCase{".section .text._Z1fv,\"ax\"", true},
                                         SectionCase{".section .debug_info", false},
                                         SectionCase{".section .sdata.x", false},
                                         SectionCase{".pushsection .rodata", false},
                                         SectionCase{".pushsection .rodata\n.popsection", true}));

TEST(GnuReader, ReadsWordsAsTheyLieInMemory) {
  for (const std::string directive : {".word", ".long", ".int", ".4byte", ".insn", ".insn 4,"}) {
    EXPECT_EQ(vendors_words("f:\n\t" + directive + " 0x3c000002\n\tret\n"), Words{0x8F000000U})
        << directive;
  }
}

TEST(GnuReader, RefusesWhatMakesOtherText) {
  for (const std::string directive :
       {".if 1", ".ifdef A", ".else", ".endif", ".macro m", ".endm", ".rept 3", ".endr", ".irp x,1",
        ".irpc x,1", ".include \"a\"", ".incbin \"a\"", ".ifndef A", ".elseif 1"}) {
    EXPECT_TRUE(has(vendors_error(directive + "\n"), "is not followed here")) << directive;
  }
}

TEST(GnuReader, WarnsWhereControlFlowIsNotTheOrderOfTheText) {
  EXPECT_TRUE(doubts_of("f:\n li a0,8\n sfpnop\n ret\n").empty());
  const auto loop = doubts_of("f:\n.L2:\n sfpnop\n ttnop\n bnez a0,.L2\n ret\n");
  ASSERT_EQ(loop.size(), 1U);
  EXPECT_TRUE(has(loop[0], "test.s:5")) << loop[0];
  EXPECT_TRUE(has(loop[0], "loop of 2 Tensix words (lines 3 to 4), which are taken once"));
  const auto passed = doubts_of("f:\n beqz a0,1f\n sfpnop\n1:\n ret\n");
  ASSERT_EQ(passed.size(), 1U);
  EXPECT_TRUE(has(passed[0], "may pass over a Tensix word (line 3)")) << passed[0];
  EXPECT_TRUE(doubts_of("f:\n1: addi a0,a0,-1\n bnez a0,1b\n sfpnop\n").empty())
      << "a loop without Tensix words changes nothing";
  EXPECT_EQ(doubts_of("f:\n sfpnop\n call g\n ret\n").size(), 1U);
  EXPECT_EQ(doubts_of("f:\n sfpnop\n jr a0\n").size(), 1U);
  EXPECT_EQ(doubts_of("f:\n beqz a0,.L2\n ret\n.L2:\n sfpnop\n ret\n").size(), 1U)
      << "words behind a return";
}

TEST(GnuReader, NamesStoresOfWordsThatAreComputed) {
  const auto older = read_gnu(Arch::Blackhole, "f:\n sw a4, 0(a5)\t# Op(0x71) - d(lr0)\n", "f.s");
  const auto newer = read_gnu(Arch::Blackhole, "f:\n sw a4, 0(a5)\t# 4:SFPLOADI L0, 0, 2\n", "f.s");
  const auto plain = read_gnu(Arch::Blackhole, "f:\n sw a4, 0(a5)\t# tmp143\n", "f.s");
  ASSERT_TRUE(older && newer && plain);
  EXPECT_EQ(older->computed.size(), 1U);
  EXPECT_EQ(newer->computed.size(), 1U);
  EXPECT_TRUE(plain->computed.empty());
}

TEST(GnuReader, ChoosesAFunctionByItsName) {
  const std::string source = "_Z1fi:\n sfpnop\n ret\n_ZN2ns1gILb1EEEvv:\n ttnop\n ret\n";
  const auto text = read_gnu(Arch::Blackhole, source, "f.s");
  ASSERT_TRUE(text);
  EXPECT_EQ(words_of(*only_function(*text, "f")), Words{0x8F000000U});
  EXPECT_EQ(words_of(*only_function(*text, "ns::g")), Words{0x02000000U});
  EXPECT_EQ(words_of(*only_function(*text, "g")), Words{0x02000000U});
  EXPECT_EQ(words_of(*only_function(*text, "_Z1fi")), Words{0x8F000000U});
  const auto none = only_function(*text, "h");
  ASSERT_FALSE(none);
  EXPECT_TRUE(has(to_string(none.error()), "_Z1fi, _ZN2ns1gILb1EEEvv"));
  EXPECT_EQ(words_of(*read_gnu(Arch::Blackhole, "f(int, g<2>):\n sfpnop\n", "f.s")),
            Words{0x8F000000U})
      << "names as Compiler Explorer shows them";
}

constexpr std::string_view kObjdump =
    "f.elf:     file format elf32-littleriscv\n"
    "\n"
    "Disassembly of section .text:\n"
    "\n"
    "00000100 <f>:\n"
    "f():\n"
    "  sfpmul = 3; // a line of the source\n"
    " 100:\t00150513          \taddi\ta0,a0,1\n"
    " 104:\t3c000002          \tsfpnop\n"
    " 108:\tc00c0002          \t.insn\t4, 0xc00c0002\n"
    " 10c:\tfe051ce3          \tbnez\ta0,104 <f+0x4>\n"
    " 110:\t00008067          \tret\n";

TEST(GnuReader, ReadsObjdump) {
  EXPECT_TRUE(is_objdump(kObjdump));
  const auto text = read_gnu(Arch::Blackhole, kObjdump, "f.txt");
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_EQ(words_of(*text), (Words{0x8F000000U, 0xB0030000U}));
  EXPECT_EQ(text->riscv, 3U);
  ASSERT_EQ(text->doubts.size(), 1U);
  EXPECT_TRUE(has(text->doubts[0].message, "loop of 2 Tensix words"));
  EXPECT_EQ(text->functions.at(0).name, "f");
}

TEST(GnuReader, SkipsSourcesAndRelocationsInObjdump) {
  const std::string source =
      "00000100 <f>:\n"
      "   a: 3;\n"
      " abc: return;\n"
      " 100:\t3c000002          \tsfpnop\n"
      "\t\t\t100: R_RISCV_BRANCH\t.L2\n"
      " 104:\t00008067          \tret\n";
  EXPECT_EQ(vendors_words(source), Words{0x8F000000U});
  EXPECT_EQ(vendors_words("00000100 <f>:\n   a: 3;\n 100:\tsfpnop\n\t\t\t100: R_RISCV_32\tx\n"),
            Words{0x8F000000U})
      << "without bytes, a tab is behind the colon";
}

// An objdump without Tensix takes 0x3c000002 for c.slli64 and something, and 0x0c0f4fe1 the same
// way, whose upper half begins an instruction of 32 bits that ends in the next word.
TEST(GnuReader, PutsHalvesOfWordsTogether) {
  const std::string halves =
      "00000000 <f>:\n"
      "   0:\t0002                \t.insn\t2, 0x0002\n"
      "   2:\t3c00                \tfld\tfs0,56(s0)\n"
      "   4:\t4fe1                \tli\tt6,24\n"
      "   6:\t00020c0f            \t.insn\t4, 0x00020c0f\n"
      "   a:\t3c00                \tfld\tfs0,56(s0)\n"
      "   c:\t00008067            \tret\n";
  const auto text = read_gnu(Arch::Blackhole, halves, "f.txt");
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_EQ(words_of(*text), (Words{0x8F000000U, word_of_memory(0x0C0F4FE1U), 0x8F000000U}));
  EXPECT_EQ(text->riscv, 1U);
  ASSERT_EQ(text->doubts.size(), 1U);
  EXPECT_TRUE(has(text->doubts[0].message, "does not know Tensix"));
}

TEST(GnuReader, HoldsTheTextOfObjdumpAgainstItsBytes) {
  EXPECT_EQ(
      vendors_words(fmt::format(" 0:\t{:08x}\tsfpmul\tL0,L0,L1,0\n", memory_of_word(0x86001900U))),
      Words{0x86001900U});
  EXPECT_TRUE(has(
      vendors_error(fmt::format(" 0:\t{:08x}\tsfpmul\tL0,L0,L2,0\n", memory_of_word(0x86001900U))),
      "the bytes are 86001900"));
}

TEST(Syntax, IsChosenByContent) {
  const auto read = [](const std::string& source) {
    const auto text = read_assembly(Arch::Blackhole, source, "test", Syntax::Auto);
    EXPECT_TRUE(text) << to_string(text.error());
    return text ? words_of(*text) : Words{};
  };
  EXPECT_EQ(read("SFPMUL L0, L0, L1, L9, 0\n"), our_words("SFPMUL L0, L0, L1, L9, 0"));
  EXPECT_EQ(read("f:\n\tSFPMUL\tL0, L0, L1, L9, 0\n"), Words{0x86001900U});
  EXPECT_EQ(read("\tsfpmul\tL0,L0,L1,L9,0\n\tret\n"), Words{0x86001900U});
  EXPECT_EQ(read("ttincrwc 0,2,0,0\nsfpload L0,2,0,3\n")[1], 0x70006002U);
  EXPECT_EQ(read("sfpload L0, FP32, ADDR_MOD_3, 2\n"),
            our_words("SFPLOAD L0, FP32, ADDR_MOD_3, 2"));
  EXPECT_EQ(read("sfpand L1,L2\n"), our_words("SFPAND VD=L1, VC=L2, VB=L0"))
      << "only the vendor's reading is possible";
  EXPECT_EQ(read("sfpnop\n"), Words{0x8F000000U}) << "the same in both";
}

TEST(Syntax, RefusesWhatFitsBothInDifferentWays) {
  const std::string mul = error_by_content("sfpmul L0,L0,L1,L9,0\n");
  EXPECT_TRUE(has(mul, "SFPMUL L0, L0, L1, L9, 0 in Lanewise's own syntax")) << mul;
  EXPECT_TRUE(has(mul, "SFPMUL L0, L1, L9, L0, 0 in the vendor's")) << mul;
  EXPECT_TRUE(has(mul, "--syntax")) << mul;
  EXPECT_TRUE(has(error_by_content("sfpload L0,2,0,3\n"), "70020003"));
  EXPECT_TRUE(has(error_by_content("TTI_SFPNOP;\n\tret\n"), "line 1 is Lanewise's own syntax"));
}

/// Random bits for a row, of which every other word has bits in its fields only.
std::uint32_t random_word(std::mt19937& random, const isa::Row& row, unsigned round) {
  const std::uint32_t bits =
      static_cast<std::uint32_t>(random()) & (round % 2 == 0 ? row.covered_bits() : ~0U);
  return static_cast<std::uint32_t>(row.opcode) << 24 | (bits & 0x00FFFFFFU);
}

TEST(GnuWriter, EveryWordComesBack) {
  constexpr unsigned kRounds = 500;
  std::mt19937 random(15);
  for (const Arch arch : kArchs) {
    for (const isa::Row& row : isa::rows()) {
      if (!isa::includes(row.chips, arch)) continue;
      for (unsigned round = 0; round < kRounds; ++round) {
        const std::uint32_t word = random_word(random, row, round);
        const auto text = read_gnu(arch, gnu_line(arch, word), "test.s");
        ASSERT_TRUE(text) << gnu_line(arch, word) << to_string(text.error());
        ASSERT_EQ(words_of(*text), Words{word}) << gnu_line(arch, word);
      }
    }
  }
}

TEST(GnuWriter, AMillionRandomWordsComeBack) {
  constexpr unsigned kWords = 1'000'000, kPerText = 1000;
  std::mt19937 random(2026);
  for (const Arch arch : kArchs) {
    for (unsigned done = 0; done < kWords / 2; done += kPerText) {
      Words words;
      std::string source;
      for (unsigned i = 0; i < kPerText; ++i) {
        words.push_back(static_cast<std::uint32_t>(random()));
        source += "\t" + gnu_line(arch, words.back()) + "\n";
      }
      ASSERT_EQ(vendors_words(source, arch), words);
    }
  }
}

TEST(GnuWriter, TextOfRandomOperandsComesBack) {
  constexpr unsigned kRounds = 200;
  std::mt19937 random(7);
  for (const Arch arch : kArchs) {
    for (const isa::GnuForm& form : isa::gnu_forms()) {
      if (form.older || form.name.empty() || !isa::includes(form.chips, arch)) continue;
      const std::uint32_t opcode = static_cast<std::uint32_t>(isa::find_row(arch, form.op)->opcode);
      for (unsigned round = 0; round < kRounds; ++round) {
        const std::uint32_t bits = static_cast<std::uint32_t>(random()) & form.covered_bits();
        const std::uint32_t word = opcode << 24 | form.fixed | bits;
        EXPECT_TRUE(gnu_line(arch, word).starts_with(form.name)) << gnu_line(arch, word);
        ASSERT_EQ(vendors_words(gnu_line(arch, word), arch), Words{word}) << gnu_line(arch, word);
      }
    }
  }
}

TEST(GnuWriter, PrintsWhatHasNoFormAsAWord) {
  EXPECT_EQ(gnu_line(Arch::Blackhole, 0x8F000000U), "sfpnop");
  EXPECT_EQ(gnu_line(Arch::Blackhole, 0x8F000010U), ".ttinsn\t0x8f000010") << "a bit of no operand";
  EXPECT_EQ(gnu_line(Arch::Blackhole, 0x86001900U), "sfpmul\tL0,L0,L1,0");
  EXPECT_EQ(gnu_line(Arch::Blackhole, 0x86001200U), ".ttinsn\t0x86001200") << "its addend is L9";
  EXPECT_EQ(gnu_line(Arch::Blackhole, 0x14000000U), ".ttinsn\t0x14000000")
      << "TRNSPSRCA, which binutils has for Wormhole only";
  EXPECT_EQ(gnu_line(Arch::Wormhole, 0x14000000U), "tttrnspsrca");
  EXPECT_EQ(gnu_line(Arch::Blackhole, 0xFF000000U), ".ttinsn\t0xff000000");
}

} // namespace
} // namespace lanewise::assembly
