// The NoC of a core in a grid: what goes to others leaves, and is answered from outside.
#include <gtest/gtest.h>

#include "noc/noc_rig.h"

namespace lanewise::noc {
namespace {

constexpr std::uint32_t kWrite = 1U << 1, kAnswered = 1U << 4, kMulticast = 1U << 5,
                        kLinked = 1U << 6, kWithSource = 1U << 17, kAtomic = 1U;
constexpr unsigned kColumns = 4, kRows = 3;

class GridNoc : public ::testing::TestWithParam<Arch> {
 protected:
  explicit GridNoc(const tile::ScheduleChoice& order = {})
      : rig(GetParam(), order, NocPlace{kColumns, kRows}) {}

  NocPlace core(unsigned x, unsigned y) { return *worker_place(GetParam(), x, y); }

  /// The first corner of a multicast stands above the last one.
  Expected<void> multicast(NocPlace first, NocPlace last, std::uint32_t more = 0,
                           unsigned niu = 0) {
    const auto word = [](NocPlace place) { return std::uint32_t{place.y} << 6 | place.x; };
    for (auto done :
         {rig.set(0, 0, 0x40, niu), rig.set(0, 0xC, 0x80, niu),
          rig.set(0, rig.record.return_place,
                  (word(first) << 12 | word(last)) << rig.record.place_bit, niu),
          rig.set(0, 0x1C, kWrite | kAnswered | kMulticast | more, niu), rig.set(0, 0x20, 16, niu)})
      if (!done) return done;
    return rig.set(0, rig.record.send, 1, niu);
  }

  NocRig rig;
};

TEST_P(GridNoc, WhatGoesToOthersLeavesAndWaitsForItsAnswer) {
  rig.place(0, false, rig.own, 0x40);
  rig.place(0, true, core(2, 1), 0x80);
  ASSERT_TRUE(rig.send(0, kWrite | kAnswered, 16));
  EXPECT_EQ(rig.noc.first_sent(), nullptr);
  EXPECT_EQ(rig.step(), tile::FeederStep::Went);
  EXPECT_EQ(rig.status(kWritesSent), 1U);
  const Transaction* const sent = rig.noc.first_sent();
  ASSERT_NE(sent, nullptr);
  EXPECT_EQ(location_text(sent->destination), "0x80 of L1 of core (2, 1)");
  EXPECT_EQ(sent->data.size(), 16U);
  EXPECT_EQ(sent->data[0], rig.l1[0x40]);
  const std::uint64_t number = sent->number;
  rig.noc.take_sent();
  EXPECT_EQ(rig.noc.first_sent(), nullptr);
  EXPECT_EQ(rig.step(), tile::FeederStep::Waits) << "it is under way";
  EXPECT_EQ(rig.status(kWritesAcked), 0U);
  EXPECT_FALSE(rig.noc.arrive(number + 1, 0)) << "nobody has asked for that";
  EXPECT_TRUE(rig.noc.arrive(number, 0));
  EXPECT_EQ(rig.status(kWritesAcked), 1U);
  EXPECT_EQ(rig.step(), tile::FeederStep::Idle);
}

TEST_P(GridNoc, TheResultOfAnAtomicIsTheOneThatCame) {
  rig.place(3, false, core(0, 2), 0x100);
  ASSERT_TRUE(rig.set(3, 0xC, 0x20));
  ASSERT_TRUE(rig.send(3, kAtomic | kAnswered, 1U << 12 | 31U << 2, 5));
  ASSERT_EQ(rig.step(), tile::FeederStep::Went);
  ASSERT_NE(rig.noc.first_sent(), nullptr);
  EXPECT_TRUE(rig.noc.arrive(rig.noc.first_sent()->number, 0x12345678));
  EXPECT_EQ(rig.status(kAtomicsAnswered), 1U);
  EXPECT_EQ(rig.l1[0x20], 0x78);
  EXPECT_EQ(rig.l1[0x23], 0x12);
}

TEST_P(GridNoc, AMulticastHasAnAnswerForEachReceiver) {
  ASSERT_TRUE(multicast(core(0, 0), core(2, 1)));
  ASSERT_EQ(rig.step(), tile::FeederStep::Went);
  const Transaction* const sent = rig.noc.first_sent();
  ASSERT_NE(sent, nullptr);
  const std::vector<unsigned> others{core_number(1, 0), core_number(2, 0), core_number(0, 1),
                                     core_number(1, 1), core_number(2, 1)};
  EXPECT_EQ(sent->receivers, others) << "the sender does not receive";
  EXPECT_FALSE(sent->is_linked);
  EXPECT_TRUE(rig.noc.arrive(sent->number, 0));
  EXPECT_EQ(rig.status(kWritesSent), 1U);
  EXPECT_EQ(rig.status(kWritesAcked), 5U);
  rig.noc.take_sent();
  ASSERT_TRUE(multicast(core(0, 0), core(2, 1), kWithSource | kLinked));
  ASSERT_EQ(rig.step(), tile::FeederStep::Went);
  EXPECT_EQ(rig.noc.first_sent()->receivers.size(), 6U);
  EXPECT_TRUE(rig.noc.first_sent()->is_linked);
}

// NoC 0 goes right and down, NoC 1 left and up: the first corner is the one that it reaches first.
TEST_P(GridNoc, CornersStandInTheOrderOfTheNoc) {
  EXPECT_TRUE(multicast(core(1, 0), core(3, 2), 0, 0));
  EXPECT_TRUE(multicast(core(3, 2), core(1, 0), 0, 1));
  for (const auto& [first, last, niu] : {std::tuple(core(3, 2), core(1, 0), 0U),
                                         {core(1, 2), core(3, 0), 0U},
                                         {core(1, 0), core(3, 2), 1U}}) {
    const auto refused = multicast(first, last, 0, niu);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().rule, "programs 11");
  }
}

TEST_P(GridNoc, RectanglesBeyondTheGridAndOfTheSenderAloneAreRefused) {
  auto refused = multicast(core(1, 0), core(kColumns, 1));
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("is no core of the grid"), std::string::npos);
  refused = multicast(core(0, 0), core(0, 0));
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("no core but the sender"), std::string::npos);
  rig.place(0, true, core(0, kRows), 0x80);
  refused = rig.send(0, kWrite | kAnswered, 16);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("of a grid of 4 x 3"), std::string::npos);
}

// What is the core's own business needs nobody else.
TEST_P(GridNoc, OwnL1IsReachedWithoutOthers) {
  rig.place(0, false, rig.own, 0x40);
  rig.place(0, true, rig.own, 0x80);
  ASSERT_TRUE(rig.send(0, kWrite | kAnswered, 16));
  rig.drain();
  EXPECT_EQ(rig.noc.first_sent(), nullptr);
  EXPECT_EQ(rig.l1[0x80], rig.l1[0x40]);
  EXPECT_EQ(rig.status(kWritesAcked), 1U);
}

INSTANTIATE_TEST_SUITE_P(OnBothChips, GridNoc, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

} // namespace
} // namespace lanewise::noc
