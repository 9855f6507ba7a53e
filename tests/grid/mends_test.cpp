// Barriers that races say are missing are tried before they are printed.
#include <gtest/gtest.h>

#include "grid/story.h"

namespace lanewise::grid {
namespace {

using launch::Mend;

/// Core 0 writes and signals; core 1 goes by that. `barrier`: somebody has added one.
void pass_on(Story& story, const Way& data, const Way& signal, bool has_barrier) {
  story.write(0, Story::l1(1), 31, data);
  if (has_barrier)
    story.wait(0, data.is_posted ? NocWait::What::PostedWrites : NocWait::What::Writes, data.noc,
               Note::kByTrial);
  story.increment(0, 1, 33, signal);
  story.await(1);
  story.load(1, 12);
}

TEST(Mends, ARaceNamesTheBarrierThatItLacksToItsKernelsOnly) {
  Story story;
  pass_on(story, {.noc = 1}, {.noc = 0}, false);
  const Mend lacking{.core = kBrisc, .noc = 1, .line = 31};
  EXPECT_EQ(story.races.lacking(0), std::vector{lacking});
  EXPECT_TRUE(story.races.lacking(1).empty()) << "the receiver lacks none";
}

TEST(Mends, OtherRacesLackNoBarrier) {
  Story story;
  story.write(0, Story::l1(1), 31);
  story.load(1, 12);
  ASSERT_EQ(story.causes(), std::vector{Cause::NotAwaited});
  EXPECT_TRUE(story.races.lacking(0).empty());
}

TEST(Mends, ABarrierWithWhichTheRaceIsGoneIsPrintedAsTried) {
  for (const bool is_posted : {false, true}) {
    Story story, tried;
    const Way data{.noc = 1, .is_posted = is_posted};
    pass_on(story, data, {.noc = 0}, false);
    EXPECT_EQ(story.text().find("tried"), std::string::npos) << "nobody has tried it yet";
    pass_on(tried, data, {.noc = 0}, true);
    ASSERT_EQ(tried.text(), "") << "the barrier of a trial knows of posted writes, too";
    story.races.judge(tried.races, {});
    EXPECT_NE(story.text().find("call noc_async_write_barrier() between send.cpp:31 and "
                                "send.cpp:33 (tried: with it, this is gone)"),
              std::string::npos)
        << story.text();
  }
}

TEST(Mends, ABarrierThatIsNotEnoughIsSaidToBe) {
  Story story, tried;
  pass_on(story, {.noc = 1}, {.noc = 0}, false);
  pass_on(tried, {.noc = 1}, {.noc = 0}, false);
  story.races.judge(tried.races, {});
  EXPECT_NE(story.text().find("(tried: by itself, it is not enough)"), std::string::npos)
      << story.text();
}

TEST(Mends, ARaceOfOtherLinesIsAnotherOne) {
  Story story, tried;
  pass_on(story, {.noc = 1}, {.noc = 0}, false);
  tried.write(0, Story::l1(1), 35, {.noc = 1}); // that was hidden by the first
  tried.increment(0, 1, 36);
  tried.await(1);
  tried.load(1, 12);
  ASSERT_EQ(tried.causes(), std::vector{Cause::Overtaken});
  story.races.judge(tried.races, {});
  EXPECT_NE(story.text().find("(tried: with it, this is gone)"), std::string::npos) << story.text();
}

// An increment is answered for itself.
TEST(Mends, ABarrierForIncrementsIsThatOfAtomics) {
  Story story;
  story.increment(0, 1, 31, {.noc = 1}, kData);
  story.increment(0, 1, 33);
  story.await(1);
  story.load(1, 12);
  ASSERT_EQ(story.causes(), std::vector{Cause::Overtaken});
  EXPECT_TRUE(story.races.lacking(0).at(0).is_atomic);
  EXPECT_NE(story.text().find("call noc_async_atomic_barrier() between"), std::string::npos)
      << story.text();
}

} // namespace
} // namespace lanewise::grid
