// Whose turn it is, and who is woken.
#include "chip/clock/turn_order.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "chip/clock/ring.h"

namespace lanewise::clock {
namespace {

TurnOrder order_of(std::initializer_list<unsigned> agents) {
  TurnOrder order;
  for (const unsigned each : agents) order.add(each);
  return order;
}

TEST(TurnOrder, TheEarliestGoesFirst) {
  TurnOrder order = order_of({0, 1, 2});
  order.set_next(0, 7);
  order.set_next(1, 5);
  order.set_next(2, 6);
  EXPECT_EQ(order.first(), 1U);
  order.set_next(1, kNever);
  EXPECT_EQ(order.first(), 2U);
  EXPECT_EQ(order.next(1), kNever);
}

TEST(TurnOrder, OfTheSameCycleWhoHasNotActedForLonger) {
  TurnOrder order = order_of({2, 0, 4});
  EXPECT_EQ(order.first(), 2U); // added first
  order.note_turn(2, 1);
  EXPECT_EQ(order.first(), 0U);
  order.note_turn(0, 2);
  EXPECT_EQ(order.first(), 4U);
  order.note_turn(4, 3);
  EXPECT_EQ(order.first(), 2U);
}

TEST(TurnOrder, NobodyIsFirstWhereNobodyCanAct) {
  TurnOrder order = order_of({0, 3});
  order.set_next(0, kNever);
  order.set_next(3, kNever);
  EXPECT_EQ(order.first(), std::nullopt);
}

TEST(TurnOrder, NewsWakeWhomTheyConcern) {
  TurnOrder order = order_of({0, 1, 2});
  for (const unsigned each : {0, 1, 2}) order.set_next(each, kNever);
  order.await(0, kBanks);
  order.await(1, kSemaphores | acted_by(2));
  order.await(2, kAnything);
  order.tell(kBanks, 9);
  EXPECT_EQ(order.next(0), 9U);
  EXPECT_EQ(order.next(1), kNever);
  EXPECT_EQ(order.next(2), 9U);
  order.tell(acted_by(2) | kBanks, 11);
  EXPECT_EQ(order.next(0), 9U); // it can act already
  EXPECT_EQ(order.next(1), 11U);
}

TEST(TurnOrder, WhoTakesNoPartNeverActs) {
  TurnOrder order = order_of({0});
  order.set_next(0, kNever);
  order.set_next(5, 3);
  EXPECT_EQ(order.first(), std::nullopt);
}

TEST(Ring, IsAQueue) {
  std::mt19937 random(3);
  Ring<unsigned> ring;
  std::deque<unsigned> queue;
  for (unsigned i = 0; i < 5000; ++i) {
    const bool grows = random() % 1000 < (i < 2500 ? 600U : 400U);
    if (grows || queue.empty()) {
      ring.push_back(i);
      queue.push_back(i);
    } else {
      ring.pop_front();
      queue.pop_front();
    }
    ASSERT_EQ(ring.size(), queue.size());
    ASSERT_EQ(ring.empty(), queue.empty());
    if (queue.empty()) continue;
    ASSERT_EQ(ring.front(), queue.front());
    const std::size_t place = random() % queue.size();
    ASSERT_EQ(ring[place], queue[place]);
  }
}

} // namespace
} // namespace lanewise::clock
