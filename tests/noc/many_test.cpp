// What goes to many cores: increments, and writes to a rectangle without a part of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "noc/noc_rig.h"

namespace lanewise::noc {
namespace many {

constexpr std::uint32_t kAtomic = 1U << 0, kWrite = 1U << 1, kAnswered = 1U << 4,
                        kMulticast = 1U << 5, kWithSource = 1U << 17;
constexpr std::uint32_t kAddToWord = 1U << 12 | 31U << 2;
constexpr unsigned kColumns = 5, kRows = 4;

/// Core (0, 0) of a grid.
class ManyTest : public ::testing::Test {
 protected:
  explicit ManyTest(Arch chip) : arch(chip), rig(chip, {}, NocPlace{kColumns, kRows}) {}

  std::uint32_t word(unsigned x, unsigned y) const {
    const NocPlace place = *worker_place(arch, x, y);
    return std::uint32_t{place.y} << 6 | place.x;
  }
  /// All cores but the sender, from the corner that the NoC reaches first.
  std::uint32_t all(unsigned niu) const {
    const std::uint32_t near = word(0, 0), far = word(kColumns - 1, kRows - 1);
    return (niu == 0 ? near << 12 | far : far << 12 | near) << rig.record.place_bit;
  }
  Expected<void> set_all(unsigned buffer, unsigned niu,
                         const std::vector<std::pair<std::uint32_t, std::uint32_t>>& values) {
    for (const auto& [offset, value] : values)
      if (auto done = rig.set(buffer, offset, value, niu); !done) return done;
    return rig.set(buffer, rig.record.send, 1, niu);
  }

  Arch arch;
  NocRig rig;
};

class Increments : public ManyTest, public ::testing::WithParamInterface<Arch> {
 protected:
  Increments() : ManyTest(GetParam()) {}

  Expected<void> increment_all(std::uint32_t control) {
    return set_all(3, 0,
                   {{0, 0x104},
                    {rig.record.target_place, all(0)},
                    {0xC, 0x20},
                    {0x1C, kAtomic | kMulticast | control},
                    {0x20, kAddToWord | 1},
                    {rig.record.data, 5}});
  }
};

TEST_P(Increments, ToManyHaveAnAnswerOfEachReceiver) {
  ASSERT_TRUE(increment_all(kAnswered));
  ASSERT_EQ(rig.step(), tile::FeederStep::Went);
  const Transaction* const sent = rig.noc.first_sent();
  ASSERT_NE(sent, nullptr);
  EXPECT_EQ(sent->kind, Transaction::Kind::Increment);
  EXPECT_EQ(sent->receivers.size(), kColumns * kRows - 1);
  EXPECT_EQ(sent->destination.address, 0x104U);
  EXPECT_EQ(transaction_text(*sent), "an increment of 0x104 of L1 of 19 cores by 5");
  EXPECT_EQ(rig.status(kAtomicsSent), 1U);
  EXPECT_TRUE(rig.noc.arrive(sent->number, 7));
  EXPECT_EQ(rig.status(kAtomicsAnswered), kColumns * kRows - 1);
  EXPECT_EQ(rig.l1[0x20], 7U);
}

// What is posted is counted when it leaves, and by nobody afterwards.
TEST_P(Increments, WithoutAnAnswerAreCountedWhenTheyLeave) {
  ASSERT_TRUE(increment_all(0));
  EXPECT_EQ(rig.status(kOutstandingOfTag), 0U);
  EXPECT_EQ(rig.status(kOutgoingOfTag), 0U) << "they take no data from L1";
  ASSERT_EQ(rig.step(), tile::FeederStep::Went);
  const Transaction* const sent = rig.noc.first_sent();
  ASSERT_NE(sent, nullptr);
  EXPECT_TRUE(sent->is_posted);
  const std::uint8_t before = rig.l1[0x20];
  EXPECT_TRUE(rig.noc.arrive(sent->number, before + 1U));
  EXPECT_EQ(rig.status(kPostedAtomicsSent), 1U);
  EXPECT_EQ(rig.status(kAtomicsSent), 0U);
  EXPECT_EQ(rig.status(kAtomicsAnswered), 0U);
  EXPECT_EQ(rig.l1[0x20], before) << "no old value comes back";
}

INSTANTIATE_TEST_SUITE_P(OnBothChips, Increments, ::testing::ValuesIn(kArchs),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

/// A part of the grid is excluded: from a core on, right or left, down or up.
class Excluded : public ManyTest {
 protected:
  Excluded() : ManyTest(Arch::Blackhole) {}

  static constexpr std::uint32_t kOn = 1U << 22;

  /// As get_noc_exclude_region() makes it.
  std::uint32_t part(unsigned x, unsigned y, bool right, bool down, unsigned niu = 0) const {
    const NocPlace place = *worker_place(arch, x, y);
    const unsigned to_right = niu == 0 ? right : !right, to_down = niu == 0 ? down : !down;
    return kOn | to_down << 21 | to_right << 20 | std::uint32_t{place.y} << 14 |
           std::uint32_t{place.x} << 8;
  }
  Expected<void> write_all_but(std::uint32_t excluded, unsigned niu = 0, std::uint32_t more = 0) {
    return set_all(0, niu,
                   {{0, 0x40},
                    {0xC, 0x80},
                    {rig.record.return_place, all(niu)},
                    {0x1C, kWrite | kAnswered | kMulticast | more},
                    {0x20, 16},
                    {rig.record.excluded, excluded}});
  }
  /// Which cores of the last write receive, row by row.
  std::string receivers() {
    rig.drain();
    std::string rows;
    const Transaction* const sent = rig.noc.first_sent();
    if (sent == nullptr) return "nothing was sent";
    for (unsigned y = 0; y < kRows; ++y) {
      for (unsigned x = 0; x < kColumns; ++x)
        rows += std::ranges::count(sent->receivers, core_number(x, y)) != 0 ? 'x' : '.';
      rows += ' ';
    }
    rig.noc.take_sent();
    return rows;
  }
};

// The first core is the sender, which does not receive.
TEST_F(Excluded, ALIsLeft) {
  ASSERT_TRUE(write_all_but(part(3, 1, true, true)));
  EXPECT_EQ(receivers(), ".xxxx xxx.. xxx.. xxx.. ");
  ASSERT_TRUE(write_all_but(part(1, 2, false, true)));
  EXPECT_EQ(receivers(), ".xxxx xxxxx ..xxx ..xxx ");
  ASSERT_TRUE(write_all_but(part(3, 1, true, false)));
  EXPECT_EQ(receivers(), ".xx.. xxx.. xxxxx xxxxx ");
  ASSERT_TRUE(write_all_but(part(2, 0, false, false)));
  EXPECT_EQ(receivers(), "...xx xxxxx xxxxx xxxxx ");
}

// Directions of NoC 1 are the other ones in the register, and the same cores in the API.
TEST_F(Excluded, OnBothNocs) {
  for (const unsigned niu : {0U, 1U}) {
    ASSERT_TRUE(write_all_but(part(3, 1, true, true, niu), niu));
    EXPECT_EQ(receivers(), ".xxxx xxx.. xxx.. xxx.. ") << niu;
    ASSERT_TRUE(write_all_but(part(1, 2, false, true, niu), niu));
    EXPECT_EQ(receivers(), ".xxxx xxxxx ..xxx ..xxx ") << niu;
  }
}

TEST_F(Excluded, TheSenderReceivesIfItIsIncludedAndNotExcluded) {
  ASSERT_TRUE(write_all_but(part(3, 1, true, true), 0, kWithSource));
  EXPECT_EQ(receivers(), "xxxxx xxx.. xxx.. xxx.. ");
  ASSERT_TRUE(write_all_but(part(2, 0, false, false), 0, kWithSource));
  EXPECT_EQ(receivers(), "...xx xxxxx xxxxx xxxxx ");
}

TEST_F(Excluded, ItHasAsManyAnswersAsReceivers) {
  ASSERT_TRUE(write_all_but(part(3, 1, true, true)));
  rig.drain();
  EXPECT_TRUE(rig.noc.arrive(rig.noc.first_sent()->number, 0));
  EXPECT_EQ(rig.status(kWritesAcked), 13U);
}

TEST_F(Excluded, ARegisterThatIsNotEnabledExcludesNobody) {
  ASSERT_TRUE(write_all_but(part(3, 1, true, true) & ~kOn));
  EXPECT_EQ(receivers(), ".xxxx xxxxx xxxxx xxxxx ");
}

TEST_F(Excluded, WhatIsNotDescribedIsRefused) {
  const auto refused = write_all_but(part(3, 1, true, true) | 1U << 23);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, FaultKind::Unsupported);
  EXPECT_NE(refused.error().message.find("bits are set that nobody has described"),
            std::string::npos);
}

TEST_F(Excluded, APartThatLeavesNoLIsRefused) {
  // Whole columns, whole rows, and everything from either side.
  for (const std::uint32_t excluded : {part(3, 0, true, true), part(0, 2, true, true),
                                       part(0, 0, true, true), part(4, 3, false, false)}) {
    const auto refused = write_all_but(excluded);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().rule, "programs 11");
    EXPECT_NE(refused.error().message.find("which leaves no L"), std::string::npos);
  }
}

TEST_F(Excluded, APartThatBeginsBeyondTheGridIsRefused) {
  const auto refused = write_all_but(part(kColumns, 1, true, true));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().rule, "programs 9");
  EXPECT_NE(refused.error().message.find("begins at (6, 3), which is no core of the grid"),
            std::string::npos)
      << refused.error().message;
}

} // namespace many
} // namespace lanewise::noc
