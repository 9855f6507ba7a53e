#include "study/sweep/diff.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "study/sweep/specials.h"
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

// What a proof asks for: the same changes, without distances where nothing has changed.
TEST(SweepDiff, CountsChangesWithoutDistances) {
  for (const auto format : {formats::Format::BF16, formats::Format::INT16}) {
    for (const std::string_view body : {"", "SFPMOV L0, L0, 1"}) {
      const DiffResult with = compared("", body, nullptr, {.format = format});
      const DiffResult without =
          compared("", body, nullptr, {.format = format, .distances = false});
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(without.chips[i].inputs, with.chips[i].inputs);
        EXPECT_EQ(without.chips[i].changed, with.chips[i].changed);
        EXPECT_EQ(without.chips[i].worst, with.chips[i].worst);
        EXPECT_EQ(without.chips[i].distance,
                  body.empty() ? UlpStatistics{} : with.chips[i].distance);
      }
      EXPECT_EQ(is_same(without), body.empty());
    }
  }
}

TEST(SweepDiff, TellsOfChangesAsItGoes) {
  std::uint64_t seen = 0;
  const DiffResult result =
      compared("", "SFPMOV L0, L0, 1", nullptr,
               {.threads = 1, .distances = false, .progress = [&](const SweepProgress& progress) {
                  seen = progress.changed;
                  return progress.changed == 0;
                }});
  EXPECT_GT(seen, 0U);
  EXPECT_LT(result.done, result.total) << "ended at the first chunk that has changes";
}

TEST(SweepDiff, FindsChangesAmongAFewInputs) {
  const auto first = on_both_chips(tile_kernel("")),
             second = on_both_chips(tile_kernel("SFPABS L0, L0, FLOAT"));
  const ChunkInputs inputs{.x = {0x3F80, 0xBF80, 0xC000, 0}, .y = {}, .positives = 0};
  const auto changes = find_changes(first[0], second[0], inputs, {});
  ASSERT_TRUE(changes) << to_string(changes.error());
  ASSERT_EQ(changes->size(), 2U);
  EXPECT_EQ(changes->front(), (SweepCase{.x = 0xBF80, .expected = 0xBF80, .found = 0x3F80}));
  EXPECT_EQ(changes->back().x, 0xC000U);
}

TEST(SweepDiff, EdgesAreNumbersOfTheFormat) {
  for (const auto format : {formats::Format::BF16, formats::Format::INT32, formats::Format::UINT16,
                            formats::Format::FP32}) {
    const OperandPatterns all = operand_patterns(format, std::nullopt);
    const ChunkInputs edges = edge_inputs(format, 1);
    for (const std::uint32_t bits : edges.x) {
      const MagnitudeInterval& of = is_negative(format, bits) ? all.negative : all.positive;
      EXPECT_GE(magnitude_of(format, bits), of.begin) << formats::format_name(format);
      EXPECT_LT(magnitude_of(format, bits), of.end) << formats::format_name(format);
    }
    const auto has = [&](std::uint32_t bits) {
      return std::ranges::find(edges.x, bits) != edges.x.end();
    };
    for (const std::uint32_t bits : {0U, 1U, 2U, 0x7FU, 0x80U, 0x81U, 0x4000U, 0x7FFFU})
      EXPECT_TRUE(has(bits)) << formats::format_name(format) << " " << bits;
    EXPECT_EQ(edge_inputs(format, 2).y.size(), edges.x.size() * edges.x.size());
  }
  EXPECT_NE(std::ranges::count(edge_inputs(formats::Format::INT32, 1).x, 0xFFFF8000U), 0);
  EXPECT_EQ(std::ranges::count(edge_inputs(formats::Format::INT32, 1).x, 0x80000000U), 0) << "-0";
}

} // namespace
} // namespace lanewise::sweep
