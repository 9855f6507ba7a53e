// Entries as tt-eltwise-accuracy-report has them, from results that are made up.
#include "report/accuracy/report_index.h"

#include <gtest/gtest.h>

#include <cmath>

#include "number/formats/format.h"

namespace lanewise::report {
namespace {

using sweep::SweepCase;

/// x, the true result, and the bits that were found.
SweepCase point(std::uint32_t x, double exact, std::uint32_t found) {
  return {.x = x,
          .y = 0,
          .expected = formats::round_to_bits(formats::Format::BF16, exact),
          .found = found,
          .exact = exact};
}

constexpr std::uint32_t kOne = 0x3F80, kTwo = 0x4000, kInfinity = 0x7F80, kNan = 0x7FC0;

TEST(ReportIndex, OutcomesAreCountedOneByOne) {
  const std::vector<SweepCase> cases{
      point(kOne, 1, kOne),             // exact
      point(kOne + 1, 1, kOne + 1),     // one step of 2^-7 from 1: inexact
      point(kOne + 2, 1.002, kOne + 1), // less than one: faithful
      point(kTwo, 0x1p-140, 0),         // too small for a number
      point(kTwo + 1, 1, 0),            // zeroed
      point(kTwo + 2, 1, kInfinity),    // overflow
      point(kTwo + 3, 1, kNan),         // mismatch
      point(kTwo + 4, 0, kOne),         // a number where 0 is expected
      point(kTwo + 5, std::nan(""), kOne),
      point(0x0001, 1, kTwo),    // a denormal: not scored
      point(kInfinity, 1, kTwo), // nor is infinity
  };
  const nlohmann::json entry = report_entry(cases);
  EXPECT_EQ(entry["outcomes"], (nlohmann::json{{"exact", 1},
                                               {"inexact", 1},
                                               {"faithful", 1},
                                               {"flushed", 1},
                                               {"zeroed", 1},
                                               {"overflow", 1},
                                               {"mismatch", 2},
                                               {"undefined", 1}}));
  EXPECT_EQ(entry["n_inputs"], 9);
  EXPECT_EQ(entry["defects"], 3);
  EXPECT_EQ(entry["max_ulp"], "1");
  // 1, and (2^-7 - 0.002) / 2^-7 = 0.744
  EXPECT_EQ(entry["mean_ulp"], "0.872");
  EXPECT_EQ(entry["bias_ulp"], "0.581") << "the exact one counts, too";
  EXPECT_EQ(entry["verdict"], "2 of 9 points returned inf or zero where a value exists");
  EXPECT_EQ(entry["specials"].size(), 1U) << "infinity";
}

TEST(ReportIndex, UsableEndsBeforeTheFirstErrorOfMoreThanTwo) {
  std::vector<SweepCase> cases{point(kOne, 1, kOne + 2), point(kTwo, 1, kOne + 3),
                               point(0x4080, 1, kOne)};
  nlohmann::json entry = report_entry(cases);
  EXPECT_EQ(entry["usable_to"], "1");
  EXPECT_EQ(entry["verdict"], "accurate to |x| <= 1; up to 3 ULP beyond");
  ASSERT_EQ(entry["offenders"].size(), 2U);
  EXPECT_EQ(entry["offenders"][0]["x"], 2);
  EXPECT_EQ(entry["offenders"][0]["ulp"], 3);
  cases[0].found = kOne + 4;
  EXPECT_EQ(report_entry(cases)["usable_to"], "\u2014") << "nothing lies before it";
  EXPECT_EQ(report_entry(std::vector{point(kOne, 1, kOne)})["verdict"], "bit-exact");
  EXPECT_EQ(report_entry({})["verdict"], "no scorable points");
}

TEST(ReportIndex, FastFormsAreVariants) {
  ReportIndex index;
  const std::vector<SweepCase> cases{point(kOne, 1, kOne)};
  index.add(Arch::Wormhole, "exp_fast", cases);
  index.add(Arch::Wormhole, "recip", cases);
  EXPECT_TRUE(index.json()["wh"]["bf16"]["exp"].contains("fast_approx"));
  EXPECT_TRUE(index.json()["wh"]["bf16"]["reciprocal"].contains("default"));
}

} // namespace
} // namespace lanewise::report
