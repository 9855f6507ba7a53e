// A loaded program on tiles: what is told before the run, and what comes with its results.
#include "run/execution/run_program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "machine/machine_fixture.h"
#include "number/tensors/pattern.h"

namespace lanewise::execution {
namespace {

using formats::Format;

class RunProgram : public ::testing::TestWithParam<Arch> {
 protected:
  static LoadedProgram loaded(const std::string& text) {
    const Arch chip = GetParam();
    auto programs = load_program({.name = "test.tt"}, text, {&chip, 1});
    EXPECT_TRUE(programs.has_value()) << to_string(programs.error());
    return std::move(programs->front());
  }

  static ProgramRun run(const LoadedProgram& program, std::span<const tensors::Tensor> inputs) {
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
  if (arch_params(GetParam()).names.id == "wh") {
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front().rule->id, "mad-result");
    EXPECT_EQ(told.front().line, 3U);
  } else {
    EXPECT_TRUE(told.empty());
  }
}

// MU 1.1, VU C2: a run without inputs knows that Dst is empty, which a check does not.
TEST_P(RunProgram, WithoutInputsOneLookShowsWhatIsCheckedAndWhatIsUsed) {
  const LoadedProgram program =
      loaded("SFPLOAD L1, SRCB, 3, 0\nSFPADD L10, L1, L2, L3, 0\nSFPSTORE L3, SRCB, 3, 0\n");
  const auto both = look_ahead(program, {}, {}, true);
  const auto used = look_ahead(program, {}, {}, false);
  EXPECT_EQ(both->unprogrammed, used->unprogrammed);
  const auto count = [](const auto& all, std::string_view rule) {
    return std::ranges::count_if(all, [rule](const Fault& each) {
      return each.rule.substr(0, each.rule.find(',')) == rule;
    });
  };
  EXPECT_EQ(count(both->unprogrammed, "unprogrammed-dst"), 1);
  EXPECT_EQ(count(both->unprogrammed, "unprogrammed-lreg"), 1);
  const auto timed = schedule_on_tile(GetParam(), program.program, {});
  const CheckedProgram alone = check_program(*timed, program.program);
  const auto rules = [](const CheckedProgram& checked) {
    std::vector<std::string> texts;
    for (const timing::Hazard& each : checked.hazards) texts.push_back(each.text(""));
    return texts;
  };
  EXPECT_EQ(rules(*both->checked), rules(alone));
}

// L14 has what the last kernel left there (VU C2).
TEST_P(RunProgram, WhatIsNotProgrammedComesWithTheResultsAlone) {
  const LoadedProgram program = loaded("SFPMOV L14, L0, 0\nSFPSTORE L0, SRCB, 3, 0\n");
  const std::vector<tensors::Tensor> inputs{*tensors::make_input("ramp", Format::BF16)};
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
  const std::vector<tensors::Tensor> inputs{*tensors::make_input("ramp:1:9", Format::BF16)};
  const auto expected = run_on_tiles(GetParam(), program.program, inputs, {});
  EXPECT_EQ(run(program, inputs).run.output, expected->output);
}

// With macros, in both models, and where a tile leads to another macro configuration than the last.
TEST_P(RunProgram, WhatHasBeenLookedAtRunsAsWhatHasNot) {
  const std::string macros =
      "SFPLOADI L0, 2, 0x84\nSFPCONFIG 0, 4, 0\nSFPNOP\n"
      "SFPLOADMACRO 0, 0, SRCB, 3, 0, 0\nSFPNOP\nSFPNOP\nSFPSTORE L0, SRCB, 3, 0\n";
  const std::string of_tile =
      "SFPLOAD L0, SRCB, 3, 0\nSFPCONFIG 0, 4, 0\nSFPNOP\n"
      "SFPLOADMACRO 0, 0, SRCB, 3, 0, 0\nSFPNOP\nSFPNOP\nSFPSTORE L0, SRCB, 3, 0\n";
  const std::vector<tensors::Tensor> inputs{*tensors::make_input("ramp:-9:9", Format::BF16)};
  for (const std::string& text : {std::string(kEarly), macros, of_tile}) {
    const LoadedProgram program = loaded(text);
    for (const auto model : {timing::HazardModel::Documented, timing::HazardModel::Hardware}) {
      const TileRunOptions tile{.hazards = model};
      const auto expected = run_on_tiles(GetParam(), program.program, inputs, tile);
      const auto outlook = look_ahead(program, inputs, tile, true);
      ASSERT_TRUE(outlook.has_value()) << to_string(outlook.error());
      for (const char* turn : {"first", "second"}) {
        const auto done = run_program(program, inputs, {.tile = tile}, *outlook);
        ASSERT_TRUE(done.has_value()) << to_string(done.error());
        EXPECT_EQ(done->run.output, expected->output) << turn << " run of\n" << text;
        EXPECT_EQ(done->run.instructions, expected->instructions);
      }
    }
  }
}

TEST_P(RunProgram, ACheckIsThatOfTheProgram) {
  const LoadedProgram program = loaded(kEarly);
  const auto checked = check_loaded(program, {}, {});
  const auto expected = check_and_cost(GetParam(), program.program, {});
  ASSERT_TRUE(checked.has_value());
  EXPECT_EQ(checked->hazards.size(), expected->hazards.size());
  EXPECT_EQ(checked->cost->cycles(), expected->cost->cycles());
}

constexpr const char* kCopy = "SFPLOAD L0, SRCB, 3, 0\nSFPSTORE L0, SRCB, 3, 0\n";

std::vector<tensors::Tensor> zeros(std::size_t count, Format format) {
  return std::vector<tensors::Tensor>(count, *tensors::make_input("zero", format));
}

/// How a run ends: "" or what is wrong. What looks ahead must say the same as what runs.
std::string end_of_run(const LoadedProgram& program, const std::vector<tensors::Tensor>& inputs,
                       const TileRunOptions& tile) {
  const auto outlook = look_ahead(program, inputs, tile, true);
  const auto done = run_program(program, inputs, {.tile = tile}, {});
  EXPECT_EQ(outlook.has_value(), done.has_value());
  if (outlook.has_value()) return "";
  EXPECT_EQ(outlook.error(), done.error());
  return outlook.error().message;
}

// MU 1.1: Dst has 1024 rows of 16 bits, a tile takes 64 of them or, with 32 bits, 128.
TEST_P(RunProgram, DstHoldsSoManyInputsAndNoMore) {
  const LoadedProgram copy = loaded(kCopy);
  for (const auto& [format, tiles] : {std::pair{Format::BF16, 16U}, std::pair{Format::FP16, 16U},
                                      std::pair{Format::FP32, 8U}, std::pair{Format::INT32, 8U}}) {
    EXPECT_EQ(end_of_run(copy, zeros(tiles, format), {.format = format}), "");
    for (const std::size_t count : {tiles + 1, 2 * tiles + 1, 300U}) {
      EXPECT_EQ(end_of_run(copy, zeros(count, format), {.format = format}),
                fmt::format("{} inputs, but Dst holds {} {} tiles", count, tiles,
                            formats::format_name(format)));
    }
  }
}

TEST_P(RunProgram, TheResultIsOneOfTheTilesOfDst) {
  const LoadedProgram copy = loaded(kCopy);
  const auto inputs = zeros(1, Format::BF16);
  EXPECT_EQ(end_of_run(copy, inputs, {.output_tile = 15}), "");
  for (const unsigned tile : {16U, 17U, UINT32_MAX}) {
    EXPECT_EQ(end_of_run(copy, inputs, {.output_tile = tile}),
              fmt::format("output tile {}, but Dst holds 16 bf16 tiles", tile));
  }
}

// MU 1.1: with bit 11 of DBG_FEATURE_DISABLE a tile of 16 bits takes as many rows as one of 32.
TEST_P(RunProgram, HighHalvesHoldHalfAsManyInputs) {
  const std::string setting = ".cfg RISCV_DEBUG_REG_DBG_FEATURE_DISABLE 0x800\n";
  const LoadedProgram copy = loaded(setting + kCopy);
  EXPECT_EQ(end_of_run(copy, zeros(8, Format::BF16), {}), "");
  EXPECT_EQ(end_of_run(copy, zeros(9, Format::BF16), {}), "9 inputs, but Dst holds 8 bf16 tiles");
  EXPECT_EQ(end_of_run(copy, zeros(1, Format::BF16), {.output_tile = 8}),
            "output tile 8, but Dst holds 8 bf16 tiles");
  const LoadedProgram second =
      loaded(setting + "SFPLOAD L0, SRCB, 3, 64\nSFPSTORE L0, SRCB, 3, 0\n");
  EXPECT_TRUE(look_ahead(second, zeros(2, Format::BF16), {}, false)->unprogrammed.empty());
  EXPECT_FALSE(look_ahead(second, zeros(1, Format::BF16), {}, false)->unprogrammed.empty());
}

TEST_P(RunProgram, InputsWithoutAnElementOrOfOtherSizesAreRefused) {
  const LoadedProgram copy = loaded(kCopy);
  std::vector<tensors::Tensor> inputs = zeros(2, Format::BF16);
  inputs[1] = {.shape = {0, 32}, .bits = {}, .format = Format::BF16};
  EXPECT_EQ(end_of_run(copy, inputs, {}), "input 2 has no elements");
  inputs = zeros(3, Format::BF16);
  for (const std::size_t tiles : {2U, 3U}) {
    inputs[tiles - 1] = {.shape = {tiles, 32, 32},
                         .bits = std::vector<std::uint32_t>(tiles * tensors::kTileElements),
                         .format = Format::BF16};
  }
  EXPECT_EQ(end_of_run(copy, inputs, {}), "input 2 has 2 tiles where another has 3");
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
} // namespace lanewise::execution
