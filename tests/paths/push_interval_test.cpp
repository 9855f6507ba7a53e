#include "binary/paths/push_interval.h"

#include <gtest/gtest.h>

#include <random>

#include "base/graph/dominators.h"
#include "base/graph/loops.h"
#include "paths/code_fixture.h"

namespace lanewise::paths {
namespace {

using namespace testing;

PushIntervals intervals_of(const Words& words, Arch arch) {
  const std::vector<elf::Function> all = functions({words}, arch);
  const ProgramGraph graph(all);
  return find_push_intervals(graph, StraightCode(graph, arch), 0, arch);
}

const std::uint32_t kPush = tensix("SFPNOP");

TEST(PushInterval, EachInstructionTakesACycle) {
  const PushCost block = intervals_of({kPush, kNop, kNop, kPush, kRet}, Arch::Wormhole).blocks[0];
  EXPECT_EQ(block.words, 2U);
  EXPECT_EQ(block.instructions, 5U);
  EXPECT_EQ(block.cycles, 5);
  EXPECT_EQ(block.interval(), 2.5);
}

TEST(PushInterval, BlackholeExecutesFourPushesSideBySideInACycle) { // ISA PushTensixInstruction
  // Between other instructions: 1 + 2 cycles for five + 1.
  const Words code{kNop, kPush, kPush, kPush, kPush, kPush, kRet};
  EXPECT_EQ(intervals_of(code, Arch::Blackhole).blocks[0].cycles, 4);
  EXPECT_EQ(intervals_of(code, Arch::Wormhole).blocks[0].cycles, 7);
}

TEST(PushInterval, PushesThatMayGoOnInTheNextBlockCountByTheirShare) {
  // Block 0: 1 push, block 1: 3 pushes, which the branch at the end goes back to.
  const Words code{kPush, kPush, kPush, kPush, if_zero(-3), kRet};
  const PushIntervals intervals = intervals_of(code, Arch::Blackhole);
  EXPECT_EQ(intervals.blocks[0].cycles + intervals.blocks[1].cycles, 1 + 1)
      << "four pushes in a cycle, and the branch";
}

TEST(PushInterval, WhatPushesNothingHasNoInterval) {
  EXPECT_FALSE(intervals_of({kNop, kRet}, Arch::Blackhole).blocks[0].interval());
}

TEST(PushInterval, TheCoreIsTheLimitOfALoopWithMuchBetween) {
  const Words code{kPush, kNop, kNop, kNop, if_zero(-4), kRet};
  for (const Arch arch : kArchs) {
    const PushIntervals intervals = intervals_of(code, arch);
    ASSERT_EQ(intervals.loops.size(), 1U);
    const LoopPushes& loop = intervals.loops[0];
    EXPECT_EQ(loop.least.instructions, 5U);
    EXPECT_EQ(loop.unit_cycles, 1) << "SFPNOP takes a slot (T1)";
    EXPECT_TRUE(loop.core_is_limit());
  }
}

TEST(PushInterval, TheCoreKeepsUpWhereTheUnitNeedsLonger) {
  // Dependent multiply-adds: two cycles each (T2). Blackhole's core pushes the four in one.
  const std::uint32_t mad = tensix("SFPMAD L0, L0, L9, L0, 0");
  const LoopPushes loop =
      intervals_of({mad, mad, mad, mad, if_zero(-4), kRet}, Arch::Blackhole).loops.at(0);
  EXPECT_EQ(loop.densest.cycles, 2);
  EXPECT_EQ(loop.unit_cycles, 8);
  EXPECT_FALSE(loop.core_is_limit());
}

TEST(PushInterval, AReplayKeepsTheUnitBusy) {
  Words code{tensix("REPLAY 0, 8, 0, 1")};
  code.insert(code.end(), 8, kPush);
  code.insert(code.end(), {tensix("REPLAY 0, 8, 0, 0"), kNop, kNop, if_zero(-3), kRet});
  const LoopPushes loop = intervals_of(code, Arch::Wormhole).loops.at(0);
  EXPECT_EQ(loop.densest.words, 1U);
  EXPECT_EQ(loop.densest.cycles, 4);
  EXPECT_EQ(loop.unit_cycles, 8) << "what was recorded before the loop";
  EXPECT_FALSE(loop.core_is_limit());
}

TEST(PushInterval, OfTwoWaysThroughALoop) {
  // 0: beq +3   1: push   2: j +4   3: push   4: push   5: nop   6: beq back   7: ret
  const Words code{if_zero(3), kPush, jump(4), kPush, kPush, kNop, if_zero(-6), kRet};
  const LoopPushes loop = intervals_of(code, Arch::Wormhole).loops.at(0);
  EXPECT_EQ(loop.least.instructions, 4U) << "0, 1, 2, 6";
  EXPECT_EQ(loop.least.words, 1U);
  EXPECT_EQ(loop.densest.instructions, 5U) << "0, 3, 4, 5, 6";
  EXPECT_EQ(loop.densest.words, 2U);
}

TEST(PushInterval, OuterLoopsPassInnerOnesOnce) {
  // 0: push   1: push   2: beq to 1   3: beq to 0   4: ret
  const PushIntervals intervals =
      intervals_of({kPush, kPush, if_zero(-1), if_zero(-3), kRet}, Arch::Wormhole);
  ASSERT_EQ(intervals.loops.size(), 2U);
  EXPECT_EQ(intervals.loops[0].least.instructions, 4U);
  EXPECT_EQ(intervals.loops[1].least.instructions, 2U);
  EXPECT_EQ(intervals.loops[1].depth, 2U);
}

TEST(PushInterval, CallsAreNotCounted) {
  const auto all = functions({{kPush, call(3), if_zero(-2), kRet}, {kNop, kRet}});
  const ProgramGraph graph(all);
  const auto intervals =
      find_push_intervals(graph, StraightCode(graph, Arch::Wormhole), 0, Arch::Wormhole);
  EXPECT_TRUE(intervals.loops.at(0).least.calls);
  EXPECT_EQ(intervals.loops[0].least.instructions, 3U);
}

/// Goes around in each loop at random and counts each pass.
TEST(PushInterval, NoPassIsShorter) {
  std::mt19937 random(15);
  std::size_t passes = 0;
  for (unsigned round = 0; round < 600; ++round) {
    Words words;
    for (int place = 0; place < 12; ++place) {
      const unsigned kind = random() % 4;
      words.push_back(kind == 0   ? kNop
                      : kind == 1 ? if_zero(static_cast<int>(random() % 12) - place)
                                  : kPush);
    }
    words.push_back(kRet);
    const elf::Function code = function(words, Arch::Wormhole);
    const CodeGraph graph = graph_of(code);
    const graph::LoopForest loops(graph.graph, graph::DominatorTree(graph.graph));
    const PushIntervals intervals = intervals_of(words, Arch::Wormhole);
    for (graph::LoopNumber number = 0; number < intervals.loops.size(); ++number) {
      const LoopPushes& loop = intervals.loops[number];
      graph::Node at = loop.head;
      double instructions = 0;
      for (unsigned step = 0; step < 30; ++step) {
        instructions += graph.blocks[at].end - graph.blocks[at].first;
        const auto next = graph.graph.successors(at);
        if (next.empty()) break;
        at = next[random() % next.size()];
        if (!loops.contains(number, at)) break;
        if (at != loop.head) continue;
        ++passes;
        EXPECT_GE(instructions, loop.least.cycles) << "round " << round;
        instructions = 0;
      }
    }
  }
  EXPECT_GT(passes, 500U);
}

} // namespace
} // namespace lanewise::paths
