#include "source/assembly/tti.h"

#include <gtest/gtest.h>

#include "chip/isa/encoding.h"

namespace lanewise::assembly {
namespace {

TEST(Tti, OperandsAreThoseOfTheKernelMacro) {
  // ISA: SFPMAD VA, VB, VC, VD, Mod1 from the left.
  const auto word = isa::encode(Arch::Blackhole, isa::Op::SFPMAD,
                                {{"VA", 1}, {"VB", 2}, {"VC", 3}, {"VD", 4}, {"Mod1", 0}});
  EXPECT_EQ(tti_call(Arch::Blackhole, *word), "TTI_SFPMAD(1, 2, 3, 4, 0);");
}

TEST(Tti, MacroWithoutOperandsHasNoParentheses) {
  EXPECT_EQ(tti_call(Arch::Wormhole, 0x8F000000), "TTI_SFPNOP;");
}

TEST(Tti, JoinedFieldsAreOneOperand) {
  // SETRWC's first operand holds FlipSrcB and FlipSrcA (bits 23:22).
  const auto word = isa::encode(Arch::Wormhole, isa::Op::SETRWC,
                                {{"FlipSrcB", 1}, {"FlipSrcA", 1}, {"DstVal", 8}});
  EXPECT_TRUE(tti_call(Arch::Wormhole, *word).starts_with("TTI_SETRWC(3, "))
      << tti_call(Arch::Wormhole, *word);
}

TEST(Tti, WordThatNoMacroMakesIsGivenAsItIs) {
  EXPECT_EQ(tti_call(Arch::Blackhole, 0xFF000001), "INSTRUCTION_WORD(0xFF000001);");
}

} // namespace
} // namespace lanewise::assembly
