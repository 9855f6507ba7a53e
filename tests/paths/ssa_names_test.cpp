#include "binary/paths/ssa_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "paths/code_fixture.h"

namespace lanewise::paths {
namespace {

using namespace testing;

constexpr Register kL0 = kFirstLReg, kL1 = kFirstLReg + 1, kL2 = kFirstLReg + 2;
constexpr Register kA0 = 10;
constexpr std::uint32_t kIncrementA0 = 0x00150513; ///< addi a0, a0, 1

FunctionSsa ssa_of(const Words& words, Arch arch = Arch::Blackhole) {
  const elf::Function code = function(words, arch);
  const CodeGraph graph = graph_of(code);
  return make_function_ssa(code, graph, arch, follow_paths(code, graph, arch, {}), {});
}

using Names = std::vector<SsaName>;

TEST(SsaNames, StraightCodeCountsVersions) {
  const FunctionSsa ssa =
      ssa_of({tensix("SFPLOAD L2, 3, 3, 0"), tensix("SFPMAD L2, L2, L9, L2, 0"), kRet});
  EXPECT_EQ(ssa.words[0].defines, (Names{{kL2, 1}}));
  EXPECT_EQ(ssa.words[1].uses, (Names{{kL2, 1}, {kFirstLReg + 9, 0}}));
  EXPECT_EQ(ssa.words[1].defines, (Names{{kL2, 2}}));
  EXPECT_EQ(ssa.text({kL2, 1}), "L2.1");
  EXPECT_EQ(ssa.text({kFirstLReg + 9, 0}), "L9") << "the function does not define it";
}

/// Blocks: 0 {0}, 1 {1, 2}, 2 {3}, 3 {4, 5}.
Words two_loads_then(std::uint32_t last) {
  return {if_zero(3), tensix("SFPLOAD L2, 3, 3, 0"), jump(2), tensix("SFPLOAD L2, 3, 3, 2"), last,
          kRet};
}

TEST(SsaNames, TwoValuesMeetInAPhi) {
  const FunctionSsa ssa = ssa_of(two_loads_then(tensix("SFPSTORE L2, 3, 3, 0")));
  ASSERT_EQ(ssa.phis[3].size(), 1U);
  const SsaPhi& phi = ssa.phis[3][0];
  EXPECT_EQ(phi.result, (SsaName{kL2, 3}));
  EXPECT_EQ(phi.arguments, (std::vector<std::optional<SsaName>>{SsaName{kL2, 1}, SsaName{kL2, 2}}));
  EXPECT_EQ(ssa.words[4].uses, (Names{{kL2, 3}}));
}

TEST(SsaNames, ThereIsNoPhiForWhatNobodyReads) {
  const FunctionSsa ssa = ssa_of(two_loads_then(tensix("SFPSTORE L1, 3, 3, 0")));
  EXPECT_TRUE(ssa.phis[3].empty());
}

TEST(SsaNames, ACounterOfALoopHasAPhiAtItsHead) {
  const FunctionSsa ssa = ssa_of({kNop, kIncrementA0, if_zero(-1), kRet});
  ASSERT_EQ(ssa.phis[1].size(), 1U);
  EXPECT_EQ(ssa.phis[1][0].result, (SsaName{kA0, 1}));
  EXPECT_EQ(ssa.words[1].uses, (Names{{kA0, 1}}));
  EXPECT_EQ(ssa.words[1].defines, (Names{{kA0, 2}}));
  EXPECT_EQ(ssa.text({kA0, 2}), "a0.2");
}

TEST(SsaNames, TheFirstBlockMayBeALoopsHead) {
  const FunctionSsa ssa = ssa_of({kIncrementA0, if_zero(-1), kRet});
  ASSERT_EQ(ssa.phis[0].size(), 1U);
  EXPECT_EQ(ssa.phis[0][0].arguments.back(), (SsaName{kA0, 0})) << "from outside";
}

TEST(SsaNames, WhatLanesThatAreOffKeepIsRead) {
  const FunctionSsa ssa =
      ssa_of({tensix("SFPLOAD L2, 3, 3, 0"), tensix("SFPPUSHC"), tensix("SFPSETCC 0, L1, 0, 0"),
              tensix("SFPABS L0, L2, 1"), tensix("SFPPOPC"), tensix("SFPABS L1, L2, 1"), kRet});
  EXPECT_EQ(ssa.words[3].keeps, (Names{{kL2, 1}}));
  EXPECT_TRUE(ssa.words[5].keeps.empty()) << "SFPPOPC has switched all lanes on again";
}

TEST(SsaNames, AReplayUsesWhatItPlays) {
  const FunctionSsa ssa = ssa_of({tensix("SFPLOAD L0, 3, 3, 0"), tensix("REPLAY 0, 2, 0, 1"),
                                  tensix("SFPABS L0, L1, 1"), tensix("SFPABS L1, L2, 1"),
                                  tensix("REPLAY 0, 2, 0, 0"), kRet});
  EXPECT_TRUE(ssa.words[2].defines.empty()) << "it is only recorded";
  EXPECT_EQ(ssa.words[4].uses, (Names{{kL0, 1}})) << "L1 comes from the word itself";
  EXPECT_EQ(ssa.words[4].defines, (Names{{kL1, 1}, {kL2, 1}}));
}

TEST(SsaNames, ACallWritesWhatItsCalleeNeedNotSave) {
  const auto all = functions({{kIncrementA0, call(3), kIncrementA0, kRet}, {kRet}});
  const CodeGraph graph = graph_of(all[0]);
  const FunctionSsa ssa = make_function_ssa(all[0], graph, Arch::Blackhole,
                                            follow_paths(all[0], graph, Arch::Blackhole, {}), {});
  EXPECT_EQ(ssa.words[0].defines, (Names{{kA0, 1}}));
  EXPECT_TRUE(std::ranges::binary_search(ssa.words[1].uses, SsaName{kA0, 1})) << "an argument";
  EXPECT_EQ(ssa.words[2].uses, (Names{{kA0, 2}})) << "its result";
}

/// Random walks: the version that a word reads is the one that was made last on the walk.
TEST(SsaNames, OnEveryWalkTheLastVersionIsRead) {
  const std::vector<std::uint32_t> pool{kIncrementA0,
                                        0x00058513, // mv a0, a1
                                        0x00A585B3, // add a1, a1, a0
                                        tensix("SFPABS L0, L1, 1"),
                                        tensix("SFPABS L1, L0, 1"),
                                        tensix("SFPMAD L0, L1, L9, L2, 0"),
                                        tensix("SFPSTORE L2, 3, 3, 0")};
  std::mt19937 random(15);
  std::size_t phis = 0;
  for (unsigned round = 0; round < 300; ++round) {
    Words words;
    for (int place = 0; place < 14; ++place)
      words.push_back(random() % 3 == 0 ? if_zero(static_cast<int>(random() % 14) - place)
                                        : pool[random() % pool.size()]);
    words.push_back(kRet);
    const FunctionSsa ssa = ssa_of(words);
    const CodeGraph code = graph_of(function(words));
    std::vector<std::uint32_t> last(kSsaRegisters, 0);
    graph::Node at = 0, from = graph::kNoNode;
    for (unsigned step = 0; step < 40; ++step) {
      const auto predecessors = code.graph.predecessors(at);
      const auto argument = std::ranges::find(predecessors, from) - predecessors.begin();
      const std::vector<std::uint32_t> before = last;
      for (const SsaPhi& phi : ssa.phis[at]) {
        ++phis;
        const auto& taken = phi.arguments.at(static_cast<std::size_t>(argument));
        ASSERT_TRUE(taken);
        EXPECT_EQ(taken->version, before[taken->of]) << "round " << round << ", block " << at;
        last[phi.result.of] = phi.result.version;
      }
      for (std::uint32_t i = code.blocks[at].first; i < code.blocks[at].end; ++i) {
        for (const SsaName& each : ssa.words[i].uses)
          EXPECT_EQ(each.version, last[each.of]) << "round " << round << ", word " << i;
        for (const SsaName& each : ssa.words[i].defines) last[each.of] = each.version;
      }
      const auto next = code.graph.successors(at);
      if (next.empty()) break;
      from = at;
      at = next[random() % next.size()];
    }
  }
  EXPECT_GT(phis, 500U);
}

} // namespace
} // namespace lanewise::paths
