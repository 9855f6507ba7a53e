#include "run/execution/footprint.h"

#include <gtest/gtest.h>

#include <cstring>

#include "chip/machine/executor.h"
#include "chip/machine/machine.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::execution {
namespace {

std::vector<MicroOp> ops_of(Arch arch, std::string_view source) {
  Machine machine(arch);
  return machine.prepare(sweep::assembled(arch, source)).ops;
}

/// All that a program of the Vector Unit can change, but for what its log says.
void expect_equal(const MachineState& a, const MachineState& b) {
  EXPECT_EQ(std::memcmp(a.vector.lreg, b.vector.lreg, sizeof a.vector.lreg), 0);
  EXPECT_EQ(std::memcmp(a.vector.prng, b.vector.prng, sizeof a.vector.prng), 0);
  EXPECT_EQ(a.vector.flags, b.vector.flags);
  EXPECT_EQ(a.vector.use_flags, b.vector.use_flags);
  EXPECT_EQ(a.vector.stack.at_depth, b.vector.stack.at_depth);
  EXPECT_EQ(a.vector.lane_config, b.vector.lane_config);
  EXPECT_EQ(a.vector.macro.instruction_template, b.vector.macro.instruction_template);
  EXPECT_EQ(a.rwc, b.rwc);
  EXPECT_EQ(a.gpr, b.gpr);
  EXPECT_EQ(a.config.dst_settings(), b.config.dst_settings());
  EXPECT_EQ(std::memcmp(a.dst.cell, b.dst.cell, sizeof a.dst.cell), 0);
  EXPECT_EQ(a.dst.valid_bits, b.dst.valid_bits);
}

/// Writes registers, flags, the stack, LaneConfig, a template, configuration, a scalar register,
/// counters, and Dst in 16 and 32 bits.
constexpr std::string_view kEverything = R"(
SFPLOADI L0, FLOATB, bf16(3)
SFPCONFIG 0, L11, 0
SFPCONFIG 64, 15, 1
SFPENCC Imm2=3, Mod1=10
SFPPUSHC
SFPSETCC 0, L0, 0, LREG_LT0
SFPPOPC
SETDMAREG 0, 77, 0, 9
SETC16 12, 5
.repeat 5
SFPSTORE L0, FP32, 0, 0
SFPSTORE L0, BF16, 0, 128
INCRWC DstInc=4
.endr
)";

TEST(Footprint, RestoresWhatAProgramHasWritten) {
  for (const Arch arch : kArchs) {
    const MachineState start = Machine(arch).state();
    const auto ops = ops_of(arch, kEverything);
    const auto footprint = Footprint::of(start, ops);
    ASSERT_TRUE(footprint);
    MachineState state = start;
    execute(state, ops);
    EXPECT_NE(std::memcmp(state.dst.cell, start.dst.cell, sizeof start.dst.cell), 0);
    EXPECT_NE(state.vector.flags, start.vector.flags);
    footprint->restore(start, state);
    expect_equal(state, start);
  }
}

TEST(Footprint, HasTheRowsOfBothHalves) {
  const MachineState start = Machine(Arch::Wormhole).state();
  const auto wide = Footprint::of(start, ops_of(Arch::Wormhole, "SFPSTORE L0, FP32, 0, 0"));
  // 32-bit row 0 lies in the physical rows 0 and 8 (MU 1.1); an access has four rows.
  EXPECT_EQ(wide->rows(), (std::vector<std::uint16_t>{0, 1, 2, 3, 8, 9, 10, 11}));
}

TEST(Footprint, TheMatrixUnitHasNone) {
  const MachineState start = Machine(Arch::Blackhole).state();
  EXPECT_FALSE(Footprint::of(start, ops_of(Arch::Blackhole, "ZEROACC 3, 0, 0, 0, 0")));
  EXPECT_FALSE(Footprint::of(start, ops_of(Arch::Blackhole, "MVMUL 0, 0, 0, 0")));
  EXPECT_TRUE(Footprint::of(start, ops_of(Arch::Blackhole, "INCRWC DstInc=4")));
}

} // namespace
} // namespace lanewise::execution
