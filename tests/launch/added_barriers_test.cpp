// Barriers that kernels do not have: who waits at them, and until when.
#include <gtest/gtest.h>

#include "run/launch/added_barriers.h"

namespace lanewise::launch {
namespace {

using noc::NocEvent;
using noc::Transaction;

constexpr unsigned kAsks = 3, kOther = 4; // BRISC and NCRISC

class Barriers : public testing::Test {
 protected:
  Transaction ask(Transaction::Kind kind, unsigned line, unsigned noc = 0, unsigned core = kAsks) {
    Transaction t{.kind = kind, .core = core, .noc = noc, .line = line};
    see(NocEvent::Kind::Asked, t);
    return t;
  }
  void land(const Transaction& t) {
    see(NocEvent::Kind::Sent, t);
    see(NocEvent::Kind::Landed, t);
  }
  void see(NocEvent::Kind kind, const Transaction& t) {
    barriers.see({.kind = kind, .core = t.core, .noc = t.noc, .transaction = &t});
  }

  std::vector<Mend> all{{.core = kAsks, .noc = 0, .line = 17},
                        {.core = kAsks, .noc = 0, .line = 30, .file = {}, .of = Mend::Of::Atomics}};
  std::vector<unsigned> passed;
  AddedBarriers barriers{all, [this](const Mend& barrier) { passed.push_back(barrier.line); }};
};

TEST_F(Barriers, ACoreGoesOnOnceAllItsWritesByThatNocAreDone) {
  const Transaction before = ask(Transaction::Kind::Write, 5);
  EXPECT_FALSE(barriers.holds(kAsks)) << "line 5 has no barrier";
  const Transaction data = ask(Transaction::Kind::Write, 17);
  EXPECT_TRUE(barriers.holds(kAsks));
  EXPECT_FALSE(barriers.holds(kOther));
  land(data);
  EXPECT_TRUE(barriers.holds(kAsks)) << "the write of line 5 is under way";
  land(before);
  EXPECT_FALSE(barriers.holds(kAsks));
  EXPECT_EQ(passed, std::vector{17U});
}

TEST_F(Barriers, ReadsIncrementsAndTheOtherNocAreNotWaitedFor) {
  ask(Transaction::Kind::Read, 5);
  ask(Transaction::Kind::Increment, 6);
  ask(Transaction::Kind::Write, 7, 1);
  ask(Transaction::Kind::Inline, 7, 0, kOther);
  land(ask(Transaction::Kind::Inline, 17));
  EXPECT_EQ(passed, std::vector{17U});
}

TEST_F(Barriers, ThatOfIncrementsIsForThese) {
  const Transaction write = ask(Transaction::Kind::Write, 30);
  EXPECT_FALSE(barriers.holds(kAsks));
  const Transaction increment = ask(Transaction::Kind::Increment, 30);
  EXPECT_TRUE(barriers.holds(kAsks));
  land(increment);
  EXPECT_EQ(passed, std::vector{30U});
  land(write);
}

TEST_F(Barriers, AnotherCoreOrNocHasNone) {
  ask(Transaction::Kind::Write, 17, 1);
  ask(Transaction::Kind::Write, 17, 0, kOther);
  EXPECT_FALSE(barriers.holds(kAsks));
  EXPECT_FALSE(barriers.holds(kOther));
}

} // namespace
} // namespace lanewise::launch
