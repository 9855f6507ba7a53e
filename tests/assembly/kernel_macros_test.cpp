// The generated ckernel_ops.h against what the references say about words, macros and places.
#include "source/assembly/kernel_macros.h"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "chip/isa/config.h"
#include "chip/isa/encoding.h"

namespace lanewise {
namespace {

using isa::Op;

/// A line "#define NAME(a, b) (body)" of the header.
struct Macro {
  std::vector<std::string> parameters;
  bool has_parentheses = false;
  std::string body;
};

using Macros = std::map<std::string, Macro>;

Macros parse(const std::string& header) {
  Macros macros;
  const std::regex line("#define (\\w+)(\\([^)]*\\))? (.*)");
  const std::regex word("\\w+");
  for (std::sregex_iterator it(header.begin(), header.end(), line), end; it != end; ++it) {
    Macro macro{{}, (*it)[2].matched, (*it)[3]};
    const std::string list = (*it)[2];
    for (std::sregex_iterator name(list.begin(), list.end(), word); name != end; ++name) {
      macro.parameters.push_back(name->str());
    }
    macros.emplace((*it)[1], std::move(macro));
  }
  return macros;
}

const Macro* find_macro(Arch arch, const std::string& name) {
  static const std::array macros{parse(assembly::kernel_macros(Arch::Blackhole)),
                                 parse(assembly::kernel_macros(Arch::Wormhole))};
  const Macros& of_chip = macros[static_cast<std::size_t>(arch)];
  const auto found = of_chip.find(name);
  return found == of_chip.end() ? nullptr : &found->second;
}

/// What a TT_OP_ macro computes: "(0xNN000000U + (::std::uint32_t(p) << s) + ...)".
std::uint32_t expand(Arch arch, const std::string& name,
                     const std::vector<std::uint32_t>& arguments) {
  const Macro* macro = find_macro(arch, "TT_OP_" + name);
  EXPECT_NE(macro, nullptr) << name;
  if (macro == nullptr) return 0;
  EXPECT_EQ(macro->parameters.size(), arguments.size()) << name;
  std::uint32_t word = 0;
  std::from_chars(macro->body.data() + 3, macro->body.data() + macro->body.size(), word, 16);
  const std::regex term("uint32_t\\((\\w+)\\) << (\\d+)");
  std::size_t i = 0;
  for (std::sregex_iterator it(macro->body.begin(), macro->body.end(), term), end; it != end;
       ++it, ++i) {
    EXPECT_EQ((*it)[1], macro->parameters.at(i)) << name;
    word += arguments.at(i) << std::stoul((*it)[2]);
  }
  return word;
}

std::uint32_t number(Arch arch, const std::string& name) {
  const Macro* macro = find_macro(arch, name);
  EXPECT_NE(macro, nullptr) << name;
  return macro != nullptr ? static_cast<std::uint32_t>(std::stoul(macro->body)) : 0;
}

// SFPI reference 1.7: replay_insn(start, length) is 04000000 + start << 14 + length << 4, with
// "execute while loading" in bit 1 and "load" in bit 0.
TEST(KernelMacros, ReplayWord) {
  for (Arch arch : kArchs) {
    EXPECT_EQ(expand(arch, "REPLAY", {3, 5, 1, 1}), 0x04000000U + (3U << 14) + (5U << 4) + 3U);
  }
}

// SFPI reference 1.8: the address mode of a load starts at bit 13 on Blackhole, 14 on Wormhole.
TEST(KernelMacros, LoadAddressMode) {
  EXPECT_EQ(expand(Arch::Blackhole, "SFPLOAD", {1, 4, 7, 2}), 0x7014E002U);
  EXPECT_EQ(expand(Arch::Wormhole, "SFPLOAD", {1, 4, 3, 2}), 0x7014C002U);
}

// SFPI reference 1.8: fields are added, so the 14-bit address -128 of a Blackhole kernel with
// ADDR_MOD 3 becomes address 1F80 with address mode 4.
TEST(KernelMacros, OversizedOperandsCarry) {
  const std::uint32_t word = expand(Arch::Blackhole, "SFPLOAD", {0, 0, 3, 0x3F80});
  EXPECT_EQ(word & 0x1FFFU, 0x1F80U);
  EXPECT_EQ(isa::decode(Arch::Blackhole, word)["AddrMod"], 4U);
}

// MU 7, SETRWC: the harness's step to the next face is CR_D, +8, SET_D.
TEST(KernelMacros, FieldsThatShareAnOperand) {
  for (Arch arch : kArchs) {
    const std::uint32_t word = expand(arch, "SETRWC", {0, 4, 8, 0, 0, 4});
    const isa::Decoded decoded = isa::decode(arch, word);
    EXPECT_EQ(decoded["DstCr"], 1U);
    EXPECT_EQ(decoded["SrcACr"], 0U);
    EXPECT_EQ(decoded["DstVal"], 8U);
    EXPECT_EQ(decoded["Dst"], 1U);
    EXPECT_EQ(decoded["SrcA"], 0U);
  }
}

// Kernels write `TTI_SFPNOP;` and `TTI_NOP;` without parentheses.
TEST(KernelMacros, NoParenthesesWithoutOperands) {
  for (Arch arch : kArchs) {
    for (const char* name : {"TT_OP_SFPNOP", "TT_SFPNOP", "TTI_SFPNOP", "TTI_NOP", "TTI_DMANOP"}) {
      const Macro* macro = find_macro(arch, name);
      ASSERT_NE(macro, nullptr) << name;
      EXPECT_FALSE(macro->has_parentheses) << name;
    }
  }
  EXPECT_EQ(expand(Arch::Blackhole, "SFPNOP", {}), 0x8F000000U);
}

// Kernels spell SFPSTOCHRND as SFP_STOCH_RND.
TEST(KernelMacros, AliasesAreTheSameWord) {
  for (Arch arch : kArchs) {
    EXPECT_EQ(expand(arch, "SFP_STOCH_RND", {1, 3, 0, 2, 5, 8}),
              expand(arch, "SFPSTOCHRND", {1, 3, 0, 2, 5, 8}));
  }
}

TEST(KernelMacros, EveryFormOfEveryInstruction) {
  for (Arch arch : kArchs) {
    for (const isa::Row& row : isa::rows()) {
      const bool expected = isa::find_row(arch, row.op) != nullptr;
      for (const char* prefix : {"TT_OP_", "TT_", "TTI_"}) {
        EXPECT_EQ(find_macro(arch, prefix + std::string(row.mnemonic)) != nullptr, expected)
            << prefix << row.mnemonic;
      }
    }
  }
}

// With every operand at the largest value of its fields, every field but the extra ones is full.
TEST(KernelMacros, OperandsReachTheirFields) {
  for (Arch arch : kArchs) {
    for (const isa::Row& row : isa::rows()) {
      if (!isa::includes(row.chips, arch)) continue;
      const std::vector<assembly::MacroOperand> operands = assembly::macro_operands(row);
      std::vector<std::uint32_t> arguments(operands.size(), 0);
      std::uint32_t expected = static_cast<std::uint32_t>(row.opcode) << 24;
      std::size_t i = 0;
      for (const isa::Field& field : row.fields()) {
        if (field.role == isa::Role::Extra) continue;
        arguments.at(i) |= field.mask() >> operands.at(i).shift;
        expected |= field.mask();
        if (!field.joins_next) ++i;
      }
      EXPECT_EQ(expand(arch, std::string(row.mnemonic), arguments), expected) << row.mnemonic;
    }
  }
}

// VU C21, MU 2.1.
TEST(KernelMacros, PlacesOfConfigurationFields) {
  EXPECT_EQ(number(Arch::Blackhole, "PRNG_SEED_Seed_Val_ADDR32"), 186U);
  EXPECT_EQ(number(Arch::Wormhole, "PRNG_SEED_Seed_Val_ADDR32"), 164U);
  for (Arch arch : kArchs) {
    EXPECT_EQ(number(arch, "DEST_TARGET_REG_CFG_MATH_Offset_ADDR32"), 1U);
    EXPECT_EQ(number(arch, "ALU_ACC_CTRL_Fp32_enabled_SHAMT"), 29U);
  }
  EXPECT_EQ(number(Arch::Wormhole, "ADDR_MOD_SET_Base_ADDR32"), 2U);
  EXPECT_EQ(find_macro(Arch::Blackhole, "ADDR_MOD_SET_Base_ADDR32"), nullptr);
}

// MU 2.1: AB sections lie two words apart on Wormhole.
TEST(KernelMacros, PlacesOfAddrMods) {
  EXPECT_EQ(number(Arch::Blackhole, "ADDR_MOD_AB_SEC7_SrcAIncr_ADDR32"), 12U + 7U);
  EXPECT_EQ(number(Arch::Wormhole, "ADDR_MOD_AB_SEC7_SrcAIncr_ADDR32"), 7U + 2U * 7U);
  EXPECT_EQ(number(Arch::Blackhole, "ADDR_MOD_DST_SEC6_DestIncr_ADDR32"), 28U + 6U);
  EXPECT_EQ(number(Arch::Wormhole, "ADDR_MOD_DST_SEC6_DestIncr_ADDR32"), 23U + 6U);
  EXPECT_EQ(number(Arch::Blackhole, "ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR32"), 47U);
  EXPECT_EQ(number(Arch::Wormhole, "ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR32"), 48U);
}

/// As LLK's p_stall of each chip has them.
TEST(KernelMacros, ConditionsOfStallsAreThoseOfTheChip) {
  const std::string bh = assembly::kernel_macros(Arch::Blackhole);
  const std::string wh = assembly::kernel_macros(Arch::Wormhole);
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(bh, "PACK0 = 0x8U, PACK = 0x8U, MATH = 0x10U, SRCA_CLR = 0x20U"));
  EXPECT_TRUE(has(bh, "SFPU1 = 0x800U, CFGEXU = 0x1000U\n"));
  EXPECT_TRUE(has(wh, "PACK3 = 0x40U, PACK = 0x78U, MATH = 0x80U, SRCA_CLR = 0x100U"));
  EXPECT_TRUE(has(wh, "SFPU1 = 0x4000U\n"));
  EXPECT_TRUE(has(bh, "#define LANEWISE_CASTS_INTEGERS"));
  EXPECT_FALSE(has(wh, "#define LANEWISE_CASTS_INTEGERS"));
}

/// What Lanewise's own headers take of the chip's record instead of asking which chip it is.
TEST(KernelMacros, RecordOfTheChip) {
  for (const auto& [arch, l1, config, thread, packers] :
       {std::tuple{Arch::Blackhole, 1536U, 56U, 68U, 1U},
        std::tuple{Arch::Wormhole, 1464U, 47U, 57U, 4U}}) {
    const bool newer = packers == 1;
    EXPECT_EQ(number(arch, "LANEWISE_L1_BYTES"), l1 * 1024);
    EXPECT_EQ(number(arch, "LANEWISE_CONFIG_WORDS"), 4 * config);
    EXPECT_EQ(number(arch, "LANEWISE_THREAD_CONFIG_WORDS"), thread);
    EXPECT_EQ(number(arch, "LANEWISE_PACKERS"), packers);
    EXPECT_EQ(number(arch, "LANEWISE_IMPLIES_FORMATS"), newer);
    EXPECT_EQ(number(arch, "LANEWISE_UNPACR_NOP_HAS_FIELDS"), newer);
    const std::string text = assembly::config_macros(arch);
    EXPECT_NE(text.find("#define LANEWISE_L1_BYTES "), std::string::npos)
        << "a checkout has the words, not the record";
  }
}

/// One call of the macro is the word that the instruction's own macro makes of the chip's fields.
TEST(KernelMacros, WordsWithTheSameOperandsOnEachChip) {
  const std::string bh = assembly::kernel_macros(Arch::Blackhole);
  const std::string wh = assembly::kernel_macros(Arch::Wormhole);
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const auto u32 = [](std::string_view name, unsigned low) {
    return fmt::format(" + (::std::uint32_t({}) << {})", name, low);
  };
  const std::string clearing = "#define LANEWISE_OP_ZEROACC(mode, addr_mod, row) (0x10000000U";
  EXPECT_TRUE(has(bh, clearing + u32("mode", 19) + u32("addr_mod", 14) + u32("row", 0) + ")\n"));
  EXPECT_TRUE(has(wh, clearing + u32("mode", 19) + u32("addr_mod", 15) + u32("row", 0) + ")\n"));
  const std::string packing = "#define LANEWISE_OP_PACR(addr_mod, ways, last) (0x41000000U" +
                              u32("addr_mod", 15) + u32("ways", 8) + u32("last", 0) + ")\n";
  EXPECT_TRUE(has(bh, packing));
  EXPECT_TRUE(has(wh, packing));
}

} // namespace
} // namespace lanewise
