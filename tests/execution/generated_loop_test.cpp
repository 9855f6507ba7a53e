// Generated code holds the lane kernels themselves, so that what is to be shown is that it puts
// them together rightly: everything that it leaves behind is what the interpretation of the same
// micro-ops leaves.
#include "run/execution/generated_loop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "chip/machine/executor.h"
#include "chip/machine/simd_level.h"
#include "number/tensors/pattern.h"
#include "run/execution/tile_machine.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::execution {
namespace {

using isa::Op;

constexpr std::string_view kSquare = "SFPMUL L0, L0, L9, L0, 0\nSFPNOP";

std::vector<MicroOp> micro_ops(Arch arch, std::string_view source) {
  Machine machine(arch);
  return machine.prepare(sweep::assembled(arch, source)).ops;
}

std::optional<RowProgram> row_program(Arch arch, std::string_view source) {
  Machine machine(arch);
  return find_row_program(machine.state(), micro_ops(arch, source));
}

TEST(FindLoop, NamesTheRepeatedPart) {
  const auto ops =
      micro_ops(Arch::Blackhole,
                "SFPLOADI L1, FLOATB, bf16(1)\n.repeat 5\nSFPNOP\nINCRWC DstInc=2\n.endr\nNOP");
  EXPECT_EQ(find_loop(ops), (LoopShape{.begin = 1, .period = 2, .rows = 5}));
}

TEST(FindLoop, ThreeRowsOrLessThanHalfAreNone) {
  EXPECT_FALSE(find_loop(micro_ops(Arch::Blackhole, ".repeat 3\nSFPNOP\nINCRWC DstInc=2\n.endr")));
  std::string mostly_straight = ".repeat 4\nSFPNOP\n.endr\n";
  for (int i = 0; i < 5; ++i)
    mostly_straight += fmt::format("SFPLOADI L{}, FLOATB, bf16({})\n", i, i);
  EXPECT_FALSE(find_loop(micro_ops(Arch::Blackhole, mostly_straight)));
}

TEST(FindRowProgram, NeighbouringRowsShareTheirGroup) {
  const auto program = row_program(Arch::Blackhole, sweep::tile_kernel(kSquare));
  ASSERT_TRUE(program);
  // Dst addresses go up by 2: even columns of four rows, then odd ones (VU C16).
  EXPECT_EQ(program->rows_per_body, 2u);
  ASSERT_EQ(program->groups.size(), 1u);
  EXPECT_EQ(program->rows.size(), 16u);
  EXPECT_EQ(program->rows.back(), 60u);
  EXPECT_EQ(program->stores.size(), 32u);
}

TEST(FindRowProgram, RefusesWhatIsNotTheSameInEachRow) {
  const std::array<std::string_view, 5> bodies{
      "SFPCONFIG 0, L11, 0",     // a constant of the program
      "SFPPUSHC",                // leaves the stack fuller from row to row
      "SETC16 12, 0",            // configuration
      "SFPLOADMACRO 0, 0, 3, 0", // needs the clock
      "MVMUL 0, 0, 0, 0",        // of the Matrix Unit
  };
  for (const std::string_view body : bodies)
    EXPECT_FALSE(row_program(Arch::Blackhole, sweep::tile_kernel(body))) << body;
}

TEST(FindRowProgram, RefusesAccessesThatOverlap) {
  // The low halves of the 32-bit rows 0..3 are the 16-bit rows 8..11 (MU 1.1).
  constexpr std::string_view kOverlap =
      ".repeat 8\nSFPLOAD L0, FP32, ADDR_MOD_3, 0\nSFPSTORE L0, BF16, ADDR_MOD_3, 8\n.endr";
  EXPECT_FALSE(row_program(Arch::Blackhole, kOverlap));
}

/// Numbers whose exponents lie close enough together to interact, and any pattern at times.
std::uint32_t number(tensors::SplitMix64& random) {
  const std::uint64_t r = random();
  const auto bits = static_cast<std::uint32_t>(r >> 32);
  if ((r & 7) == 0) return bits;
  return (bits & 0x807FFFFFU) | ((112 + (static_cast<std::uint32_t>(r) >> 8) % 32) << 23);
}

/// With the view in which accesses of 16 and of 32 bits find the same rows.
MachineState start_of(Arch arch) {
  MachineState start = Machine(arch).state();
  start.config.set(isa::ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, kHighHalfView);
  return start;
}

MachineState with_numbers(MachineState state, tensors::SplitMix64& random) {
  for (auto& row : state.dst.cell) {
    for (std::uint16_t& cell : row) cell = static_cast<std::uint16_t>(number(random) >> 8);
  }
  for (std::uint64_t& rows : state.dst.valid_bits) rows = random() | random();
  for (std::uint32_t& lane : state.vector.prng) lane = static_cast<std::uint32_t>(random());
  return state;
}

void expect_same(const MachineState& wanted, const MachineState& found) {
  EXPECT_EQ(std::memcmp(wanted.vector.lreg, found.vector.lreg, sizeof wanted.vector.lreg), 0);
  EXPECT_EQ(std::memcmp(wanted.vector.prng, found.vector.prng, sizeof wanted.vector.prng), 0);
  EXPECT_EQ(wanted.vector.flags, found.vector.flags);
  EXPECT_EQ(wanted.vector.use_flags, found.vector.use_flags);
  EXPECT_EQ(std::memcmp(wanted.dst.cell, found.dst.cell, sizeof wanted.dst.cell), 0);
  EXPECT_EQ(wanted.dst.valid_bits, found.dst.valid_bits);
  EXPECT_EQ(wanted.rwc, found.rwc);
  EXPECT_EQ(wanted.faults.records(), found.faults.records());
}

/// Some tiles of random numbers by generated code and by interpretation.
void expect_same_as_interpreted(Arch arch, std::span<const MicroOp> ops, unsigned tiles) {
  const MachineState start = start_of(arch);
  auto program = find_row_program(start, ops);
  ASSERT_TRUE(program);
  const auto loop = GeneratedLoop::compile(arch, *program);
  ASSERT_TRUE(loop) << loop.error().message;
  tensors::SplitMix64 random(20);
  for (unsigned tile = 0; tile < tiles && !testing::Test::HasFailure(); ++tile) {
    MachineState wanted = with_numbers(start, random);
    MachineState found = wanted;
    execute(wanted, ops);
    loop->execute(found, ops);
    expect_same(wanted, found);
  }
}

bool may_stand_in_row(Arch arch, std::uint32_t word, unsigned depth) {
  const auto op = decode_micro_op(arch, word, 1);
  if (!op || op->kernel != op->instruction) return false;
  switch (op->op) {
    case Op::SFPLOAD:
    case Op::SFPSTORE:
    case Op::SFPLOADMACRO:
    case Op::SFPCONFIG: return false;
    case Op::SFPPUSHC: return depth < 3 && op->mod == 0;
    case Op::SFPPOPC: return depth > 0 || op->mod != 0;
    default: return true;
  }
}

/// Rows of random instructions of the Vector Unit between loads of all registers and stores.
class RandomRows {
 public:
  RandomRows(Arch arch, std::uint64_t seed) : arch_(arch), random_(seed) {
    for (const isa::Row& row : isa::rows()) {
      if (row.unit == isa::Unit::Vector && includes(row.chips, arch))
        opcodes_.push_back(row.opcode);
    }
  }

  std::vector<MicroOp> make(unsigned instructions) {
    std::vector<std::uint32_t> row;
    for (unsigned reg = 0; reg < kWritableLRegs; ++reg)
      row.push_back(access(Op::SFPLOAD, reg, reg % 4 == 0 ? any_mode() : DstMode::Fp32));
    unsigned depth = 0;
    while (row.size() < instructions || depth > 0) {
      const std::uint32_t word = instruction(row.size() >= instructions);
      if (!may_stand_in_row(arch_, word, depth)) continue;
      const MicroOp op = decode_micro_op(arch_, word, 1).value();
      if (op.op == Op::SFPPUSHC) ++depth;
      if (op.op == Op::SFPPOPC && op.mod == 0) --depth;
      row.push_back(word);
    }
    // Only lanes in which LReg[0] is negative store.
    row.push_back(*isa::encode(arch_, Op::SFPENCC, {{"Imm2", 3}, {"Mod1", 10}}));
    row.push_back(*isa::encode(arch_, Op::SFPSETCC, {}));
    for (unsigned reg = 0; reg < kWritableLRegs; ++reg)
      row.push_back(access(Op::SFPSTORE, reg, reg % 3 == 0 ? any_mode() : DstMode::Fp32));
    row.push_back(*isa::encode(arch_, Op::INCRWC, {{"DstInc", 4}}));
    return decoded(row);
  }

 private:
  static constexpr unsigned kRows = 6;

  std::uint32_t instruction(bool pops) {
    if (pops) return *isa::encode(arch_, Op::SFPPOPC, {});
    const std::uint64_t r = random_();
    return opcodes_[(r >> 40) % opcodes_.size()] << 24 | (static_cast<std::uint32_t>(r) & 0xFFFFFF);
  }

  /// All but INT32_ALL, whose address comes from the stack pointer and is the same in every row.
  DstMode any_mode() {
    const auto mode = static_cast<DstMode>(random_() % 16);
    return mode == DstMode::Int32All ? DstMode::Int32 : mode;
  }

  /// Of even or odd columns of the row's own group.
  std::uint32_t access(Op op, unsigned reg, DstMode mode) {
    return *isa::encode(arch_, op,
                        {{"VD", reg},
                         {"Mod0", static_cast<std::uint32_t>(mode)},
                         {"AddrMod", 3},
                         {"Imm10", reg % 2 * 2}});
  }

  std::vector<MicroOp> decoded(const std::vector<std::uint32_t>& row) const {
    std::vector<MicroOp> ops;
    for (unsigned i = 0; i < kRows; ++i) {
      for (std::size_t k = 0; k < row.size(); ++k)
        ops.push_back(decode_micro_op(arch_, row[k], static_cast<std::uint32_t>(k + 1)).value());
    }
    return ops;
  }

  Arch arch_;
  tensors::SplitMix64 random_;
  std::vector<std::uint32_t> opcodes_;
};

class GeneratedLoopOnLevels : public testing::Test {
 protected:
  void TearDown() override { set_simd_level(usual_); }

  template <class Check>
  void on_all_levels(Check&& check) {
    for (const SimdLevel level : available_simd_levels()) {
      SCOPED_TRACE(simd_level_name(level));
      set_simd_level(level);
      check();
    }
  }

 private:
  SimdLevel usual_ = simd_level();
};

TEST_F(GeneratedLoopOnLevels, RandomInstructionsOfBlackhole) {
  on_all_levels([] {
    expect_same_as_interpreted(Arch::Blackhole, RandomRows(Arch::Blackhole, 1).make(60), 30);
  });
}

TEST_F(GeneratedLoopOnLevels, RandomInstructionsOfWormhole) {
  on_all_levels([] {
    expect_same_as_interpreted(Arch::Wormhole, RandomRows(Arch::Wormhole, 2).make(60), 30);
  });
}

/// LANEWISE_GENERATED_LOOPS: how many programs; the nightly run has more.
TEST(GeneratedLoop, RandomInstructions) {
  const char* wished = std::getenv("LANEWISE_GENERATED_LOOPS");
  const unsigned programs = wished != nullptr ? static_cast<unsigned>(std::atoi(wished)) : 1;
  for (unsigned i = 0; i < programs && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    for (const Arch arch : kArchs)
      expect_same_as_interpreted(arch, RandomRows(arch, 100 + i).make(120), 30);
  }
}

TEST(GeneratedLoop, StateThatDoesNotSuitIsInterpreted) {
  const auto ops = micro_ops(Arch::Blackhole, sweep::tile_kernel(kSquare));
  MachineState start = Machine(Arch::Blackhole).state();
  const auto loop = GeneratedLoop::compile(Arch::Blackhole, find_row_program(start, ops).value());
  ASSERT_TRUE(loop) << loop.error().message;
  tensors::SplitMix64 random(3);
  start = with_numbers(start, random);
  start.vector.use_flags = kAllLanes;
  start.vector.flags = 0x0F0F'3333;
  MachineState untouched = start, wanted = start, found = start;
  EXPECT_FALSE(loop->run(untouched, nullptr));
  expect_same(start, untouched);
  execute(wanted, ops);
  loop->execute(found, ops);
  expect_same(wanted, found);
}

/// x + 1 where x is below 1; other lanes do not store.
constexpr std::string_view kPredicated = R"(
.repeat 32
SFPENCC Imm2=3, Mod1=10
SFPLOAD L0, SRCB, ADDR_MOD_3, 0
SFPLOADI L1, FLOATB, bf16(-1)
SFPADD L10, L0, L1, L2, 0
SFPNOP
SFPADD L10, L0, L10, L0, 0
SFPNOP
SFPSETCC 0, L2, 0, LREG_LT0
SFPSTORE L0, SRCB, ADDR_MOD_3, 0
INCRWC DstInc=2
.endr
)";

TEST(GeneratedLoop, SweepsFindTheSame) {
  const auto reference = references::parse_reference("x + 1").value();
  for (const formats::Format format :
       {formats::Format::BF16, formats::Format::FP16, formats::Format::FP32}) {
    SCOPED_TRACE(formats::format_name(format));
    sweep::SweepOptions options{.format = format,
                                .space = {.range = sweep::SweepRange{0.99, 1.03}}};
    const auto programs = sweep::on_both_chips(kPredicated);
    options.generation = sweep::Generation::Never;
    const sweep::SweepResult wanted = sweep::swept(programs, *reference, options);
    options.generation = sweep::Generation::Always;
    EXPECT_EQ(sweep::swept(programs, *reference, options), wanted);
    EXPECT_GT(wanted.chips[0].error.rows.back(), 0u) << "the kernel does not what it should";
  }
}

TEST(GeneratedLoop, WhatCannotBeGeneratedIsSaid) {
  const auto reference = references::parse_reference("x").value();
  const std::vector programs{
      sweep::sweep_program(Arch::Blackhole, sweep::tile_kernel("SFPCONFIG 0, L11, 0"))};
  sweep::SweepOptions options{.format = formats::Format::BF16};
  options.generation = sweep::Generation::Always;
  const auto result = sweep::sweep(programs, *reference, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, FaultKind::BadInput);
  EXPECT_EQ(result.error().file, "test.tt");
}

} // namespace
} // namespace lanewise::execution
