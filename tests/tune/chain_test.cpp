// Chains of kernels: what one overwrites of another is named, and what is printed does what the
// kernels do one behind the other.
#include "study/tune/chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/source_line.h"
#include "study/tune/side_by_side.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

class ChainOnBothChips : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, ChainOnBothChips, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

TuneOptions quick_options() {
  TuneOptions options;
  options.steps_per_interval = 2'000;
  return options;
}

/// Rows of a kernel, of which the first `once` words run once.
ChainKernel kernel_of(Arch arch, const std::string& name, std::string_view body,
                      std::string_view once = "") {
  ChainKernel kernel{name, plain_rows(arch, body, once)};
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(once, '\n') + 1);
  for (ProgramWord& each : kernel.plain.program.words) {
    if (!once.empty() && each.line <= lines)
      each.line = line_number({.file = "", .line = each.line, .part = ProgramPart::Init});
  }
  return kernel;
}

std::vector<ChainLink> linked(const std::vector<ChainKernel>& kernels) {
  auto links = links_of(kernels, {});
  EXPECT_TRUE(links) << (links ? "" : to_string(links.error()));
  return links ? std::move(*links) : std::vector<ChainLink>{};
}

std::vector<Conflict> conflicts_of(const std::vector<ChainKernel>& kernels) {
  const auto links = linked(kernels);
  auto conflicts = find_conflicts(links, {});
  EXPECT_TRUE(conflicts);
  return conflicts ? std::move(*conflicts) : std::vector<Conflict>{};
}

ChainResult chained(const std::vector<ChainKernel>& kernels, const TuneOptions& options) {
  auto result = tune_chain(kernels, options);
  EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
  return result ? std::move(*result) : ChainResult{};
}

/// 1.5 or 2.5 in LReg[12], and rows that multiply by it.
ChainKernel scaled(Arch arch, const std::string& name, const std::string& factor) {
  return kernel_of(arch, name, "SFPMUL L0, L12, L9, L0, 0\nSFPNOP",
                   "SFPLOADI L0, FLOATB, " + factor + "\nSFPCONFIG 0, 12, 0");
}

TEST_P(ChainOnBothChips, AnInitThatOverwritesAConstantIsNamed) {
  const auto found =
      conflicts_of({scaled(GetParam(), "a", "0x3fc0"), scaled(GetParam(), "b", "0x4020")});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].resource, "LReg[12]");
  EXPECT_EQ(found[0].reader, 0U);
  EXPECT_EQ(found[0].writer, 1U);
  EXPECT_EQ(conflict_text(found[0], linked({scaled(GetParam(), "a", "0x3fc0"),
                                            scaled(GetParam(), "b", "0x4020")})),
            "a:5 relies on LReg[12], which b:2 overwrites: run its init again behind that");
}

TEST_P(ChainOnBothChips, EqualConstantsAreNoConflict) {
  EXPECT_TRUE(
      conflicts_of({scaled(GetParam(), "a", "0x3fc0"), scaled(GetParam(), "b", "0x3fc0")}).empty());
}

// The second kernel's rows use the register in which the first has put its constant once.
TEST_P(ChainOnBothChips, ABodyThatOverwritesARegisterIsNamed) {
  const auto found =
      conflicts_of({kernel_of(GetParam(), "a", "SFPMUL L0, L5, L9, L0, 0\nSFPNOP",
                              "SFPLOADI L5, FLOATB, 0x4020"),
                    kernel_of(GetParam(), "b", "SFPABS L0, L5, 1\nSFPMOV L5, L0, 0")});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].resource, "LReg[5]");
  EXPECT_EQ(found[0].writer, 1U);
}

TEST_P(ChainOnBothChips, ReplaySlotsThatAreRecordedOverAreNamed) {
  const std::string still = GetParam() == Arch::Blackhole ? "7" : "3";
  const auto recorded = [&](const std::string& name, const std::string& operation, int first) {
    ChainKernel kernel = kernel_of(GetParam(), name, "SFPNOP");
    const std::string source = fmt::format(
        "REPLAY {}, 4, 0, 1\nSFPLOAD L0, SRCB, {}, 0\n{}\nSFPSTORE L0, SRCB, {}, 0\n"
        "INCRWC DstInc=2\n.repeat 32\nREPLAY {}, 4, 0, 0\n.endr\n",
        first, still, operation, still, first);
    kernel.plain.program = assembled_program(GetParam(), source);
    for (ProgramWord& each : kernel.plain.program.words) {
      if (each.line <= 5)
        each.line = line_number({.file = "", .line = each.line, .part = ProgramPart::Init});
    }
    return kernel;
  };
  const auto found =
      conflicts_of({recorded("a", "SFPABS L0, L0, 1", 0), recorded("b", "SFPMOV L0, L0, 1", 2)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].resource, "replay slots 2 to 3");
  EXPECT_EQ(found[0].reader, 0U);
  EXPECT_TRUE(
      conflicts_of({recorded("a", "SFPABS L0, L0, 1", 0), recorded("b", "SFPMOV L0, L0, 1", 4)})
          .empty());
}

// The first kernel's accesses go by a section that moves nothing until the second one's init.
TEST_P(ChainOnBothChips, AnAddrModThatIsProgrammedAnewIsNamed) {
  ChainKernel first = kernel_of(GetParam(), "a", "SFPABS L0, L0, 1");
  first.plain.program = assembled_program(
      GetParam(),
      ".repeat 32\nSFPLOAD L0, SRCB, 1, 0\nSFPABS L0, L0, 1\nSFPSTORE L0, SRCB, 1, 0\n"
      "INCRWC DstInc=2\n.endr\n");
  const unsigned word = arch_params(GetParam()).config.addr_mod_dst_word + 1;
  const auto found = conflicts_of(
      {first, kernel_of(GetParam(), "b", "SFPMOV L0, L0, 1", fmt::format("SETC16 {}, 4", word))});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].resource, "ADDR_MOD_1");
  EXPECT_EQ(found[0].writer, 1U);
}

/// What the tuner makes of rows, as a kernel.
ChainKernel tuned_kernel(Arch arch, const std::string& name, std::string_view body) {
  const auto tuned = tune(plain_rows(arch, body), quick_options());
  EXPECT_TRUE(tuned && tuned->tuned);
  return {name, {arch, to_program(*tuned->tuned, name), true}};
}

// Tuned programs take the same macros, templates and replay slots, each for itself.
TEST_P(ChainOnBothChips, MacrosAreContracts) {
  const std::vector<ChainKernel> kernels{tuned_kernel(GetParam(), "a", "SFPABS L0, L0, 1"),
                                         tuned_kernel(GetParam(), "b", "SFPMOV L0, L0, 1")};
  std::set<std::string> resources;
  for (const Conflict& each : conflicts_of(kernels)) resources.insert(each.resource);
  EXPECT_TRUE(resources.contains("macro template 0"));
  const ChainResult result = chained(kernels, quick_options());
  EXPECT_FALSE(result.conflicts.empty());
  const std::vector<ChainKernel> plain{kernel_of(GetParam(), "a", "SFPABS L0, L0, 1"),
                                       kernel_of(GetParam(), "b", "SFPMOV L0, L0, 1")};
  const auto proof = prove_program(plain_chain(linked(plain), InitPlace::First), result.plain, {});
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->different, 0U); // each behind its own init
}

TEST_P(ChainOnBothChips, FusedInRegistersItTakesNoSecondPass) {
  const ChainResult result = chained({kernel_of(GetParam(), "a", "SFPABS L0, L0, 1"),
                                      kernel_of(GetParam(), "b", "SFPMOV L0, L0, 1")},
                                     quick_options());
  EXPECT_EQ(result.taken, ChainWay::Fused);
  EXPECT_EQ(result.roundings, 0U);
  EXPECT_TRUE(result.fused.proof.holds);
  EXPECT_EQ(result.fused.proof.inputs, 65536U);
  EXPECT_LE(result.fused.cycles, result.placed.cycles);
}

// A product has more bits than bf16, and a store cuts them off: in registers an operation does.
TEST_P(ChainOnBothChips, AStoreThatRoundsBecomesAnOperation) {
  const std::vector<ChainKernel> kernels{scaled(GetParam(), "a", "0x3fc1"),
                                         scaled(GetParam(), "b", "0x3fc1")};
  const auto links = linked(kernels);
  const auto fusion = fuse(links, {});
  ASSERT_TRUE(fusion);
  EXPECT_EQ(fusion->roundings, 1U);
  TuneOptions right = quick_options();
  right.macros = false;
  right.row = fusion->row;
  const auto rounded = tune(plain_chain(links, InitPlace::First), right);
  ASSERT_TRUE(rounded);
  EXPECT_TRUE(rounded->tuned);
  // Without it, the proof finds the difference.
  TuneOptions wrong = quick_options();
  wrong.macros = false;
  wrong.row = fused_row(links, {false});
  const auto unrounded = tune(plain_chain(links, InitPlace::First), wrong);
  ASSERT_TRUE(unrounded);
  EXPECT_FALSE(unrounded->tuned);
}

TEST_P(ChainOnBothChips, ThirtyTwoBitsKeepAllOfThem) {
  const auto links = linked({scaled(GetParam(), "a", "0x3fc1"), scaled(GetParam(), "b", "0x3fc1")});
  const auto fusion = fuse(links, {.format = formats::Format::FP32});
  ASSERT_TRUE(fusion);
  EXPECT_TRUE(fusion->row);
  EXPECT_EQ(fusion->roundings, 0U);
}

// The proof goes through 2^32 inputs; here a part of them is compared, denormals among them.
TEST_P(ChainOnBothChips, ThirtyTwoBitsAreFusedAsTheyAre) {
  const auto links =
      linked({scaled(GetParam(), "a", "0x3fc1"), kernel_of(GetParam(), "b", "SFPABS L0, L0, 1")});
  TuneOptions options = quick_options();
  options.macros = false;
  options.proof.format = formats::Format::FP32;
  options.row = fuse(links, options.proof)->row;
  const Plain plain = plain_chain(links, InitPlace::First);
  options.proof.judge = [&](const Plain& other) {
    return find_difference(plain, other, {.format = formats::Format::FP32});
  };
  const auto result = tune(plain, options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->tuned);
  // A row that rounds as bf16 does is none of it.
  options.row = fused_row(links, {true});
  const auto rounded = tune(plain, options);
  ASSERT_TRUE(rounded);
  EXPECT_FALSE(rounded->tuned);
}

/// Both tuned by themselves, side by side.
Tuned placed_of(const std::vector<ChainKernel>& kernels, unsigned pads, bool macros = true) {
  std::vector<SidePart> parts;
  TuneOptions options = quick_options();
  options.macros = macros;
  for (const ChainKernel& each : kernels) {
    const auto tuned = tune(each.plain, options);
    EXPECT_TRUE(tuned && tuned->tuned);
    parts.push_back({each.name, *tuned->tuned});
  }
  return side_by_side(parts, pads);
}

TEST_P(ChainOnBothChips, PlacedProgramsDoWhatTheKernelsDo) {
  const std::vector<ChainKernel> kernels{scaled(GetParam(), "a", "0x3fc1"),
                                         kernel_of(GetParam(), "b", "SFPABS L0, L0, 1"),
                                         scaled(GetParam(), "c", "0x4021")};
  const auto links = linked(kernels);
  const Tuned tuned = placed_of(kernels, 10);
  const auto proof = prove_program(plain_chain(links, InitPlace::Each),
                                   {tuned.arch, to_program(tuned, "placed"), true}, {});
  ASSERT_TRUE(proof);
  EXPECT_TRUE(proof->holds) << proof->failure << "\n" << to_assembly(tuned);
  EXPECT_EQ(tuned.macros, 2U); // both products have one in common
}

// Bodies that the replay buffer does not hold all at once.
TEST_P(ChainOnBothChips, ABodyWithoutRoomIsRecordedForEachTile) {
  std::string products;
  for (int i = 0; i < 11; ++i) products += "SFPMUL L0, L0, L9, L0, 0\nSFPNOP\n";
  const std::vector<ChainKernel> kernels{
      kernel_of(GetParam(), "a", products + "SFPABS L0, L0, 1"),
      kernel_of(GetParam(), "b", products + "SFPMOV L0, L0, 1"),
      kernel_of(GetParam(), "c", products + "SFPABS L0, L0, 1\nSFPMOV L0, L0, 1")};
  const Tuned tuned = placed_of(kernels, 0, false);
  EXPECT_NE(to_assembly(tuned).find("recorded for each tile"), std::string::npos);
  const auto proof = prove_program(plain_chain(linked(kernels), InitPlace::Each),
                                   {tuned.arch, to_program(tuned, "placed"), true}, {});
  ASSERT_TRUE(proof);
  EXPECT_TRUE(proof->holds) << proof->failure << "\n" << to_assembly(tuned);
}

// Two programs of the same constants have one template, and one macro, in common.
TEST_P(ChainOnBothChips, EqualMacrosAndConstantsAreShared) {
  const Tuned tuned =
      placed_of({scaled(GetParam(), "a", "0x3fc1"), scaled(GetParam(), "b", "0x3fc1")}, 0);
  EXPECT_EQ(tuned.macros, 1U);
  EXPECT_EQ(tuned.templates, 1U);
}

// LLK sets the counters to the tile's begin in front of each operation, and moves them on from face
// to face: each kernel is found at the same rows, and what runs once stays in front.
TEST_P(ChainOnBothChips, AKernelThatSetsTheCountersBeginsTheTileAnew) {
  const std::string still = GetParam() == Arch::Blackhole ? "7" : "3";
  const auto on_faces = [&](const std::string& name, const std::string& operation) {
    std::string source = "SETRWC 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1\n";
    for (int face = 0; face < 4; ++face) {
      source += fmt::format(
          ".repeat 8\nSFPLOAD L0, SRCB, {}, 0\n{}\nSFPSTORE L0, SRCB, {}, 0\nINCRWC DstInc=2\n"
          ".endr\n",
          still, operation, still);
      if (face != 3)
        for (int half = 0; half < 2; ++half)
          source += "SETRWC 0, 0, 0, 1, 0, 0, 8, 0, 0, 0, 1, 0, 0\n";
    }
    ChainKernel kernel = kernel_of(GetParam(), name, "SFPNOP");
    kernel.plain.program = assembled_program(GetParam(), source);
    ProgramWord& first = kernel.plain.program.words.front();
    first.line = line_number({.file = "", .line = 1, .part = ProgramPart::Init});
    return kernel;
  };
  const std::vector<ChainKernel> kernels{on_faces("a", "SFPABS L0, L0, 1"),
                                         on_faces("b", "SFPMOV L0, L0, 1")};
  const auto links = linked(kernels);
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[1].moved, 0U);
  std::size_t begins = 0;
  for (const ProgramWord& each : plain_chain(links, InitPlace::First).program.words)
    begins += each.word == kernels[0].plain.program.words[0].word ? 1 : 0;
  EXPECT_EQ(begins, 2U);
  const ChainResult result = chained(kernels, quick_options());
  ASSERT_NE(result.best(), nullptr);
  const Plain both = plain_rows(GetParam(), "SFPABS L0, L0, 1\nSFPMOV L0, L0, 1", "", 32);
  EXPECT_EQ(find_difference(both, result.plain, ProofOptions{}).value_or("an error"), "");
}

TEST_P(ChainOnBothChips, WhatAChainCannotHaveIsSaid) {
  const auto refusal = [&](const std::vector<ChainKernel>& kernels, const TuneOptions& options) {
    const auto result = tune_chain(kernels, options);
    return result ? "" : result.error().message;
  };
  const ChainKernel abs = kernel_of(GetParam(), "a", "SFPABS L0, L0, 1");
  EXPECT_NE(refusal({abs, abs}, {.proof = {.operands = 2}}).find("one operand"), std::string::npos);
  EXPECT_NE(refusal({abs, kernel_of(GetParam(), "b", "SFPTRANSP")}, {}).find("b: "),
            std::string::npos);
  const ChainKernel half{"half", plain_rows(GetParam(), "SFPABS L0, L0, 1", "", 16)};
  EXPECT_NE(refusal({abs, half}, {}).find("half stores 16 rows"), std::string::npos);
}

} // namespace
} // namespace lanewise::tune
