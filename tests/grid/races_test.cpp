// Races between cores, by what cores tell and what lands: for each rule of ordering a story that
// keeps it, and its twin that does not.
#include <cstring>
#include <random>

#include "grid/story.h"

namespace lanewise::grid {
namespace {

using Causes = std::vector<Cause>;

// ---------------------------------------------------------------- Data and what says that they are
// there

TEST(Races, ASignalBehindDataByTheSameWayIsAnOrder) {
  Story story;
  story.write(0, Story::l1(1), 31);
  story.increment(0, 1, 33);
  story.await(1);
  story.load(1, 12);
  EXPECT_EQ(story.text(), "");
}

TEST(Races, ASignalByAnotherNocOvertakes) {
  for (const bool has_landed : {true, false}) {
    Story story;
    const Transaction data = story.ask_write(0, Story::l1(1), 31);
    if (has_landed) story.races.land(0, data);
    story.increment(0, 1, 33, {.noc = 1});
    story.await(1);
    story.load(1, 12);
    if (!has_landed) story.races.land(0, data);
    EXPECT_EQ(story.text(),
              "k/take.cpp:12: UndefinedBehavior: core (1, 0): brisc: loads from 0x20000 of its L1 "
              "(64 bytes), where the data of send.cpp:31 of brisc of core (0, 0) may still be "
              "under way: they go by channel 1 of NoC 0, and the signal of send.cpp:33 that it has "
              "waited for goes by channel 1 of NoC 1; call noc_async_write_barrier() between "
              "send.cpp:31 and send.cpp:33; or let both go the same way: noc = 0 in send.cpp:33 "
              "[programs 13]\n");
  }
}

TEST(Races, ASignalByAnotherChannelOvertakes) {
  Story story;
  story.write(0, Story::l1(1), 31);
  story.increment(0, 1, 33, {.channel = 2});
  story.await(1);
  story.load(1, 12);
  EXPECT_EQ(story.causes(), Causes{Cause::Overtaken});
}

// What is printed as the mend is one.
TEST(Races, ABarrierInBetweenIsAnOrder) {
  for (const unsigned noc : {0U, 1U}) {
    Story story;
    story.write(0, Story::l1(1), 31);
    story.wait(0, NocWait::What::Writes, noc);
    story.increment(0, 1, 33, {.noc = 1});
    story.await(1);
    story.load(1, 12);
    EXPECT_EQ(story.causes(), noc == 0 ? Causes{} : Causes{Cause::Overtaken})
        << "a barrier is for one NoC";
  }
}

TEST(Races, ThatDataHaveLeftDoesNotSayThatTheyAreThere) {
  Story story;
  story.write(0, Story::l1(1), 31);
  story.wait(0, NocWait::What::Writes, 0, Note::kHaveLeft);
  story.increment(0, 1, 33, {.noc = 1});
  story.await(1);
  story.load(1, 12);
  EXPECT_EQ(story.causes(), Causes{Cause::Overtaken});
}

TEST(Races, ABarrierSaysNothingOfPostedWrites) {
  Story story;
  story.write(0, Story::l1(1), 31, {.is_posted = true});
  story.wait(0, NocWait::What::Writes);
  story.wait(0, NocWait::What::PostedWrites, 0, Note::kHaveLeft);
  story.increment(0, 1, 33, {.noc = 1});
  story.await(1);
  story.load(1, 12);
  EXPECT_NE(story.text().find("without an answer"), std::string::npos) << story.text();
  EXPECT_NE(story.text().find("write with an answer (posted = false), and call"), std::string::npos)
      << story.text();
}

TEST(Races, WhatWasAskedForBehindTheBarrierIsNotCovered) {
  Story story;
  story.wait(0, NocWait::What::Writes);
  story.write(0, Story::l1(1), 31);
  story.increment(0, 1, 33, {.noc = 1});
  story.await(1);
  story.load(1, 12);
  EXPECT_EQ(story.causes(), Causes{Cause::Overtaken});
}

TEST(Races, DataThatNobodyWaitsForAreFoundWhateverComesFirst) {
  for (const bool has_landed : {true, false}) {
    Story story;
    const Transaction data = story.ask_write(0, Story::l1(1), 31);
    if (has_landed) story.races.land(0, data);
    story.load(1, 12);
    if (!has_landed) story.races.land(0, data);
    EXPECT_EQ(story.causes(), Causes{Cause::NotAwaited});
    EXPECT_NE(story.text().find("raise a semaphore of core (1, 0) behind send.cpp:31 and "
                                "noc_async_write_barrier(), and wait for it before take.cpp:12"),
              std::string::npos)
        << story.text();
  }
}

// Who waits behind the access has not waited for it.
TEST(Races, AWaitThatComesTooLateIsNone) {
  Story story;
  const Transaction data = story.ask_write(0, Story::l1(1), 31);
  story.load(1, 12);
  story.increment(0, 1, 33);
  story.await(1);
  story.races.land(0, data);
  EXPECT_EQ(story.causes(), Causes{Cause::NotAwaited}) << story.text();
}

TEST(Races, AnotherSemaphoreIsNoAnswer) {
  Story story;
  story.write(0, Story::l1(1), 31);
  story.increment(0, 1, 33);
  story.increment(2, 1, 33, {}, kOther);
  story.await(1, kOther);
  story.load(1, 12);
  EXPECT_EQ(story.causes(), Causes{Cause::NotAwaited});
}

// ---------------------------------------------------------------- Many receivers

TEST(Races, AMulticastAndItsSignalStayInOrderForEachReceiver) {
  Story story;
  story.races.land(0, story.ask_multicast(0, kData, kSome, 31));
  story.races.land(0, story.ask_multicast(0, kSemaphore, 4, 33));
  for (const std::size_t core : {1U, 2U}) {
    story.await(core);
    story.load(core, 12);
  }
  EXPECT_EQ(story.text(), "");
}

TEST(Races, AMulticastAndASignalToOneHaveNoOrder) {
  Story story;
  story.races.land(0, story.ask_multicast(0, kData, kSome, 31));
  for (const unsigned core : {1U, 2U}) {
    story.increment(0, core, 33, {.noc = 0, .channel = 4});
    story.await(core);
    story.load(core, 12);
  }
  EXPECT_EQ(story.causes(), Causes{Cause::Overtaken}) << "one finding for all receivers";
  EXPECT_NE(story.text().find("so do 1 other pairs of cores"), std::string::npos) << story.text();
}

// That data are with one receiver does not say that they are with another.
TEST(Races, AReceiverThatTellsAnotherTellsOfItsOwnDataOnly) {
  Story story;
  story.races.land(0, story.ask_multicast(0, kData, kSome, 31));
  story.races.land(0, story.ask_multicast(0, kSemaphore, 4, 33, {1}));
  story.await(1);
  story.load(1, 12);
  story.increment(1, 2, 14, {}, kOther);
  story.await(2, kOther);
  EXPECT_EQ(story.text(), "");
  story.load(2, 15);
  EXPECT_EQ(story.causes(), Causes{Cause::Overtaken});
}

// ---------------------------------------------------------------- Who is done with what was there

TEST(Races, ABufferIsFreeOnceItsReaderHasSaidSo) {
  for (const bool says_so : {true, false}) {
    Story story;
    for (unsigned round = 0; round < 2; ++round) {
      if (round == 1 && says_so) story.await(0, kOther);
      story.write(0, Story::l1(1), 31);
      story.increment(0, 1, 33);
      story.await(1);
      story.load(1, 12);
      story.increment(1, 0, 14, {}, kOther);
    }
    EXPECT_EQ(story.causes(), says_so ? Causes{} : Causes{Cause::NotFree});
    if (!says_so) {
      EXPECT_NE(story.text().find("k/send.cpp:31: UndefinedBehavior: core (0, 0): brisc: writes to "
                                  "0x20000 of L1 of core (1, 0) (64 bytes), and the load of "
                                  "take.cpp:12 of brisc of core (1, 0) may still need what is "
                                  "there"),
                std::string::npos)
          << story.text();
    }
  }
}

TEST(Races, TheSourceOfAWriteIsFreeOnceItHasLeft) {
  for (const unsigned how : {0U, 1U, 2U}) {
    Story story;
    story.write(1, Story::l1(2), 11);
    if (how == 1) story.wait(1, NocWait::What::Writes, 0, Note::kHaveLeft);
    if (how != 2) {
      story.increment(1, 0, 13);
      story.await(0);
    } else { // who has got the data and what was behind them knows that they have left
      story.increment(1, 2, 13);
      story.await(2);
      story.increment(2, 0, 13);
      story.await(0);
    }
    story.write(0, Story::l1(1, 0x80000), 31);
    EXPECT_EQ(story.causes().size(), how == 0 ? 1U : 0U) << how << story.text();
  }
}

// ---------------------------------------------------------------- Two writers, and lost updates

TEST(Races, TwoWritersToOnePlaceNeedAnOrder) {
  for (const unsigned how : {0U, 1U, 2U}) {
    Story story;
    story.write(0, Story::dram(), 31);
    if (how >= 1) {
      if (how == 2) story.wait(0, NocWait::What::Writes);
      story.increment(0, 1, 33);
      story.await(1);
    }
    story.write(1, Story::dram(0x120), 12);
    EXPECT_EQ(story.causes(), how == 2 ? Causes{} : Causes{Cause::TwoWriters})
        << "a semaphore says nothing of DRAM without a barrier";
  }
}

TEST(Races, WritesOfOneCoreStayInOrderByOneWayOnly) {
  for (const unsigned channel : {1U, 2U}) {
    Story story;
    story.write(0, Story::l1(1), 31);
    story.write(0, Story::l1(1), 32, {.channel = channel});
    EXPECT_EQ(story.causes(), channel == 1 ? Causes{} : Causes{Cause::TwoWriters});
  }
}

TEST(Races, AWordIsSetBeforeOthersMayIncrementIt) {
  for (const bool is_before : {true, false}) {
    Story story;
    story.await(0);
    if (is_before) story.set(0, kSemaphore, 30);
    story.increment(0, 1, 33, {}, kOther);
    story.await(1, kOther);
    story.increment(1, 0, 14);
    if (!is_before) story.set(0, kSemaphore, 35);
    EXPECT_EQ(story.causes(), is_before ? Causes{} : Causes{Cause::LostUpdate});
    if (!is_before) {
      EXPECT_NE(story.text().find("core (0, 0): brisc: stores to semaphore 0, 0x16000 of its L1 (4 "
                                  "bytes), and the increment of take.cpp:14 of brisc of core (1, "
                                  "0) may come at the same time: one of the two is lost; do "
                                  "send.cpp:35 before what lets core (1, 0) go on to take.cpp:14 "
                                  "[programs 12]"),
                std::string::npos)
          << story.text();
    }
  }
}

// The increment of the core that has set the word knows of it; that of another core does not.
// No barrier waits for what has no answer: not that of atomics, not that of a transaction id.
TEST(Races, ABarrierSaysNothingOfPostedIncrements) {
  using What = NocWait::What;
  for (const bool is_posted : {false, true}) {
    for (const What barrier : {What::Atomics, What::PostedAtomics, What::AllOfTag}) {
      Story story;
      story.increment(0, 1, 10, {.noc = 0, .is_posted = is_posted}, kOther);
      story.wait(0, barrier, 0, barrier == What::PostedAtomics ? Note::kHaveLeft : 0U);
      story.increment(0, 1, 12, {.noc = 1});
      story.await(1);
      story.set(1, kOther, 20);
      const bool is_answered = !is_posted && barrier != What::PostedAtomics;
      EXPECT_EQ(story.causes(), is_answered ? Causes{} : Causes{Cause::LostUpdate})
          << is_posted << ", " << static_cast<int>(barrier);
    }
  }
}

TEST(Races, AnIncrementOfItsOwnDoesNotHideThatAWordIsSetTooLate) {
  Story story;
  story.set(0, kSemaphore, 30);
  story.increment(0, 0, 31);
  story.increment(1, 0, 14);
  EXPECT_EQ(story.causes(), Causes{Cause::LostUpdate});
}

TEST(Races, IncrementsOfManyAndLooksAtThemNeedNoOrder) {
  Story story;
  for (const std::size_t core : {1U, 2U, 3U}) {
    story.await(0);
    story.increment(core, 0, 14);
  }
  story.await(0);
  EXPECT_EQ(story.text(), "");
}

// ---------------------------------------------------------------- Reads of other memories

TEST(Races, AReadOfAnotherCoreWaitsForWhatItReads) {
  for (const bool waits : {true, false}) {
    Story story;
    story.store(1, 12);
    story.increment(1, 0, 14);
    if (waits) story.await(0);
    story.ask_read(0, Story::l1(1), 31);
    EXPECT_EQ(story.causes(), waits ? Causes{} : Causes{Cause::NotAwaited});
  }
}

// What a core hears behind it does not go along.
TEST(Races, ASignalSaysWhatWasKnownWhenItWasAskedFor) {
  for (const bool is_before : {true, false}) {
    Story story;
    story.write(2, Story::dram(), 31);
    story.wait(2, NocWait::What::Writes);
    story.increment(2, 0, 33);
    if (is_before) story.await(0);
    const Transaction signal = story.ask_increment(0, 1, 35, {}, kOther);
    if (!is_before) story.await(0);
    story.races.land(0, signal);
    story.await(1, kOther);
    story.ask_read(1, Story::dram(), 12);
    EXPECT_EQ(story.causes().size(), is_before ? 0U : 1U);
  }
}

TEST(Races, WhatIsReadMayChangeOnceTheReadIsAnswered) {
  for (const bool has_barrier : {true, false}) {
    Story story;
    story.races.land(0, story.ask_read(0, Story::l1(1), 31));
    if (has_barrier) story.wait(0, NocWait::What::Reads);
    story.increment(0, 1, 33);
    story.await(1);
    story.store(1, 12);
    EXPECT_EQ(story.causes().size(), has_barrier ? 0U : 1U) << story.text();
  }
}

TEST(Races, AReadBehindAWriteOfTheSameCoreSeesIt) {
  for (const unsigned noc : {0U, 1U}) {
    Story story;
    const Transaction data = story.ask_write(0, Story::dram(), 31);
    story.ask_read(0, Story::dram(), 32, noc);
    story.races.land(0, data);
    EXPECT_EQ(story.causes().size(), noc) << "of one NoC only";
  }
}

// A core may look at another one's semaphore by reading it.
TEST(Races, AReadOfAWordIsALookAtIt) {
  Story story;
  story.write(0, Story::l1(1), 31);
  story.increment(0, 1, 33);
  Transaction look{.kind = Transaction::Kind::Read, .core = kBrisc, .noc = 0, .line = 5};
  look.source = Story::l1(1, kSemaphore);
  look.destination.address = 0xA0000;
  look.bytes = 4;
  story.races.land(2, story.ask(2, look));
  story.await(2, 0xA0000);
  story.ask_read(2, Story::l1(1), 7);
  EXPECT_EQ(story.text(), "");
}

// Beside a change, all is as it was.
TEST(Races, WhatIsNotTouchedKeepsWhoWasThere) {
  Story story;
  story.access(1, kBrisc, Note::kChanges, 12, kData, 2 * kSome);
  story.increment(1, 0, 14);
  story.await(0);
  story.write(0, Story::l1(1), 31);
  EXPECT_EQ(story.text(), "");
  story.ask_read(2, Story::l1(1, kData + kSome), 15);
  EXPECT_EQ(story.causes(), Causes{Cause::NotAwaited});
}

// ---------------------------------------------------------------- Within a tile

TEST(Races, PagesCarryWhatIsKnownFromCoreToCoreOfATile) {
  for (const bool looks : {true, false}) {
    Story story;
    story.write(0, Story::l1(1), 31);
    story.increment(0, 1, 33);
    story.await(1);
    story.pages(1, Note::Kind::Pushes, kBrisc);
    if (looks) story.pages(1, Note::Kind::SeesPushes, kUnpack);
    story.access(1, kUnpack, Note::kByUnit, 20);
    EXPECT_EQ(story.causes().size(), looks ? 0U : 1U);
    // The three threads are one kernel.
    story.pages(1, Note::Kind::SeesPops, kPack);
    EXPECT_EQ(story.causes().size(), looks ? 0U : 1U);
  }
}

TEST(Races, WhatPacksKnowIsPassedOnByPages) {
  for (const bool looks : {true, false}) {
    Story story;
    story.access(1, kPack, Note::kByUnit | Note::kChanges, 20);
    story.pages(1, Note::Kind::Pushes, kPack);
    if (looks) story.pages(1, Note::Kind::SeesPushes, kBrisc);
    story.increment(1, 0, 14);
    story.await(0);
    story.ask_read(0, Story::l1(1), 31);
    EXPECT_EQ(story.causes().size(), looks ? 0U : 1U) << story.text();
  }
}

TEST(Races, CoresOfOneTileAreNotTheirBusinessButForThoseThatMoveData) {
  Story story;
  story.store(1, 12, kBrisc);
  story.store(1, 13, kUnpack);
  EXPECT_EQ(story.text(), "");
  story.store(1, 14, kNcrisc);
  EXPECT_EQ(story.causes(), std::vector{Cause::TwoWriters}) << story.text();
}

// ---------------------------------------------------------------- Nonsense, and too much

TEST(Races, AnyNotesAreReadWithoutHarm) {
  Story story;
  std::mt19937_64 random(5);
  unsigned taken = 0;
  for (int i = 0; i < 50000; ++i) {
    std::array<std::uint32_t, sizeof(Note) / 4> words{};
    for (std::uint32_t& word : words) {
      const auto any = static_cast<std::uint32_t>(random());
      word = any % 3 == 0 ? any : any % 3 == 1 ? any % 8 : 0x20000 + any % 64;
    }
    Note note;
    std::memcpy(&note, words.data(), sizeof note);
    taken += story.races.note(random() % 4, note) ? 1 : 0;
    Transaction t{.kind = static_cast<Transaction::Kind>(random() % 5), .number = random() % 8};
    t.receivers = {static_cast<unsigned>(random() % 200)};
    t.bytes = 4;
    story.races.land(random() % 4, t);
  }
  EXPECT_GT(taken, 300U);
  EXPECT_LE(story.text().size(), 10'000'000U);
}

TEST(Races, WhatIsTooMuchIsSaid) {
  Story story;
  for (unsigned i = 0; i < (1U << 14) + 2; ++i) story.ask_write(0, Story::l1(1), 31);
  EXPECT_NE(story.text().find("too many transactions that are under way"), std::string::npos);
}

TEST(Races, PlacesInOtherFilesHaveTheirNames) {
  Story story;
  Note told = story.note(Note::Kind::Names, kBrisc, 0x80000001);
  std::ranges::copy(std::string_view("common.h:7"), told.text.begin());
  story.tell(1, told);
  story.write(0, Story::l1(1), 31);
  story.load(1, 0x80000001);
  EXPECT_NE(story.text().find("wait for it before common.h:7"), std::string::npos) << story.text();
}

} // namespace
} // namespace lanewise::grid
