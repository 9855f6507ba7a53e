// The NoC of one core: registers, transactions, what is visible when (tt-metal, noc_parameters.h
// and ordering.rst; docs/programs.md).
#include "chip/noc/noc.h"

#include <gtest/gtest.h>

#include "noc/noc_rig.h"

namespace lanewise::noc {
namespace {

class NocOf : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(OnBothChips, NocOf, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

TEST_P(NocOf, AReadIsThereOnlyWhenTheCounterOfAnswersSaysSo) {
  NocRig rig(GetParam());
  for (unsigned bank = 0; bank < rig.record.banks.size(); ++bank) {
    rig.dram[bank][0x40] = static_cast<std::uint8_t>(bank + 1);
    rig.l1[0x1000] = 0;
    ASSERT_TRUE(rig.read(bank, 0x40, 0x1000, 32).has_value());
    EXPECT_EQ(rig.status(kReadsAnswered), bank);
    EXPECT_EQ(rig.l1[0x1000], 0) << "nothing has come yet";
    rig.drain();
    EXPECT_EQ(rig.status(kReadsAnswered), bank + 1);
    EXPECT_EQ(rig.l1[0x1000], bank + 1);
    EXPECT_EQ(rig.l1[0x101F], rig.dram[bank][0x5F]);
    EXPECT_EQ(rig.l1[0x1020], 0x21) << "not a byte more";
  }
}

TEST_P(NocOf, AWriteLeavesWithTheDataThatAreThereThenAndIsAckedWhenItLands) {
  NocRig rig(GetParam());
  ASSERT_TRUE(rig.write(3, 0x100, 0x200, 16).has_value());
  EXPECT_EQ(rig.status(kWritesSent), 0U);
  EXPECT_EQ(rig.step(), tile::FeederStep::Went);
  EXPECT_EQ(rig.status(kWritesSent), 1U);
  EXPECT_EQ(rig.status(kWritesAcked), 0U);
  rig.l1[0x100] = 77; // after it has left: too late to be seen
  rig.drain();
  EXPECT_EQ(rig.status(kWritesAcked), 1U);
  EXPECT_EQ(rig.dram[3][0x200], 1);
  EXPECT_EQ(rig.step(), tile::FeederStep::Idle);
}

TEST_P(NocOf, APostedWriteIsCountedApartAndNotAcked) {
  NocRig rig(GetParam());
  ASSERT_TRUE(rig.write(0, 0x100, 0x200, 16, true).has_value());
  rig.drain();
  EXPECT_EQ(rig.status(kPostedWritesSent), 1U);
  EXPECT_EQ(rig.status(kWritesSent), 0U);
  EXPECT_EQ(rig.status(kWritesAcked), 0U);
  EXPECT_EQ(rig.dram[0][0x200], rig.l1[0x100]);
}

TEST_P(NocOf, AnIncrementAddsAndGivesTheOldValueBack) {
  NocRig rig(GetParam());
  std::fill(rig.l1.begin(), rig.l1.begin() + 0x200, std::uint8_t{0});
  rig.l1[0x108] = 5;
  rig.place(3, false, rig.own, 0x108);
  constexpr std::uint32_t kIncrement = 1U << 12 | 31U << 2 | 2U; // word 2 of 16 bytes
  ASSERT_TRUE(rig.send(3, 1U << 0 | 1U << 4, kIncrement, 3).has_value());
  rig.drain();
  EXPECT_EQ(rig.l1[0x108], 8);
  EXPECT_EQ(rig.l1[4], 5) << "where firmware has results put";
  EXPECT_EQ(rig.status(kAtomicsAnswered), 1U);
}

TEST_P(NocOf, OutstandingRequestsAreCountedByTransactionId) {
  NocRig rig(GetParam());
  ASSERT_TRUE(rig.set(1, 0x18, 5U << 10).has_value());
  ASSERT_TRUE(rig.read(0, 0, 0x1000, 64).has_value());
  ASSERT_TRUE(rig.read(0, 64, 0x1040, 64).has_value());
  EXPECT_EQ(rig.status(kOutstandingOfTag + 5), 2U);
  EXPECT_EQ(rig.status(kOutstandingOfTag + 4), 0U);
  rig.drain();
  EXPECT_EQ(rig.status(kOutstandingOfTag + 5), 0U);
}

TEST_P(NocOf, WritesToOnePlaceStayInOrderWhateverTheOrderOfTheRun) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    NocRig rig(GetParam(), {.order = tile::Order::Random, .seed = seed});
    for (std::uint32_t i = 0; i < 4; ++i) {
      ASSERT_TRUE(rig.write(1, 0x100 + 16 * i, 0x200, 16).has_value());
    }
    ASSERT_TRUE(rig.read(1, 0x200, 0x2000, 16).has_value());
    rig.drain();
    EXPECT_EQ(rig.dram[1][0x200], rig.l1[0x130]) << "the last one";
    EXPECT_EQ(rig.l1[0x2000], rig.l1[0x130]) << "a read behind them sees it";
  }
}

// Data, then the word that says that they are there: on one channel to one memory, in order.
TEST_P(NocOf, WritesOfOneChannelToOneMemoryLandInOrder) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    NocRig rig(GetParam(), {.order = tile::Order::Random, .seed = seed});
    std::uint64_t next = 0;
    rig.noc.watch = [&](const NocEvent& event) {
      if (event.kind != NocEvent::Kind::Landed) return;
      EXPECT_EQ(event.transaction->number, next++);
    };
    for (std::uint32_t i = 0; i < 4; ++i) {
      ASSERT_TRUE(rig.write(1, 0x100, 0x200 + 64 * i, 16).has_value());
    }
    rig.drain();
  }
}

TEST_P(NocOf, ReadsMayComeInAnyOrder) {
  bool came_late = false, came_early = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    NocRig rig(GetParam(), {.order = tile::Order::Random, .seed = seed});
    std::uint64_t first = 99;
    rig.noc.watch = [&](const NocEvent& event) {
      if (event.kind == NocEvent::Kind::Landed && first == 99) first = event.transaction->number;
    };
    for (std::uint32_t i = 0; i < 3; ++i)
      ASSERT_TRUE(rig.read(i, 0, 0x1000 + 64 * i, 64).has_value());
    rig.drain();
    (first == 0 ? came_early : came_late) = true;
  }
  EXPECT_TRUE(came_early && came_late);
}

TEST_P(NocOf, WhatSiliconWouldSilentlyDoWrongIsRefused) {
  NocRig rig(GetParam());
  const auto says = [](const Expected<void>& done) {
    return done ? std::string("done") : done.error().message + " [" + done.error().rule + "]";
  };
  const std::string shifted = says(rig.read(0, 0x10, 0x1000, 32));
  EXPECT_NE(shifted.find("differ modulo"), std::string::npos);
  EXPECT_NE(shifted.find("[programs 10]"), std::string::npos);
  EXPECT_EQ(says(rig.read(0, rig.record.dram_read_congruence, 0x1000, 32)), "done");
  EXPECT_NE(says(rig.write(0, 0x104, 0x200, 16)).find("differ modulo 16"), std::string::npos);
  EXPECT_EQ(says(rig.write(0, 0x110, 0x200, 16)), "done");
  EXPECT_NE(says(rig.read(0, 0, 0x1000, 0)).find("no bytes"), std::string::npos);
  EXPECT_NE(says(rig.read(0, 0x3FF0, 0x1FF0, 32)).find("given to buffers"), std::string::npos);
  EXPECT_NE(says(rig.read(0, 0, 0xFFE0, 64)).find("0x10000 are there"), std::string::npos);
  EXPECT_EQ(says(rig.read(0, 0, 0xFFC0, 64)), "done");
}

TEST_P(NocOf, OtherCoresAndEmptyPlacesAreNamed) {
  NocRig rig(GetParam());
  const auto other = *worker_place(GetParam(), 3, 4);
  rig.place(0, false, rig.own, 0x100);
  rig.place(0, true, other, 0x100);
  auto done = rig.send(0, 1U << 1 | 1U << 4, 16);
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().message.find("the core (3, 4), which is not here"), std::string::npos);
  rig.place(0, true, {63, 63}, 0x100);
  done = rig.send(0, 1U << 1 | 1U << 4, 16);
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().message.find("neither a core nor DRAM"), std::string::npos);
}

TEST_P(NocOf, EveryBankIsFoundAtItsPlaceOnBothNocsAndNoOther) {
  const NocRecord& record = *noc_record(GetParam());
  for (unsigned noc = 0; noc < kNocs; ++noc) {
    for (unsigned bank = 0; bank < record.banks.size(); ++bank) {
      const auto found = locate(GetParam(), noc, {.own = {1, 1}}, bank_place(GetParam(), noc, bank),
                                0x100 + record.banks[bank].offset);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->bank, bank);
      EXPECT_EQ(found->address, 0x100U);
    }
  }
}

TEST(Places, AreThoseOfThePublicTables) {
  // (1, 2) is logical (0, 0) of Blackhole, whose columns of cores have a gap at 8 and 9.
  EXPECT_EQ(*worker_place(Arch::Blackhole, 0, 0), (NocPlace{1, 2}));
  EXPECT_EQ(*worker_place(Arch::Blackhole, 6, 0), (NocPlace{7, 2}));
  EXPECT_EQ(*worker_place(Arch::Blackhole, 7, 9), (NocPlace{10, 11}));
  EXPECT_EQ(*worker_place(Arch::Wormhole, 7, 7), (NocPlace{25, 25}));
  EXPECT_FALSE(worker_place(Arch::Wormhole, 8, 0).has_value());
  for (const Arch arch : kArchs)
    for (unsigned x = 0; x < 8; ++x)
      EXPECT_EQ(*worker_at(arch, *worker_place(arch, x, 5)),
                (NocPlace{static_cast<std::uint8_t>(x), 5}));
}

} // namespace
} // namespace lanewise::noc
