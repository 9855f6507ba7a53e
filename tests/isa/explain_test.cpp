// The pages of `lanewise explain`.
#include "chip/isa/explain.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/near_names.h"
#include "chip/isa/documentation.h"
#include "chip/isa/modifiers.h"

namespace lanewise {
namespace {

using isa::Op;
using testing::AssertionResult;

AssertionResult contains(const std::string& page, std::string_view text) {
  if (page.find(text) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << text << "\" is not in\n" << page;
}

TEST(Documentation, EveryMnemonicHasASummaryOfOneSentence) {
  for (const isa::Row& row : isa::rows()) {
    const std::string_view summary = isa::documentation(row.op).summary;
    ASSERT_FALSE(summary.empty()) << row.mnemonic;
    EXPECT_EQ(summary.back(), '.') << row.mnemonic;
    EXPECT_EQ(summary.find(". "), std::string_view::npos) << row.mnemonic;
  }
}

TEST(Documentation, EveryVectorInstructionHasItsOperation) {
  for (const isa::Row& row : isa::rows()) {
    if (row.unit == isa::Unit::Vector) {
      EXPECT_FALSE(isa::documentation(row.op).operation.empty()) << row.mnemonic;
      EXPECT_FALSE(isa::documentation(row.op).notes.empty()) << row.mnemonic;
    }
  }
}

// VU C14: the table of guard classes.
TEST(Documentation, GuardClasses) {
  constexpr std::string_view kResultGated = "Does nothing at all";
  constexpr std::string_view kTemplateGated = "Executes for every VD";
  for (Op op : {Op::SFPABS, Op::SFPAND, Op::SFPOR, Op::SFPXOR, Op::SFPNOT, Op::SFPDIVP2,
                Op::SFPEXEXP, Op::SFPEXMAN, Op::SFPIADD, Op::SFPLZ, Op::SFPSETEXP, Op::SFPSETMAN,
                Op::SFPSETSGN, Op::SFPSHFT, Op::SFPARECIP}) {
    EXPECT_TRUE(isa::documentation(op).notes.starts_with(kResultGated));
  }
  for (Op op :
       {Op::SFPMAD, Op::SFPADD, Op::SFPMUL, Op::SFPADDI, Op::SFPMULI, Op::SFPMUL24, Op::SFPLUT,
        Op::SFPLUTFP32, Op::SFPMOV, Op::SFPSTOCHRND, Op::SFPSWAP, Op::SFPGT, Op::SFPLE}) {
    EXPECT_TRUE(isa::documentation(op).notes.starts_with(kTemplateGated));
  }
}

// As words are drawn in the ISA documentation.
TEST(Explain, FieldsComeFromTheHighestBitDown) {
  const std::string page = isa::explain(Op::SFPMAD);
  std::size_t before = 0;
  for (const std::string_view field :
       {"31:24  opcode", "19:16  VA", "15:12  VB", "11:8  VC", "7:4  VD", "3:0  Mod1"}) {
    const std::size_t at = page.find(field, before);
    ASSERT_NE(at, std::string::npos) << field << " is not behind the field before it in\n" << page;
    before = at;
  }
}

// VU C13: all but SFPCONFIG and SFPLOADMACRO can end up as a macro template.
TEST(Documentation, TemplateRuleIsOnEveryPageItHoldsFor) {
  for (const isa::Row& row : isa::rows()) {
    if (row.unit == isa::Unit::Vector) {
      EXPECT_NE(isa::documentation(row.op).notes.find("[VU C13"), std::string_view::npos)
          << row.mnemonic;
    }
  }
}

TEST(Explain, PageOfSfpiadd) {
  const std::string page = isa::explain(Op::SFPIADD);
  EXPECT_TRUE(page.starts_with("SFPIADD: "));
  EXPECT_TRUE(contains(page, "chips    Blackhole A0, Wormhole B0, Grayskull\n"));
  EXPECT_TRUE(contains(page, "unit     Vector Unit (SFPU), Simple sub-unit\n"));
  EXPECT_TRUE(contains(page, "opcode   0x79\n"));
  EXPECT_TRUE(contains(page, "latency  1 cycle\n         not documented on Grayskull\n"));
  EXPECT_TRUE(contains(page, "TTI_SFPIADD(Imm12, VC, VD, Mod1)\n"));
  EXPECT_TRUE(contains(page, "  23:12  Imm12  two's complement immediate\n"));
  EXPECT_TRUE(contains(page, "Mod1 &  1 =  1  ARG_IMM\n"));
  EXPECT_TRUE(contains(page, "[VU C26]"));
}

TEST(Explain, BothEncodingsOfAnInstructionThatMoved) {
  const std::string page = isa::explain(Op::SFPLOAD);
  EXPECT_TRUE(contains(page, "Encoding on Blackhole A0\n"));
  EXPECT_TRUE(contains(page, "  15:13  AddrMod"));
  EXPECT_TRUE(contains(page, "Encoding on Wormhole B0\n"));
  EXPECT_TRUE(contains(page, "  15:14  AddrMod"));
}

TEST(Explain, JoinedFieldsAreOneOperandOfTheMacro) {
  EXPECT_TRUE(contains(isa::explain(Op::MVMUL),
                       "TTI_MVMUL(FlipSrcB:FlipSrcA, BroadcastSrcBRow, AddrMod, DstRow)\n"));
  EXPECT_TRUE(contains(isa::explain(Op::TRNSPSRCB), "  TTI_TRNSPSRCB\n"));
}

TEST(Explain, NamesTheChipOfAModifierThatOneChipLacks) {
  const std::string page = isa::explain(Op::SFPMAD);
  EXPECT_TRUE(contains(page, "NEGATE_VA (Blackhole A0)\n"));
  EXPECT_TRUE(contains(page, "INDIRECT_VA (Blackhole A0, Wormhole B0)\n"));
  EXPECT_TRUE(contains(page, "PLUS_HALF (Grayskull)\n"));
  EXPECT_TRUE(contains(isa::explain(Op::SFPGT), "SET_VD\n"));
}

TEST(Explain, TellsWhatGrayskullDoesOtherwise) {
  const std::string page = isa::explain(Op::SFPSETMAN);
  EXPECT_TRUE(contains(page, "On Grayskull (docs/grayskull.md)\n"));
  EXPECT_TRUE(contains(page, "hardware bug"));
  EXPECT_FALSE(contains(isa::explain(Op::SFPSWAP), "Grayskull"));
}

TEST(Explain, PagesFitTheirColumns) {
  for (const isa::Row& row : isa::rows()) {
    const std::string page = isa::explain(row.op);
    ASSERT_EQ(page.back(), '\n');
    for (std::size_t start = 0; start < page.size();) {
      const std::size_t end = page.find('\n', start);
      const std::string line = page.substr(start, end - start);
      EXPECT_LE(line.size(), 100U) << row.mnemonic << ": " << line;
      EXPECT_FALSE(line.ends_with(' ')) << row.mnemonic << ": " << line;
      start = end + 1;
    }
  }
}

TEST(Explain, EveryFieldAndModifierIsOnThePage) {
  for (const isa::Row& row : isa::rows()) {
    const std::string page = isa::explain(row.op);
    for (const isa::Field& field : row.fields()) EXPECT_TRUE(contains(page, field.name));
    for (const isa::Modifier& modifier : isa::modifiers(row.op)) {
      EXPECT_TRUE(contains(page, modifier.name));
    }
  }
}

TEST(Suggestions, NearestFirst) {
  const auto names = isa::suggestions("SFPMADD");
  ASSERT_FALSE(names.empty());
  EXPECT_LE(names.size(), 3U);
  EXPECT_EQ(isa::suggestions("sfpstore1").front(), "SFPSTORE");
  EXPECT_EQ(isa::suggestions("SFPIAD").front(), "SFPIADD");
  EXPECT_EQ(isa::suggestions("SETWC").front(), "SETRWC");
  EXPECT_EQ(isa::suggestions("SFP_STOCHRND").front(), "SFPSTOCHRND");
}

TEST(Suggestions, TwoLettersInTheWrongOrderAreOneMistake) {
  constexpr std::array<std::string_view, 3> kNames{"run", "time", "--format"};
  EXPECT_EQ(near_names("rnu", kNames), std::vector<std::string_view>{"run"});
  EXPECT_EQ(near_names("tiem", kNames), std::vector<std::string_view>{"time"});
  EXPECT_EQ(near_names("--fromat", kNames), std::vector<std::string_view>{"--format"});
  EXPECT_TRUE(near_names("rm", kNames).empty());
}

TEST(Suggestions, NoneForWhatResemblesNothing) {
  EXPECT_TRUE(isa::suggestions("").empty());
  EXPECT_TRUE(isa::suggestions("qqqqqqqqqqqq").empty());
}

} // namespace
} // namespace lanewise
