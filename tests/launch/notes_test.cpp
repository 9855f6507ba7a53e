// What is taken down of a core's accesses: as few notes as say it, in the order that matters.
#include "run/launch/notes.h"

#include <gtest/gtest.h>

namespace lanewise::launch {
namespace {

constexpr unsigned kBrisc = 3, kNcrisc = 4;
constexpr std::uint32_t kPage = 0x20000, kSemaphore = 0x16000;

class TakenDown : public ::testing::Test {
 protected:
  TakenDown()
      : notes(Arch::Blackhole, [this](std::span<const Note> some) {
          taken.insert(taken.end(), some.begin(), some.end());
        }) {}

  void access(std::uint32_t address, bool changes, std::uint64_t code, unsigned core = kBrisc,
              std::uint32_t bytes = 4, bool is_volatile = true) {
    notes.access(
        core, {.address = address, .bytes = bytes, .changes = changes, .is_volatile = is_volatile},
        code, [this, code] {
          ++lines;
          return static_cast<std::uint32_t>(code);
        });
  }
  std::vector<Note::Kind> kinds() {
    notes.hand_over();
    std::vector<Note::Kind> all;
    for (const Note& note : taken) all.push_back(note.kind);
    return all;
  }

  std::vector<Note> taken;
  unsigned lines = 0;
  Notes notes;
};

using Kind = Note::Kind;
using Kinds = std::vector<Note::Kind>;

// numbers[i] *= 2, over a page.
TEST_F(TakenDown, ALoopOverAPageIsOneNoteForEachAccess) {
  for (std::uint32_t i = 0; i < 1024; ++i) {
    access(kPage + 4 * i, false, 10);
    access(kPage + 4 * i, true, 11);
  }
  EXPECT_EQ(kinds(), (Kinds{Kind::Accesses, Kind::Accesses}));
  EXPECT_EQ(taken[0].bytes, 4096U);
  EXPECT_EQ(taken[0].source.address, kPage);
  EXPECT_EQ(taken[0].line, 10U);
  EXPECT_EQ(taken[0].flags, Note::kIsWord);
  EXPECT_EQ(taken[1].flags, Note::kIsWord | Note::kChanges);
  EXPECT_EQ(lines, 2U) << "a line is looked up once";
}

TEST_F(TakenDown, WhatLiesApartStaysApart) {
  for (std::uint32_t i = 0; i < 40; ++i) access(kPage + 64 * i, false, 10);
  notes.hand_over();
  ASSERT_EQ(taken.size(), 40U);
  std::set<std::uint64_t> places;
  for (const Note& note : taken) {
    EXPECT_EQ(note.bytes, 4U);
    places.insert(note.source.address);
  }
  EXPECT_EQ(places.size(), 40U);
}

// A store to a semaphore tells others, what comes behind it does not belong to it.
TEST_F(TakenDown, ASemaphoreThatIsSetComesBehindWhatWasDoneBefore) {
  access(kPage, true, 10);
  access(kSemaphore, true, 11);
  access(kPage + 4, true, 10);
  EXPECT_EQ(kinds(), (Kinds{Kind::Accesses, Kind::Accesses, Kind::Releases, Kind::Accesses}));
  EXPECT_EQ(taken[2].source.address, kSemaphore);
}

TEST_F(TakenDown, AWordThatHasComeIsASignalOnceItIsLookedAt) {
  access(kPage, false, 10);
  notes.arrive(kPage, 4);
  access(kPage, false, 10);
  access(kPage, false, 10);
  EXPECT_EQ(kinds(), (Kinds{Kind::Accesses, Kind::Acquires, Kind::Accesses}));
  taken.clear();
  notes.arrive(kPage, 4096); // over it again
  access(kPage, false, 10);
  access(kPage + 64, false, 10);
  EXPECT_EQ(kinds(), (Kinds{Kind::Acquires, Kind::Accesses, Kind::Accesses}));
}

// Data that come are none; but a loop that looks at them is.
TEST_F(TakenDown, DataAreASignalToALoopOnly) {
  notes.arrive(kPage, 4096);
  access(kPage, false, 10);
  access(kPage + 4, false, 10);
  EXPECT_EQ(kinds(), Kinds{Kind::Accesses});
  taken.clear();
  access(kPage + 4, false, 10);
  EXPECT_EQ(kinds(), (Kinds{Kind::Acquires, Kind::Accesses}));
}

TEST_F(TakenDown, WhatOneCoreOfATileHasStoredAnotherOneGoesBy) {
  access(kPage, true, 10, kBrisc);
  access(kPage, false, 20, kNcrisc, 4, false);
  EXPECT_EQ(kinds(), (Kinds{Kind::Accesses, Kind::Accesses})) << "only volatile loads look";
  taken.clear();
  access(kPage, false, 21, kNcrisc);
  access(kPage, false, 22, kNcrisc);
  EXPECT_EQ(kinds(), (Kinds{Kind::Follows, Kind::Accesses, Kind::Accesses}));
  EXPECT_EQ(taken[0].core, kNcrisc);
  EXPECT_EQ(taken[0].what, kBrisc);
}

TEST_F(TakenDown, ABarrierIsToldOnceForWhatWasAskedFor) {
  noc::Transaction t{.kind = noc::Transaction::Kind::Write, .core = kBrisc, .noc = 1};
  t.bytes = 64;
  t.destination.memory = noc::Location::Memory::OtherL1;
  const auto look = [&](std::uint32_t acks) {
    notes.see({.kind = noc::NocEvent::Kind::Seen,
               .core = kBrisc,
               .noc = 1,
               .status = noc::kWritesAcked,
               .value = acks});
  };
  for (std::uint32_t round = 1; round <= 2; ++round) {
    notes.see({.kind = noc::NocEvent::Kind::Asked, .core = kBrisc, .noc = 1, .transaction = &t});
    look(round - 1);
    look(round);
    look(round);
  }
  EXPECT_EQ(kinds(), (Kinds{Kind::Asks, Kind::Waits, Kind::Asks, Kind::Waits}));
}

} // namespace
} // namespace lanewise::launch
