// Whose turn it is, and who is woken.
#include "chip/clock/turn_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <optional>
#include <random>
#include <utility>

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

/// The same, looked for among all each time.
class SlowOrder {
 public:
  std::optional<unsigned> first() const {
    const auto found = std::ranges::min_element(
        all_, {}, [](const Agent& each) { return std::pair(each.next, each.acted); });
    return found->next == kNever ? std::nullopt : std::optional<unsigned>(found - all_.begin());
  }
  bool is_alone(unsigned agent, std::uint64_t cycle) const {
    for (unsigned i = 0; i < all_.size(); ++i)
      if (i != agent && all_[i].next <= cycle) return false;
    return true;
  }
  News tell(News news, std::uint64_t cycle) {
    News woken = 0;
    for (unsigned i = 0; i < all_.size(); ++i) {
      if (all_[i].next != kNever || (all_[i].awaited & news) == 0) continue;
      all_[i].next = cycle;
      woken |= acted_by(i);
    }
    return woken;
  }

  struct Agent {
    std::uint64_t next = 0, acted = 0;
    News awaited = 0;
  };
  std::array<Agent, 5> all_;
};

TEST(TurnOrder, IsThatOfALookAtAll) {
  std::mt19937 numbers(7);
  const auto random = [&numbers] { return static_cast<unsigned>(numbers()); };
  TurnOrder order = order_of({0, 1, 2, 3, 4});
  SlowOrder slow;
  const auto set_next = [&](unsigned agent, std::uint64_t cycle) {
    order.set_next(agent, cycle);
    slow.all_[agent].next = cycle;
  };
  unsigned alone = 0, in_company = 0;
  for (std::uint64_t turn = 1, now = 0; turn < 20000; ++turn) {
    const auto first = order.first();
    ASSERT_EQ(first, slow.first()) << turn;
    if (!first) {
      set_next(random() % 5, ++now);
      continue;
    }
    now = order.next(*first);
    order.note_turn(*first, turn);
    slow.all_[*first].acted = turn;
    const bool is_alone = order.is_alone(now);
    ASSERT_TRUE(!is_alone || slow.is_alone(*first, now)) << turn;
    ++(is_alone ? alone : in_company);
    if (random() % 8 == 0) set_next(random() % 5, now + random() % 4);
    const bool waits = random() % 3 == 0;
    set_next(*first, waits ? kNever : now + random() % 3);
    const News awaited = acted_by(random() % 5);
    order.await(*first, awaited);
    slow.all_[*first].awaited = awaited;
    const News news = acted_by(*first) | (random() % 4 == 0 ? kAnything : 0);
    const std::uint64_t others = order.others();
    const News woken = order.tell(news, now);
    ASSERT_EQ(woken, slow.tell(news, now)) << turn;
    // One that was woken alone looks, and acts later.
    if (!is_alone || std::popcount(woken) != 1 || woken == acted_by(*first)) continue;
    const auto agent = static_cast<unsigned>(std::countr_zero(woken));
    const std::uint64_t later = random() % 3 == 0 ? now + 1 + random() % 3 : kNever;
    order.put_back(agent, ++turn, later, others);
    slow.all_[agent].acted = turn;
    slow.all_[agent].next = later;
  }
  EXPECT_GT(alone, 1000U);
  EXPECT_GT(in_company, 1000U);
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
