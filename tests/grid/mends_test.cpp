// Barriers that races say are missing are tried before they are printed.
#include <gtest/gtest.h>

#include "grid/story.h"
#include "run/grid/trials.h"

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
  EXPECT_EQ(story.mends(), (std::vector<GroupMend>{{.group = 0, .mend = lacking}}))
      << "the receiver lacks none";
}

TEST(Mends, OtherRacesLackNoBarrier) {
  Story story;
  story.write(0, Story::l1(1), 31);
  story.load(1, 12);
  ASSERT_EQ(story.causes(), std::vector{Cause::NotAwaited});
  EXPECT_TRUE(story.mends().empty());
}

TEST(Mends, ABarrierWithWhichTheRaceIsGoneIsPrintedAsTried) {
  for (const bool is_posted : {false, true}) {
    Story story, tried;
    const Way data{.noc = 1, .is_posted = is_posted};
    pass_on(story, data, {.noc = 0}, false);
    EXPECT_EQ(story.text().find("tried"), std::string::npos) << "nobody has tried it yet";
    pass_on(tried, data, {.noc = 0}, true);
    ASSERT_EQ(tried.text(), "") << "the barrier of a trial knows of posted writes, too";
    story.judge(tried);
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
  story.judge(tried);
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
  story.judge(tried);
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
  EXPECT_EQ(story.mends().at(0).mend.of, launch::Mend::Of::Atomics);
  EXPECT_NE(story.text().find("call noc_async_atomic_barrier() between"), std::string::npos)
      << story.text();
}

// ---------------------------------------------------------------- One waits for the other

constexpr std::uint64_t kFree = 0x16030, kFreeToo = 0x16040;

Mend mend_of(Mend::Kind kind, std::size_t only, std::uint32_t line) {
  Mend mend{.kind = kind, .core = kBrisc, .line = line};
  mend.only = only;
  return mend;
}

TEST(Mends, WhatNobodyWaitsForIsRaisedBehindItsBarrierAndAwaited) {
  Story story(1, {kFree});
  for (int times = 0; times < 3; ++times) story.write(0, Story::l1(1), 31);
  story.load(1, 12);
  story.load(1, 12); // in the same turn
  ASSERT_EQ(story.causes(), std::vector{Cause::NotAwaited});
  Mend barrier = mend_of(Mend::Kind::Barrier, 0, 31), raise = mend_of(Mend::Kind::Raise, 0, 31),
       await = mend_of(Mend::Kind::Await, 1, 12);
  raise.noc = 1; // the kernel's own
  raise.receivers = {1};
  raise.address = await.address = kFree;
  await.raises = 3;
  await.turns = 1;
  EXPECT_EQ(story.mends(), (std::vector<GroupMend>{{.group = 0, .mend = barrier},
                                                   {.group = 0, .mend = raise},
                                                   {.group = 1, .mend = await}}));
  EXPECT_NE(story.text().find("behind send.cpp:31 and noc_async_write_barrier(), and wait until it "
                              "is 3 before take.cpp:12 [programs 13]"),
            std::string::npos)
      << story.text();
}

TEST(Mends, EachRaceHasAFreeSemaphoreOfItsOwnAsLongAsThereAreSome) {
  Story story(0, {kFree, kFreeToo});
  for (const unsigned line : {31U, 32U, 33U}) {
    const std::uint64_t place = kData + 0x100 * line;
    story.write(0, Story::l1(1, place), line);
    story.access(1, kBrisc, 0, line, place);
  }
  const auto& found = story.races.found();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(story.races.mends_of(found[0], Races::Which::First).back().mend.address, kFree);
  EXPECT_EQ(story.races.mends_of(found[1], Races::Which::First).back().mend.address, kFreeToo);
  EXPECT_TRUE(story.races.mends_of(found[2], Races::Which::First).empty());
}

TEST(Mends, AUnitIsNotHeldBack) {
  Story story(0, {kFree});
  story.write(0, Story::l1(1), 31);
  story.access(1, kUnpack, Note::kByUnit, 12);
  ASSERT_EQ(story.causes(), std::vector{Cause::NotAwaited});
  EXPECT_TRUE(story.mends().empty());
}

TEST(Mends, OfTwoWritersOneMayWaitForTheOther) {
  Story story(0, {kFree});
  story.write(0, Story::l1(2), 31);
  story.write(1, Story::l1(2), 12);
  ASSERT_EQ(story.causes(), std::vector{Cause::TwoWriters});
  const auto mends = story.mends(Races::Which::Second);
  ASSERT_EQ(mends.size(), 3U);
  EXPECT_EQ(mends[1].mend.kind, Mend::Kind::Raise);
  EXPECT_EQ(mends[2].mend.kind, Mend::Kind::Await);
  EXPECT_EQ(mends[2].mend.turns, 1U);
  EXPECT_NE(story.text().find("give each a place of its own, or raise a semaphore of core "),
            std::string::npos)
      << story.text();
}

// ---------------------------------------------------------------- Both the same way

using Which = Races::Which;

TEST(Mends, OfTwoNoCsTheKernelsOwnIsTaken) {
  for (const unsigned own : {0U, 1U}) {
    Story story(own);
    pass_on(story, {.noc = 1}, {.noc = 0}, false);
    const auto mends = story.mends(Which::Second);
    ASSERT_EQ(mends.size(), 1U);
    EXPECT_EQ(mends[0].mend.kind, Mend::Kind::OtherWay);
    EXPECT_EQ(mends[0].mend.line, own == 0 ? 31U : 33U);
    EXPECT_EQ(mends[0].mend.noc, own);
  }
}

TEST(Mends, TheShorterOneIsSaidFirstOnceItHasHelped) {
  Story story, tried;
  pass_on(story, {.noc = 1}, {.noc = 0}, false);
  EXPECT_NE(story.text().find("; or let both go the same way: noc = 0 in send.cpp:31"),
            std::string::npos)
      << story.text();
  pass_on(tried, {.noc = 0}, {.noc = 0}, false);
  story.judge(tried, {}, Which::Second);
  EXPECT_NE(story.text().find("; let both go the same way: noc = 0 in send.cpp:31 (tried: with it, "
                              "this is gone); or call noc_async_write_barrier()"),
            std::string::npos)
      << story.text();
}

TEST(Mends, OfTwoForOneRaceEachIsTried) {
  Story story, tried;
  pass_on(story, {.noc = 1}, {.noc = 0}, false);
  std::vector<CoreOutcome> cores(4);
  Trials trials(cores, story.races.groups(), story.races);
  for (const Mend::Kind kind : {Mend::Kind::Barrier, Mend::Kind::OtherWay}) {
    const Mends* const with = trials.next();
    ASSERT_NE(with, nullptr);
    ASSERT_EQ((*with)[0].size(), 1U);
    EXPECT_EQ((*with)[0][0].kind, kind);
    trials.judge(cores, tried.races);
  }
  EXPECT_EQ(trials.next(), nullptr) << "both have helped";
}

TEST(Mends, TheSameWayHasToBringNothingElse) {
  Story story, tried;
  pass_on(story, {.noc = 1}, {.noc = 0}, false);
  story.judge(tried, {.is_clean = false}, Which::Second);
  EXPECT_NE(story.text().find("in send.cpp:31 (tried: by itself, it is not enough)"),
            std::string::npos)
      << story.text();
}

TEST(Mends, ASignalByAnotherChannelGoesByThatOfTheData) {
  Story story;
  pass_on(story, {.channel = 2}, {.channel = 3}, false);
  EXPECT_NE(story.text().find("let both go the same way: vc = 2 in send.cpp:33"), std::string::npos)
      << story.text();
}

/// A core sends to two, and signals to each by itself; or to the first, and signals to both.
void pass_on_to_many(Story& story, bool are_data_to_many) {
  if (are_data_to_many) {
    story.races.land(0, story.ask_multicast(0, kData, kSome, 31));
    for (const unsigned receiver : {1U, 2U}) story.increment(0, receiver, 32 + receiver);
  } else {
    for (const unsigned receiver : {1U, 2U}) story.write(0, Story::l1(receiver), 31);
    story.races.land(0, story.ask_multicast(0, kSemaphore, 4, 33));
  }
  for (const unsigned receiver : {1U, 2U}) {
    story.await(receiver);
    story.load(receiver, 12);
  }
}

TEST(Mends, WhatGoesToOneGoesToManyOfWhichThereIsOne) {
  Story story;
  pass_on_to_many(story, true);
  EXPECT_NE(story.text().find("noc_semaphore_inc_multicast(), to a rectangle of its one "
                              "receiver, in send.cpp:33, and "),
            std::string::npos)
      << story.text();
  const auto mends = story.mends(Which::Second);
  ASSERT_EQ(mends.size(), 2U) << "each signal has a line of its own";
  for (const GroupMend& each : mends) {
    EXPECT_TRUE(each.mend.is_many);
    EXPECT_EQ(each.mend.channel, 4U);
  }
  Story other;
  pass_on_to_many(other, false);
  EXPECT_NE(other.text().find("noc_async_write_multicast(), to a rectangle of its one "
                              "receiver, in send.cpp:31"),
            std::string::npos)
      << other.text();
}

TEST(Mends, WhoIsToldByAThirdHasNoSuchWay) {
  Story story;
  story.write(0, Story::l1(2), 31);
  story.increment(0, 1, 32);
  story.await(1);
  story.increment(1, 2, 33, {.noc = 1});
  story.await(2);
  story.load(2, 12);
  ASSERT_EQ(story.causes(), std::vector{Cause::Overtaken});
  EXPECT_TRUE(story.mends(Which::Second).empty());
}

// ---------------------------------------------------------------- Counts, and places

TEST(Mends, AStoreThatLosesCountsTakesThemOffInstead) {
  Story story, tried;
  story.increment(0, 1, 31);
  story.set(1, kSemaphore, 12);
  ASSERT_EQ(story.causes(), std::vector{Cause::LostUpdate});
  const auto mends = story.mends();
  ASSERT_EQ(mends.size(), 2U);
  EXPECT_EQ(mends[0].mend.kind, Mend::Kind::Added);
  EXPECT_EQ(mends[0].mend.address, kSemaphore);
  EXPECT_EQ(mends[1].mend.kind, Mend::Kind::Barrier);
  EXPECT_EQ(mends[1].mend.of, launch::Mend::Of::Atomics);
  EXPECT_NE(story.text().find("do take.cpp:12 before what lets core (0, 0) go on to send.cpp:31"),
            std::string::npos)
      << story.text();
  tried.increment(0, 1, 31);
  Transaction own{.kind = Transaction::Kind::Increment, .core = kBrisc, .line = 12};
  own.destination.address = kSemaphore;
  own.bytes = 4;
  own.value = static_cast<std::uint32_t>(-2);
  tried.ask(1, own);
  story.judge(tried);
  EXPECT_NE(story.text().find("call noc_semaphore_inc(get_noc_addr(get_semaphore(0)), -2) and "
                              "noc_async_atomic_barrier() in place of take.cpp:12 (tried: with it"),
            std::string::npos)
      << story.text();
}

TEST(Mends, AStoreThatTakesNothingOffIsLeftOut) {
  Story story;
  story.increment(0, 1, 31);
  story.set(1, kSemaphore, 12);
  story.judge(Story());
  EXPECT_NE(story.text().find("; leave take.cpp:12 out (tried: with it, this is gone)"),
            std::string::npos)
      << story.text();
}

TEST(Mends, WordsThatManyWriteAreIncremented) {
  Story story;
  Transaction word{.kind = Transaction::Kind::Inline, .core = kBrisc, .line = 31};
  word.destination = Story::l1(3, kSemaphore);
  word.bytes = 4;
  for (const std::size_t core : {1U, 2U}) story.races.land(core, story.ask(core, word));
  ASSERT_EQ(story.causes(), std::vector{Cause::LostUpdate});
  const auto mends = story.mends();
  ASSERT_EQ(mends.size(), 1U) << "both run the same kernel";
  EXPECT_EQ(mends[0].mend.kind, Mend::Kind::Added);
  EXPECT_EQ(mends[0].group, 1U);
}

TEST(Mends, EachWriterButTheFirstHasAPlaceFurtherOn) {
  Story story;
  for (const std::size_t core : {3U, 1U, 2U}) story.write(core, Story::l1(0), 31);
  ASSERT_EQ(story.causes(), std::vector{Cause::TwoWriters});
  const auto mends = story.mends();
  ASSERT_EQ(mends.size(), 2U);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(mends[i].mend.kind, Mend::Kind::OwnPlace);
    EXPECT_EQ(mends[i].mend.only, i + 2);
    EXPECT_EQ(mends[i].mend.bytes, (i + 1) * kSome);
  }
  story.judge(Story());
  EXPECT_NE(story.text().find("give each a place of its own, 64 bytes apart (tried: with it, this "
                              "is gone)"),
            std::string::npos)
      << story.text();
}

} // namespace
} // namespace lanewise::grid
