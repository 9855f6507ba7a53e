// Patches of a checkout's headers: applied by git, compiled as LLK calls them, and held against
// what was shipped and promised.
#include "study/corpus/tune/patch_corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/unified_diff.h"
#include "checkouts/fake_checkout.h"
#include "run/execution/compiled_kernel.h"
#include "run/execution/tile_cost.h"
#include "study/corpus/llk/source.h"
#include "study/corpus/tune/header_text.h"
#include "study/tune/prove.h"

namespace lanewise::corpus {
namespace {

constexpr const char* kSquare =
    "namespace ckernel::sfpu {\n"
    "template <bool APPROXIMATION_MODE, int ITERATIONS = 8>\n"
    "inline void calculate_square() {\n"
    "    for (int d = 0; d < ITERATIONS; d++) {\n"
    "        sfpi::vFloat x = sfpi::dst_reg[0];\n"
    "        sfpi::dst_reg[0] = x * x * x * x + x;\n"
    "        sfpi::dst_reg++;\n"
    "    }\n"
    "}\n"
    "}  // namespace ckernel::sfpu\n";

/// With an init function; `constant`: from which the function takes its number.
std::string with_init(const std::string& constant, const std::string& set) {
  return "namespace ckernel::sfpu {\n"
         "template <bool APPROXIMATION_MODE, int ITERATIONS = 8>\n"
         "inline void calculate_gelu() {\n"
         "    for (int d = 0; d < ITERATIONS; d++) {\n"
         "        sfpi::vFloat x = sfpi::dst_reg[0];\n"
         "        sfpi::dst_reg[0] = x * " +
         constant +
         " + x * x;\n"
         "        sfpi::dst_reg++;\n"
         "    }\n"
         "}\n"
         "template <bool APPROXIMATION_MODE>\n"
         "void gelu_init() { " +
         set +
         " }\n"
         "}\n";
}

class PatchCorpus : public testing::Test {
 protected:
  static constexpr Arch kChip = Arch::Blackhole;

  CorpusTuning tuning() const {
    CorpusTuning all{.folder = fake_.metal(), .chips = {kChip}};
    all.tune.steps_per_interval = 2000;
    return all;
  }
  PatchedCorpus patch() const {
    auto patched = patch_corpus(tuning(), [](const std::string&) { return true; });
    EXPECT_TRUE(patched.has_value()) << (patched ? "" : to_string(patched.error()));
    return patched ? std::move(*patched) : PatchedCorpus{};
  }
  std::string why_not(const std::string& kernel) const {
    for (const PatchedCorpus::Header& header : patch().headers)
      for (const PatchedKernel& each : header.kernels)
        if (each.kernel == kernel) return each.why;
    return "no such kernel";
  }
  tune::Plain compiled(const std::string& kernel, formats::Format format) const {
    const auto checkout = checkouts::Checkout::open(fake_.metal(), std::array{kChip});
    CorpusTuning one = tuning();
    one.kernels = {kernel};
    const auto cases = tune_cases(*checkout, one);
    const sfpi::KernelSource source =
        llk_source(*cases->cases.front().kernel, format, false, kChip, *checkout);
    auto program = execution::compile_kernel(kChip, source, {});
    EXPECT_TRUE(program.has_value()) << (program ? "" : to_string(program.error()));
    return {kChip, program ? std::move(program->compiled.program) : Program{}, true};
  }
  /// git applies the patch in the checkout.
  void apply(const PatchedCorpus::Header& header) {
    const std::filesystem::path file = fake_.folder().path() / corpus::patch_file_name(header);
    std::ofstream(file, std::ios::binary) << header.diff;
    const std::string command =
        "cd '" + fake_.metal() + "' && git apply --whitespace=nowarn '" + file.string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0) << header.diff; // NOLINT(concurrency-mt-unsafe)
  }
  /// The applied patch computes what was shipped, in the cycles that it promises.
  void expect_applies(const std::string& kernel, bool init_in_call) {
    const tune::Plain shipped = compiled(kernel, formats::Format::BF16);
    const tune::Plain wide = compiled(kernel, formats::Format::FP32);
    const PatchedCorpus patched = patch();
    ASSERT_EQ(patched.headers.size(), 1U);
    const PatchedKernel& promised = patched.headers.front().kernels.front();
    ASSERT_EQ(promised.why, "");
    EXPECT_EQ(promised.init_in_call, init_in_call);
    EXPECT_LT(promised.cycles, promised.plain_cycles);
    apply(patched.headers.front());
    const tune::Plain applied = compiled(kernel, formats::Format::BF16);
    EXPECT_NE(applied.program.words.size(), shipped.program.words.size()) << "it is another one";
    const auto proof = tune::prove_program(shipped, applied, {});
    ASSERT_TRUE(proof.has_value());
    EXPECT_TRUE(proof->holds) << proof->failure;
    EXPECT_EQ(proof->inputs, 65536U);
    const auto cost = execution::tile_cost_of(kChip, applied.program, {});
    EXPECT_EQ(cost->pass.cycles, promised.cycles);
    EXPECT_EQ(promised.wide, WideProof::Sampled);
    const auto difference = tune::find_difference(wide, compiled(kernel, formats::Format::FP32),
                                                  {.format = formats::Format::FP32});
    EXPECT_EQ(difference.value_or("failed"), "");
  }

  checkouts::FakeCheckout fake_;
  sfpi::Environment cache_{"LANEWISE_CACHE", sfpi::test_cache()};
};

TEST_F(PatchCorpus, WithoutAnInitFunctionWhatRunsOnceStandsInEachCall) {
  fake_.add("square", kSquare);
  expect_applies("square", true);
}

TEST_F(PatchCorpus, WhatRunsOnceGoesToTheEndOfTheInitFunction) {
  fake_.add("gelu", with_init("0.3f", "sfpi::vConstFloatPrgm2 = 0.25f;"));
  expect_applies("gelu", false);
}

TEST_F(PatchCorpus, OtherConfigurationsTakeTheShippedText) {
  fake_.add("square", kSquare);
  const PatchedCorpus patched = patch();
  apply(patched.headers.front());
  const auto checkout = checkouts::Checkout::open(fake_.metal(), std::array{kChip});
  CorpusTuning one = tuning();
  const auto cases = tune_cases(*checkout, one);
  sfpi::KernelSource source =
      llk_source(*cases->cases.front().kernel, formats::Format::BF16, false, kChip, *checkout);
  const auto uses_macros = [&] {
    const auto program = execution::compile_kernel(kChip, source, {});
    EXPECT_TRUE(program.has_value());
    constexpr std::uint32_t kLoadMacro = 0x93; // opcode of SFPLOADMACRO
    return std::ranges::any_of(program->compiled.program.words, [](const ProgramWord& each) {
      return each.word >> 24 == kLoadMacro;
    });
  };
  EXPECT_TRUE(uses_macros());
  source.calls = {"ckernel::sfpu::calculate_square<false, 4>()"};
  EXPECT_FALSE(uses_macros()) << "another number of iterations";
}

TEST_F(PatchCorpus, ConfigurationsThatClashAreNamed) {
  // The shipped text reads two constants of its init function, and the tuned one has its own in
  // their registers.
  fake_.add("gelu", with_init("(x * sfpi::vConstFloatPrgm1 + sfpi::vConstFloatPrgm2)",
                              "sfpi::vConstFloatPrgm1 = 0.3f; "
                              "sfpi::vConstFloatPrgm2 = 7.0f;"));
  const std::string why = why_not("gelu");
  EXPECT_TRUE(why.starts_with("other configuration: the shipped text, which it takes")) << why;
}

TEST_F(PatchCorpus, AnInitFunctionThatKnowsMoreIsNamed) {
  std::string header = with_init("sfpi::vConstFloatPrgm0", "sfpi::vConstFloatPrgm0 = SCALE;");
  const std::string old = "template <bool APPROXIMATION_MODE>";
  header.replace(header.find(old), old.size(), "template <bool APPROXIMATION_MODE, int SCALE = 3>");
  fake_.add("gelu", header);
  EXPECT_EQ(why_not("gelu"),
            "other configuration: gelu_init depends on SCALE, which calculate_gelu "
            "does not know");
}

// -------------------------------------------------------------------- the text of a header

TEST(HeaderText, FindsFunctionsBetweenCommentsStringsAndMacros) {
  const std::string text =
      "// void f() {\n#define g() { \\\n  }\nconst char* s = \"f() {\";\n"
      "template <class T>\nstruct S {};\n"
      "template <bool A = (1 > 0), int N = 2 + (3)>\ninline void f(int x, "
      "const unsigned y = 4) {\n  g(); if (x) { }\n}\nvoid h() { f<true>(1); }\n";
  const auto f = find_function(text, "f");
  ASSERT_TRUE(f.has_value());
  ASSERT_EQ(f->templates.size(), 2U);
  EXPECT_EQ(f->templates[0].name, "A");
  EXPECT_EQ(f->templates[0].value, "(1 > 0)");
  EXPECT_EQ(f->templates[1].value, "2 + (3)");
  ASSERT_EQ(f->arguments.size(), 2U);
  EXPECT_EQ(f->arguments[1].name, "y");
  EXPECT_EQ(f->arguments[1].value, "4");
  EXPECT_EQ(text.substr(f->close, 4), "}\nvo");
  EXPECT_TRUE(find_function(text, "h")->templates.empty());
  EXPECT_FALSE(find_function(text, "g").has_value()) << "a macro";
  EXPECT_FALSE(find_function(text + "void h(int) {}\n", "h").has_value()) << "two of them";
}

TEST(HeaderText, TakesACallApart) {
  const auto call = parse_call("ckernel::sfpu::f<true, T<1, 2>::x>(8, g(1, 2)); ");
  ASSERT_TRUE(call.has_value());
  EXPECT_EQ(call->name, "f");
  EXPECT_EQ(call->templates, (std::vector<std::string>{"true", "T<1, 2>::x"}));
  EXPECT_EQ(call->arguments, (std::vector<std::string>{"8", "g(1, 2)"}));
  EXPECT_TRUE(parse_call("f()").has_value());
  EXPECT_FALSE(parse_call("f(); g()").has_value());
  EXPECT_FALSE(parse_call("for (int i = 0; i < 8; i++) f()").has_value());
}

} // namespace
} // namespace lanewise::corpus
