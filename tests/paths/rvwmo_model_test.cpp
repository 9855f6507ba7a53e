// The model of RVWMO against outcomes that the manual and its appendix of explanations name, and
// those of well-known litmus tests that follow from its rules.
#include "paths/rvwmo_model.h"

#include <gtest/gtest.h>

namespace lanewise::rvwmo {
namespace {

constexpr Location x = 0, y = 1, z = 2;
constexpr Register a0 = 0, a1 = 1, a2 = 2, a3 = 3;

int value(const Outcome& outcome, std::size_t thread, Register number) {
  return outcome.registers[thread][number];
}

// ---------------------------------------------------------------- Message passing

/// The second thread sees the flag y, but not the message x.
bool passes_flag_only(const Thread& sender, const Thread& receiver) {
  return allows({sender, receiver}, [](const Outcome& end) {
    return value(end, 1, a0) == 1 && value(end, 1, a1) == 0;
  });
}

const Thread kSender{store(x, 1), store(y, 1)};
const Thread kFencedSender{store(x, 1), fence(kWrites, kWrites), store(y, 1)};

TEST(RvwmoModel, MessagePassingNeedsOrderOnBothSides) {
  const Thread plain{load(a0, y), load(a1, x)};
  const Thread fenced{load(a0, y), fence(kReads, kReads), load(a1, x)};
  EXPECT_TRUE(passes_flag_only(kSender, plain));
  EXPECT_TRUE(passes_flag_only(kFencedSender, plain));
  EXPECT_TRUE(passes_flag_only(kSender, fenced));
  EXPECT_FALSE(passes_flag_only(kFencedSender, fenced));
}

TEST(RvwmoModel, AddressDependenciesOrderLoadsAndBranchesDoNot) {
  EXPECT_FALSE(passes_flag_only(kFencedSender, {load(a0, y), load_at(a1, x, a0)}));
  EXPECT_TRUE(passes_flag_only(kFencedSender, {load(a0, y), branch_if_zero(a0), load(a1, x)}));
}

TEST(RvwmoModel, FenceOrdersOnlyWhatIsInItsSets) {
  EXPECT_TRUE(passes_flag_only(kFencedSender, {load(a0, y), fence(kReads, kWrites), load(a1, x)}));
  EXPECT_TRUE(passes_flag_only({store(x, 1), fence(kReads, kWrites), store(y, 1)},
                               {load(a0, y), fence(), load(a1, x)}));
}

// ---------------------------------------------------------------- Store and load buffering

TEST(RvwmoModel, StoreBuffering) {
  const auto both_zero = [](const Outcome& end) {
    return value(end, 0, a0) == 0 && value(end, 1, a0) == 0;
  };
  EXPECT_TRUE(allows({{store(x, 1), load(a0, y)}, {store(y, 1), load(a0, x)}}, both_zero));
  EXPECT_FALSE(allows({{store(x, 1), fence(), load(a0, y)}, {store(y, 1), fence(), load(a0, x)}},
                      both_zero));
}

/// Each thread loads what the other one stores afterwards.
bool buffers_loads(const Thread& first, const Thread& second) {
  return allows({first, second}, [](const Outcome& end) {
    return value(end, 0, a0) == 1 && value(end, 1, a0) == 1;
  });
}

TEST(RvwmoModel, LoadBuffering) {
  const Thread plain{load(a0, x), store(y, 1)};
  EXPECT_TRUE(buffers_loads(plain, {load(a0, y), store(x, 1)}));
  const Thread ctrl{load(a0, x), branch_if_zero(a0), store(y, 1)};
  EXPECT_TRUE(buffers_loads(ctrl, {load(a0, y), store(x, 1)}));
  EXPECT_FALSE(buffers_loads(ctrl, {load(a0, y), branch_if_zero(a0), store(x, 1)}));
  EXPECT_FALSE(buffers_loads(ctrl, {load(a0, y), store_with(x, 1, a0)}));
  EXPECT_FALSE(buffers_loads(ctrl, {load(a0, y), store_at(x, 1, a0)}));
  EXPECT_FALSE(buffers_loads(ctrl, {load(a0, y), fence(kReads, kWrites), store(x, 1)}));
}

/// RVWMO has no values out of thin air: each stores what it has loaded.
TEST(RvwmoModel, LoadBufferingWithDataHasNoValueFromNowhere) {
  const Thread first{load(a0, x), store_register(y, a0), constant(a1, 1)};
  EXPECT_FALSE(buffers_loads(first, {load(a0, y), store_register(x, a0)}));
}

// ---------------------------------------------------------------- S, R, 2+2W, coherence

TEST(RvwmoModel, S) {
  const auto first_store_wins = [](const Outcome& end) {
    return value(end, 1, a0) == 1 && end.memory[x] == 2;
  };
  const Thread sender{store(x, 2), fence(kWrites, kWrites), store(y, 1)};
  EXPECT_TRUE(allows({sender, {load(a0, y), store(x, 1)}}, first_store_wins));
  EXPECT_FALSE(allows({sender, {load(a0, y), store_with(x, 1, a0)}}, first_store_wins));
  EXPECT_FALSE(allows({sender, {load(a0, y), branch_if_zero(a0), store(x, 1)}}, first_store_wins));
}

TEST(RvwmoModel, R) {
  const auto reordered = [](const Outcome& end) {
    return end.memory[y] == 2 && value(end, 1, a0) == 0;
  };
  EXPECT_TRUE(allows({{store(x, 1), store(y, 1)}, {store(y, 2), load(a0, x)}}, reordered));
  EXPECT_TRUE(allows({{store(x, 1), fence(), store(y, 1)}, {store(y, 2), load(a0, x)}}, reordered));
  EXPECT_FALSE(allows({{store(x, 1), fence(), store(y, 1)}, {store(y, 2), fence(), load(a0, x)}},
                      reordered));
}

TEST(RvwmoModel, TwoPlusTwoWrites) {
  const auto first_stores_win = [](const Outcome& end) {
    return end.memory[x] == 1 && end.memory[y] == 1;
  };
  const Instruction w = fence(kWrites, kWrites);
  EXPECT_TRUE(allows({{store(x, 1), store(y, 2)}, {store(y, 1), store(x, 2)}}, first_stores_win));
  EXPECT_FALSE(
      allows({{store(x, 1), w, store(y, 2)}, {store(y, 1), w, store(x, 2)}}, first_stores_win));
}

TEST(RvwmoModel, LoadsOfOneLocationDoNotGoBack) {
  EXPECT_FALSE(allows({{store(x, 1)}, {load(a0, x), load(a1, x)}}, [](const Outcome& end) {
    return value(end, 1, a0) == 1 && value(end, 1, a1) == 0;
  }));
}

// ---------------------------------------------------------------- Figures of the appendix

/// The first figure: "can be either 2, 4, or 5", never 1 or 3.
TEST(RvwmoModel, SampleLitmusTest) {
  std::set<int> found;
  for (const Outcome& end : outcomes_of(
           {{store(x, 1), store(x, 2), load(a0, x), store(x, 3)}, {store(x, 4), store(x, 5)}}))
    found.insert(value(end, 0, a0));
  EXPECT_EQ(found, (std::set<int>{2, 4, 5}));
}

TEST(RvwmoModel, StoreBufferForwardingIsPermitted) {
  const Instruction r = fence(kReads, kReads);
  EXPECT_TRUE(allows(
      {{store(x, 1), load(a0, x), r, load(a1, y)}, {store(y, 1), load(a2, y), r, load(a3, x)}},
      [](const Outcome& end) {
        return value(end, 0, a0) == 1 && value(end, 0, a1) == 0 && value(end, 1, a2) == 1 &&
               value(end, 1, a3) == 0;
      }));
}

TEST(RvwmoModel, PpocaIsPermitted) {
  EXPECT_TRUE(
      allows({kFencedSender,
              {load(a0, y), branch_if_zero(a0), store(z, 1), load(a1, z), load_at(a2, x, a1)}},
             [](const Outcome& end) {
               return value(end, 1, a0) == 1 && value(end, 1, a1) == 1 && value(end, 1, a2) == 0;
             }));
}

TEST(RvwmoModel, FriRfiIsPermitted) {
  EXPECT_TRUE(allows({kFencedSender, {load(a0, y), store(y, 2), load(a1, y), load_at(a2, x, a1)}},
                     [](const Outcome& end) {
                       return value(end, 1, a0) == 1 && value(end, 1, a1) == 2 &&
                              value(end, 1, a2) == 0;
                     }));
}

TEST(RvwmoModel, RswIsPermitted) {
  EXPECT_TRUE(
      allows({kFencedSender, {load(a0, y), load_at(a1, z, a0), load(a2, z), load_at(a3, x, a2)}},
             [](const Outcome& end) { return value(end, 1, a0) == 1 && value(end, 1, a3) == 0; }));
}

TEST(RvwmoModel, LoadWaitsForTheDataOfTheStoreThatItReads) {
  const auto stale = [](const Outcome& end) {
    return value(end, 1, a0) == 1 && value(end, 1, a3) == 0;
  };
  EXPECT_FALSE(
      allows({kFencedSender, {load(a0, y), store_register(z, a0), load(a1, z), load_at(a3, x, a1)}},
             stale));
  EXPECT_TRUE(
      allows({kFencedSender,
              {load(a0, y), store_register(z, a0), store(z, 1), load(a1, z), load_at(a3, x, a1)}},
             stale));
}

TEST(RvwmoModel, StoreWaitsForTheAddressesOfEarlierAccesses) {
  const Thread first{load(a0, x), fence(), store(y, 1)};
  EXPECT_FALSE(buffers_loads(first, {load(a0, y), load_at(a2, z, a0), store(x, 1)}));
  EXPECT_TRUE(buffers_loads(first, {load(a0, y), load(a2, z), store(x, 1)}));
}

// ---------------------------------------------------------------- A branch that becomes a select

/// docs/ordering.md. The first thread looks at `seen` and then raises the flag. The second one
/// looks at the flag once. Can it see the flag, though the first one has seen what it stores
/// afterwards?
constexpr Location flag = 0, out = 1, tally = 2;
constexpr Register t0 = 0, t1 = 1, t2 = 2;

bool stores_too_early(Location seen, const Thread& watcher) {
  const Thread owner{load(a0, seen), fence(), store(flag, 1)};
  return allows({owner, watcher}, [](const Outcome& end) {
    return value(end, 0, a0) != 0 && value(end, 1, t0) == 1;
  });
}

const Thread kBranch{load(t0, flag),  constant(t1, 3),         branch_if_zero(t0, 1),
                     constant(t1, 2), store_register(out, t1), store(tally, 4)};
const Thread kSelect{load(t0, flag),     constant(t1, 3),         constant(t2, 2),
                     select(t1, t0, t2), store_register(out, t1), store(tally, 4)};

TEST(BranchAndSelect, ComputeTheSame) {
  const auto final_values = [](const Thread& watcher) {
    std::set<std::pair<int, int>> seen;
    for (const Outcome& end : outcomes_of({{store(flag, 1)}, watcher}))
      seen.insert({value(end, 1, t0), end.memory[out]});
    return seen;
  };
  EXPECT_EQ(final_values(kBranch), (std::set<std::pair<int, int>>{{0, 3}, {1, 2}}));
  EXPECT_EQ(final_values(kSelect), final_values(kBranch));
}

TEST(BranchAndSelect, BranchKeepsEveryLaterStoreBehindTheLoad) {
  EXPECT_FALSE(stores_too_early(out, kBranch));
  EXPECT_FALSE(stores_too_early(tally, kBranch));
}

TEST(BranchAndSelect, SelectKeepsOnlyTheStoreThatUsesIt) {
  EXPECT_FALSE(stores_too_early(out, kSelect));
  EXPECT_TRUE(stores_too_early(tally, kSelect));
}

TEST(BranchAndSelect, FenceKeepsTheOthersToo) {
  Thread fenced = kSelect;
  fenced.insert(fenced.begin() + 1, fence(kReads, kWrites));
  EXPECT_FALSE(stores_too_early(tally, fenced));
}

/// The manual's example: a branch whose both ways lead to the next instruction.
TEST(BranchAndSelect, BranchOverNothingOrders) {
  EXPECT_FALSE(stores_too_early(tally, {load(t0, flag), branch_if_zero(t0), store(tally, 4)}));
  EXPECT_TRUE(stores_too_early(tally, {load(t0, flag), store(tally, 4)}));
}

/// The last round of a loop that polls: its own branch keeps the order, whatever the others become.
TEST(BranchAndSelect, PollingLoopKeepsTheOrder) {
  Thread polling = kSelect;
  polling.insert(polling.begin() + 1, branch_if_zero(t0, 5));
  EXPECT_FALSE(stores_too_early(tally, polling));
}

} // namespace
} // namespace lanewise::rvwmo
