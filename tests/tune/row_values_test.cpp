// What rows compute node by node is what the programs that they come from compute: every input.
#include "study/tune/row_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "study/sweep/program.h"
#include "tune/row_doubles.h"

namespace lanewise::tune {
namespace {

class RowValuesOnBothChips : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, RowValuesOnBothChips, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

LaneBits results_of_program(const Plain& plain, const LaneBits& inputs,
                            const sweep::SweepOptions& options) {
  auto runner = sweep::ChunkRunner::prepare({plain.arch, plain.program, plain.as_kernel}, options,
                                            false, false);
  EXPECT_TRUE(runner) << (runner ? "" : to_string(runner.error()));
  sweep::FoundBits results;
  runner->run({.x = inputs, .y = {}, .positives = 0}, results);
  return results.found;
}

constexpr std::string_view kEnableAll = "SFPENCC 3, 0, 10\n";

/// A row each: multiply-adds with signs, swaps, conversions, shifts, fields, and choices.
std::vector<std::string> bodies(Arch arch) {
  const auto choice = [](std::string_view test, std::string_view then) {
    return fmt::format("{}\n{}\n{}", test, then, kEnableAll);
  };
  std::vector<std::string> all{
      "SFPABS L0, L0, 1", "SFPMAD L0, L0, L10, L0, 0\nSFPNOP",
      "SFPMUL L0, L0, L9, L1, 0\nSFPNOP\nSFPMAD L1, L0, L11, L0, 0\nSFPNOP",
      "SFPADDI 0x3f80, L0, 0\nSFPNOP\nSFPMULI 0x4049, L0, 0\nSFPNOP",
      "SFPMOV L10, L1, 2\nSFPSWAP L0, L1, 1\nSFPNOP\nSFPMOV L1, L0, 2",
      "SFPMOV L11, L1, 2\nSFPSWAP L0, L1, 1\nSFPNOP", "SFPSTOCHRND 0, 0, L0, L0, L0, 1",
      "SFPEXEXP L0, L0, 1\nSFPCAST L0, L0, 0", "SFPSETSGN 0, L0, L1, 1\nSFPMOV L1, L0, 2",
      "SFPMOV L0, L1, 2\nSFPSHFT 3, L0, L1, 1\nSFPMOV L1, L0, 2",
      "SFPMOV L0, L1, 2\nSFPXOR L10, L1\nSFPMOV L1, L0, 2",
      choice("SFPSETCC 0, L0, 0, 0", "SFPMOV L10, L0, 0"),
      choice("SFPSETCC 0, L0, 0, 0", "SFPMAD L0, L0, L10, L0, 0\nSFPNOP"),
      // Two conditions, and the lanes where they do not both hold.
      "SFPADD L10, L0, L10, L1, 0\nSFPNOP\nSFPSETCC 0, L0, 0, 0\nSFPSETCC 0, L1, 4, 0\n"
      "SFPMOV L10, L0, 0\nSFPENCC 3, 0, 10",
      "SFPADD L10, L0, L10, L1, 0\nSFPMOV L0, L2, 2\nSFPSETCC 0, L0, 0, 0\n"
      "SFPSETCC 0, L1, 4, 0\nSFPMOV L10, L2, 0\nSFPCOMPC\nSFPMOV L11, L2, 0\n"
      "SFPENCC 3, 0, 10\nSFPMOV L2, L0, 2",
      "SFPMOV L0, L1, 2\nSFPSETCC 0, L0, 0, 0\nSFPMOV L10, L1, 0\nSFPCOMPC\n"
      "SFPMAD L0, L0, L11, L1, 0\nSFPNOP\nSFPENCC 3, 0, 10\nSFPMOV L1, L0, 2"};
  // Both halves of a product of integers, also of bits that no float would keep.
  if (arch == Arch::Blackhole) {
    for (const unsigned mode : {0U, 1U})
      all.push_back(
          fmt::format("SFPSHFT -3, L0, L1, 5\nSFPMUL24 L0, L1, L9, L2, {}\nSFPNOP\n"
                      "SFPSHFT 9, L2, L0, 5",
                      mode));
  }
  return all;
}

TEST_P(RowValuesOnBothChips, AreThoseOfThePrograms) {
  for (const std::string& body : bodies(GetParam())) {
    Plain plain = plain_rows(GetParam(), body);
    plain.as_kernel = true;
    RowEvaluator evaluator = evaluator_of(plain);
    const LaneBits found = values_of(evaluator, graph_of_rows(plain)).results;
    EXPECT_EQ(found, results_of_program(plain, evaluator.inputs(), {})) << body;
  }
}

TEST_P(RowValuesOnBothChips, OfOtherFormats) {
  for (const formats::Format format : {formats::Format::FP16, formats::Format::UINT16}) {
    const Plain plain = plain_rows(GetParam(), "SFPABS L0, L0, 0");
    const auto rows = find_rows(plain.arch, plain.program, {.format = format});
    ASSERT_TRUE(rows);
    auto evaluator = RowEvaluator::prepare(plain, {.format = format});
    ASSERT_TRUE(evaluator);
    EXPECT_EQ(evaluator->inputs().size(), 65536U);
    EXPECT_EQ(values_of(*evaluator, rows->row).results,
              results_of_program(plain, evaluator->inputs(), {.format = format}));
  }
}

TEST_P(RowValuesOnBothChips, InputsAreAllPatternsAndLoadsTheirNumbers) {
  const Plain plain = plain_rows(GetParam(), "SFPABS L0, L0, 1");
  RowEvaluator evaluator = evaluator_of(plain);
  const RowValues values = values_of(evaluator, graph_of_rows(plain));
  LaneBits sorted = evaluator.inputs();
  std::ranges::sort(sorted);
  ASSERT_EQ(sorted.size(), 65536U);
  for (std::uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double number = number_of_bits(evaluator.inputs()[i] << 16);
    if (!std::isnormal(number)) continue;
    ASSERT_EQ(values.nodes[0][i], evaluator.inputs()[i] << 16);
    ASSERT_EQ(number_of_bits(values.nodes[1][i]), std::fabs(number));
  }
}

TEST_P(RowValuesOnBothChips, GivenValuesReplaceANode) {
  const Plain plain = plain_rows(GetParam(), "SFPABS L0, L0, 1");
  RowEvaluator evaluator = evaluator_of(plain);
  const LaneBits ones(evaluator.inputs().size(), bits_of(-3));
  const auto values = evaluator.evaluate(graph_of_rows(plain), {.node = 0, .values = ones});
  ASSERT_TRUE(values);
  for (const std::uint32_t each : values->results) ASSERT_EQ(each, bits_of(3) >> 16);
}

TEST_P(RowValuesOnBothChips, RefuseOtherPlaces) {
  const Plain plain = plain_rows(GetParam(), "SFPABS L0, L0, 1");
  RowEvaluator evaluator = evaluator_of(plain);
  RowGraph row = graph_of_rows(plain);
  row.nodes[0].offset = 64;
  EXPECT_FALSE(evaluator.evaluate(row));
  EXPECT_FALSE(RowEvaluator::prepare(plain, {.operands = 2}));
  EXPECT_FALSE(RowEvaluator::prepare(plain, {.format = formats::Format::FP32}));
}

} // namespace
} // namespace lanewise::tune
