#include "binary/paths/code_graph.h"

#include <gtest/gtest.h>

#include "paths/code_fixture.h"

namespace lanewise::paths {
namespace {

using namespace testing;

TEST(CodeGraph, StraightCodeIsOneBlock) {
  const CodeGraph code = graph_of(function({kNop, tensix("SFPNOP"), kRet}));
  ASSERT_EQ(code.blocks.size(), 1U);
  EXPECT_EQ(code.blocks[0].leaving, Leaving::Return);
  EXPECT_TRUE(code.edges.empty());
}

TEST(CodeGraph, ABranchHasTwoWays) {
  // 0: beq +2   1: nop   2: ret
  const CodeGraph code = graph_of(function({if_zero(2), kNop, kRet}));
  const std::vector<BlockEdge> expected{
      {0, 2, EdgeKind::Taken}, {0, 1, EdgeKind::Next}, {1, 2, EdgeKind::Next}};
  EXPECT_EQ(code.edges, expected);
}

TEST(CodeGraph, ALoopGoesBackIntoTheMiddleOfABlock) {
  // 0: nop   1: nop   2: beq -1   3: ret
  const CodeGraph code = graph_of(function({kNop, kNop, if_zero(-1), kRet}));
  ASSERT_EQ(code.blocks.size(), 3U);
  EXPECT_EQ(code.blocks[1].first, 1U);
  EXPECT_EQ(code.edges[1], (BlockEdge{1, 1, EdgeKind::Taken}));
}

TEST(CodeGraph, ACallEndsABlockAndComesBack) {
  const auto all = functions({{kNop, call(3), kRet, kNop}, {kRet}});
  const CodeGraph code = graph_of(all[0]);
  EXPECT_TRUE(code.blocks[0].calls);
  EXPECT_EQ(code.blocks[0].callee, all[1].symbol.address);
  EXPECT_EQ(code.edges[0], (BlockEdge{0, 1, EdgeKind::Next}));
}

TEST(CodeGraph, AJumpToAnotherFunctionLeaves) {
  const auto all = functions({{jump(1)}, {kRet}});
  const CodeGraph code = graph_of(all[0]);
  EXPECT_EQ(code.blocks[0].leaving, Leaving::TailJump);
  EXPECT_EQ(code.blocks[0].callee, all[1].symbol.address);
}

TEST(CodeGraph, IndirectJumpsAreUnknown) {
  constexpr std::uint32_t kJumpThroughA5 = 0x00078067;
  const CodeGraph code = graph_of(function({kJumpThroughA5, kRet}));
  EXPECT_EQ(code.blocks[0].leaving, Leaving::Unknown);
  EXPECT_TRUE(code.edges.empty()) << "what follows it is not known";
}

TEST(CodeGraph, TheEndOfTheCodeLeaves) {
  EXPECT_EQ(graph_of(function({kNop})).blocks[0].leaving, Leaving::End);
}

TEST(CodeGraph, WordsFindTheirBlocks) {
  const CodeGraph code = graph_of(function({if_zero(2), kNop, kNop, kRet}));
  EXPECT_EQ(block_of(code, 0), 0U);
  EXPECT_EQ(block_of(code, 1), 1U);
  EXPECT_EQ(block_of(code, 3), 2U);
}

} // namespace
} // namespace lanewise::paths
