// Kernels in C++ and programs of a tile as documents.
#include <algorithm>

#include "editor/fixture.h"

namespace lanewise::test {
namespace {

constexpr const char* kHead = "#include <sfpi.h>\nusing namespace sfpi;\nvoid kernel() {\n";

TEST(EditorKernel, HasWordsAndCyclesByLine) {
  const Opened kernel("k.cpp",
                      std::string(kHead) + "  dst_reg[0] = dst_reg[0] * 2.0f + 1.0f;\n}\n");
  EXPECT_TRUE(kernel.analysis.problems.empty());
  ASSERT_TRUE(kernel.analysis.timed);
  ASSERT_TRUE(kernel.analysis.lines.contains(4));
  EXPECT_GE(kernel.analysis.lines.at(4).words.size(), 3U);
  EXPECT_NE(kernel.hover_text(3, 4).find("SFPSTORE"), std::string::npos);
}

TEST(EditorKernel, MistakesOfEveryStageAreProblems) {
  const Opened syntax("k.cpp", std::string(kHead) + "  dst_reg[0] = nothing;\n}\n");
  ASSERT_EQ(syntax.analysis.problems.size(), 1U);
  EXPECT_EQ(syntax.analysis.problems[0].range.start, (editor::Position{3, 15}));
  EXPECT_EQ(syntax.analysis.problems[0].range.end, (editor::Position{3, 22}));
  const Opened lanes("k.cpp", std::string(kHead) +
                                  "  vFloat x;\n  v_if (dst_reg[0] < 0.0f) { x = 1.0f; }\n  "
                                  "v_endif;\n  dst_reg[0] = x;\n}\n");
  EXPECT_TRUE(std::ranges::any_of(lanes.analysis.problems, [](const editor::Problem& each) {
    return each.text.find("lane") != std::string::npos;
  }));
  const Opened crash("k.cpp", std::string(kHead) + "  *(volatile int*)nullptr = 1;\n}\n");
  ASSERT_EQ(crash.analysis.problems.size(), 1U);
  EXPECT_EQ(crash.analysis.problems[0].severity, editor::Severity::Error);
}

TEST(EditorKernel, MendsAreMacros) {
  // On Wormhole nothing waits for SFPMAD.
  const std::string text = "#include <ckernel_ops.h>\n" + std::string(kHead) +
                           "  TTI_SFPLOAD(0, 0, 3, 0);\n  TTI_SFPMAD(0, 0, 10, 1, 0);\n"
                           "  TTI_SFPSTORE(1, 0, 3, 0);\n}\n";
  Opened kernel("k.cpp", text, for_chip(Arch::Wormhole));
  const auto mends = kernel.mends();
  ASSERT_FALSE(mends.empty());
  const std::string changed = editor::edited(kernel.document.text, mends.front());
  EXPECT_NE(changed.find("  TTI_SFPNOP;\n  TTI_SFPSTORE"), std::string::npos) << changed;
}

TEST(EditorKernel, OtherCodeIsLeftAlone) {
  EXPECT_TRUE(Opened("k.cpp", "this is no C++").analysis.problems.empty());
}

class EditorTile : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Chips, EditorTile, testing::ValuesIn(kArchs));

TEST_P(EditorTile, CountsWhatWasExecuted) {
  const Opened tile("t.tt", ".thread math\n.repeat 2\nSFPNOP\n.endr\n.thread pack\nSFPNOP\n",
                    for_chip(GetParam()));
  EXPECT_TRUE(tile.analysis.problems.empty());
  const auto hints = editor::inlay_hints(tile.document, tile.analysis, tile.whole());
  ASSERT_EQ(hints.size(), 2U);
  EXPECT_EQ(hints[0]["label"], "2 words, executed 2 times");
}

TEST_P(EditorTile, WaitsForGoodAreProblems) {
  const Opened tile("t.tt", ".thread pack\nSFPNOP\n.thread math\nSEMWAIT 511, 2, 1\nSFPNOP\n",
                    for_chip(GetParam()));
  ASSERT_EQ(tile.analysis.problems.size(), 1U);
  EXPECT_EQ(tile.analysis.problems[0].range.start.line, 4U);
  EXPECT_TRUE(tile.analysis.problems[0].text.starts_with("deadlock"));
  const Opened wrong("t.tt", ".thread nothing\n", for_chip(GetParam()));
  ASSERT_EQ(wrong.analysis.problems.size(), 1U);
  EXPECT_EQ(wrong.analysis.problems[0].range.start, (editor::Position{0, 8}));
}

} // namespace
} // namespace lanewise::test
