// Kernels in C++ against figures measured on silicon: what a tile takes, apart from init and from
// what the library does around the kernel (T6).
#include <gtest/gtest.h>

#include <algorithm>

#include "chip/timing/harness.h"
#include "chip/timing/hazards/hazards.h"
#include "run/execution/tile_cost.h"
#include "run/execution/tile_runner.h"
#include "sfpi/kernel_files.h"
#include "source/compiler/compiler.h"

namespace lanewise::execution {
namespace {

class KernelCost : public sfpi::KernelTest {
 protected:
  Program compiled(Arch arch) {
    const auto recording = sfpi::record_kernel(arch, source_);
    if (!recording) {
      ADD_FAILURE() << to_string(recording.error());
      return {};
    }
    return compiler::compile(*recording, {}).program;
  }

  /// The kernel as LLK calls it, on four faces.
  void use_header(const std::string& text, const std::string& call, const std::string& init = {}) {
    source_.file = folder_.write("ckernel_sfpu_it.h", text);
    source_.is_header = true;
    source_.faces = sfpi::Faces::RC;
    source_.calls = {call};
    source_.init = init;
  }

  timing::TileCost cost(Arch arch, formats::Format format = formats::Format::BF16) {
    const auto cost = tile_cost_of(arch, compiled(arch), {.format = format, .as_kernel = true});
    if (!cost) ADD_FAILURE() << to_string(cost.error());
    return cost.value_or(timing::TileCost{});
  }
};

void expect_silicon(const timing::TileCost& cost, std::string_view harness, double measured) {
  const timing::Harness* found = timing::find_harness(harness);
  ASSERT_NE(found, nullptr);
  const double cycles =
      timing::harness_cycles(*found, cost.cycles().value_or(0), timing::kRowsPerTile);
  EXPECT_NEAR(cycles, measured, std::max(4.0, 0.02 * measured));
}

constexpr const char* kAbs = R"(#pragma once
#include "sfpi.h"
inline void init_it() { sfpi::vConstFloatPrgm0 = 2.0f; sfpi::vConstFloatPrgm1 = 3.0f; }
inline void calculate_abs() {
  for (int i = 0; i < 8; ++i) {
    sfpi::vFloat v = sfpi::dst_reg[0];
    sfpi::dst_reg[0] = sfpi::abs(v);
    sfpi::dst_reg++;
  }
}
)";

TEST_F(KernelCost, AbsOnBlackhole) { // tt-metal PR 57292, main; timing.md
  use_header(kAbs, "calculate_abs()");
  const timing::TileCost cost = this->cost(Arch::Blackhole);
  EXPECT_EQ(cost.rows, timing::kRowsPerTile);
  EXPECT_NEAR(cost.cycles().value_or(0), 32 * 4, 2); // and what is recorded for REPLAY (T1)
  EXPECT_GT(cost.init, 0);
  EXPECT_NEAR(cost.around, 8, 2); // SETC16, STALLWAIT, and six SETRWC to the next faces
  expect_silicon(cost, "llk-bench", 146);
}

TEST_F(KernelCost, InitIsNoPartOfATile) {
  use_header(kAbs, "calculate_abs()");
  const timing::TileCost without = cost(Arch::Blackhole);
  use_header(kAbs, "calculate_abs()", "init_it()");
  const timing::TileCost with = cost(Arch::Blackhole);
  EXPECT_GT(with.init, without.init);
  EXPECT_EQ(with.cycles(), without.cycles());
  EXPECT_EQ(with.around, without.around);
}

TEST_F(KernelCost, IdentityOnBlackhole) { // timing.md
  use_header(R"(#pragma once
#include "sfpi.h"
inline void calculate_identity() {
  for (int i = 0; i < 8; ++i) {
    sfpi::vFloat v = sfpi::dst_reg[0];
    sfpi::dst_reg[0] = v;
    sfpi::dst_reg++;
  }
}
)",
             "calculate_identity()");
  expect_silicon(cost(Arch::Blackhole), "bh-copy", 124.06);
}

TEST_F(KernelCost, ApproximateSigmoidOnWormhole) { // timing.md
  use_header(R"(#pragma once
#include "sfpi.h"
inline void calculate_sigmoid() {
  sfpi::vUInt l0 = sfpi::l_reg[sfpi::LRegs::LReg0];
  sfpi::vUInt l1 = sfpi::l_reg[sfpi::LRegs::LReg1];
  sfpi::vUInt l2 = sfpi::l_reg[sfpi::LRegs::LReg2];
  for (int i = 0; i < 8; ++i) {
    sfpi::vFloat v = sfpi::dst_reg[0];
    sfpi::dst_reg[0] = sfpi::lut(v, l0, l1, l2) + 0.5f;
    sfpi::dst_reg++;
  }
  sfpi::l_reg[sfpi::LRegs::LReg0] = l0;
  sfpi::l_reg[sfpi::LRegs::LReg1] = l1;
  sfpi::l_reg[sfpi::LRegs::LReg2] = l2;
}
)",
             "calculate_sigmoid()");
  expect_silicon(cost(Arch::Wormhole), "wh-replay", 254.58);
}

TEST_F(KernelCost, FindingsInHeadersKeepTheirFile) {
  folder_.write("early.h", R"(#pragma once
inline void early() {
  TTI_SFPMAD(0, 1, 9, 2, 0);
  TTI_SFPSTORE(2, 0, 3, 0);
}
)");
  source_.file = folder_.write("kernel.cpp", R"(#include "ckernel_ops.h"
#include "early.h"
void kernel() { early(); }
)");
  const Program program = compiled(Arch::Wormhole);
  const auto timed = schedule_on_tile(Arch::Wormhole, program, {.as_kernel = true});
  ASSERT_TRUE(timed.has_value());
  const auto hazards = timing::find_hazards(timed->schedule, timed->program, timed->start);
  const auto found = std::ranges::find_if(
      hazards, [](const timing::Hazard& hazard) { return hazard.rule->id == "mad-result"; });
  ASSERT_NE(found, hazards.end());
  EXPECT_TRUE(found->file.ends_with("early.h")) << found->file;
  EXPECT_EQ(found->line, 4U);
  EXPECT_TRUE(found->other_file.ends_with("early.h"));
  EXPECT_EQ(found->other_line, 3U);
  EXPECT_NE(found->message.find("early.h:3"), std::string::npos) << found->message;
  EXPECT_NE(found->text("kernel.cpp").find("early.h:4: cycle"), std::string::npos);
}

TEST_F(KernelCost, FaultsInHeadersKeepTheirFile) {
  folder_.write("popping.h", R"(#pragma once
inline void pop() {
  TTI_SFPPOPC(0, 0, 0, 0);
  TTI_SFPSHFT2(0, 0, 1, 9);
}
)");
  source_.file = folder_.write("kernel.cpp", R"(#include "ckernel_ops.h"
#include "popping.h"
void kernel() { pop(); }
)");
  const auto run =
      run_on_tiles(Arch::Blackhole, compiled(Arch::Blackhole), {}, {.as_kernel = true});
  ASSERT_TRUE(run.has_value());
  ASSERT_EQ(run->faults.size(), 2U);
  for (const Fault& fault : run->faults) {
    EXPECT_TRUE(fault.file.ends_with("popping.h")) << to_string(fault);
    EXPECT_EQ(fault.line, fault.instruction == "SFPPOPC" ? 3U : 4U) << to_string(fault);
  }
}

} // namespace
} // namespace lanewise::execution
