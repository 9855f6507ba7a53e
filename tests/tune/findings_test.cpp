// What the checker finds of the plain kernel, too: rules about what words and values mean keep no
// program from being tuned, rules about when things happen do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chip/timing/hazards/hazards.h"
#include "study/tune/tune.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

using Findings = std::vector<std::string>;

/// 3 is beyond what SFPARECIP takes in this mode (VU 6, C46).
const std::string kBeyond = "SFPADDI 0x4040, L0, 0\nSFPNOP\nSFPARECIP 0, L0, L0, 2";
/// The result of two cycles is read in the next one (VU 5.4), which Wormhole does not wait for.
const std::string kTooEarly = "SFPADDI 0x4040, L0, 0\nSFPABS L0, L0, 1";

Findings known_of(const Plain& plain) {
  const auto options = with_known_findings(plain, {.known_findings = {"of another program"}});
  EXPECT_TRUE(options);
  return options ? options->known_findings : Findings{"none"};
}

TEST(TuneFindings, AreOfRulesThatThereAre) {
  for (const std::string_view rule : rules_of_meaning())
    EXPECT_NE(timing::find_hazard_rule(rule), nullptr) << rule;
}

TEST(TuneFindings, AreKnownWhereTheyAreAboutMeaning) {
  EXPECT_EQ(known_of(plain_rows(Arch::Blackhole, "SFPABS L0, L0, 1")), Findings{});
  EXPECT_EQ(known_of(plain_rows(Arch::Blackhole, kBeyond)), Findings{"arecip-range"});
  EXPECT_EQ(known_of(plain_rows(Arch::Wormhole, kTooEarly)), Findings{});
}

TEST(TuneFindings, OfThePlainKernelAreNoReasonNotToTuneIt) {
  const auto result = tune(plain_rows(Arch::Blackhole, kBeyond), {});
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned) << result->proof.failure;
  EXPECT_EQ(result->interval, 1U) << "load, sum, reciprocal and store are one macro";
  EXPECT_EQ(result->proof.findings, Findings{"arecip-range"});
}

TEST(TuneFindings, OfTheTunedProgramAloneAreOne) {
  const Plain plain = plain_rows(Arch::Blackhole, kBeyond);
  const auto result = tune(plain, {});
  ASSERT_TRUE(result && result->tuned);
  // Against a plain program without the finding, though it computes the same.
  const auto proof = prove(plain, *result->tuned, {});
  ASSERT_TRUE(proof);
  EXPECT_FALSE(proof->holds);
  EXPECT_NE(proof->failure.find("arecip-range"), std::string::npos) << proof->failure;
  const auto options = with_known_findings(plain, {});
  ASSERT_TRUE(options);
  const auto known = prove(plain, *result->tuned, *options);
  ASSERT_TRUE(known);
  EXPECT_TRUE(known->holds) << known->failure;
  EXPECT_EQ(known->findings, Findings{"arecip-range"});
}

TEST(TuneFindings, NothingIsSaidWhereNothingIsFound) {
  const auto result = tune(plain_rows(Arch::Blackhole, "SFPABS L0, L0, 1"), {});
  ASSERT_TRUE(result && result->tuned);
  EXPECT_EQ(result->proof.findings, Findings{});
}

} // namespace
} // namespace lanewise::tune
