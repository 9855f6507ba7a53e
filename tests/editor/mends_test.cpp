// Mends are applied to the text in the form in which they are offered: what they mend is gone.
#include "editor/fixture.h"

namespace lanewise::test {
namespace {

std::vector<std::string> codes(const editor::Analysis& analysis) {
  std::vector<std::string> found;
  for (const editor::Problem& each : analysis.problems) found.push_back(each.code);
  return found;
}

TEST(EditorMends, LeaveNoProblem) {
  Opened row("a.tt", kRow, for_chip(Arch::Wormhole));
  const auto mends = row.mends();
  ASSERT_FALSE(mends.empty());
  for (const editor::Mend& mend : mends) {
    const std::string text = editor::edited(row.document.text, mend);
    EXPECT_EQ(codes(Opened("a.tt", text, row.settings).analysis), (std::vector<std::string>{}))
        << text;
  }
  EXPECT_EQ(editor::edited(row.document.text, mends.front()),
            "SFPLOAD L0, 0, 3, 0\n  SFPMAD L0, L0, L10, L1, 0 // ü\n  SFPNOP\n  SFPSTORE L1, 0, 3, "
            "0\n");
}

TEST(EditorMends, MoveAnInstruction) {
  Opened row("a.tt",
             "SFPLOAD L0, 0, 3, 0\nSFPMAD L0, L0, L10, L1, 0\nSFPSTORE L1, 0, 3, 0\n"
             "SFPLOADI L2, 2, 1\nSFPSTORE L2, 0, 3, 2\n",
             for_chip(Arch::Wormhole));
  std::size_t moves = 0;
  for (const editor::Mend& mend : row.mends()) {
    if (mend.edits.size() != 2) continue;
    ++moves;
    const std::string text = editor::edited(row.document.text, mend);
    EXPECT_LT(text.find("SFPLOADI L2, 2, 1\nSFPSTORE L1"), text.size()) << text;
    EXPECT_EQ(Opened("a.tt", text, row.settings).document.text.lines(), 6U);
  }
  EXPECT_EQ(moves, 1U);
}

TEST(EditorMends, AreThoseOfTheRange) {
  Opened row("a.tt", kRow, for_chip(Arch::Wormhole));
  EXPECT_TRUE(
      editor::mends(row.document, row.analysis, {{0, 0}, {1, 5}}, row.analyser, row.settings)
          .empty());
}

TEST(EditorMends, InTheVendorsSyntax) {
  Opened row("a.s",
             "f:\n\tsfpload\tL0,0,3,0\n\tsfpmad\tL1,L0,L0,L10,0\n\tsfpstore\tL1,0,3,0\n\tret\n",
             for_chip(Arch::Wormhole));
  const auto mends = row.mends();
  ASSERT_FALSE(mends.empty());
  const std::string text = editor::edited(row.document.text, mends.front());
  EXPECT_NE(text.find("\tsfpnop\n\tsfpstore"), std::string::npos) << text;
}

/// A change that is offered by the checker, but does not hold for the text, is not offered: the
/// words in front of a label.
TEST(EditorMends, WhatDoesNotHoldIsNotOffered) {
  Opened row("a.tt", kRow, for_chip(Arch::Wormhole));
  ASSERT_EQ(row.analysis.problems.size(), 1U);
  auto& changes = row.analysis.problems[0].hazard->changes;
  ASSERT_FALSE(changes.empty());
  changes.resize(1);
  changes[0].before_line = 1; // too early
  EXPECT_TRUE(row.mends().empty());
}

TEST(EditorMends, SpellInstructions) {
  Opened wrong("a.tt", "SFPNOP\n  SFPNPO\n");
  const auto mends = wrong.mends();
  ASSERT_FALSE(mends.empty());
  EXPECT_EQ(mends[0].title, "change to SFPNOP");
  EXPECT_EQ(editor::edited(wrong.document.text, mends[0]), "SFPNOP\n  SFPNOP\n");
  // What would not be right with these operands is left out.
  Opened operands("a.tt", "SFPMADD L0, L1, L2, L3, 0\n");
  for (const editor::Mend& each : operands.mends()) EXPECT_NE(each.title, "change to SFPIADD");
  EXPECT_TRUE(Opened("a.tt", "SFPNOP QQ\n").mends().empty());
}

} // namespace
} // namespace lanewise::test
