// The clock against figures measured on silicon and published by kernel developers: what the
// program says of an instruction sequence, in the harness in which it was measured (T1 to T6).
#include <algorithm>
#include <cmath>

#include "chip/timing/harness.h"
#include "chip/timing/tile_cost.h"
#include "timing/clock_fixture.h"

namespace lanewise {
namespace {

using test::ClockRig;

std::string repeated(std::string_view text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i) all += text;
  return all;
}

timing::TileCost cost_of(ClockRig& rig, std::string_view source,
                         const timing::ScheduleOptions& options = {}) {
  return timing::tile_cost(rig.state(), rig.assemble(source), false, options);
}

/// What counts as agreement with silicon: within four cycles, or two percent.
double tolerance(double measured) {
  return std::max(4.0, 0.02 * measured);
}

/// A row of the table whose body handles 32 lanes.
struct Measured {
  std::string_view name;
  std::string_view harness;
  std::string_view body;
  double k;      ///< cycles per row, as the measurement reads
  double cycles; ///< measured, per tile
};

const Measured kMeasured[] = {
    {"identity", "bh-copy",
     "SFPLOAD L0, SRCB, 3, 0\n"
     "SFPSTORE L0, SRCB, 3, 0\n"
     "INCRWC DstInc=2\n",
     3, 124.06},
    {"tanh, approximate, SFPI", "bh-copy",
     "SFPLOAD L3, SRCB, 3, 0\n"
     "SFPLUT L3, SGN_RETAIN\n"
     "SFPSTORE L3, SRCB, 3, 0\n"
     "INCRWC DstInc=2\n",
     4, 159.98},
    {"tanh, approximate, six pieces", "bh-copy",
     "SFPLOAD L3, SRCB, 3, 0\n"
     "SFPLUTFP32 L3, FP16_6ENTRY_TABLE1\n"
     "SFPSTORE L3, SRCB, 3, 0\n",
     4, 156.94},
    {"the same, the next load in between", "bh-copy",
     "SFPLUTFP32 L7, FP16_6ENTRY_TABLE1\n"
     "SFPLOAD L3, SRCB, 3, 2\n"
     "SFPSTORE L7, SRCB, 3, 0\n",
     3, 125.95},
    {"abs of int32", "bh-32bit",
     "SFPLOAD L0, INT32, 3, 0\n"
     "SFPABS L0, L0, 0\n"
     "SFPSTORE L0, INT32, 3, 0\n"
     "INCRWC DstInc=2\n",
     4, 135.43},
    {"not of int32", "bh-32bit",
     "SFPLOAD L0, INT32, 3, 0\n"
     "SFPNOT L0, L0\n"
     "SFPSTORE L0, INT32, 3, 0\n"
     "INCRWC DstInc=2\n",
     4, 135.43},
    {"int32 add", "bh-binary",
     "SFPLOAD L0, INT32, 3, 0\n"
     "SFPLOAD L1, INT32, 3, 64\n"
     "SFPIADD 0, L1, L0, CC_NONE\n"
     "SFPSTORE L0, INT32, 3, 0\n"
     "INCRWC DstInc=2\n",
     5, 178.47},
    {"sigmoid, approximate, SFPI", "wh-replay",
     "SFPLOAD L3, SRCB, 3, 0\n"
     "SFPLUT L3, SGN_RETAIN\n"
     "SFPNOP\n"
     "SFPADDI bf16(0.5), L3, 0\n"
     "SFPNOP\n"
     "SFPSTORE L3, SRCB, 3, 0\n"
     "INCRWC DstInc=2\n",
     7, 254.58},
    {"abs through the tile API", "llk-bench",
     "SFPLOAD L0, SRCB, 3, 0\n"
     "SFPABS L0, L0, 1\n"
     "SFPSTORE L0, SRCB, 3, 0\n"
     "INCRWC DstInc=2\n",
     4, 146},
    {"addition of two tiles, MATH_ISOLATE", "bh-binary",
     "SFPLOAD L0, SRCB, 3, 0\n"
     "SFPLOAD L1, SRCB, 3, 64\n"
     "SFPADD L10, L0, L1, L0, 0\n"
     "SFPSTORE L0, SRCB, 3, 0\n"
     "INCRWC DstInc=2\n",
     5, 180.56},
};

TEST(Calibration, TilesInTheirHarness) {
  for (const Measured& each : kMeasured) {
    SCOPED_TRACE(std::string(each.name));
    const timing::Harness* harness = timing::find_harness(each.harness);
    ASSERT_NE(harness, nullptr);
    ClockRig rig(harness->arch);
    const timing::TileCost cost = cost_of(rig, each.body);
    EXPECT_EQ(cost.rows, 1);
    EXPECT_DOUBLE_EQ(cost.cycles_per_row().value_or(0), each.k);
    const double tile = cost.cycles().value_or(0);
    EXPECT_NEAR(timing::harness_cycles(*harness, tile, timing::kRowsPerTile), each.cycles,
                tolerance(each.cycles));
  }
}

/// Kernels of Wormhole in a loop that stays one, of so many slots per row (tt-metal PR 48925 and
/// 48696): floor, trunc, frac, heaviside.
TEST(Calibration, RolledLoopsOnWormhole) {
  const timing::Harness& rolled = *timing::find_harness("wh-rolled");
  for (const auto& [slots, measured] : {std::pair{15U, 567.8}, std::pair{11U, 439.8},
                                        std::pair{13U, 503.8}, std::pair{14U, 536.8}}) {
    ClockRig rig(Arch::Wormhole);
    const timing::TileCost cost =
        cost_of(rig, "SFPLOAD L0, SRCB, 3, 0\n" + repeated("SFPMOV L0, L1, 0\n", slots - 3) +
                         "SFPSTORE L0, SRCB, 3, 0\nINCRWC DstInc=2\n");
    EXPECT_NEAR(timing::harness_cycles(rolled, cost.cycles().value_or(0), timing::kRowsPerTile),
                measured, tolerance(measured));
  }
}

/// 27 instructions for a block of 4 rows: 4 SFPLOAD, SFPTRANSP, 8 (SFPMAD, SFPNOP), SFPMOV,
/// SFPTRANSP, 4 SFPSTORE.
const std::string kEmaBlock = [] {
  std::string text;
  for (unsigned i = 0; i < 4; ++i) text += fmt::format("SFPLOAD L{}, SRCB, 3, {}\n", i, 4 * i);
  text += "SFPTRANSP\n";
  for (unsigned i = 0; i < 4; ++i) {
    text +=
        fmt::format("SFPMAD L4, L5, L9, L6, 0\nSFPNOP\nSFPMAD L{0}, L7, L6, L{0}, 0\nSFPNOP\n", i);
  }
  text += "SFPMOV L3, L4, 0\nSFPTRANSP\n";
  for (unsigned i = 0; i < 4; ++i) text += fmt::format("SFPSTORE L{}, SRCB, 3, {}\n", i, 4 * i);
  return text;
}();
constexpr unsigned kEmaBlocks = 8, kEmaSlots = 216;
constexpr double kEmaPushed = 320.77, kEmaReplayed = 247.93;

TEST(Calibration, EmaReplayed) { // T1: a REPLAY shows no slot of its own
  ClockRig rig(Arch::Wormhole);
  Program program = rig.assemble("REPLAY 0, 27, 0, 1\n" + kEmaBlock +
                                 repeated("REPLAY 0, 27, 0, 0\n", kEmaBlocks));
  for (ProgramWord& word : program.words)
    if (word.line <= 28) word.line = line_number({"", word.line, ProgramPart::Init});
  const timing::TileCost cost = timing::tile_cost(rig.state(), program, true);
  EXPECT_EQ(cost.pass.slots, kEmaSlots);
  EXPECT_NEAR(timing::harness_cycles(*timing::find_harness("wh-replay"), *cost.cycles(), 0),
              kEmaReplayed, tolerance(kEmaReplayed));
}

TEST(Calibration, EmaPushed) { // T5: within the band
  ClockRig rig(Arch::Wormhole);
  const Program program = rig.assemble(repeated(kEmaBlock, kEmaBlocks));
  const timing::TileCost replayed = timing::tile_cost(rig.state(), program, true);
  EXPECT_EQ(replayed.pass.cycles, kEmaSlots);
  const auto pushed = timing::pushed_tile_cost(rig.state(), program, true, replayed);
  ASSERT_TRUE(pushed.has_value());
  const timing::Harness& harness = *timing::find_harness("wh-replay");
  const double fast = timing::harness_cycles(harness, *(*pushed)[0].cycles(), 0);
  const double slow = timing::harness_cycles(harness, *(*pushed)[1].cycles(), 0);
  EXPECT_LT(fast, kEmaPushed);
  EXPECT_GT(slow, kEmaPushed);
  EXPECT_NEAR((fast + slow) / 2, kEmaPushed, tolerance(kEmaPushed));
}

/// Cycles that each further pass takes.
double steady_cycles(ClockRig& rig, std::string_view pass) {
  return cost_of(rig, pass).pass.cycles;
}

TEST(Calibration, DependentMads) { // T2
  ClockRig rig(Arch::Blackhole);
  EXPECT_DOUBLE_EQ(steady_cycles(rig, "SFPMAD L0, L1, L2, L0, 0\n"), 2.0);
}

TEST(Calibration, Swaps) { // T3: also of independent registers
  ClockRig rig(Arch::Blackhole);
  EXPECT_DOUBLE_EQ(steady_cycles(rig, "SFPSWAP L0, L1, 0\nSFPSWAP L2, L3, 0\n"), 4.0);
}

TEST(Calibration, MacroOnAllSubUnits) { // T1: what a macro schedules takes no slot
  for (Arch arch : kArchs) {
    ClockRig rig(arch);
    rig.set_template(0, "SFPABS L0, L0, FLOAT");
    rig.set_template(1, "SFPMAD L10, L10, L9, L0, 0");
    rig.set_template(2, "SFPSTOCHRND 0, 0, L0, L0, L0, 1");
    // MAD one cycle after Simple, Round when its result is there, Store one cycle after Round.
    rig.set_sequence(0, test::sequence({.selector = 4}, {.selector = 5, .delay = 1},
                                       {.selector = 6, .delay = 3, .macro_lreg = true},
                                       {.selector = 3, .delay = 4, .macro_lreg = true}));
    // A register is free again when Round has read it, four cycles after its load.
    const timing::TileCost cost = cost_of(rig,
                                          "SFPLOADMACRO 0, 0, SRCB, 3, 0, 0\n"
                                          "SFPLOADMACRO 0, 1, SRCB, 3, 0, 0\n"
                                          "SFPLOADMACRO 0, 2, SRCB, 3, 0, 0\n"
                                          "SFPLOADMACRO 0, 3, SRCB, 3, 0, 0\n");
    EXPECT_DOUBLE_EQ(cost.pass.cycles, 4.0);
    EXPECT_DOUBLE_EQ(cost.pass.scheduled, 4 * cost.pass.slots);
    EXPECT_EQ(cost.pass.discarded, 0);
  }
}

TEST(Calibration, HarnessesThatLoopInTheCore) { // T5, T6
  // A loop over four faces goes back three times: what lies between both rows of llk-bench.
  EXPECT_NEAR(timing::find_harness("llk-bench-pushed")->overhead -
                  timing::find_harness("llk-bench")->overhead,
              15, 0.01);
  EXPECT_EQ(timing::find_harness("bh"), nullptr);
}

TEST(Calibration, StallsHideReturnsOfTheLoop) { // T5
  const timing::Harness& pushed = *timing::find_harness("llk-bench-pushed");
  EXPECT_EQ(timing::hidden_returns(pushed, 0), 0);
  EXPECT_EQ(timing::hidden_returns(pushed, 4), 3) << "one per face, three of which go back";
  EXPECT_EQ(timing::hidden_returns(pushed, 4 * 5), 15);
  EXPECT_EQ(timing::hidden_returns(pushed, 1000), 15) << "there are no more";
  EXPECT_EQ(timing::hidden_returns(*timing::find_harness("llk-bench"), 1000), 0);
}

TEST(Calibration, HarnessesByWhatAProgramDoes) {
  const auto name = [](Arch arch, const timing::HarnessTraits& traits) {
    const timing::Harness* harness = timing::choose_harness(arch, traits);
    EXPECT_EQ(harness == nullptr, arch == Arch::Grayskull);
    return harness == nullptr ? std::string_view() : harness->name;
  };
  constexpr Arch kBh = Arch::Blackhole, kWh = Arch::Wormhole;
  EXPECT_EQ(name(kBh, {}), "bh-copy");
  EXPECT_EQ(name(kBh, {.is_32bit = true}), "bh-32bit");
  EXPECT_EQ(name(kBh, {.is_32bit = true, .two_operands = true}), "bh-binary");
  EXPECT_EQ(name(kBh, {.two_operands = true}), "bh-binary");
  EXPECT_EQ(name(kWh, {.replays = true}), "wh-replay");
  EXPECT_EQ(name(kWh, {}), "wh-rolled");
  EXPECT_EQ(name(kWh, {.is_32bit = true, .replays = true}), "wh-32bit");
  EXPECT_EQ(name(kWh, {.is_32bit = true, .two_operands = true}), "wh-binary");
  EXPECT_EQ(name(Arch::Grayskull, {}), "");
}

TEST(Calibration, KernelsInTheirHarness) { // T6: within 4 cycles or 2 %
  struct Published {
    std::string_view harness;
    double k, cycles;
  };
  // Wormhole: floor, trunc, frac, heaviside in rolled loops (tt-metal PR 48925, 48696). Blackhole:
  // add of two tiles, abs through the tile API and its version by macros (PR 57292).
  for (const Published& each :
       {Published{"wh-rolled", 15, 567.8}, Published{"wh-rolled", 11, 439.8},
        Published{"wh-rolled", 13, 503.8}, Published{"wh-rolled", 14, 536.8},
        Published{"bh-binary", 5, 180.56}, Published{"llk-bench", 4, 146},
        Published{"llk-bench", 1, 47}, Published{"wh-32bit", 4, 141.5},
        Published{"wh-binary", 5, 179.7}}) {
    const timing::Harness* harness = timing::find_harness(each.harness);
    ASSERT_NE(harness, nullptr);
    EXPECT_NEAR(
        timing::harness_cycles(*harness, timing::kRowsPerTile * each.k, timing::kRowsPerTile),
        each.cycles, std::max(4.0, 0.02 * each.cycles));
  }
}

} // namespace
} // namespace lanewise
