// Races between cores, by what cores tell and what lands: for each rule of ordering a story that
// keeps it, and its twin that does not.
#include "run/grid/races.h"

#include <gtest/gtest.h>

#include <random>

#include "run/grid/race_text.h"
#include "run/launch/noc_waits.h"

namespace lanewise::grid {
namespace {

using launch::NocWait;
using launch::Note;
using noc::Location;
using noc::Transaction;
using Cause = Race::Cause;

constexpr unsigned kBrisc = 3, kNcrisc = 4, kUnpack = 0, kPack = 2;
constexpr std::uint64_t kData = 0x20000, kSemaphore = 0x16000, kOther = 0x16010;
constexpr std::uint32_t kSome = 64;

/// By what something goes.
struct Way {
  unsigned noc = 0, channel = 1;
  bool is_posted = false;
};

/// What happens on the cores (0, 0), (1, 0), (2, 0), (3, 0), in an order.
class Story {
 public:
  Story()
      : races({.cores = {0, 1, 2, 3},
               .group = {0, 1, 1, 1},
               .l1_bytes = 0x180000,
               .bank_bytes = {0x10000, 0x10000}}) {}

  Note note(Note::Kind kind, unsigned core, unsigned line = 0) {
    Note note{};
    note.kind = kind;
    note.core = core;
    note.line = line;
    return note;
  }
  void tell(std::size_t core, const Note& told) { EXPECT_TRUE(races.note(core, told)); }

  void access(std::size_t core, unsigned risc, std::uint32_t flags, unsigned line,
              std::uint64_t at = kData, std::uint32_t bytes = kSome) {
    Note told = note(Note::Kind::Accesses, risc, line);
    told.source.address = at;
    told.bytes = bytes;
    told.flags = flags;
    tell(core, told);
  }
  void load(std::size_t core, unsigned line, unsigned risc = kBrisc) {
    access(core, risc, 0, line);
  }
  void store(std::size_t core, unsigned line, unsigned risc = kBrisc) {
    access(core, risc, Note::kChanges, line);
  }
  /// noc_semaphore_set().
  void set(std::size_t core, std::uint64_t word, unsigned line) {
    access(core, kBrisc, Note::kChanges | Note::kIsWord, line, word, 4);
    Note told = note(Note::Kind::Releases, kBrisc);
    told.source.address = word;
    tell(core, told);
  }
  /// noc_semaphore_wait(), which has looked at the word before.
  void await(std::size_t core, std::uint64_t word = kSemaphore, unsigned risc = kBrisc) {
    access(core, risc, Note::kIsWord, 99, word, 4);
    Note told = note(Note::Kind::Acquires, risc);
    told.source.address = word;
    tell(core, told);
  }
  void wait(std::size_t core, NocWait::What what, unsigned noc = 0, std::uint32_t flags = 0,
            unsigned risc = kBrisc) {
    Note told = note(Note::Kind::Waits, risc);
    told.what = static_cast<std::uint32_t>(what);
    told.noc = noc;
    told.flags = flags;
    tell(core, told);
  }
  void pages(std::size_t core, Note::Kind kind, unsigned risc) {
    Note told = note(kind, risc);
    told.what = 5;
    tell(core, told);
  }

  Transaction ask(std::size_t core, Transaction t) {
    Note told = note(Note::Kind::Asks, t.core, t.line);
    told.what = static_cast<std::uint32_t>(t.kind);
    told.noc = t.noc;
    told.channel = t.channel;
    told.flags = t.is_posted ? Note::kIsPosted : 0U;
    told.bytes = t.bytes;
    told.number = t.number = ++numbers;
    told.source = {.memory = static_cast<std::uint32_t>(t.source.memory),
                   .bank = t.source.bank,
                   .address = t.source.address};
    told.destination = {.memory = static_cast<std::uint32_t>(t.destination.memory),
                        .bank = t.destination.bank,
                        .address = t.destination.address};
    tell(core, told);
    return t;
  }
  Transaction ask_write(std::size_t core, const Location& to, unsigned line, const Way& way = {},
                        std::uint64_t from = 0x80000) {
    Transaction t{.kind = Transaction::Kind::Write, .core = kBrisc, .noc = way.noc, .line = line};
    t.source.address = from;
    t.destination = to;
    t.bytes = kSome;
    t.channel = way.channel;
    t.is_posted = way.is_posted;
    return ask(core, t);
  }
  Transaction ask_read(std::size_t core, const Location& from, unsigned line, unsigned noc = 0,
                       std::uint64_t to = 0x90000) {
    Transaction t{.kind = Transaction::Kind::Read, .core = kBrisc, .noc = noc, .line = line};
    t.source = from;
    t.destination.address = to;
    t.bytes = kSome;
    t.channel = 1;
    return ask(core, t);
  }
  void write(std::size_t core, const Location& to, unsigned line, const Way& way = {}) {
    races.land(core, ask_write(core, to, line, way));
  }
  void increment(std::size_t core, unsigned receiver, unsigned line, const Way& way = {},
                 std::uint64_t word = kSemaphore) {
    Transaction t{
        .kind = Transaction::Kind::Increment, .core = kBrisc, .noc = way.noc, .line = line};
    t.destination = l1(receiver, word);
    t.bytes = 4;
    t.channel = way.channel;
    races.land(core, ask(core, t));
  }
  Transaction ask_multicast(std::size_t core, std::uint64_t to, std::uint32_t bytes, unsigned line,
                            std::vector<unsigned> receivers = {1, 2}) {
    Transaction t{.kind = Transaction::Kind::Write, .core = kBrisc, .noc = 0, .line = line};
    t.source.address = bytes == 4 ? kOther : 0x80000;
    t.destination = {.memory = Location::Memory::Many, .bank = 0, .address = to};
    t.bytes = bytes;
    t.channel = 4;
    t.receivers = std::move(receivers);
    return ask(core, t);
  }

  static Location l1(unsigned core, std::uint64_t at = kData) {
    return {.memory = Location::Memory::OtherL1, .bank = core, .address = at};
  }
  static Location dram(std::uint64_t at = 0x100) {
    return {.memory = Location::Memory::Dram, .bank = 1, .address = at};
  }

  std::vector<Cause> causes() const {
    std::vector<Cause> all;
    for (const Race& race : races.found()) all.push_back(race.cause);
    return all;
  }
  std::string text() const {
    std::string all;
    const Sources sources{.cores = {{0, 0}, {1, 0}, {2, 0}, {3, 0}},
                          .file = [](std::size_t core, unsigned) {
                            return std::string(core == 0 ? "k/send.cpp" : "k/take.cpp");
                          }};
    for (const Fault& fault : race_faults(races, sources)) all += to_string(fault) + "\n";
    return all;
  }

  Races races;
  std::uint64_t numbers = 0;
};

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
              "send.cpp:31 and send.cpp:33, or send both by the same NoC [programs 13]\n");
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
    EXPECT_NE(story.text().find("raise a semaphore of core (1, 0) behind send.cpp:31, and wait for "
                                "it before take.cpp:12"),
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

TEST(Races, CoresOfOneTileAreNotTheirBusiness) {
  Story story;
  story.store(1, 12, kBrisc);
  story.store(1, 13, kNcrisc);
  EXPECT_EQ(story.text(), "");
}

// ---------------------------------------------------------------- Any story

/// A place in DRAM or L1 that one core after the other has to itself. What was left out of one
/// step, nothing else makes up for.
struct Relay {
  explicit Relay(std::uint64_t seed) : random(seed) {}

  unsigned below(unsigned end) { return static_cast<unsigned>(random() % end); }

  /// `broken`: the step that lacks its order.
  void run(Story& story, unsigned steps, unsigned broken) {
    const bool is_dram = below(2) == 0;
    const unsigned home = below(4);
    const Location place = is_dram ? Story::dram() : Story::l1(home);
    unsigned holder = below(4);
    for (unsigned step = 0; step < steps; ++step) {
      unsigned next = below(4);
      if (next == holder) next = (next + 1) % 4;
      const Way way{.noc = below(2), .channel = 1 + below(2)};
      Way other{.noc = below(2), .channel = 1 + below(2)};
      const bool is_local = !is_dram && holder == home;
      const bool may_follow = !is_dram && next == home && !is_local;
      const bool follows = may_follow && below(2) == 0;
      const bool lacks_wait = step == broken && (is_local || below(2) == 0);
      const bool lacks_barrier = step == broken && !lacks_wait;
      std::optional<Transaction> late;
      if (is_local) {
        story.store(holder, 10 + step);
      } else {
        const Transaction data = story.ask_write(holder, place, 10 + step, way);
        if (lacks_barrier && below(2) == 0) {
          late = data;
        } else {
          story.races.land(holder, data);
        }
      }
      if (follows && !lacks_barrier) other = way;
      if (lacks_barrier && may_follow) other.noc = 1 - way.noc;
      if (!is_local && !follows && !lacks_barrier)
        story.wait(holder, NocWait::What::Writes, way.noc);
      story.increment(holder, next, 100 + step, other);
      if (!lacks_wait) story.await(next);
      if (late) {
        if (next == home && !is_dram) {
          story.store(next, 200 + step);
        } else {
          story.ask_read(next, place, 200 + step, below(2), 0x90000 + 0x100ULL * step);
          story.wait(next, NocWait::What::Reads, 0);
          story.wait(next, NocWait::What::Reads, 1);
        }
        story.races.land(holder, *late);
      }
      holder = next;
    }
    if (!is_dram && holder == home) {
      story.store(holder, 300);
    } else {
      story.races.land(holder, story.ask_write(holder, place, 300, {.noc = below(2)}));
    }
  }

  std::mt19937_64 random;
};

TEST(Races, WhatIsPassedOnInOrderHasNoRaceAndWithoutOneStepItHas) {
  constexpr unsigned kSteps = 12;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Story whole;
    Relay(seed).run(whole, kSteps, kSteps);
    ASSERT_EQ(whole.text(), "") << seed;
    Story broken;
    Relay relay(seed);
    relay.run(broken, kSteps, static_cast<unsigned>(seed % kSteps));
    ASSERT_NE(broken.text(), "") << seed;
  }
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
