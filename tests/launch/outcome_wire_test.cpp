// What becomes of a program's kernels, on its way from their process.
#include "run/launch/outcome_wire.h"

#include <gtest/gtest.h>

#include <utility>

namespace lanewise::launch {
namespace outcome_wire {

LaunchOutcome with_mends() {
  LaunchOutcome outcome;
  outcome.blocked = {"the core brisc waits"};
  outcome.mends = {
      {.mend = {.kind = Mend::Kind::OtherCorners, .core = 3, .line = 7, .file = "a.h:9"},
       .file = "k/send.cpp",
       .line = 5,
       .rule = "programs 11"},
      {.mend = {.kind = Mend::Kind::AtLeast, .core = 4, .line = 12}, .blocked = 0}};
  return outcome;
}

TEST(OutcomeWire, MendsComeAsTheyWent) {
  const LaunchOutcome sent = with_mends();
  const auto got = decode_outcome(encode_outcome(sent));
  ASSERT_TRUE(got);
  ASSERT_EQ(got->mends.size(), sent.mends.size());
  for (std::size_t i = 0; i < sent.mends.size(); ++i) {
    EXPECT_EQ(got->mends[i].mend, sent.mends[i].mend);
    EXPECT_EQ(got->mends[i].file, sent.mends[i].file);
    EXPECT_EQ(got->mends[i].line, sent.mends[i].line);
    EXPECT_EQ(got->mends[i].rule, sent.mends[i].rule);
    EXPECT_EQ(got->mends[i].blocked, sent.mends[i].blocked);
  }
}

// A kernel can write to that file.
TEST(OutcomeWire, MendsOfNobodyAreNoOutcome) {
  LaunchOutcome beyond = with_mends();
  beyond.mends.back().blocked = 1;
  EXPECT_FALSE(decode_outcome(encode_outcome(beyond)));
  LaunchOutcome unknown = with_mends();
  unknown.mends.front().mend.kind = static_cast<Mend::Kind>(9);
  EXPECT_FALSE(decode_outcome(encode_outcome(unknown)));
}

} // namespace outcome_wire
} // namespace lanewise::launch
