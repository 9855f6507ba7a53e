// The check of LLK's kernels on kernels of our own, of the kinds that LLK has: SFPI, raw words,
// tables handed over in LRegs, the replay buffer, SFPLOADMACRO.
#include "study/corpus/llk/check.h"

#include <gtest/gtest.h>

#include "report/llk/report.h"
#include "sfpi/kernel_files.h"

namespace lanewise::corpus {
namespace {

constexpr const char* kHeaders = R"(#pragma once
#include "ckernel_defs.h"
#include "sfpi.h"
#define NO_INCREMENT sfpi::SFPLOAD_ADDR_MODE_NOINC
namespace ckernel::sfpu {
template <int ITERATIONS>
inline void twice() {
  for (int d = 0; d < ITERATIONS; d++) {
    sfpi::vFloat v = sfpi::dst_reg[0];
    sfpi::dst_reg[0] = v + v;
    sfpi::dst_reg++;
  }
}
template <int ITERATIONS>
inline void add_words(std::uint32_t in0, std::uint32_t in1, std::uint32_t out) {
  for (int d = 0; d < ITERATIONS; d++) {
    TT_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::INT32, NO_INCREMENT, in0 * 64);
    TT_SFPLOAD(p_sfpu::LREG1, InstrModLoadStore::INT32, NO_INCREMENT, in1 * 64);
    TTI_SFPIADD(0, p_sfpu::LREG0, p_sfpu::LREG1, 4);
    TT_SFPSTORE(p_sfpu::LREG1, InstrModLoadStore::INT32, NO_INCREMENT, out * 64);
    sfpi::dst_reg++;
  }
}
inline void load_factor() {
  TTI_SFPLOADI(p_sfpu::LREG2, 8, 0x4040);
  TTI_SFPLOADI(p_sfpu::LREG2, 10, 0);
}
inline void scale() {
  sfpi::vFloat factor = sfpi::l_reg[sfpi::LRegs::LReg2];
  for (int d = 0; d < 8; d++) {
    sfpi::vFloat v = sfpi::dst_reg[0];
    sfpi::dst_reg[0] = v * factor;
    sfpi::dst_reg++;
  }
  sfpi::l_reg[sfpi::LRegs::LReg2] = factor;
}
inline void record_negation() {
  lltt::record(0, 3);
  TTI_SFPLOAD(p_sfpu::LREG0, 0, NO_INCREMENT, 0);
  TTI_SFPMOV(0, p_sfpu::LREG0, p_sfpu::LREG1, 1);
  TTI_SFPSTORE(p_sfpu::LREG1, 0, NO_INCREMENT, 64);
}
inline void negate_to_next_tile() {
  for (int d = 0; d < 32; d++) {
    lltt::replay(0, 3);
    sfpi::dst_reg++;
  }
}
// Macro 0: a negation on Simple with delay 0, and a store of the same register with delay 1.
template <int mode>
inline void negate_by_macro() {
#ifndef DISABLE_SFPLOADMACRO
  TTI_SFPMOV(0, 0, 12, mode);
  TTI_SFPLOADI(0, 10, 0x0004);
  TTI_SFPLOADI(0, 8, 0x0B00);
  TTI_SFPCONFIG(0, 4, 0);
  TTI_SFPNOP;
#endif
  for (int d = 0; d < 8; d++) {
#ifdef DISABLE_SFPLOADMACRO
    TTI_SFPLOAD(p_sfpu::LREG0, 0, NO_INCREMENT, 0);
    TTI_SFPMOV(0, p_sfpu::LREG0, p_sfpu::LREG0, 1);
    TTI_SFPSTORE(p_sfpu::LREG0, 0, NO_INCREMENT, 0);
#else
    TTI_SFPLOADMACRO(0, 0, NO_INCREMENT, 0);
#endif
    sfpi::dst_reg++;
    TTI_SFPNOP;
    TTI_SFPNOP;
  }
}
inline void wide_or_narrow(bool is_wide) {
  for (int d = 0; d < 8; d++) {
    sfpi::dst_reg[0] = is_wide ? 32.0f : 16.0f;
    sfpi::dst_reg++;
  }
}
} // namespace ckernel::sfpu
)";

class LlkCheck : public testing::Test {
 protected:
  LlkCheck() {
    for (const char* chip : {"tt_llk_blackhole", "tt_llk_wormhole_b0"}) {
      folder_.write(std::string(chip) + "/common/inc/sfpu/ckernel_sfpu_own.h", kHeaders);
    }
  }

  std::vector<LlkResult> check(const LlkKernel& kernel,
                               std::vector<Arch> chips = {kArchs.begin(), kArchs.end()}) {
    const auto checkout = checkouts::Checkout::open(folder_.path(), chips);
    EXPECT_TRUE(checkout.has_value());
    return check_llk_kernel(kernel, *checkout, {.chips = std::move(chips)});
  }
  void expect_all_ok(const LlkKernel& kernel, std::size_t runs) {
    const auto results = check(kernel);
    EXPECT_EQ(results.size(), runs);
    for (const LlkResult& result : results) {
      EXPECT_EQ(result.verdict, LlkVerdict::Ok) << result.reason;
      EXPECT_TRUE(result.compiled);
      EXPECT_GT(result.words, 0U);
      EXPECT_GT(result.compared, 0U);
    }
  }
  /// Why the kernel fails on Blackhole.
  std::string failure(const LlkKernel& kernel) {
    const auto results = check(kernel, {Arch::Blackhole});
    EXPECT_EQ(results.size(), 1U);
    if (results.empty()) return "";
    EXPECT_EQ(results[0].verdict, LlkVerdict::Fail);
    return results[0].reason;
  }

  static LlkKernel twice() {
    return {.name = "twice",
            .header = "own",
            .call = "twice<8>()",
            .domain = {.text = "|x| < 2^126",
                       .holds = [](double x, double) { return x < 0x1p126 && x > -0x1p126; }},
            .reference = [](double x) { return x + x; }};
  }

  sfpi::TemporaryFolder folder_;
  sfpi::Environment cache_{"LANEWISE_CACHE", sfpi::test_cache()};
};

TEST_F(LlkCheck, SfpiKernelOnBothChipsAndWidths) {
  LlkKernel kernel = twice();
  kernel.dst = {{.format = formats::Format::BF16}, {.format = formats::Format::FP32}};
  expect_all_ok(kernel, 4);
}

TEST_F(LlkCheck, RawWordsWithTwoInputs) {
  expect_all_ok({.name = "add",
                 .header = "own",
                 .call = "add_words<8>(0, 1, 2)",
                 .dst = {{.format = formats::Format::UINT32}},
                 .inputs = {{"every"}, {"shuffled"}},
                 .outputs = {{.tile = 2}},
                 .reference = [](std::uint32_t x, std::uint32_t y) { return x + y; }},
                2);
}

TEST_F(LlkCheck, LRegsKeepWhatInitLoads) {
  expect_all_ok({.name = "scale",
                 .header = "own",
                 .init = "load_factor()",
                 .call = "scale()",
                 .dst = {{.format = formats::Format::BF16, .bound = {.ulp = 1}}},
                 .domain = {.text = "|x| < 2^126",
                            .holds = [](double x, double) { return x < 0x1p126 && x > -0x1p126; }},
                 .reference = [](double x) { return x * 3; }},
                2);
}

TEST_F(LlkCheck, ReplayAndATileFunction) {
  expect_all_ok({.name = "negate",
                 .header = "own",
                 .init = "record_negation()",
                 .call = "negate_to_next_tile()",
                 .faces = sfpi::Faces::Whole,
                 .inputs = {{"distinct"}},
                 .outputs = {{.tile = 0}, {.tile = 1}},
                 .reference =
                     [](std::span<const NumberTile> in, std::span<Answers> out) {
                       for (unsigned i = 0; i < tensors::kTileElements; ++i) {
                         out[0][i] = in[0][i];
                         out[1][i] = -in[0][i];
                       }
                     }},
                2);
}

TEST_F(LlkCheck, WidthOfDstIsFilledIn) {
  expect_all_ok({.name = "wide",
                 .header = "own",
                 .call = "wide_or_narrow({FP32})",
                 .dst = {{.format = formats::Format::FP32}},
                 .reference = [](double) { return 32.0; }},
                2);
  expect_all_ok({.name = "narrow",
                 .header = "own",
                 .call = "wide_or_narrow({FP32})",
                 .reference = [](double) { return 16.0; }},
                2);
}

LlkKernel negation_by_macro(std::string call) {
  return {.name = "negate",
          .header = "own",
          .call = std::move(call),
          .domain = {.text = "finite"},
          .has_twin = true,
          .reference = [](double x) { return -x; }};
}

TEST_F(LlkCheck, MacrosRunAndEqualTheirTwin) {
  const auto results = check(negation_by_macro("negate_by_macro<1>()"));
  ASSERT_EQ(results.size(), 4U); // both chips with macros, then both without
  for (const LlkResult& result : results) {
    EXPECT_EQ(result.verdict, LlkVerdict::Ok) << result.reason;
    EXPECT_EQ(result.macros, !result.twin);
    EXPECT_EQ(result.equals_twin, !result.twin);
  }
}

TEST_F(LlkCheck, MacrosThatDifferFromTheirTwinFail) {
  LlkKernel kernel =
      negation_by_macro("negate_by_macro<0>()"); // the macro copies, its twin negates
  kernel.reference = +[](std::span<const NumberTile>, std::span<const NumberTile>) {
    return std::optional<std::string>{};
  };
  const auto results = check(kernel, {Arch::Blackhole});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].verdict, LlkVerdict::Fail);
  EXPECT_NE(results[0].reason.find("with macros"), std::string::npos) << results[0].reason;
}

TEST_F(LlkCheck, WrongResultsOfAKnownDefectHaveAVerdictOfTheirOwn) {
  LlkKernel kernel = twice();
  kernel.defect = "four is wrong";
  kernel.reference = [](double x) { return x == 4 ? 9 : x + x; };
  const auto results = check(kernel, {Arch::Blackhole});
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].verdict, LlkVerdict::KnownDefect);
  EXPECT_NE(results[0].reason.find("four is wrong: 1 of "), std::string::npos);
  kernel.reference = [](double x) { return x + x; };
  EXPECT_EQ(check(kernel, {Arch::Blackhole})[0].verdict, LlkVerdict::Ok) << "a checkout without it";
  kernel.call = "no_such_function()";
  EXPECT_EQ(check(kernel, {Arch::Blackhole})[0].verdict, LlkVerdict::Fail) << "another reason";
}

TEST_F(LlkCheck, MacrosWithAKnownDefectAreNotHeldAgainstTheirTwin) {
  LlkKernel kernel =
      negation_by_macro("negate_by_macro<0>()"); // the macro copies, its twin negates
  kernel.defect = "copies";
  const auto results = check(kernel, {Arch::Blackhole});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].verdict, LlkVerdict::KnownDefect);
  EXPECT_FALSE(results[0].equals_twin);
  EXPECT_EQ(results[1].verdict, LlkVerdict::Ok) << results[1].reason;
}

TEST_F(LlkCheck, WrongResultsAreCountedAndShown) {
  LlkKernel kernel = twice();
  kernel.reference = [](double x) { return x == 4 ? 9 : x + x; };
  const std::string reason = failure(kernel);
  EXPECT_NE(reason.find("1 of "), std::string::npos) << reason;
  EXPECT_NE(reason.find("of 4: 8 instead of 9"), std::string::npos) << reason;

  kernel.reference = [](std::uint32_t x) { return x == 0x40800000 ? 0U : x + 0x00800000; };
  kernel.domain = {.text = "1 <= x <= 8",
                   .holds = [](double x, double) { return x >= 1 && x <= 8; }};
  EXPECT_NE(failure(kernel).find("of 4: 41000000 instead of 00000000"), std::string::npos);
}

TEST_F(LlkCheck, VerdictOfRandomResults) {
  LlkKernel kernel = twice();
  kernel.reference = [](std::span<const NumberTile>, std::span<const NumberTile>) {
    return std::optional<std::string>("too regular");
  };
  EXPECT_EQ(failure(kernel), "too regular");
}

TEST_F(LlkCheck, EmptyDomainIsAMistake) {
  LlkKernel kernel = twice();
  kernel.domain.holds = [](double, double) { return false; };
  EXPECT_NE(failure(kernel).find("no input lies in the domain"), std::string::npos);
}

TEST_F(LlkCheck, KernelsThatDoNotCompileAreFailures) {
  LlkKernel kernel = twice();
  kernel.call = "thrice<8>()";
  EXPECT_NE(failure(kernel).find("thrice"), std::string::npos);
  kernel.header = "missing";
  EXPECT_NE(failure(kernel).find("ckernel_sfpu_missing.h"), std::string::npos);
}

TEST_F(LlkCheck, ProgressCanStop) {
  const auto checkout = checkouts::Checkout::open(folder_.path(), kArchs);
  ASSERT_TRUE(checkout.has_value());
  LlkCheckOptions options;
  std::vector<std::string> names;
  options.progress = [&](const std::string& name) {
    names.push_back(name);
    return false;
  };
  EXPECT_TRUE(check_llk_kernel(twice(), *checkout, options).empty());
  EXPECT_EQ(names, std::vector<std::string>{"twice"});
}

TEST_F(LlkCheck, ReportNamesKnownDefects) {
  LlkKernel kernel = twice();
  kernel.defect = "it doubles";
  kernel.reference = [](double x) { return x; };
  const auto results = check(kernel, {Arch::Blackhole});
  report::LlkHeaderRows headers(
      {{.name = "own", .chips = {Arch::Blackhole}, .kernels = {"twice"}}});
  count_results(headers, results);
  const std::string table = report::llk_table(results, headers);
  for (const char* part :
       {"known defect\n", "twice, bh, bf16: it doubles: 64512 of 64514 are wrong",
        "own     bh           1     1  ok, 1 known defects",
        "1 runs: 0 ok, 1 known defects of the checkout, 0 failed"}) {
    EXPECT_NE(table.find(part), std::string::npos) << part << " in\n" << table;
  }
}

TEST_F(LlkCheck, ReportHasARowPerResult) {
  LlkKernel kernel = twice();
  std::vector<LlkResult> results = check(kernel);
  kernel.reference = [](double x) { return x; };
  for (LlkResult& result : check(kernel)) results.push_back(std::move(result));
  report::LlkHeaderRows headers({{.name = "own", .chips = {Arch::Blackhole}, .kernels = {"twice"}},
                                 {.name = "new", .chips = {Arch::Wormhole}, .unchecked = {"_f_"}}});
  count_results(headers, results);
  const std::string table = report::llk_table(results, headers);
  EXPECT_NE(table.find("4 runs: 2 ok, 2 failed; 1 of 2 headers; 0 with SFPLOADMACRO"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("own     bh           1     4  FAIL"), std::string::npos) << table;
  EXPECT_NE(table.find("new     wh           0     0  no reference for _f_"), std::string::npos)
      << table;
  EXPECT_NE(table.find("twice, wh, bf16: "), std::string::npos) << table;
  const auto json = report::llk_json(results, headers);
  ASSERT_EQ(json.size(), 5U) << "the results, and the header without a reference";
  EXPECT_EQ(json[0]["header"], "own");
  EXPECT_EQ(json[4]["header"], "new");
  EXPECT_EQ(json[4]["verdict"], "no reference");
  EXPECT_EQ(json[0]["verdict"], "ok");
  EXPECT_EQ(json[0]["format"], "bf16");
  EXPECT_EQ(json[3]["verdict"], "FAIL");
  EXPECT_EQ(json[3]["arch"], "wh");
}

TEST(LlkReport, ListNamesCallsAndDomains) {
  const LlkKernel kernel{.name = "twice",
                         .header = "own",
                         .call = "twice<8>()",
                         .domain = {.text = "|x| < 2^126"},
                         .reference = [](double x) { return x + x; }};
  const std::array<const LlkKernel*, 1> kernels{&kernel};
  const std::string list = report::llk_list(kernels);
  EXPECT_NE(list.find("twice: bh,wh; bf16; inputs: |x| < 2^126"), std::string::npos) << list;
  EXPECT_NE(list.find("twice<8>();"), std::string::npos) << list;
}

} // namespace
} // namespace lanewise::corpus
