#include "study/sweep/diff.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sweep/sweep_doubles.h"

namespace lanewise::sweep {
namespace {

DiffResult compared(std::string_view first, std::string_view second,
                    const references::Reference* reference, const SweepOptions& options = {}) {
  auto result = diff_programs(on_both_chips(tile_kernel(first)), on_both_chips(tile_kernel(second)),
                              1, reference, options);
  EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
  return result.value_or(DiffResult{});
}

SweepSpace range_of(double lowest, double highest) {
  return {.range = SweepRange{lowest, highest}, .sample = std::nullopt};
}

TEST(SweepDiff, AProgramIsTheSameAsItself) {
  const DiffResult result = compared("SFPABS L0, L0, FLOAT", "SFPABS L0, L0, FLOAT", nullptr);
  EXPECT_EQ(result.total, 65536u);
  EXPECT_EQ(result.done, result.total);
  EXPECT_TRUE(result.first_errors.empty());
  ASSERT_EQ(result.chips.size(), 2u);
  for (const DiffStatistics& chip : result.chips) {
    EXPECT_EQ(chip.inputs, result.total);
    EXPECT_EQ(chip.changed, 0u);
    EXPECT_EQ(chip.distance.rows[0], result.total - 2 * 127) << "all but the NaNs";
    EXPECT_TRUE(chip.worst.empty());
    EXPECT_EQ(chip.first.instructions, chip.second.instructions);
    EXPECT_EQ(chip.first.cycles, chip.second.cycles);
    EXPECT_EQ(chip.first.words, 32u * 4);
  }
}

TEST(SweepDiff, APartOfATileIsTakenAsOftenAsATileNeedsIt) {
  constexpr std::string_view kOneRow = "SFPLOAD L0\nSFPSTORE L0, 0, 0, 0\n";
  std::vector<SweepProgram> parts = on_both_chips(kOneRow), tiles = parts;
  for (SweepProgram& each : parts) each.is_tile = false;
  const auto result = diff_programs(parts, tiles, 1, nullptr, {});
  ASSERT_TRUE(result) << to_string(result.error());
  for (const DiffStatistics& chip : result->chips) {
    EXPECT_EQ(chip.first.rows, 1);
    EXPECT_EQ(chip.second.rows, 1);
    EXPECT_EQ(chip.first.instructions, 32 * 2);
    EXPECT_EQ(chip.second.instructions, 2);
    EXPECT_EQ(chip.first.cycles, 32 * chip.second.cycles);
  }
}

TEST(SweepDiff, OneSignMoreChangesTheSignsOnly) {
  // x against -x: all bits change, 0 stays at its place.
  const DiffResult result =
      compared("", "SFPMOV L0, L0, 1", nullptr, {.space = {.range = SweepRange{-2, 2}}});
  for (const DiffStatistics& chip : result.chips) {
    EXPECT_EQ(chip.changed, result.total);
    EXPECT_EQ(chip.distance.rows[0], 2u * 128) << "zeros and denormals";
    EXPECT_EQ(chip.distance.largest,
              2 * formats::ulp_position(formats::Format::BF16, 0x4000).value());
    EXPECT_EQ(chip.worst.size(), 10u);
    EXPECT_EQ(chip.worst[0].x, 0x4000u);
    EXPECT_EQ(chip.worst[0].expected, 0x4000u) << "the first program";
    EXPECT_EQ(chip.worst[0].found, 0xC000u) << "the second one";
    EXPECT_EQ(chip.second.instructions - chip.first.instructions, 32u);
    EXPECT_GE(chip.second.cycles, chip.first.cycles + 32);
  }
}

TEST(SweepDiff, NumbersThatBecomeNaNsComeFirst) {
  const DiffResult result =
      compared("", "SFPLOADI L0, FLOATB, 0x7FC0", nullptr, {.space = {.range = SweepRange{1, 2}}});
  for (const DiffStatistics& chip : result.chips) {
    EXPECT_EQ(chip.changed, 129u);
    EXPECT_EQ(chip.distance.lost, 129u);
    EXPECT_EQ(chip.worst[0].x, 0x3F80u);
  }
}

// The distance between x and -x is twice the steps from 0 to x.
TEST(SweepDiff, DistancesStandInThePartsOfTheirInputs) {
  for (const SweepSpace& space : {range_of(1, 4), SweepSpace{}}) {
    const DiffResult result =
        compared("", "SFPMOV L0, L0, 1", nullptr, {.space = space, .distance_parts = true});
    ASSERT_EQ(result.distances.size(), 2u);
    const DiffResult without = compared("", "SFPMOV L0, L0, 1", nullptr, {.space = space});
    for (std::size_t i = 0; i < 2; ++i) {
      const SweepStatistics& chip = result.distances[i];
      EXPECT_EQ(chip.arch, result.chips[i].arch);
      EXPECT_EQ(chip.error, result.chips[i].distance);
      EXPECT_EQ(without.chips[i].distance, result.chips[i].distance);
      EXPECT_EQ(without.chips[i].worst, result.chips[i].worst);
      EXPECT_TRUE(without.distances[i].bins.empty());
      const PartStatistics& one = chip.near.at(kNearCells);
      EXPECT_EQ(one.sample.x, 0x3F80u);
      EXPECT_EQ(one.inputs, 4u) << "1 to 1 + 3/128";
      EXPECT_EQ(one.largest, 2 * formats::ulp_position(formats::Format::BF16, 0x3F83).value());
      std::uint64_t inputs = 0;
      double largest = 0;
      for (const auto& [key, bin] : chip.bins) {
        inputs += bin.inputs;
        largest = std::max(largest, bin.largest);
      }
      EXPECT_EQ(inputs, chip.error.count());
      EXPECT_EQ(largest, chip.error.largest);
    }
  }
}

TEST(SweepDiff, BothAreHeldAgainstAReference) {
  const auto reference = identity_reference();
  const DiffResult result =
      compared("", "SFPMOV L0, L0, 1", &reference, {.space = {.range = SweepRange{1, 2}}});
  ASSERT_EQ(result.first_errors.size(), 2u);
  ASSERT_EQ(result.second_errors.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(result.first_errors[i].error.largest, 0);
    EXPECT_EQ(result.second_errors[i].error.largest, result.chips[i].distance.largest);
    EXPECT_EQ(result.second_errors[i].arch, result.chips[i].arch);
  }
}

TEST(SweepDiff, ProgramsMustBeForTheSameChips) {
  const auto both = on_both_chips(tile_kernel(""));
  const std::vector<SweepProgram> one(both.begin(), both.begin() + 1);
  const std::vector<SweepProgram> other(both.begin() + 1, both.end());
  EXPECT_FALSE(diff_programs(both, one, 1, nullptr, {}));
  EXPECT_FALSE(diff_programs(one, other, 1, nullptr, {}));
  EXPECT_FALSE(diff_programs(one, one, 3, nullptr, {}));
}

} // namespace
} // namespace lanewise::sweep
