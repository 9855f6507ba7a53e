// The list of functions against what there is: the examples, and the specifications of tt-llk.
#include "study/corpus/accuracy/corpus.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "project.h"
#include "study/corpus/accuracy/sweep.h"
#include "study/corpus/llk/corpus.h"

namespace lanewise::corpus {
namespace {

const std::filesystem::path kExamples = in_project("examples");

std::vector<const LlkKernel*> specifications(std::string_view name) {
  std::vector<const LlkKernel*> found;
  for (const LlkKernel& kernel : llk_corpus()) {
    if (kernel.name == name) found.push_back(&kernel);
  }
  return found;
}

/// The operands of a function of the elements in one place; 0 for every other reference.
unsigned operands_of(const LlkKernel& kernel) {
  const LlkReference& f = kernel.reference;
  if (std::holds_alternative<NumberOfOne>(f) || std::holds_alternative<BitsOfOne>(f)) return 1;
  if (std::holds_alternative<NumberOfTwo>(f) || std::holds_alternative<BitsOfTwo>(f)) return 2;
  return 0;
}

bool takes_bf16(const LlkKernel& kernel) {
  const auto is_bf16 = [](const LlkDst& dst) { return dst.format == formats::Format::BF16; };
  return std::ranges::any_of(kernel.dst, is_bf16);
}

TEST(AccuracyCorpus, NamesAreUnique) {
  std::set<std::string> names;
  for (const AccuracyKernel& kernel : accuracy_corpus())
    EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
}

TEST(AccuracyCorpus, HasEveryExampleThatIsSuchAFunction) {
  const std::set<std::string> others{
      "integer.tt",
      "popcount.cpp",  // integers
      "stochastic.tt", // random
      "transpose.tt",  // moves elements
      "elementwise.tt", "elementwise_column.tt", "elementwise_row.tt", "matmul_bh.tt",
      "matmul_wh.tt",   "matmul_relu_bh.tt",     "matmul_relu_wh.tt",  "reduce_column.tt",
      "reduce_row.tt",  "reduce_scalar.tt"}; // the Matrix Unit, with SrcA and SrcB
  std::set<std::string> listed, present;
  for (const AccuracyKernel& kernel : accuracy_corpus()) {
    if (kernel.origin == AccuracyOrigin::Example) listed.insert(kernel.name);
  }
  for (const auto& entry : std::filesystem::directory_iterator(kExamples)) {
    if (entry.is_directory()) continue; // sources for 'lanewise tune'
    const std::string name = entry.path().filename().string();
    const bool is_header = entry.path().extension() == ".h";
    if (!is_header && !others.contains(name)) present.insert(name);
  }
  EXPECT_EQ(listed, present);
}

TEST(AccuracyCorpus, KernelsOfLlkAreSpecifiedForBf16) {
  for (const AccuracyKernel& kernel : accuracy_corpus()) {
    if (kernel.origin == AccuracyOrigin::Example) continue;
    const auto found = specifications(kernel.name);
    EXPECT_FALSE(found.empty()) << kernel.name;
    EXPECT_TRUE(found.empty() || takes_bf16(*found.front())) << kernel.name;
    for (const LlkKernel* specification : found) {
      EXPECT_EQ(operands_of(*specification), kernel.operands) << kernel.name;
      EXPECT_EQ(specification->inputs.size(), kernel.operands) << kernel.name;
    }
  }
}

/// Whether it is another way to call what is listed.
bool is_another_call(std::string_view name) {
  const std::set<std::string_view> others{"threshold_bits", "exp_fast_unclamped_32",
                                          "exp_approx_unchecked_formula"};
  const bool is_fast_root = name.find("sqrt") != std::string_view::npos && name.ends_with("_fast");
  return name.ends_with("_of_a_float") || name.starts_with("recip_steps_") ||
         name.starts_with("comp_") || name.find("_legacy") != std::string_view::npos ||
         is_fast_root || others.contains(name);
}

// The same call is listed once, however many references it is held against in llk_corpus().
TEST(AccuracyCorpus, HasEveryFunctionOfLlk) {
  const auto signature = [](const LlkKernel& kernel) {
    return kernel.header + "|" + kernel.init + "|" + kernel.call;
  };
  std::set<std::string> covered;
  for (const AccuracyKernel& kernel : accuracy_corpus()) {
    if (kernel.origin == AccuracyOrigin::Example) continue;
    for (const LlkKernel* specification : specifications(kernel.name))
      covered.insert(signature(*specification));
  }
  for (const LlkKernel& kernel : llk_corpus()) {
    if (operands_of(kernel) == 0 || !takes_bf16(kernel)) continue;
    if (kernel.header == "fill") continue;                         // a constant, whatever was there
    if (kernel.header.find("cast") != std::string::npos) continue; // from format to format
    if (is_another_call(kernel.name)) continue;
    if (kernel.name == "is_fp16a_zero") continue; // tests for a pattern that no bf16 gives
    EXPECT_TRUE(covered.contains(signature(kernel))) << kernel.name;
  }
}

TEST(AccuracyCorpus, DomainsAreTheSpecifiedOnes) {
  for (const AccuracyKernel& kernel : accuracy_corpus()) {
    if (kernel.origin == AccuracyOrigin::Example) {
      EXPECT_TRUE(kernel.domain.empty()) << kernel.name; // examples hold everywhere
      continue;
    }
    for (const LlkKernel* specification : specifications(kernel.name)) {
      if (specification->domain.nan_and_infinity) continue; // "all but NaN", or a part of that
      const bool has_domain = specification->domain.holds != nullptr;
      EXPECT_EQ(!kernel.domain.empty(), has_domain) << kernel.name;
    }
  }
}

TEST(AccuracyCorpus, InfinitiesAndNanAreInEveryDomain) {
  EXPECT_EQ(domain_expression({.name = "f", .reference = "x"}), "");
  EXPECT_EQ(domain_expression({.name = "f", .reference = "x", .domain = "x > 0"}),
            "!isfinite(x) || (x > 0)");
  EXPECT_EQ(
      domain_expression({.name = "f", .reference = "x + y", .domain = "x > y", .operands = 2}),
      "!isfinite(x) || !isfinite(y) || (x > y)");
}

TEST(AccuracyCorpus, PairsAreSampled) {
  EXPECT_EQ(accuracy_space({.name = "f", .reference = "x"}), sweep::SweepSpace{});
  const sweep::SweepSpace pairs =
      accuracy_space({.name = "f", .reference = "x + y", .operands = 2});
  ASSERT_TRUE(pairs.sample);
  EXPECT_GE(pairs.sample->count, 65536U);
  EXPECT_FALSE(pairs.range);
}

// ---------------------------------------------------------------- programs

const AccuracyKernel& kernel_of(std::string_view name) {
  const auto& corpus = accuracy_corpus();
  const auto found = std::ranges::find(corpus, name, &AccuracyKernel::name);
  if (found == corpus.end()) ADD_FAILURE() << name;
  return found == corpus.end() ? corpus.front() : *found;
}

TEST(AccuracyPrograms, AssemblyAndWordsAreRead) {
  const AccuracySources sources{.examples = kExamples};
  for (const char* name : {"abs.tt", "words.hex"}) {
    const auto programs = accuracy_programs(kernel_of(name), sources, kArchs);
    ASSERT_TRUE(programs) << to_string(programs.error());
    ASSERT_EQ(programs->size(), kArchs.size());
    for (std::size_t i = 0; i < kArchs.size(); ++i) {
      EXPECT_EQ((*programs)[i].arch, kArchs[i]);
      EXPECT_FALSE((*programs)[i].program.words.empty());
      EXPECT_FALSE((*programs)[i].as_kernel); // assembly starts from reset
    }
  }
}

TEST(AccuracyPrograms, KernelsAreCompiled) {
  const std::vector<Arch> chips{Arch::Wormhole};
  const auto programs = accuracy_programs(kernel_of("clamp.cpp"), {.examples = kExamples}, chips);
  ASSERT_TRUE(programs) << to_string(programs.error());
  ASSERT_EQ(programs->size(), 1U);
  EXPECT_EQ(programs->front().arch, Arch::Wormhole);
  EXPECT_TRUE(programs->front().as_kernel);
  EXPECT_FALSE(programs->front().program.words.empty());
}

TEST(AccuracyPrograms, KernelsOfLlkAreForTheChipsWithASpecification) {
  const AccuracyKernel nowhere{.name = "nonsense", .origin = AccuracyOrigin::Llk, .reference = "x"};
  EXPECT_TRUE(accuracy_chips(nowhere, {}, kArchs).empty());
  EXPECT_EQ(accuracy_chips(kernel_of("recip_approx"), {}, kArchs).size(), 2U); // one for each
  EXPECT_EQ(accuracy_chips(kernel_of("abs.tt"), {}, kArchs).size(), 2U);
}

TEST(AccuracyPrograms, WhatIsMissingIsNamed) {
  const auto no_file =
      accuracy_programs(kernel_of("abs.tt"), {.examples = "no/such/folder"}, kArchs);
  ASSERT_FALSE(no_file);
  EXPECT_EQ(no_file.error().kind, FaultKind::BadInput);
  const auto no_checkout = accuracy_programs(kernel_of("gelu"), {.examples = kExamples}, kArchs);
  ASSERT_FALSE(no_checkout);
  EXPECT_NE(no_checkout.error().remedy.find("--llk"), std::string::npos);
  const AccuracyKernel unknown{.name = "nonsense", .origin = AccuracyOrigin::Llk, .reference = "x"};
  ASSERT_FALSE(accuracy_programs(unknown, {.examples = kExamples}, kArchs));
}

} // namespace
} // namespace lanewise::corpus
