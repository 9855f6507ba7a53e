// Modifier names and register names against the references.
#include "chip/isa/modifiers.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "chip/isa/encoding.h"
#include "chip/isa/registers.h"

namespace lanewise {
namespace {

using isa::Op;

std::string described(Arch arch, Op op, std::string_view field, std::uint32_t value) {
  const auto word = isa::encode(arch, op, {{field, value}});
  return word ? isa::describe_modifiers(arch, *word) : "no such field";
}

// VU C26.
TEST(Modifiers, SfpiaddImmediateWinsOverSubtraction) {
  const auto iadd = [](std::uint32_t mod1) {
    return described(Arch::Blackhole, Op::SFPIADD, "Mod1", mod1);
  };
  EXPECT_EQ(iadd(0), "ARG_LREG_DST | CC_LT0");
  EXPECT_EQ(iadd(5), "ARG_IMM | CC_NONE");
  EXPECT_EQ(iadd(6), "ARG_2SCOMP_LREG_DST | CC_NONE");
  EXPECT_EQ(iadd(3), "ARG_IMM | CC_LT0");
  EXPECT_EQ(iadd(10), "ARG_2SCOMP_LREG_DST | CC_GTE0");
}

// VU C8: CLEAR first, then the immediate, then the comparisons.
TEST(Modifiers, SfpsetccTakesTheFirstMatch) {
  const auto setcc = [](std::uint32_t mod1) {
    return described(Arch::Wormhole, Op::SFPSETCC, "Mod1", mod1);
  };
  EXPECT_EQ(setcc(0), "LREG_LT0");
  EXPECT_EQ(setcc(3), "IMM_BIT0");
  EXPECT_EQ(setcc(6), "LREG_EQ0");
  EXPECT_EQ(setcc(9), "CLEAR");
}

// VU C7: bit 1 wins over bit 0, bit 2 has no effect.
TEST(Modifiers, SfpenccImmediateWinsOverComplement) {
  const auto encc = [](std::uint32_t mod1) {
    return described(Arch::Blackhole, Op::SFPENCC, "Mod1", mod1);
  };
  EXPECT_EQ(encc(0), "EU_R1");
  EXPECT_EQ(encc(3), "EI_R1");
  EXPECT_EQ(encc(4), "EU_R1");
  EXPECT_EQ(encc(10), "EI_RI");
  EXPECT_EQ(encc(11), "EI_RI");
}

// VU C30: all lanes needs Mod1 = 2, or 6 because bit 2 is dropped.
TEST(Modifiers, SfpmovAllLanesStandsAlone) {
  for (std::uint32_t mod1 = 0; mod1 < 16; ++mod1) {
    const std::string text = described(Arch::Blackhole, Op::SFPMOV, "Mod1", mod1);
    EXPECT_EQ(text.find("ALL_LANES_ENABLED") != std::string::npos, mod1 == 2 || mod1 == 6) << mod1;
  }
}

// VU C38: OR is 2, AND is 4, XOR is 6, unlike some published headers.
TEST(Modifiers, SfpconfigBitwiseModes) {
  EXPECT_EQ(isa::modifier_value(Op::SFPCONFIG, "Mod1", "BITWISE_OR"), 2U);
  EXPECT_EQ(isa::modifier_value(Op::SFPCONFIG, "Mod1", "BITWISE_AND"), 4U);
  EXPECT_EQ(isa::modifier_value(Op::SFPCONFIG, "Mod1", "BITWISE_XOR"), 6U);
  EXPECT_EQ(described(Arch::Blackhole, Op::SFPCONFIG, "Mod1", 7), "IMM16_IS_VALUE | BITWISE_XOR");
}

// VU C44: bits 1 and 3 together are the packed three-entry table, with its indirect VD.
TEST(Modifiers, Sfplutfp32Tables) {
  const auto lut = [](std::uint32_t mod1) {
    return described(Arch::Wormhole, Op::SFPLUTFP32, "Mod1", mod1);
  };
  EXPECT_EQ(lut(0), "FP32_3ENTRY_TABLE");
  EXPECT_EQ(lut(2), "FP16_6ENTRY_TABLE1");
  EXPECT_EQ(lut(7), "FP16_6ENTRY_TABLE2 | SGN_RETAIN");
  EXPECT_EQ(lut(10), "FP16_3ENTRY_TABLE | INDIRECT_VD");
  EXPECT_EQ(lut(11), "FP16_3ENTRY_TABLE | INDIRECT_VD");
}

// VU 4: what Wormhole does not decode has no name there.
TEST(Modifiers, NamesOfBlackholeDoNotAppearOnWormhole) {
  EXPECT_EQ(described(Arch::Blackhole, Op::SFPMAD, "Mod1", 3), "NEGATE_VA | NEGATE_VC");
  EXPECT_EQ(described(Arch::Wormhole, Op::SFPMAD, "Mod1", 3), "");
  EXPECT_EQ(described(Arch::Blackhole, Op::SFPSHFT, "Mod1", 3), "ARG_IMM | ARITHMETIC");
  EXPECT_EQ(described(Arch::Wormhole, Op::SFPSHFT, "Mod1", 3), "ARG_IMM");
  EXPECT_EQ(described(Arch::Blackhole, Op::SFPCAST, "Mod1", 2), "INT32_ABS");
  EXPECT_EQ(described(Arch::Wormhole, Op::SFPCAST, "Mod1", 2), "SM32_TO_FP32_RNE");
  EXPECT_EQ(described(Arch::Blackhole, Op::SFPAND, "Mod1", 1), "USE_VB");
  EXPECT_EQ(described(Arch::Wormhole, Op::SFPAND, "Mod1", 1), "");
  EXPECT_EQ(described(Arch::Wormhole, Op::SFPPUSHC, "Mod1", 3), "");
}

// VU C45: rounding mode 3 is stochastic; Mod1 bit 3 selects the immediate in modes 4 and 5 only.
TEST(Modifiers, SfpstochrndModes) {
  EXPECT_EQ(described(Arch::Blackhole, Op::SFPSTOCHRND, "RoundingMode", 3),
            "RND_STOCH | FP32_TO_FP16A");
  EXPECT_EQ(described(Arch::Wormhole, Op::SFPSTOCHRND, "Stochastic", 1),
            "RND_STOCH | FP32_TO_FP16A");
  EXPECT_EQ(described(Arch::Wormhole, Op::SFPSTOCHRND, "Mod1", 13),
            "RND_NEAREST | INT32_TO_INT8 | USE_IMM5");
  EXPECT_EQ(described(Arch::Wormhole, Op::SFPSTOCHRND, "Mod1", 14), "RND_NEAREST | FP32_TO_UINT16");
}

TEST(Modifiers, LoadAndStoreShareTheirFormats) {
  std::size_t shared = 0;
  for (const isa::Modifier& load : isa::modifiers(Op::SFPLOAD)) {
    if (load.chips != isa::Chips::BOTH) continue; // Grayskull's own
    ++shared;
    EXPECT_EQ(isa::modifier_value(Op::SFPSTORE, "Mod0", load.name), load.value);
    EXPECT_EQ(isa::modifier_value(Op::SFPLOADMACRO, "Mod0", load.name), load.value);
  }
  EXPECT_EQ(shared, 16U);
}

// Names are written by OR-ing: a name's own value must mean the name again.
TEST(Modifiers, EveryNameReadsBack) {
  for (const isa::Modifier& modifier : isa::kModifiers) {
    EXPECT_EQ(isa::modifier_value(modifier.op, modifier.field, modifier.name), modifier.value)
        << modifier.name;
    for (Arch arch : kArchs) {
      if (!includes(modifier.chips, arch)) continue;
      const std::string text = described(arch, modifier.op, modifier.field, modifier.value);
      EXPECT_NE(text.find(modifier.name), std::string::npos) << modifier.name;
    }
  }
}

TEST(Modifiers, EveryModifierFieldOfTheVectorUnitHasNames) {
  for (const isa::Row& row : isa::rows()) {
    if (row.unit != isa::Unit::Vector) continue;
    for (const isa::Field& field : row.fields()) {
      if (field.role != isa::Role::Modifier) continue;
      const auto names = isa::modifiers(row.op);
      EXPECT_TRUE(std::ranges::any_of(
          names, [&](const isa::Modifier& modifier) { return modifier.field == field.name; }))
          << row.mnemonic << " " << field.name;
    }
  }
}

TEST(Modifiers, NothingForUnknownNamesAndOpcodes) {
  EXPECT_FALSE(isa::modifier_value(Op::SFPIADD, "Mod1", "arg_imm"));
  EXPECT_FALSE(isa::modifier_value(Op::SFPIADD, "Mod0", "ARG_IMM"));
  EXPECT_TRUE(isa::modifiers(Op::SFPNOP).empty());
  EXPECT_EQ(isa::describe_modifiers(Arch::Wormhole, 0x97000001U), "");
}

// Seed 000, 1.2; VU C3 for the numbers.
TEST(Registers, NamesThatKernelsUse) {
  EXPECT_EQ(isa::register_number("L0"), 0U);
  EXPECT_EQ(isa::register_number("L16"), 16U);
  EXPECT_EQ(isa::register_number("p_sfpu::LREG7"), 7U);
  EXPECT_EQ(isa::register_number("LCONST_0_8373"), 8U);
  EXPECT_EQ(isa::register_number("LCONST_0"), 9U);
  EXPECT_EQ(isa::register_number("p_sfpu::LCONST_1"), 10U);
  EXPECT_EQ(isa::register_number("LCONST_neg1"), 11U);
  EXPECT_EQ(isa::register_number("LTILEID"), 15U);
}

TEST(Registers, EverythingElseIsNoRegister) {
  for (std::string_view name : {"", "L", "LREG", "L17", "L01", "L1x", "LREG-1", "p_sfpu::", "R1",
                                "L99999999999", "LCONST_2", "l1"}) {
    EXPECT_FALSE(isa::register_number(name)) << name;
  }
}

} // namespace
} // namespace lanewise
