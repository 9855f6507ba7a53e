// A loaded program on tiles: what is told before the run, and what comes with its results.
#include "execution/run_program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "machine/machine_fixture.h"
#include "tiles/pattern.h"

namespace lanewise::lab {
namespace {

class RunProgram : public ::testing::TestWithParam<Arch> {
 protected:
  static LoadedProgram loaded(const std::string& text) {
    const Arch chip = GetParam();
    auto programs = load_program({.name = "test.tt"}, text, {&chip, 1});
    EXPECT_TRUE(programs.has_value()) << to_string(programs.error());
    return std::move(programs->front());
  }

  static ProgramRun run(const LoadedProgram& program, std::span<const Tensor> inputs) {
    const auto outlook = look_ahead(program, inputs, {}, false);
    EXPECT_TRUE(outlook.has_value());
    auto done = run_program(program, inputs, {}, *outlook);
    EXPECT_TRUE(done.has_value()) << to_string(done.error());
    return std::move(*done);
  }
};
LANEWISE_ON_BOTH_CHIPS(RunProgram);

// docs/hazards.md: Wormhole does not wait for the result of SFPMAD, Blackhole does.
constexpr const char* kEarly =
    "SFPLOAD L0, 3, 3, 0\nSFPMAD L0, L0, L9, L2, 0\nSFPSTORE L2, 3, 3, 0\nSFPABS L0, L5, 1\n";

TEST_P(RunProgram, HazardsAreToldBeforeTheRunIfAskedFor) {
  const LoadedProgram program = loaded(kEarly);
  EXPECT_FALSE(look_ahead(program, {}, {}, false)->checked.has_value());
  const auto outlook = look_ahead(program, {}, {}, true);
  ASSERT_TRUE(outlook->checked.has_value());
  const auto told = told_hazards(*outlook->checked);
  if (arch_params(GetParam()).name == "wh") {
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front().rule->id, "mad-result");
    EXPECT_EQ(told.front().line, 3U);
  } else {
    EXPECT_TRUE(told.empty());
  }
}

// L14 has what the last kernel left there (VU C2).
TEST_P(RunProgram, WhatIsNotProgrammedComesWithTheResultsAlone) {
  const LoadedProgram program = loaded("SFPMOV L14, L0, 0\nSFPSTORE L0, SRCB, 3, 0\n");
  const std::vector<Tensor> inputs{*make_input("ramp", Format::BF16)};
  const auto outlook = look_ahead(program, inputs, {}, true);
  EXPECT_FALSE(outlook->checked->hazards.empty());
  EXPECT_TRUE(told_hazards(*outlook->checked).empty());
  ASSERT_FALSE(outlook->unprogrammed.empty());
  const ProgramRun done = run(program, inputs);
  EXPECT_NE(std::ranges::find(done.run.faults, outlook->unprogrammed.front()),
            done.run.faults.end());
  EXPECT_TRUE(done.notes.empty());
}

TEST_P(RunProgram, ResultsAreThoseOfTheTiles) {
  const LoadedProgram program =
      loaded("SFPLOAD L0, SRCB, 3, 0\nSFPMOV L0, L1, 1\nSFPSTORE L1, SRCB, 3, 0\n");
  const std::vector<Tensor> inputs{*make_input("ramp:1:9", Format::BF16)};
  const auto expected = run_on_tiles(GetParam(), program.program, inputs, {});
  EXPECT_EQ(run(program, inputs).run.output, expected->output);
}

TEST_P(RunProgram, ACheckIsThatOfTheProgram) {
  const LoadedProgram program = loaded(kEarly);
  const auto checked = check_loaded(program, {}, {});
  const auto expected = check_and_cost(GetParam(), program.program, {});
  ASSERT_TRUE(checked.has_value());
  EXPECT_EQ(checked->hazards.size(), expected->hazards.size());
  EXPECT_EQ(checked->cost->cycles(), expected->cost->cycles());
}

TEST(HazardPolicies, HaveTheirNames) {
  EXPECT_EQ(*parse_hazard_policy("warn"), HazardPolicy::Warn);
  EXPECT_EQ(*parse_hazard_policy("model"), HazardPolicy::Model);
  EXPECT_EQ(*parse_hazard_policy("error"), HazardPolicy::Error);
  EXPECT_EQ(*parse_hazard_policy("off"), HazardPolicy::Off);
  for (const char* text : {"", "Warn", "warning"}) {
    ASSERT_FALSE(parse_hazard_policy(text).has_value()) << text;
    EXPECT_EQ(parse_hazard_policy(text).error().remedy, "use warn, model, error or off");
  }
}

} // namespace
} // namespace lanewise::lab
