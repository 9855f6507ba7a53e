// What a schedule amounts to: stalls that show and stalls that do not, occupancy, lower bounds,
// passes, pushes and loops.
#include "chip/timing/summary.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "chip/timing/harness.h"
#include "chip/timing/tile_cost.h"
#include "timing/clock_fixture.h"

namespace lanewise {
namespace {

using test::ClockRig;
using timing::Bounds;
using timing::Figures;
using timing::Resource;
using timing::StallCause;

struct Counted {
  timing::Schedule schedule;
  Figures figures;

  double visible(StallCause cause) const {
    return figures.visible[static_cast<std::size_t>(cause)];
  }
  double hidden(StallCause cause) const { return figures.hidden[static_cast<std::size_t>(cause)]; }
  double bound(Resource resource) const {
    return figures.bounds[static_cast<std::size_t>(resource)];
  }
  double busy(isa::SubUnit unit) const {
    return figures.sub_unit_busy[static_cast<std::size_t>(unit)];
  }
};

Counted count(ClockRig& rig, std::string_view source) {
  const MicroProgram program = rig.prepare(source);
  Counted result{timing::schedule(rig.state(), program), {}};
  result.figures = timing::count(result.schedule, program);
  return result;
}

class SummaryOnBlackhole : public test::ClockOnBlackhole {};
class SummaryOnWormhole : public test::ClockOnWormhole {};

TEST_F(SummaryOnBlackhole, StoreThatWaitsInsideIsHiddenByTheCounters) { // T4
  const Counted counted = count(rig,
                                "SFPLOAD L3, SRCB, 3, 0\nSFPLUT L3, 0\n"
                                "SFPSTORE L3, SRCB, 3, 0\nINCRWC DstInc=2\n"
                                "SFPLOAD L3, SRCB, 3, 0\n");
  EXPECT_EQ(counted.figures.cycles, 5);
  EXPECT_EQ(counted.figures.visible_stalls(), 0);
  EXPECT_EQ(counted.hidden(StallCause::Result), 1);
  EXPECT_EQ(counted.figures.stores, 1);
}

TEST_F(SummaryOnBlackhole, StoreThatWaitsInsideShowsInTheVectorUnit) { // T4, without an INCRWC
  const Counted counted = count(rig,
                                "SFPLOAD L3, SRCB, 3, 0\nSFPLUT L3, 0\n"
                                "SFPSTORE L3, SRCB, 3, 0\nSFPLOAD L3, SRCB, 3, 0\n");
  EXPECT_EQ(counted.figures.cycles, 5);
  EXPECT_EQ(counted.figures.slots, 4);
  EXPECT_EQ(counted.visible(StallCause::Result), 1);
  EXPECT_EQ(counted.figures.hidden_stalls(), 0);
}

TEST_F(SummaryOnBlackhole, StallsHaveCauses) {
  // VU 5.3: SFPSTOCHRND is believed to read VB as well.
  const Counted spurious = count(rig,
                                 "SFPMAD L0, L1, L2, L3, 0\nSFPSTOCHRND 0, 0, L3, L4, L5, 1\n"
                                 "SFPMOV L6, L7, 0\n");
  EXPECT_EQ(spurious.visible(StallCause::Spurious), 1);
  const Counted swaps = count(rig, "SFPSWAP L0, L1, 0\nSFPMOV L6, L7, 0\nSFPMOV L6, L7, 0\n"); // T3
  EXPECT_EQ(swaps.visible(StallCause::TwoCycles), 1);
  EXPECT_EQ(swaps.figures.front_end_bubbles(), 0);
  const Counted record = count(rig,
                               "SFPMOV L0, L1, 0\nREPLAY 0, 2, 1, 1\n" // T1
                               "SFPMOV L0, L1, 0\nSFPMOV L0, L1, 0\n");
  EXPECT_EQ(record.visible(StallCause::Recording), 1);
  EXPECT_EQ(record.figures.front_end_bubbles(), 1);
}

TEST_F(SummaryOnBlackhole, SwapsOccupyTheirSubUnitForTwoCycles) { // T3
  const Counted counted = count(rig,
                                "SFPSWAP L0, L1, 0\nSFPNOP\nSFPSWAP L0, L1, 0\nSFPNOP\n"
                                "SFPMOV L0, L1, 0\n");
  EXPECT_EQ(counted.busy(isa::SubUnit::Simple), 5);
  EXPECT_EQ(counted.busy(isa::SubUnit::Load), 0); // SFPNOP does no work
  EXPECT_EQ(counted.bound(Resource::Simple), 5);
}

TEST_F(SummaryOnBlackhole, StoresOfTemplatesStoreNoRow) { // VU C13
  EXPECT_EQ(count(rig, "SFPSTORE L12, SRCB, 3, 0\nSFPSTORE L3, SRCB, 3, 0\n").figures.stores, 1);
}

TEST_F(SummaryOnBlackhole, OtherUnitsAreCountedByName) {
  const Counted counted = count(rig, "INCRWC DstInc=2\nSFPNOP\nINCRWC DstInc=2\n");
  EXPECT_EQ(counted.figures.unit_instructions[static_cast<std::size_t>(isa::Unit::Matrix)], 2);
}

TEST_F(SummaryOnBlackhole, ChainOfResults) { // two cycles for each SFPMAD but the last (T2)
  EXPECT_EQ(count(rig,
                  "SFPMAD L0, L1, L2, L0, 0\nSFPMAD L0, L1, L2, L0, 0\n"
                  "SFPMAD L0, L1, L2, L0, 0\nSFPNOP\n")
                .bound(Resource::Results),
            5 - 1); // the last may wait inside, so its slot is one earlier
  EXPECT_EQ(count(rig,
                  "SFPMAD L0, L1, L2, L3, 0\nSFPMAD L0, L1, L2, L4, 0\n"
                  "SFPMAD L0, L1, L2, L5, 0\n")
                .bound(Resource::Results),
            1);
  EXPECT_EQ(
      count(rig, "SFPMOV L0, L1, 0\nSFPMOV L1, L2, 0\nSFPMOV L2, L3, 0\n").bound(Resource::Results),
      3);
}

TEST_F(SummaryOnBlackhole, WordsAreCountedWhereTheyArePushed) {
  const Counted counted = count(rig,
                                "REPLAY 0, 2, 0, 1\nSFPMOV L0, L1, 0\nSFPMOV L0, L1, 0\n"
                                "REPLAY 0, 2, 0, 0\nREPLAY 0, 2, 0, 0\nREPLAY 0, 2, 0, 0\n");
  EXPECT_EQ(counted.figures.slots, 6);
  EXPECT_EQ(counted.bound(Resource::Push), 6);
  EXPECT_EQ(counted.bound(Resource::FrontEnd), 6);
}

TEST_F(SummaryOnBlackhole, NothingIsCountedOfNothing) {
  const Counted counted = count(rig, "");
  EXPECT_EQ(counted.figures.cycles, 0);
  EXPECT_EQ(counted.figures.bounds, Bounds{});
}

TEST(Summary, DiscardedInstructionsAndScheduledStores) { // by hand: VU C58, 5.5
  MicroProgram program;
  program.ops.resize(2);
  program.supply.resize(2);
  timing::Schedule schedule;
  schedule.issues = {{.op = 0}, {.slot = 1, .op = 1, .discarded = true}};
  MicroOp store;
  store.op = isa::Op::SFPSTORE;
  timing::Event scheduled{.cycle = 1, .op = store, .sub_unit = isa::SubUnit::Store};
  scheduled.scheduled = true;
  scheduled.reads = 1U << 16;
  schedule.events = {{.cycle = 0, .op = MicroOp{}, .sub_unit = isa::SubUnit::Load}, scheduled};
  schedule.cycles = 2;
  const Figures figures = timing::count(schedule, program);
  EXPECT_EQ(figures.discarded, 1);
  EXPECT_EQ(figures.scheduled, 1);
  EXPECT_EQ(figures.stores, 1);
  EXPECT_EQ(figures.cycles, 2);
}

TEST(Summary, WhatOneCycleReadsTheSameCycleDoesNotWrite) { // VU 5.1, by hand
  MicroProgram program;
  program.ops.resize(1);
  program.supply.resize(1);
  timing::Schedule schedule;
  schedule.issues = {{.op = 0}};
  // Round writes LReg[16] while Store reads the LReg[16] of before.
  timing::Event round{.cycle = 5, .op = MicroOp{}, .sub_unit = isa::SubUnit::Round};
  round.writes = 1U << 16;
  timing::Event store{.cycle = 5, .op = MicroOp{}, .sub_unit = isa::SubUnit::Store};
  store.reads = 1U << 16;
  schedule.events = {round, store};
  EXPECT_EQ(
      timing::lower_bounds(schedule, program, {1})[static_cast<std::size_t>(Resource::Results)], 1);
}

/// Instructions without hazards that the stall logic of Blackhole overlooks.
constexpr std::string_view kInstructions[] = {
    "SFPMAD L0, L1, L2, L0, 0\n",  "SFPMAD L3, L4, L5, L1, 0\n",
    "SFPADD L10, L0, L1, L2, 0\n", "SFPLOADI L3, 0, 0\n",
    "SFPMOV L0, L4, 0\n",          "SFPSWAP L4, L5, 0\n",
    "SFPSTORE L0, 0, 3, 0\n",      "SFPLOAD L1, 0, 3, 0\n",
    "INCRWC DstInc=2\n",           "SFPNOP\n"};

RC_GTEST_PROP(SummaryProperties, CyclesAreSlotsAndStallsAndNoBoundIsAboveThem, ()) {
  const auto picks = *rc::gen::container<std::vector<std::size_t>>(
      rc::gen::inRange<std::size_t>(0, std::size(kInstructions)));
  std::string source;
  for (std::size_t pick : picks) source += kInstructions[pick];
  ClockRig rig(Arch::Blackhole);
  const Counted counted = count(rig, source);
  RC_ASSERT(counted.figures.cycles == static_cast<double>(counted.schedule.cycles));
  RC_ASSERT(counted.figures.cycles == counted.figures.slots + counted.figures.visible_stalls());
  for (double bound : counted.figures.bounds) RC_ASSERT(bound <= counted.figures.cycles + 2);
}

timing::TileCost summary_of(ClockRig& rig, std::string_view source, bool is_kernel = false) {
  return timing::tile_cost(rig.state(), rig.assemble(source), is_kernel);
}

TEST_F(SummaryOnBlackhole, PassesShowWhatOneAloneDoesNot) { // T4: the next load meets the stall
  constexpr std::string_view kPass =
      "SFPLOAD L3, SRCB, 3, 0\nSFPLUTFP32 L3, 2\nSFPSTORE L3, SRCB, 3, 0\n";
  EXPECT_EQ(count(rig, kPass).figures.cycles, 3);
  EXPECT_EQ(summary_of(rig, kPass).cycles_per_row(), 4);
}

// T5: words of init and of the library around the kernel are no words of the tile.
TEST_F(SummaryOnBlackhole, ComputedWordsAreThoseOfTheKernel) {
  Program program = rig.assemble("SFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\n");
  const std::array parts{ProgramPart::Init, ProgramPart::Around, ProgramPart::Tile,
                         ProgramPart::Tile};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    program.words[i].computed = i != 3;
    program.words[i].line = line_number({"", static_cast<std::uint32_t>(i + 1), parts[i]});
  }
  EXPECT_EQ(timing::computed_words(program), 1U);
}

TEST_F(SummaryOnBlackhole, WhatRunsOnceIsNoPartOfATile) {
  Program program = rig.assemble(
      "SFPLOADI L1, 0, 0x3F80\nSFPLOADI L2, 0, 0x4000\nSETRWC DstVal=0\n"
      "SFPLOAD L0, SRCB, 3, 0\nSFPSTORE L0, SRCB, 3, 0\nINCRWC DstInc=2\n");
  program.words[0].line = program.words[1].line = line_number({"", 1, ProgramPart::Init});
  program.words[2].line = line_number({"", 3, ProgramPart::Around});
  const timing::TileCost cost = timing::tile_cost(rig.state(), program, true);
  EXPECT_EQ(cost.init, 2);
  EXPECT_EQ(cost.around, 1);
  EXPECT_EQ(cost.pass.cycles, 3);
  EXPECT_EQ(cost.cycles(), 3);
  EXPECT_EQ(timing::on_tiles(program, 3).words.size(), 2U + 3 * 4);
}

TEST_F(SummaryOnBlackhole, RowsAreThoseOfDstWhateverIsStored) {
  const std::string load = "SFPLOAD L0, SRCB, 3, 0\n";
  const timing::TileCost twice =
      summary_of(rig, load + "SFPSTORE L0, SRCB, 3, 0\nSFPSTORE L0, SRCB, 3, 0\n");
  EXPECT_EQ(twice.rows, 1);
  EXPECT_EQ(twice.cycles(), 32 * 3);
  const timing::TileCost both = // even and odd columns
      summary_of(rig, load + "SFPSTORE L0, SRCB, 3, 0\nSFPSTORE L0, SRCB, 3, 2\n");
  EXPECT_EQ(both.rows, 2);
  EXPECT_EQ(both.cycles(), 16 * 3);
  // A kernel's pass is its tile; what it stores only says what a row costs.
  EXPECT_EQ(summary_of(rig, load + "SFPSTORE L0, SRCB, 3, 0\n", true).cycles(), 2);
  EXPECT_FALSE(summary_of(rig, "SFPMOV L0, L1, 0\n").cycles().has_value());
  EXPECT_EQ(summary_of(rig, "SFPMOV L0, L1, 0\n", true).cycles(), 1);
}

TEST_F(SummaryOnBlackhole, PushingCostsNothing) { // T5: 1.0 cycle per word
  const Program program = rig.assemble("SFPMOV L0, L1, 0\n");
  EXPECT_FALSE(timing::pushed_tile_cost(rig.state(), program, true, {}).has_value());
}

TEST_F(SummaryOnWormhole, PushingCostsUnlessStallsHideIt) { // T5, T3
  const auto pushed = [&](std::string_view source) {
    const Program program = rig.assemble(source);
    return timing::pushed_tile_cost(rig.state(), program, true,
                                    timing::tile_cost(rig.state(), program, true));
  };
  const auto moves = pushed("SFPMOV L0, L1, 0\n");
  ASSERT_TRUE(moves.has_value());
  EXPECT_NEAR((*moves)[0].pass.cycles, 1.25, 0.02);
  EXPECT_NEAR((*moves)[1].pass.cycles, 1.41, 0.02);
  EXPECT_FALSE(pushed("SFPSWAP L0, L1, 0\n").has_value());
}

TEST_F(SummaryOnWormhole, ReplayRestoresOneCyclePerInstruction) { // T5
  std::string source = "REPLAY 0, 8, 0, 1\n";
  for (unsigned i = 0; i < 8; ++i) source += "SFPMOV L0, L1, 0\n";
  for (unsigned i = 0; i < 20; ++i) source += "REPLAY 0, 8, 0, 0\n";
  const MicroProgram program = rig.prepare(source);
  const auto slow = timing::schedule(
      rig.state(), program, {.push_interval = arch_params(Arch::Wormhole).cores.slowest_push});
  EXPECT_EQ(slow.issues.back().slot - slow.issues.front().slot + 1, 160U);
}

TEST_F(SummaryOnBlackhole, RolledLoopsCostUnlessStallsHideThem) { // T5: about 5 per way back
  const auto added = [&](std::string_view pass, std::size_t words) {
    Program program = rig.assemble("SFPLOADI L1, 0, 0x3F80\n");
    program.words[0].line = line_number({"", 1, ProgramPart::Init}); // pushed before the loop
    for (unsigned i = 0; i < 4; ++i) {
      for (const ProgramWord& word : rig.assemble(pass).words) program.words.push_back(word);
    }
    const MicroProgram prepared = rig.machine().prepare(program);
    return timing::rolled_loop_cycles(timing::schedule(rig.state(), prepared), prepared, program,
                                      words);
  };
  EXPECT_EQ(added("SFPMOV L0, L1, 0\nSFPMOV L0, L1, 0\n", 2), 15U);
  EXPECT_EQ(added("SFPMOV L0, L1, 0\nSFPMOV L0, L1, 0\n", 8), 0U);
  EXPECT_EQ(added("SFPMOV L0, L1, 0\nSFPMOV L0, L1, 0\n", 0), 0U);
  std::string swaps;
  for (unsigned i = 0; i < 8; ++i) swaps += "SFPSWAP L0, L1, 0\n"; // a stall each
  EXPECT_EQ(added(swaps, 8), 0U);
}

} // namespace
} // namespace lanewise
