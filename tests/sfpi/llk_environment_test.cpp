// The headers that stand in for LLK's environment: which instruction words they record.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "chip/isa/encoding.h"
#include "sfpi/kernel_files.h"

namespace lanewise::sfpi {
namespace {

using isa::Op;

constexpr std::uint32_t kNop = 0x02000000;

class LlkEnvironment : public KernelTest {
 protected:
  /// Records a statement that sees everything that an LLK kernel header sees. The harness around it
  /// issues words, too: the statement's own lie between two NOPs.
  Expected<std::vector<compiler::Node>> nodes_of(Arch arch, const std::string& statement) {
    source_.file = folder_.write("kernel.h", "#pragma once\n");
    source_.is_header = true;
    source_.calls = {"TTI_NOP; " + statement + "; TTI_NOP"};
    const auto recording = record_kernel(arch, source_);
    if (!recording) return Unexpected(recording.error());
    std::vector<compiler::Node> nodes;
    for (const compiler::Node& node : recording->nodes) {
      if (node.kind == LanewiseKind::Raw) nodes.push_back(node);
    }
    const auto is_nop = [](const compiler::Node& node) {
      return static_cast<std::uint32_t>(node.imm) == kNop;
    };
    const auto first = std::find_if(nodes.begin(), nodes.end(), is_nop);
    const auto last = std::find_if(nodes.rbegin(), nodes.rend(), is_nop).base();
    return std::vector(first + 1, last - 1);
  }

  Expected<std::vector<std::uint32_t>> words_of(Arch arch, const std::string& statement) {
    const auto nodes = nodes_of(arch, statement);
    if (!nodes) return Unexpected(nodes.error());
    std::vector<std::uint32_t> words;
    for (const compiler::Node& node : *nodes) words.push_back(static_cast<std::uint32_t>(node.imm));
    return words;
  }

  void expect_words(Arch arch, const std::string& statement,
                    const std::vector<std::uint32_t>& expected) {
    const auto words = words_of(arch, statement);
    ASSERT_TRUE(words.has_value()) << words.error().message;
    EXPECT_EQ(*words, expected) << arch_params(arch).names.id << ": " << statement;
  }

  void expect_failure(const std::string& statement, const std::string& part_of_message) {
    const auto words = words_of(Arch::Blackhole, statement);
    ASSERT_FALSE(words.has_value()) << statement;
    EXPECT_NE(words.error().message.find(part_of_message), std::string::npos)
        << words.error().message;
  }
};

std::uint32_t setc16(std::uint32_t word, std::uint32_t value) {
  return 0xB2000000U + (word << 16) + value;
}

// T5: what the core may have to compute is what the kernel gives as a variable; TTI_ words are
// constants, or they do not compile on the chip.
TEST_F(LlkEnvironment, WordsThatTheCoreMayCompute) {
  const auto nodes = nodes_of(
      Arch::Blackhole,
      "std::uint32_t half = 0x3F80; constexpr unsigned kPlace = 2; TT_SFPLOADI(0, 0, half); "
      "TT_SFPLOADI(0, kPlace, 0x3F80 >> 1); TTI_SFPLOADI(1, 0, 7); TT_SFPLOADI(2, 0, half + 1)");
  ASSERT_TRUE(nodes.has_value()) << nodes.error().message;
  std::vector<bool> computed;
  for (const compiler::Node& node : *nodes) computed.push_back(node.mod == kLanewiseComputedWord);
  EXPECT_EQ(computed, (std::vector{true, false, false, true}));
}

// MU 2.1 gives the words of section i, MU 3.2 their bits.
TEST_F(LlkEnvironment, AddrModSections) {
  const std::string statement =
      "addr_mod_t{.srca = {.incr = 3, .cr = 1}, .srcb = {.clr = 1}, .dest = {.incr = -2},"
      " .fidelity = {.incr = 1, .clr = 1}}.set(ADDR_MOD_6)";
  const std::uint32_t sources = 3U | 1U << 6 | 1U << 15;
  const std::uint32_t dst = 0x3FEU | 1U << 13 | 1U << 15;
  expect_words(Arch::Blackhole, statement,
               {setc16(12 + 6, sources), setc16(28 + 6, dst), setc16(47 + 6, 0)});
  expect_words(Arch::Wormhole, statement,
               {setc16(7 + 12, sources), setc16(23 + 6, dst), setc16(48 + 6, 0)});
}

// SFPI reference 3.2: the tile's base is tile * 64 rows; on Wormhole ADDR_MOD 3 then means 7.
TEST_F(LlkEnvironment, StartOfATile) {
  expect_words(Arch::Blackhole, "lanewise_llk::start(2)", {setc16(1, 128), 0xA2800010U});
  expect_words(Arch::Wormhole, "lanewise_llk::start(2)",
               {setc16(1, 128), setc16(2, 1), 0xA2800080U});
}

// SFPI reference 3.2: SETRWC with CR_D +8, twice.
TEST_F(LlkEnvironment, NextFace) {
  for (Arch arch : kArchs) {
    const std::uint32_t step =
        *isa::encode(arch, Op::SETRWC, {{"DstCr", 1U}, {"DstVal", 8U}, {"Dst", 1U}});
    expect_words(arch, "lanewise_llk::next_face()", {step, step});
  }
}

// The RISC-V core's store of the seed becomes a write of all four bytes by the coprocessor.
TEST_F(LlkEnvironment, ConfigurationPointer) {
  const std::string statement =
      "auto cfg = get_cfg_pointer(); cfg[PRNG_SEED_Seed_Val_ADDR32] = 0x12345678";
  for (Arch arch : kArchs) {
    const std::uint32_t word = arch == Arch::Blackhole ? 186 : 164;
    expect_words(arch, statement,
                 {0xB3FF7800U + word, 0xB4FF5600U + word, 0xB5FF3400U + word, 0xB6FF1200U + word});
  }
}

TEST_F(LlkEnvironment, ConfigurationFieldsTouchTheirBitsOnly) {
  expect_words(Arch::Blackhole, "cfg_reg_rmw_tensix<ALU_ACC_CTRL_SFPU_Fp32_enabled_RMW>(1)",
               {0xB6404001U});
}

// SETDMAREG of both halves of register 60, and STOREREG to FFB12068.
TEST_F(LlkEnvironment, DebugFeatureDisable) {
  for (const Arch arch : kArchs) {
    expect_words(arch, "reg_write(RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, 1 << 11)",
                 {0x45080078U, 0x45000079U, 0x67F0481AU});
  }
  expect_failure("reg_write(0xFFB12000U, 1)", "can be written on the host");
}

TEST_F(LlkEnvironment, WhatAHostCannotDoIsAnError) {
  expect_failure("volatile std::uint32_t* cfg = get_cfg_pointer(); cfg[1] = 2",
                 "plain pointer to configuration");
  expect_failure("if (get_cfg_pointer()[1] == 2) TTI_SFPNOP", "read a configuration register");
  expect_failure("LLK_ASSERT(1 + 1 == 3, \"count again\")", "assertion '1 + 1 == 3'");
  expect_failure("lanewise_llk::l1_write(0x100, {1})", "outside of the L1");
}

// A kernel turns the 32-bit address into a pointer itself.
TEST_F(LlkEnvironment, L1AddressesArePointers) {
  expect_words(Arch::Blackhole,
               "const std::uint32_t at = lanewise_llk::l1_write(0x20000, {7, 9});"
               "TT_SFPLOADI(0, 2, reinterpret_cast<const std::uint8_t*>(at)[1])",
               {0x71020009U});
}

// ISA: MOPExpander, ExpandTemplate1.
TEST_F(LlkEnvironment, DoubleLoopIsUnrolled) {
  expect_words(Arch::Blackhole,
               "ckernel_template loop(2, 2, 0x70000001, 0x70000002);"
               "loop.set_start_op(0x70000003); loop.set_end_op(0x70000004);"
               "loop.set_last_inner_loop_instr(0x70000005);"
               "loop.set_last_outer_loop_instr(0x70000006); loop.program_and_run()",
               {0x70000003U, 0x70000001U, 0x70000002U, 0x70000001U, 0x70000005U, 0x70000004U,
                0x70000003U, 0x70000001U, 0x70000002U, 0x70000001U, 0x70000006U, 0x70000004U});
}

} // namespace
} // namespace lanewise::sfpi
