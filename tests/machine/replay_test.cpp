// REPLAY: recording and replaying through the front end (ISA REPLAY).
#include "base/source_line.h"
#include "chip/machine/frontend/front_end.h"
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class Replay : public OnBothChips {
 protected:
  /// A program that adds 1, 2, 4, ... to L0..L3, one instruction each.
  static std::string increments(unsigned count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += fmt::format("SFPIADD {}, L{}, L{}, 5\n", 1 << i, i, i);
    return text;
  }
  void expect_registers(std::array<std::uint32_t, 4> expected) {
    for (unsigned reg = 0; reg < 4; ++reg) EXPECT_EQ(rig.lreg(reg), all(expected[reg])) << reg;
  }
};
LANEWISE_ON_BOTH_CHIPS(Replay);

TEST_P(Replay, RecordingDoesNotExecute) {
  rig.run_clean("REPLAY 0, 4, 0, 1\n" + increments(4));
  expect_registers({0, 0, 0, 0});
  rig.run_clean("REPLAY 0, 4, 0, 0\nREPLAY 1, 2, 0, 0");
  expect_registers({1, 4, 8, 8});
}

TEST_P(Replay, RecordingAndExecuting) {
  rig.run_clean("REPLAY 0, 4, 1, 1\n" + increments(4) + "REPLAY 3, 1, 0, 0");
  expect_registers({1, 2, 4, 16});
}

TEST_P(Replay, InstructionsAfterTheRecordExecute) {
  rig.run_clean("REPLAY 0, 2, 0, 1\n" + increments(3));
  expect_registers({0, 0, 4, 0});
}

TEST_P(Replay, SlotsWrapAround) { // 32 slots
  rig.run_clean("REPLAY 30, 4, 0, 1\n" + increments(4));
  rig.run_clean("REPLAY 0, 2, 0, 0");
  expect_registers({0, 0, 4, 8});
  rig.run_clean("REPLAY 31, 2, 0, 0");
  expect_registers({0, 2, 8, 8});
}

TEST_P(Replay, CountZeroIs64) {
  std::string program = "REPLAY 0, 0, 0, 1\n";
  for (unsigned i = 0; i < 64; ++i)
    program += fmt::format("SFPIADD 1, L{}, L{}, 5\n", i < 32 ? 0 : 1, i < 32 ? 0 : 1);
  const auto faults = rig.run(program + "SFPLOADI L2, USHORT, 5\n");
  ASSERT_EQ(faults.size(), 1U); // the buffer has 32 slots
  EXPECT_EQ(faults[0].kind, FaultKind::Hazard);
  expect_registers({0, 0, 5, 0});
  rig.run_clean("REPLAY 0, 0, 0, 0"); // the second 32 have replaced the first
  expect_registers({0, 64, 5, 0});
}

TEST_P(Replay, BufferOutlivesAProgram) {
  rig.run_clean("REPLAY 5, 1, 0, 1\n" + increments(1));
  rig.run_clean("REPLAY 5, 1, 0, 0");
  expect_registers({1, 0, 0, 0});
}

TEST_P(Replay, TooShortRecordingIsReported) {
  const auto faults = rig.run("SFPNOP\nREPLAY 0, 4, 1, 1\n" + increments(2));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
  EXPECT_EQ(faults[0].instruction, "REPLAY");
  EXPECT_EQ(faults[0].line, 2U);
  expect_registers({1, 2, 0, 0});
}

TEST_P(Replay, SlotWithoutRecordIsReported) {
  rig.run_clean("REPLAY 0, 1, 0, 1\n" + increments(1));
  const auto faults = rig.run("\nREPLAY 0, 2, 0, 0");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::UnpredictableValue);
  EXPECT_EQ(faults[0].line, 2U);
  EXPECT_NE(faults[0].message.find("slot 1"), std::string::npos);
  expect_registers({1, 0, 0, 0});
}

// A count that is too large takes in the REPLAY that should play: nothing of the loop remains.
TEST_P(Replay, RecordedReplayIsReportedByName) {
  for (const std::string execute : {"0", "1"}) {
    const auto faults =
        rig.run("REPLAY 0, 3, " + execute + ", 1\n" + increments(2) + "REPLAY 0, 3, 0, 0\nSFPNOP");
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
    EXPECT_EQ(faults[0].instruction, "REPLAY");
    EXPECT_EQ(faults[0].line, 1U) << "the one that records too much";
    EXPECT_NE(faults[0].message.find("number 3 of them is the REPLAY of line 4"), std::string::npos)
        << faults[0].message;
    EXPECT_NE(faults[0].remedy.find("2 stand before"), std::string::npos) << faults[0].remedy;
  }
  // Played once more, it is still left out, and is no second fault.
  EXPECT_EQ(rig.run("REPLAY 0, 1, 0, 1\nREPLAY 0, 1, 0, 0\nREPLAY 0, 1, 0, 0").size(), 1U);
  EXPECT_EQ(rig.run("REPLAY 0, 1, 0, 0").size(), 1U) << "of an earlier program";
}

TEST_P(Replay, CountThatFitsIsSilent) {
  rig.run_clean("REPLAY 0, 2, 1, 1\n" + increments(2) + "REPLAY 0, 2, 0, 0");
  expect_registers({2, 4, 0, 0});
}

TEST_P(Replay, FaultsNameTheRecordedLineOnce) {
  const auto faults = rig.run(
      "REPLAY 0, 2, 0, 1\nSFPNOP\nSFPSHFT2 0, L0, L0, 9\n.repeat 3\nREPLAY 0, 2, 0, 0\n.endr");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].line, 3U);
  EXPECT_EQ(faults[0].instruction, "SFPSHFT2");
}

/// A REPLAY is up to 64 instructions, also where nothing has been recorded.
TEST_P(Replay, AProgramExpandsToSoMuchAndNoMore) {
  const auto faults = rig.run(".repeat 100000\nREPLAY 0, 0, 0, 0\n.endr");
  ASSERT_FALSE(faults.empty());
  EXPECT_NE(faults.back().message.find("more than 2000000 instructions"), std::string::npos)
      << to_string(faults.back());
}

/// timing.md, patterns: slots overwritten by another user. A part of a recording is no longer what
/// was recorded, whoever plays it.
TEST_P(Replay, PartOfARecordingThatIsGoneIsReported) {
  const auto faults = rig.run("REPLAY 0, 4, 0, 1\n" + increments(4) +
                              "REPLAY 2, 1, 0, 1\nSFPNOP\n" + "REPLAY 0, 4, 0, 0");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::Hazard);
  EXPECT_EQ(faults[0].line, 8U);
  EXPECT_NE(faults[0].message.find("line 6 has overwritten a part"), std::string::npos)
      << faults[0].message;
}

/// Two recordings, one over the other, and what plays the slots, each from a file.
struct Owners {
  std::string first, second, player;
  bool is_reported;
};

TEST_P(Replay, RecordingOfAnotherFileOverOnesOwnIsReported) {
  const std::vector<Owners> all{{"header.h", "kernel.cpp", "header.h", true},
                                {"kernel.cpp", "header.h", "kernel.cpp", true},
                                {"header.h", "header.h", "header.h", false},
                                {"header.h", "kernel.cpp", "kernel.cpp", false},
                                {"other.h", "kernel.cpp", "header.h", false}};
  for (const Owners& each : all) {
    const auto program = assembly::assemble(
        GetParam(), "REPLAY 0, 1, 0, 1\nSFPNOP\nREPLAY 0, 1, 0, 1\nSFPNOP\nREPLAY 0, 1, 0, 0\n",
        "test.tt");
    ASSERT_TRUE(program.has_value());
    Program placed = *program;
    const auto belongs_to = [&](std::size_t word, const std::string& file) {
      placed.words[word].line =
          line_number({.file = file, .line = placed.words[word].line, .part = ProgramPart::Tile});
    };
    for (const std::size_t word : {0, 1}) belongs_to(word, each.first);
    for (const std::size_t word : {2, 3}) belongs_to(word, each.second);
    belongs_to(4, each.player);
    const auto faults = FrontEnd(GetParam()).expand(placed).faults;
    ASSERT_EQ(faults.size(), each.is_reported ? 1U : 0U)
        << each.first << ' ' << each.second << ' ' << each.player;
    if (!each.is_reported) continue;
    EXPECT_EQ(faults[0].kind, FaultKind::Hazard);
    EXPECT_NE(
        faults[0].message.find(each.second + ":3 has recorded over what " + each.first + ":1"),
        std::string::npos)
        << faults[0].message;
  }
}

} // namespace
} // namespace lanewise::test
