// What is known to who has waited for a word at a value.
#include "grid/story.h"

namespace lanewise::grid {
namespace {

/// Cores 1 and 2 have written to DRAM, waited for that, and counted the word of core 0 so many
/// times in all; the last time before the data of core 2.
void count(Story& story, unsigned times_of_1, unsigned times_of_2) {
  for (unsigned i = 0; i < times_of_1; ++i) {
    story.write(1, Story::dram(), 11);
    story.wait(1, NocWait::What::Writes);
    story.increment(1, 0, 12);
  }
  for (unsigned i = 0; i < times_of_2; ++i) {
    story.write(2, Story::dram(0x800), 21);
    story.wait(2, NocWait::What::Writes);
    story.increment(2, 0, 22);
  }
}

std::size_t races_of_reads(Story& story) {
  story.ask_read(0, Story::dram(), 31);
  story.ask_read(0, Story::dram(0x800), 32);
  return story.causes().size();
}

TEST(RaceWords, WhoWaitsForAllHasHeardOfAll) {
  Story story;
  count(story, 1, 1);
  story.await_value(0, 2, 2);
  EXPECT_EQ(races_of_reads(story), 0U) << story.text();
}

TEST(RaceWords, WhoWaitsForFewerHasHeardOfNobodyForSure) {
  Story story;
  count(story, 1, 1);
  story.await_value(0, 1, 2);
  EXPECT_EQ(races_of_reads(story), 2U) << story.text();
}

// Without core 2 it would be 1, and without core 1 it would be 2: the first count of 1, and both
// of 2.
TEST(RaceWords, OfWhoIsAheadNoMoreIsKnownThanMustHaveBeen) {
  Story story;
  count(story, 1, 2);
  story.await_value(0, 3, 3);
  count(story, 1, 0);
  EXPECT_EQ(races_of_reads(story), 1U) << story.text();
}

// Of each of both, one of two counts may be what is left.
TEST(RaceWords, WhoTakesCountsOffHasHeardOfWhatIsLeftOnly) {
  Story story;
  count(story, 2, 2);
  Transaction own{.kind = Transaction::Kind::Increment, .core = kBrisc, .line = 33};
  own.destination.address = kSemaphore;
  own.bytes = 4;
  own.value = static_cast<std::uint32_t>(-2);
  Note landed = story.note(Note::Kind::Lands, kBrisc);
  landed.number = story.ask(0, own).number;
  story.tell(0, landed);
  story.await_value(0, 1, 2);
  EXPECT_EQ(races_of_reads(story), 2U) << story.text();
}

TEST(RaceWords, ACountThatBeginsAboveZeroIsTakenOff) {
  for (const std::uint32_t least : {11U, 12U}) {
    Story story;
    count(story, 1, 1);
    story.await_value(0, least, 12);
    EXPECT_EQ(races_of_reads(story), least == 12 ? 0U : 2U) << story.text();
  }
}

TEST(RaceWords, AStoreSettlesWhatWasBefore) {
  Story story;
  count(story, 1, 0);
  story.await_value(0, 1, 1);
  story.set(0, kSemaphore, 33);
  story.increment(0, 2, 34, {}, kOther);
  story.await(2, kOther);
  count(story, 0, 1);
  story.await_value(0, 1, 1);
  EXPECT_EQ(races_of_reads(story), 0U) << story.text();
}

TEST(RaceWords, NonsenseFromACoreIsTakenForALook) {
  Story story;
  count(story, 1, 1);
  story.await_value(0, 7, 1);
  EXPECT_EQ(races_of_reads(story), 0U) << story.text();
}

TEST(RaceWords, ManyCountsAreKeptInPart) {
  Story story;
  count(story, 200, 100);
  story.await_value(0, 300, 300);
  EXPECT_EQ(races_of_reads(story), 0U) << story.text();
}

TEST(RaceWords, AnExactValueThatMayBePassedIsFoundOnce) {
  Story story;
  story.increment(1, 0, 12);
  story.await_value(0, 1, 1, true, 41);
  for (int i = 0; i < 3; ++i) story.increment(2, 0, 22);
  EXPECT_EQ(story.causes(), std::vector{Cause::Passed}) << story.text();
  EXPECT_NE(story.text().find("send.cpp:41"), std::string::npos) << story.text();
}

TEST(RaceWords, BehindAStoreCountsAreLostAndPassNothing) {
  Story story;
  story.increment(1, 0, 12);
  story.await_value(0, 1, 1, true, 41);
  story.set(0, kSemaphore, 42);
  story.increment(2, 0, 22);
  EXPECT_EQ(story.causes(), std::vector{Cause::LostUpdate}) << story.text();
}

TEST(RaceWords, WhoWasToldToGoOnDoesNotPassIt) {
  Story story;
  story.increment(1, 0, 12);
  story.await_value(0, 1, 1, true, 41);
  story.increment(0, 2, 42, {}, kOther);
  story.await(2, kOther);
  story.increment(2, 0, 22);
  EXPECT_EQ(story.text(), "");
}

} // namespace
} // namespace lanewise::grid
