// The interpreter of a core, instruction by instruction, at the edges that the RISC-V manual names.
#include "chip/riscv/core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace lanewise::riscv {
namespace {

constexpr std::uint32_t kMostNegative = 0x80000000, kMinusOne = 0xFFFFFFFF;

/// Words of code and data, one address space.
class Memory : public Bus {
 public:
  std::map<std::uint32_t, std::uint32_t> words;

  Expected<std::uint32_t> fetch(std::uint32_t address) override { return words[address]; }
  Expected<std::uint32_t> load(std::uint32_t address, unsigned) override { return words[address]; }
  Expected<void> store(std::uint32_t address, unsigned, std::uint32_t value) override {
    words[address] = value;
    return {};
  }
  Expected<void> push(std::uint32_t) override { return {}; }
};

/// The word of a row with rd = x10, rs1 = x11, rs2 = x12; `upper`: bits 31:20 instead of rs2.
std::uint32_t word_of(Op op, unsigned rd = 10, std::uint32_t upper = 12) {
  const auto row = std::ranges::find(rows(), op, &Row::op);
  return row->match | rd << 7 | 11U << 15 | upper << 20;
}

class CoreOfChip : public ::testing::TestWithParam<Arch> {
 protected:
  Memory memory;
  Core core{GetParam(), memory};

  /// What the instruction leaves in x10.
  std::uint32_t result(Op op, std::uint32_t a, std::uint32_t b) {
    core.set_pc(0);
    core.set_reg(11, a);
    core.set_reg(12, b);
    memory.words[0] = word_of(op);
    const auto done = core.step();
    EXPECT_TRUE(done.has_value()) << to_string(done.error());
    EXPECT_EQ(core.pc(), 4U);
    return core.reg(10);
  }
};
INSTANTIATE_TEST_SUITE_P(Chips, CoreOfChip, ::testing::ValuesIn(kArchs), [](const auto& each) {
  return std::string(arch_params(each.param).names.id);
});

// RISC-V manual, M: no division traps.
TEST_P(CoreOfChip, DivisionsByZeroAndThatOverflow) {
  EXPECT_EQ(result(Op::DIV, kMostNegative, kMinusOne), kMostNegative);
  EXPECT_EQ(result(Op::REM, kMostNegative, kMinusOne), 0U);
  for (const std::uint32_t a : {0U, 7U, kMostNegative, kMinusOne}) {
    EXPECT_EQ(result(Op::DIV, a, 0), kMinusOne);
    EXPECT_EQ(result(Op::DIVU, a, 0), kMinusOne);
    EXPECT_EQ(result(Op::REM, a, 0), a);
    EXPECT_EQ(result(Op::REMU, a, 0), a);
  }
  EXPECT_EQ(result(Op::REM, static_cast<std::uint32_t>(-7), 2), kMinusOne); // sign of the dividend
  EXPECT_EQ(result(Op::DIV, static_cast<std::uint32_t>(-7), 2), static_cast<std::uint32_t>(-3));
}

TEST_P(CoreOfChip, UpperHalvesOfProducts) {
  EXPECT_EQ(result(Op::MULH, kMinusOne, kMinusOne), 0U);
  EXPECT_EQ(result(Op::MULHU, kMinusOne, kMinusOne), 0xFFFFFFFEU);
  EXPECT_EQ(result(Op::MULHSU, kMinusOne, kMinusOne), kMinusOne); // -1 * (2^32 - 1)
  EXPECT_EQ(result(Op::MULHSU, 1, kMinusOne), 0U);
}

TEST_P(CoreOfChip, X0StaysZero) {
  core.set_reg(0, 5);
  EXPECT_EQ(core.reg(0), 0U);
  core.set_reg(11, 7);
  memory.words[0] = word_of(Op::ADDI, 0, 1);
  ASSERT_TRUE(core.step().has_value());
  EXPECT_EQ(core.reg(0), 0U);
}

TEST_P(CoreOfChip, JalrClearsBit0AndLinks) {
  core.set_reg(11, 0x101);
  memory.words[0] = word_of(Op::JALR, 10, 0x10);
  ASSERT_TRUE(core.step().has_value());
  EXPECT_EQ(core.pc(), 0x110U);
  EXPECT_EQ(core.reg(10), 4U);
}

// Zaamo: memory gets the result, rd what was there.
TEST(CoreOfBlackhole, AtomicsCompareWithAndWithoutSign) {
  struct Case {
    Op op;
    std::uint32_t old, value, left;
  };
  constexpr Case kCases[] = {
      {Op::AMOMAX, 1, kMinusOne, 1},         {Op::AMOMAXU, 1, kMinusOne, kMinusOne},
      {Op::AMOMIN, 1, kMinusOne, kMinusOne}, {Op::AMOMINU, 1, kMinusOne, 1},
      {Op::AMOADD, kMinusOne, 2, 1},         {Op::AMOSWAP, 3, 4, 4},
      {Op::AMOXOR, 0b1100, 0b1010, 0b0110},  {Op::AMOOR, 0b1100, 0b1010, 0b1110},
      {Op::AMOAND, 0b1100, 0b1010, 0b1000},
  };
  for (const Case& each : kCases) {
    Memory memory;
    Core core(Arch::Blackhole, memory);
    core.set_reg(11, 0x100);
    core.set_reg(12, each.value);
    memory.words[0x100] = each.old;
    memory.words[0] = word_of(each.op);
    ASSERT_TRUE(core.step().has_value());
    EXPECT_EQ(core.reg(10), each.old) << static_cast<int>(each.op);
    EXPECT_EQ(memory.words[0x100], each.left) << static_cast<int>(each.op);
  }
}

/// `addi x10, x10, 1`; `bne x10, x12, -4`; behind them, `jalr x0, 0(x11)`.
void write_loop(Memory& memory, std::uint32_t address) {
  memory.words[address] = 0x00150513;
  memory.words[address + 4] = 0xFEC51EE3;
  memory.words[address + 8] = 0x00058067;
}

TEST_P(CoreOfChip, RunsUpToAnAddressOrSoManyInstructions) {
  write_loop(memory, 0x100);
  core.set_pc(0x100);
  core.set_reg(11, 0x200);
  core.set_reg(12, 5);
  EXPECT_EQ(core.run(0x200, 4), 4U);
  EXPECT_EQ(core.pc(), 0x100U);
  EXPECT_EQ(core.reg(10), 2U);
  EXPECT_EQ(core.run(0x200, 100), 7U); // three turns more, and the jump
  EXPECT_EQ(core.pc(), 0x200U);
  EXPECT_EQ(core.run(0x200, 100), 0U);
}

TEST_P(CoreOfChip, RunEndsAtWhatItRefuses) {
  memory.words[0x100] = 0x00150513; // addi x10, x10, 1
  memory.words[0x104] = 0x00100073; // ebreak
  core.set_pc(0x100);
  const auto done = core.run(0x200, 100);
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().message.find("ebreak"), std::string::npos);
  EXPECT_EQ(core.pc(), 0x104U);
  EXPECT_EQ(core.reg(10), 1U);
}

/// What is known of code is known by some bits of its address.
TEST_P(CoreOfChip, LoopsWhoseAddressesAreAlikeStayApart) {
  for (const std::uint32_t apart : {0x400U, 0x1000U, 0x2000U, 0x10000U}) {
    write_loop(memory, 0x100);
    write_loop(memory, 0x100 + apart);
    memory.words[0x100 + apart] = 0x00250513; // addi x10, x10, 2
    core.set_reg(12, 20);
    for (const std::uint32_t loop : {0x100U, 0x100 + apart, 0x100U}) {
      core.set_reg(10, 0);
      core.set_reg(11, 0x200);
      core.set_pc(loop);
      EXPECT_EQ(core.run(0x200, 1000), loop == 0x100 ? 41U : 21U) << apart;
    }
  }
}

/// Step by step, a core sees what is written to its code.
TEST_P(CoreOfChip, CodeThatIsWrittenIsFetchedAgain) {
  memory.words[0x100] = 0x00150513; // addi x10, x10, 1
  core.set_pc(0x100);
  ASSERT_TRUE(core.step().has_value());
  memory.words[0x100] = 0x00750513; // addi x10, x10, 7
  core.set_pc(0x100);
  ASSERT_TRUE(core.step().has_value());
  EXPECT_EQ(core.reg(10), 8U);
}

} // namespace
} // namespace lanewise::riscv
