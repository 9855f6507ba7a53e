// Kernels that are no equal rows: what a block computes as numbers of values, its order, its
// registers, and a proof that refuses what is not the same.
#include "study/tune/block.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/source_line.h"
#include "chip/isa/encoding.h"
#include "study/tune/block_order.h"
#include "study/tune/block_proof.h"
#include "study/tune/block_registers.h"
#include "study/tune/block_runs.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {

namespace {

using formats::Format;

constexpr Arch kBlockChip = Arch::Blackhole;

Plain plain_of(const std::string& source, Arch arch = kBlockChip) {
  return {arch, assembled_program(arch, source)};
}

FollowedBlock followed(ValueTable& table, const Plain& plain) {
  const auto tile = tile_program(plain, Format::BF16);
  EXPECT_TRUE(tile) << (tile ? "" : to_string(tile.error()));
  auto block = follow_block(table, tile->start, tile->ops);
  EXPECT_TRUE(block) << (block ? "" : to_string(block.error()));
  return std::move(*block);
}

std::string difference(const std::string& one, const std::string& other) {
  const auto found = differ_in_values(plain_of(one), plain_of(other), Format::BF16);
  EXPECT_TRUE(found) << (found ? "" : to_string(found.error()));
  return found ? *found : "";
}

std::string refusal(const std::string& source) {
  const auto block = tune_block(plain_of(source), Format::BF16);
  return block ? "" : block.error().message;
}

/// Four rows of two tiles through a sorting network: values of tile 0 with indices of tile 1.
const std::string kSort = R"(
SFPCONFIG 0x4, 15, 1
SFPNOP
SFPNOP
SFPLOAD L0, SRCB, 7, 0
SFPLOAD L1, SRCB, 7, 4
SFPLOAD L2, SRCB, 7, 8
SFPLOAD L3, SRCB, 7, 12
SFPLOAD L4, SRCB, 7, 64
SFPLOAD L5, SRCB, 7, 68
SFPLOAD L6, SRCB, 7, 72
SFPLOAD L7, SRCB, 7, 76
SFPTRANSP
SFPSWAP L0, L1, 1
SFPSWAP L2, L3, 1
SFPNOP
SFPTRANSP
SFPSTORE L0, SRCB, 7, 0
SFPSTORE L1, SRCB, 7, 4
SFPSTORE L2, SRCB, 7, 8
SFPSTORE L3, SRCB, 7, 12
SFPSTORE L4, SRCB, 7, 64
SFPSTORE L5, SRCB, 7, 68
SFPSTORE L6, SRCB, 7, 72
SFPSTORE L7, SRCB, 7, 76
SFPCONFIG 0x0, 15, 1
SFPNOP
SFPNOP
)";

/// Six rows, rounded at random.
const std::string kRandom = R"(
.repeat 6
SFPLOAD L0, SRCB, 7, 0
SFPSTOCHRND 1, 0, L0, L0, L0, 1
SFPSTORE L0, SRCB, 7, 0
INCRWC DstInc=2
.endr
)";
TEST(BlockWords, TellsWhichFieldsAreReadAndWritten) {
  const Program program = assembled_program(kBlockChip,
                                            "SFPMAD L4, L1, L2, L4, 0\nSFPIADD 0, L2, L3, 0\n"
                                            "SFPTRANSP\nSFPIADD 5, L2, L3, 1\n");
  const auto registers = [&](std::size_t i) {
    return registers_of(kBlockChip, program.words[i].word, false);
  };
  const auto count = [](const WordRegisters& all, bool RegisterField::*what) {
    return std::ranges::count_if(all.fields, [&](const RegisterField& each) { return each.*what; });
  };
  EXPECT_EQ(count(registers(0), &RegisterField::is_read), 3);
  EXPECT_EQ(count(registers(0), &RegisterField::is_written), 1);
  // VD is a source as well, unless there is an immediate.
  EXPECT_EQ(count(registers(1), &RegisterField::is_read), 2);
  EXPECT_EQ(count(registers(3), &RegisterField::is_read), 1);
  EXPECT_TRUE(registers(2).fields.empty());
  EXPECT_EQ(registers(2).fixed_reads, isa::kGeneralLRegs);
}

TEST(BlockWords, IndexRegistersAreFixed) {
  const Program program = assembled_program(kBlockChip, "SFPSWAP L0, L1, 1\n");
  const WordRegisters tracked = registers_of(kBlockChip, program.words[0].word, true);
  EXPECT_TRUE(tracked.fields.empty());
  EXPECT_EQ(tracked.fixed_writes, 0x33U);
  EXPECT_EQ(registers_of(kBlockChip, program.words[0].word, false).fields.size(), 2U);
}

TEST(BlockValues, TheOrderOfWhatIsApartDoesNotMatter) {
  EXPECT_EQ(difference("SFPLOAD L0, SRCB, 7, 0\nSFPLOAD L1, SRCB, 7, 4\nSFPSTORE L0, SRCB, 7, 8\n",
                       "SFPLOAD L5, SRCB, 7, 0\nSFPNOP\nSFPSTORE L5, SRCB, 7, 8\n"),
            "");
  EXPECT_NE(difference("SFPLOAD L0, SRCB, 7, 0\nSFPSTORE L0, SRCB, 7, 8\n",
                       "SFPLOAD L0, SRCB, 7, 4\nSFPSTORE L0, SRCB, 7, 8\n"),
            "");
}

TEST(BlockValues, AStoreIsSeenByWhatLoadsBehindIt) {
  EXPECT_NE(difference("SFPLOAD L0, SRCB, 7, 0\nSFPSTORE L0, SRCB, 7, 4\nSFPLOAD L1, SRCB, 7, 4\n"
                       "SFPSTORE L1, SRCB, 7, 8\n",
                       "SFPLOAD L0, SRCB, 7, 0\nSFPLOAD L1, SRCB, 7, 4\nSFPSTORE L0, SRCB, 7, 4\n"
                       "SFPSTORE L1, SRCB, 7, 8\n"),
            "");
}

TEST(BlockValues, RandomNumbersKeepTheirOrder) {
  const std::string first = "SFPMOV L9, L0, 8\n", second = "SFPMOV L9, L1, 8\n";
  const std::string stores = "SFPSTORE L0, SRCB, 7, 0\nSFPSTORE L1, SRCB, 7, 4\n";
  EXPECT_EQ(difference(first + second + stores, first + "SFPNOP\n" + second + stores), "");
  EXPECT_NE(difference(first + second + stores, second + first + stores), "");
  // A number that nobody looks at is drawn all the same.
  EXPECT_NE(
      difference(first + second + "SFPSTORE L0, SRCB, 7, 0\n", first + "SFPSTORE L0, SRCB, 7, 0\n"),
      "");
}

TEST(BlockValues, DisabledLanesKeepWhatWasThere) {
  const std::string test = "SFPLOAD L0, SRCB, 7, 0\nSFPLOAD L1, SRCB, 7, 4\nSFPSETCC 0, L0, 0, 0\n";
  const std::string end = "SFPENCC 3, 0, 10\nSFPSTORE L1, SRCB, 7, 0\n";
  EXPECT_NE(difference(test + "SFPMOV L0, L1, 0\n" + end,
                       test + "SFPENCC 3, 0, 10\nSFPMOV L0, L1, 0\n" + end),
            "");
  EXPECT_EQ(
      difference(test + "SFPMOV L0, L1, 0\n" + end, test + "SFPNOP\nSFPMOV L0, L1, 0\n" + end), "");
}

TEST(BlockValues, RegistersThatATileFindsAreKept) {
  // L3 is what an earlier tile has left.
  const std::string adds =
      "SFPLOAD L0, SRCB, 7, 0\nSFPADD L0, L10, L3, L0, 0\nSFPNOP\nSFPSTORE L0, SRCB, 7, 0\n";
  EXPECT_NE(difference(adds, adds + "SFPLOADI L3, 0, 0x3f80\n"), "");
  EXPECT_EQ(difference(adds, adds + "SFPLOADI L4, 0, 0x3f80\n"), "");
}

TEST(BlockValues, WhatIsNotKnownIsRefused) {
  EXPECT_NE(refusal("SFPLOADMACRO 0, 0, 0, 7, 0, 0\n").find("macros"), std::string::npos);
  EXPECT_NE(
      refusal("SFPLOAD L0, SRCB, 7, 0\nSFPCONFIG 0, 15, 0\n").find("depends on what it computes"),
      std::string::npos);
  EXPECT_NE(refusal("SFPLOAD L0, SRCB, 7, 0\nSFPSETCC 0, L0, 0, 0\nSFPSTORE L0, SRCB, 7, 0\n")
                .find("other lanes enabled"),
            std::string::npos);
}

TEST(BlockOrder, LeavesOutWhatIsRepeatedAndWhatNobodyReads) {
  ValueTable table;
  const FollowedBlock block = followed(table, plain_of(R"(
SFPLOADI L1, 0, 0x3f80
SFPLOAD L0, SRCB, 7, 0
SFPENCC 3, 0, 10
SFPMAD L0, L1, L9, L0, 0
SFPLOADI L1, 0, 0x3f80
SFPLOADI L2, 0, 0x4000
SFPNOP
SFPSTORE L0, SRCB, 7, 0
)"));
  EXPECT_EQ(block.steps.size(), 7U); // of 8 words, one is an SFPNOP
  const auto useful = without_useless_steps(block.steps, 0);
  std::vector<isa::Op> ops;
  for (const BlockStep& step : useful) ops.push_back(step.op);
  using isa::Op;
  EXPECT_EQ(ops, (std::vector<Op>{Op::SFPLOADI, Op::SFPLOAD, Op::SFPMAD, Op::SFPSTORE}));
  // A register that somebody reads later keeps its value.
  EXPECT_EQ(without_useless_steps(block.steps, 1U << 2).size(), 5U);
}

TEST(BlockOrder, FillsTheSlotBehindAResultOfTwoCycles) {
  ValueTable table;
  const FollowedBlock block = followed(table, plain_of(R"(
SFPLOAD L0, SRCB, 7, 0
SFPMAD L0, L0, L0, L0, 0
SFPNOP
SFPSTORE L0, SRCB, 7, 0
SFPLOAD L0, SRCB, 7, 4
SFPMAD L0, L0, L0, L0, 0
SFPNOP
SFPSTORE L0, SRCB, 7, 4
)"));
  for (const Arch arch : {Arch::Blackhole, Arch::Wormhole})
    EXPECT_EQ(order_block(arch, block.steps).cycles, 8U);
  const auto renamed = with_other_registers(kBlockChip, block.steps, 0);
  EXPECT_EQ(order_block(kBlockChip, renamed).cycles, 6U);
  EXPECT_EQ(issue_cycles(kBlockChip, renamed), 6U);
}

TEST(BlockOrder, AStoreThatIsLoadedStays) {
  ValueTable table;
  const std::string load = "SFPLOAD L0, SRCB, 7, 0\n", store = "SFPSTORE L0, SRCB, 7, 4\n";
  const std::string between = "SFPLOAD L1, SRCB, 7, 4\nSFPSTORE L1, SRCB, 7, 8\n";
  const std::string again = "SFPLOAD L0, SRCB, 7, 12\nSFPSTORE L0, SRCB, 7, 4\n";
  const auto useful = [&](const std::string& source) {
    return without_useless_steps(followed(table, plain_of(source)).steps, 0).size();
  };
  EXPECT_EQ(useful(load + store + between + again), 6U);
  EXPECT_EQ(useful(load + store + again), 2U);
}

// Three chains of results of two cycles, each written for one register.
TEST(BlockRegisters, ChainsAreInterleavedInOthers) {
  std::string source = "SFPLOADI L2, 0, 0x3fc0\n";
  for (int row = 0; row < 6; ++row)
    source += fmt::format(
        "SFPLOAD L0, SRCB, 7, {0}\nSFPMAD L0, L2, L2, L1, 0\nSFPNOP\nSFPMAD L1, L0, L2, L1, 0\n"
        "SFPNOP\nSFPSTORE L1, SRCB, 7, {0}\nSFPSTORE L0, SRCB, 7, {1}\n",
        4 * row, 64 + 4 * row);
  TuneOptions options;
  options.proof.only_as_block = true;
  const auto result = tune(plain_of(source), options);
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned) << result->proof.failure;
  EXPECT_EQ(result->interval, 1U + 6U * 5U);
}

TEST(BlockRegisters, ThoseThatAreKeptStay) {
  ValueTable table;
  const FollowedBlock block = followed(
      table, plain_of("SFPLOAD L0, SRCB, 7, 0\nSFPSTORE L0, SRCB, 7, 4\nSFPLOAD L0, SRCB, 7, 8\n"));
  const auto renamed = with_other_registers(kBlockChip, block.steps, 1);
  EXPECT_EQ(renamed[2].writes & state_part::kValueLRegs, 1U);
}

/// Slots of a block in the order of its author.
std::vector<std::uint32_t> as_written(const FollowedBlock& block) {
  std::vector<std::uint32_t> slots(block.steps.size());
  for (std::uint32_t i = 0; i < slots.size(); ++i) slots[i] = i;
  return slots;
}

std::vector<BlockRun> runs_of(const std::string& source, bool moves = true) {
  ValueTable table;
  const FollowedBlock block = followed(table, plain_of(source));
  return find_runs(kBlockChip, block.steps, as_written(block), {.has_section = moves});
}

/// A row of a load, a number and a store, the places of each by themselves.
std::string three_words(int load, int store) {
  return fmt::format("SFPLOAD L0, SRCB, 7, {}\nSFPMOV L9, L0, 8\nSFPSTORE L0, SRCB, 7, {}\n", load,
                     store);
}

TEST(BlockRuns, ArePartsOnPlacesThatMoveOn) {
  std::string source = "SFPMOV L9, L1, 8\n";
  for (int i = 0; i < 6; ++i) source += three_words(4 * i, 64 + 4 * i);
  source += "SFPMOV L9, L2, 8\n";
  const auto runs = runs_of(source);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].first, 1U);
  EXPECT_EQ(runs[0].length, 3U);
  EXPECT_EQ(runs[0].times, 6U);
  EXPECT_EQ(runs[0].stride, 4U);
  EXPECT_TRUE(runs_of(source, false).empty()) << "the counter cannot move";
}

TEST(BlockRuns, LoadsAndStoresMoveAlike) {
  std::string source;
  for (int i = 0; i < 6; ++i) source += three_words(4 * i, 64 + 8 * i);
  EXPECT_TRUE(runs_of(source).empty());
}

TEST(BlockRuns, HaveOneStrideBesideNone) {
  std::string few, many, same;
  for (int i = 0; i < 4; ++i) few += three_words(20 * i, 256 + 20 * i);
  for (int i = 0; i < 9; ++i) many += three_words(4 * i, 128 + 4 * i);
  for (int i = 0; i < 9; ++i) same += "SFPMOV L9, L3, 8\n";
  const auto runs = runs_of(few + same + many);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].first, 12U);
  EXPECT_EQ(runs[0].stride, 0U);
  EXPECT_EQ(runs[1].first, 21U);
  EXPECT_EQ(runs[1].stride, 4U);
  EXPECT_EQ(runs[1].times, 9U);
}

/// Parts of a load of tile 0, words of a draw each, and a store to tile 1, on Dst row by row.
std::string parts_of(int rows, int draws) {
  return fmt::format(
      ".repeat {}\nSFPLOAD L0, SRCB, 7, 0\n.repeat {}\nSFPSTOCHRND 1, 0, L0, L0, L0, 1\n.endr\n"
      "SFPSTORE L0, SRCB, 7, 64\nINCRWC DstInc=2\n.endr\n",
      rows, draws);
}

/// In each form the text is what is proved.
TuneResult tuned_block(const std::string& source, Form form, Arch arch = kBlockChip) {
  TuneOptions options;
  options.form = form;
  const auto result = tune(plain_of(source, arch), options);
  EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
  return result ? *result : TuneResult{};
}

TEST(Block, PartsThatRepeatAreRecordedAndReplayed) {
  const std::string source = parts_of(32, 3);
  for (const Form form : {Form::Assembly, Form::Words, Form::Tti}) {
    const TuneResult result = tuned_block(source, form);
    ASSERT_TRUE(result.tuned) << result.proof.failure;
    EXPECT_EQ(result.interval, 32U * 5U);
    EXPECT_EQ(result.proof.kind, ProofKind::DataFlow);
    const auto pushed = pushed_words(*result.tuned);
    EXPECT_LT(pushed, 32U * 5U / 2) << "the core pushes REPLAYs";
    EXPECT_LT(code_words(*result.tuned), pushed);
  }
}

TEST(Block, LongPartsAreALoopOfTheCore) {
  const std::string source = parts_of(32, 40);
  const TuneResult result = tuned_block(source, Form::Tti);
  ASSERT_TRUE(result.tuned) << result.proof.failure;
  EXPECT_EQ(result.interval, 32U * 42U) << "more words than fit beside a kernel";
  EXPECT_EQ(pushed_words(*result.tuned), 32U * 42U);
  EXPECT_LE(code_words(*result.tuned), 4U * 42U);
  EXPECT_NE(result.text.find("for (int i = 0; i < "), std::string::npos);
}

/// Four columns of four groups, as sorts go through a tile: `waste` of each group does nothing.
std::string columns_of(int sums, const std::string& waste) {
  std::string source;
  for (const int column : {0, 2, 16, 18}) {
    for (int group = 0; group < 4; ++group) {
      source += fmt::format("SFPLOAD L0, SRCB, 7, {}\n", column + 32 * group);
      for (int i = 0; i < sums; ++i) source += fmt::format("SFPIADD {}, L0, L0, 5\n", 1 + i);
      source += fmt::format("SFPSTOCHRND 1, 0, L0, L0, L0, 1\nSFPSTORE L0, SRCB, 7, {}\n",
                            128 + column + 32 * group) +
                waste;
    }
  }
  return source;
}

TEST(BlockRuns, LongPartsHaveParts) {
  ValueTable table;
  const FollowedBlock block = followed(table, plain_of(columns_of(17, "")));
  const CounterMoves moves{.has_section = true, .has_copy = true};
  const auto runs = find_runs(kBlockChip, block.steps, as_written(block), moves);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs[0].is_long);
  EXPECT_EQ(runs[0].stride, 16U);
  EXPECT_EQ(runs[0].end(), 4U * 80U);
  EXPECT_EQ(copy_distance(runs[0]), 12U) << "what its parts leave of 16";
  ASSERT_EQ(runs[0].parts.size(), 1U);
  const BlockRun& column = runs[0].parts[0];
  EXPECT_EQ(column.length, 80U);
  EXPECT_EQ(column.stride, 2U);
  ASSERT_EQ(column.parts.size(), 1U);
  EXPECT_EQ(column.parts[0].stride, 32U);
  EXPECT_EQ(column.parts[0].times, 4U);
  EXPECT_FALSE(column.parts[0].is_long);
}

TEST(Block, PartsOfPartsAreLoopsInLoops) {
  const std::string source = columns_of(597, "SFPNOP\n");
  for (const Form form : {Form::Assembly, Form::Words, Form::Tti}) {
    const TuneResult result = tuned_block(source, form);
    ASSERT_TRUE(result.tuned) << result.proof.failure;
    // 9600 words. The copy of the counter moves at the end of each column, and of each pair.
    EXPECT_EQ(result.interval, 4U * 2400U + 4U + 2U);
    EXPECT_EQ(code_words(*result.tuned), 600U + 2U);
    const bool has_loops = result.text.find("    for (int j = 0; j < ") != std::string::npos;
    EXPECT_EQ(has_loops, form == Form::Tti) << result.text;
  }
}

TEST(Block, WhatRepeatsNowhereIsTooLong) {
  std::string source;
  for (int row = 0; row < 32; ++row) {
    source += "SFPLOAD L0, SRCB, 7, 0\n";
    for (int i = 0; i < 34; ++i)
      source += fmt::format("SFPADDI {}, L0, 0\nSFPMOV L9, L1, 8\n", 1 + 37 * (row * 34 + i));
    source += "SFPSTORE L0, SRCB, 7, 64\nINCRWC DstInc=2\n";
  }
  const auto block = tune_block(plain_of(source), Format::BF16);
  ASSERT_TRUE(block) << to_string(block.error());
  EXPECT_TRUE(block->candidates.empty());
  EXPECT_NE(block->failure.find("do not fit"), std::string::npos) << block->failure;
}

// The search of rows has no steps; as a block the counter needs no instruction.
TEST(Block, RowsOfWhichNothingFasterIsFoundAreOne) {
  for (const Arch arch : {Arch::Blackhole, Arch::Wormhole}) {
    const std::string source = fmt::format(
        ".repeat 32\nSFPLOAD L0, SRCB, {0}, 0\nSFPMULI 0x4040, L0, 0\nSFPNOP\n"
        "SFPSTORE L0, SRCB, {0}, 0\nINCRWC DstInc=2\n.endr\n",
        arch == Arch::Wormhole ? 3 : 7);
    TuneOptions options;
    options.seconds = 1e-9;
    const auto result = tune(plain_of(source, arch), options);
    ASSERT_TRUE(result) << to_string(result.error());
    ASSERT_TRUE(result->tuned) << result->proof.failure;
    EXPECT_TRUE(result->is_block);
    EXPECT_EQ(result->not_rows, "");
    EXPECT_LT(result->interval, 32U * 5U);
    options.blocks = false;
    const auto rows = tune(plain_of(source, arch), options);
    ASSERT_TRUE(rows) << to_string(rows.error());
    EXPECT_FALSE(rows->tuned);
  }
}

TEST(Block, RoundingAtRandomIsFasterAndProved) {
  const Plain plain = plain_of(kRandom);
  const auto result = tune(plain, {});
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_TRUE(result->is_block);
  EXPECT_EQ(result->not_rows, "rows depend on random numbers");
  ASSERT_TRUE(result->tuned) << result->proof.failure;
  EXPECT_EQ(result->proof.kind, ProofKind::DataFlow);
  EXPECT_EQ(result->interval, 18U);
  EXPECT_EQ(result->lowest_interval, 18U);
}

TEST(Block, ASortOfTwoTilesIsTaken) {
  for (const Arch arch : {Arch::Blackhole, Arch::Wormhole}) {
    std::string source = kSort;
    if (arch == Arch::Wormhole)
      for (std::size_t at = 0; (at = source.find("SRCB, 7", at)) != std::string::npos;)
        source.replace(at, 7, "SRCB, 3");
    TuneOptions options;
    options.proof.only_as_block = true;
    const auto result = tune(plain_of(source, arch), options);
    ASSERT_TRUE(result) << to_string(result.error());
    EXPECT_TRUE(result->is_block);
    EXPECT_TRUE(result->tuned) << result->proof.failure;
  }
}

// A sort leaves LaneConfig to its successor: what is found of the plain program may be found of the
// block, and of no other one.
TEST(Block, LeavesLaneConfigOnlyAsThePlainProgramDoes) {
  const std::string first = kSort.substr(0, kSort.find("SFPTRANSP"));
  const std::string second = kSort.substr(first.size());
  Plain plain = plain_of(first + "SFPNOP\n" + second.substr(0, second.find("SFPCONFIG")));
  for (ProgramWord& each : std::span(plain.program.words).first(3)) // SFPCONFIG, and its SFPNOPs
    each.line = line_number({.file = "", .line = each.line, .part = ProgramPart::Init});
  TuneOptions options;
  options.proof.only_as_block = true;
  const auto result = tune(plain, options);
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned) << result->proof.failure;
  EXPECT_EQ(result->proof.findings, std::vector<std::string>{"contract-lane-config"});
  const auto printed = read_printed(kBlockChip, Form::Assembly, result->text, "tuned");
  ASSERT_TRUE(printed);
  const auto of_other = with_known_findings(plain_of(kSort), options.proof);
  ASSERT_TRUE(of_other);
  const auto other = prove_block(plain_of(kSort), *result->tuned, *printed, *of_other);
  ASSERT_TRUE(other);
  EXPECT_FALSE(other->holds);
  EXPECT_NE(other->failure.find("leaves LaneConfig"), std::string::npos) << other->failure;
}

TEST(Block, AWrongOrderIsRefused) {
  const Plain plain = plain_of(kSort);
  const auto block = tune_block(plain, Format::BF16);
  ASSERT_TRUE(block) << to_string(block.error());
  ASSERT_FALSE(block->candidates.empty());
  const Tuned& best = block->candidates.back();
  std::size_t wrong = 0, swapped = 0;
  for (std::size_t i = 0; i + 1 < best.words.size(); ++i) {
    Tuned other = best;
    std::swap(other.words[i].word, other.words[i + 1].word);
    const Plain program{kBlockChip, to_program(other, "other"), true};
    const auto values = differ_in_values(plain, program, Format::BF16);
    const auto tiles = differ_on_random_tiles(plain, program, Format::BF16);
    ASSERT_TRUE(values && tiles);
    ++swapped;
    // What is proved to be the same gives the same on every tile.
    if (values->empty()) {
      EXPECT_EQ(*tiles, "") << i;
    } else {
      ++wrong;
    }
  }
  EXPECT_GT(wrong, 4U);
  EXPECT_LT(wrong, swapped);
}

TEST(Block, TheProofSeesAnotherWord) {
  const Plain plain = plain_of(kRandom);
  const auto block = tune_block(plain, Format::BF16);
  ASSERT_TRUE(block && !block->candidates.empty());
  Tuned tuned = block->candidates.back();
  const auto proved = [&] {
    const auto printed = read_printed(kBlockChip, Form::Assembly, to_assembly(tuned), "tuned");
    EXPECT_TRUE(printed);
    const auto proof = prove_block(plain, tuned, *printed, {});
    EXPECT_TRUE(proof);
    return proof && proof->holds;
  };
  EXPECT_TRUE(proved());
  const auto draws = std::ranges::find_if(tuned.words, [](const TunedWord& each) {
    return isa::decode(kBlockChip, each.word).row->op == isa::Op::SFPSTOCHRND;
  });
  draws->word ^= 1U << 21; // rounds to nearest
  EXPECT_FALSE(proved());
}

TEST(Block, WithoutBlocksRowsAreRefusedAsBefore) {
  TuneOptions options;
  options.blocks = false;
  const auto result = tune(plain_of(kRandom), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "rows depend on random numbers");
}

} // namespace

} // namespace lanewise::tune
