// What 'tune --corpus --emit patch' prints, as text and as JSON.
#include "report/tune/patch_table.h"

#include <gtest/gtest.h>

namespace lanewise::report {
namespace {

using corpus::PatchedCorpus;
using corpus::PatchedKernel;
using corpus::WideProof;

/// Two kernels in one patched header, and one in a header that is not patched.
PatchedCorpus small_corpus() {
  const PatchedKernel square{.kernel = "square",
                             .variant = "bf16",
                             .plain_cycles = 128,
                             .cycles = 64,
                             .init_in_call = true,
                             .wide = WideProof::Sampled};
  const PatchedKernel cube{
      .kernel = "cube", .variant = "bf16", .plain_cycles = 100, .cycles = 50.2};
  const PatchedKernel silu{
      .kernel = "silu", .variant = "bf16", .why = "a | b", .plain_cycles = 1281};
  return {.headers = {{.path = "a/ckernel_sfpu_square.h",
                       .arch = Arch::Wormhole,
                       .diff = "--- a",
                       .kernels = {square, cube}},
                      {.path = "a/ckernel_sfpu_silu.h", .kernels = {silu}}},
          .all = 2};
}

TEST(PatchTable, HasARowForEachKernelAndTotals) {
  const std::string text = patch_markdown(small_corpus());
  const auto row = [&](const std::string& kernel) {
    const std::size_t at = text.find("| " + kernel + " ");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  };
  const auto has = [](const std::string& line, const std::string& part) {
    return line.find(part) != std::string::npos;
  };
  for (const char* part : {"| wh ", " 128 |", " 64 |", "| each call", "| a sample agrees",
                           "| wh-ckernel_sfpu_square.patch "})
    EXPECT_TRUE(has(row("square"), part)) << part << " in " << row("square");
  for (const char* part : {" 100 |", " 50 |", "| init function", "| shipped text"})
    EXPECT_TRUE(has(row("cube"), part)) << part << " in " << row("cube");
  for (const char* part : {"| bh ", " 1281 |", "| none: a / b "})
    EXPECT_TRUE(has(row("silu"), part)) << part << " in " << row("silu");
  EXPECT_TRUE(has(text, "Of 3 kernels, in their configurations, 2 are in 1 patches.\n"));
  // The root of 64/128 and 50.2/100.
  EXPECT_TRUE(has(text, "Geometric mean of patched to shipped cycles of their tiles: 0.501.\n"));
}

TEST(PatchTable, TheSameAsJson) {
  const auto json = patch_json(small_corpus());
  EXPECT_EQ(json.at("patches"), 1);
  ASSERT_EQ(json.at("kernels").size(), 3U);
  const auto& square = json.at("kernels")[0];
  EXPECT_EQ(square.at("kernel"), "square");
  EXPECT_EQ(square.at("header"), "a/ckernel_sfpu_square.h");
  EXPECT_EQ(square.at("chip"), "wh");
  EXPECT_EQ(square.at("shipped_cycles"), 128);
  EXPECT_EQ(square.at("cycles"), 64);
  EXPECT_EQ(square.at("runs_once"), "each call");
  EXPECT_EQ(square.at("wide"), "a sample agrees");
  EXPECT_EQ(square.at("patch"), "wh-ckernel_sfpu_square.patch");
  EXPECT_EQ(json.at("kernels")[1].at("runs_once"), "init function");
  const auto& silu = json.at("kernels")[2];
  EXPECT_EQ(silu.at("why"), "a | b");
  EXPECT_FALSE(silu.contains("cycles") || silu.contains("patch"));
}

} // namespace
} // namespace lanewise::report
