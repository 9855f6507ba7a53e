// A kernel that is called for one face after the other: what mends its end must do so for every
// call, and is applied here as it is printed.
#include <regex>

#include "base/source_line.h"
#include "chip/machine/kernel_entry.h"
#include "chip/timing/hazards/calls.h"
#include "chip/timing/hazards/hazards.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using timing::Hazard;

using CallsOnBothChips = ClockOnBothChips;
LANEWISE_ON_BOTH_CHIPS(CallsOnBothChips);

/// `init` runs once, `call` for every tile.
Program kernel(ClockRig& rig, const std::string& init, const std::string& call) {
  Program program = rig.assemble(init);
  for (ProgramWord& word : program.words)
    word.line = line_number({.file = "", .line = word.line, .part = ProgramPart::Init});
  for (const ProgramWord& word : rig.assemble(call).words) program.words.push_back(word);
  return program;
}

std::vector<Hazard> breaks(ClockRig& rig, const Program& program) {
  MachineState after = rig.state();
  const MicroProgram micro = FrontEnd(rig.arch()).expand(program);
  const timing::Schedule schedule = timing::schedule(rig.state(), micro);
  execute(after, schedule.ops(micro));
  std::vector<Hazard> hazards = timing::find_contract_breaks(rig.state(), after, schedule);
  timing::try_endings(hazards, program, rig.state());
  return hazards;
}

/// The lines that "append SFPNOP at the end, 3 times" names.
std::string printed_ending(const std::string& mend) {
  static const std::regex kAppend(R"(append (.+) at the end(?:, (\d+) times)?)");
  std::smatch found;
  if (!std::regex_match(mend, found, kAppend)) return {};
  std::string lines;
  const std::size_t copies = found[2].matched ? std::stoul(found[2]) : 1;
  for (std::size_t i = 0; i < copies; ++i) lines += found[1].str() + "\n";
  return lines;
}

struct Ending {
  std::string rule, program;
};

void program_macro(ClockRig& rig) {
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4, 3}, {}, {}, {}));
  rig.set_misc(0x100); // counts instructions
}

const std::string kRow = "SFPLOAD L0, FP32, 3, 0\nSFPABS L0, L1, 1\nSFPSTORE L1, FP32, 3, 0\n";

TEST_P(CallsOnBothChips, WhatIsPrintedMendsTheEnd) {
  const std::vector<Ending> endings{
      {"contract-lreg11", kRow + "SFPLOADI L0, 0, 0x4000\nSFPCONFIG 0, 11, 0\n"},
      {"contract-flags", kRow + "SFPSETCC 0, L0, 0, 2\n"},
      {"contract-flags", kRow + "SFPENCC Imm2=0, Mod1=2\n"},
      {"contract-lane-config", "SFPCONFIG 0, 15, 1\nSFPNOP\n" + kRow + "SFPCONFIG 0x40, 15, 1\n"},
      {"macro-left-armed", "SFPCONFIG 0x103, 8, 1\n" + kRow},
      {"macro-pending", kRow + "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\n"},
  };
  for (const Ending& each : endings) {
    rig.machine().reset();
    enter_kernel(rig.state());
    if (each.rule == "macro-pending") program_macro(rig);
    const std::vector<Hazard> hazards = breaks(rig, rig.assemble(each.program));
    ASSERT_FALSE(hazards.empty()) << each.rule;
    EXPECT_EQ(hazards[0].rule->id, each.rule);
    const std::string ending = printed_ending(hazards[0].mend);
    ASSERT_FALSE(ending.empty()) << each.rule << ": " << hazards[0].mend;
    for (const Hazard& left : breaks(rig, rig.assemble(each.program + ending)))
      EXPECT_NE(left.rule->id, each.rule) << ending;
  }
}

// With one word less, what is scheduled still waits.
TEST_P(CallsOnBothChips, NoMorePausesAreAdvisedThanItTakes) {
  enter_kernel(rig.state());
  program_macro(rig);
  const std::string macro = "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\n";
  const std::vector<Hazard> hazards = breaks(rig, rig.assemble(macro));
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].mend, "append SFPNOP at the end, 3 times");
  EXPECT_FALSE(breaks(rig, rig.assemble(macro + "SFPNOP\nSFPNOP\n")).empty());
}

// The init programs LReg[11], as LLK's sigmoid does, and every call reads it.
constexpr const char* kInit = "SFPLOADI L0, 0, 0x3F00\nSFPCONFIG 0, 11, 0\n";
constexpr const char* kCall =
    "SFPLOAD L0, FP32, 3, 0\nSFPADD L10, L0, L11, L1, 0\nSFPNOP\nSFPSTORE L1, FP32, 3, 0\n";
constexpr const char* kMinusOne = "SFPCONFIG 0, 11, 1\n";

TEST_P(CallsOnBothChips, WhatTheNextCallReadsIsNotWrittenOver) {
  enter_kernel(rig.state());
  const std::vector<Hazard> hazards = breaks(rig, kernel(rig, kInit, kCall));
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].rule->id, "contract-lreg11");
  EXPECT_TRUE(hazards[0].changes.empty());
  EXPECT_EQ(hazards[0].mend.find("append"), std::string::npos) << hazards[0].mend;
  EXPECT_NE(hazards[0].mend.find("once, after the last call"), std::string::npos);
  EXPECT_NE(hazards[0].mend.find("has been tried"), std::string::npos) << hazards[0].mend;
}

TEST_P(CallsOnBothChips, CallThatRestoresWhatItsInitHasWrittenIsFound) {
  enter_kernel(rig.state());
  const Program restoring = kernel(rig, kInit, std::string(kCall) + kMinusOne);
  EXPECT_TRUE(breaks(rig, restoring).empty()); // a single pass shows nothing
  const std::vector<Hazard> hazards = timing::find_changed_init(restoring, rig.state());
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].rule->id, "contract-init");
  EXPECT_FALSE(hazards[0].rule->warns_only);
  EXPECT_EQ(hazards[0].line, 5U);       // the SFPCONFIG
  EXPECT_EQ(hazards[0].other_line, 2U); // the SFPADD
  EXPECT_NE(hazards[0].message.find("LReg[11]"), std::string::npos);
  EXPECT_TRUE(timing::find_changed_init(kernel(rig, kInit, kCall), rig.state()).empty());
}

// Registers that a call carries on, and random numbers, are its own affair.
TEST_P(CallsOnBothChips, RunningSumsAndDiceAreSilent) {
  enter_kernel(rig.state());
  const Program sum = rig.assemble(
      "SFPLOAD L0, FP32, 3, 0\nSFPADD L10, L0, L4, L4, 0\nSFPNOP\nSFPSTORE L4, FP32, 3, 0\n");
  EXPECT_TRUE(timing::find_changed_init(sum, rig.state()).empty());
  const Program dice = rig.assemble("SFPMOV L9, L0, 8\nSFPSTORE L0, FP32, 3, 0\n");
  EXPECT_TRUE(timing::find_changed_init(dice, rig.state()).empty());
}

// The immediate is what LaneConfig held before.
TEST_P(CallsOnBothChips, LaneConfigIsRestoredToWhatItWas) {
  enter_kernel(rig.state());
  rig.vector().set_lane_config({4, 4, 4, 4, 4, 4, 4, 4});
  const std::string changing = kRow + "SFPCONFIG 0, 15, 1\n";
  const std::vector<Hazard> hazards = breaks(rig, rig.assemble(changing));
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].rule->id, "contract-lane-config");
  const std::string ending = printed_ending(hazards[0].mend);
  ASSERT_FALSE(ending.empty()) << hazards[0].mend;
  EXPECT_TRUE(breaks(rig, rig.assemble(changing + ending)).empty()) << ending;
}

// What is too long to be called twice is not said to have been tried.
TEST_P(CallsOnBothChips, LongProgramsAreNotTried) {
  enter_kernel(rig.state());
  const std::string two = "SFPLOADI L0, 0, 0x4000\nSFPCONFIG 0, 11, 0\n";
  const std::vector<Hazard> hazards =
      breaks(rig, rig.assemble(two + ".repeat 100001\nSFPNOP\n.endr\n"));
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_TRUE(hazards[0].changes.empty());
  EXPECT_EQ(hazards[0].mend.find("has been tried"), std::string::npos) << hazards[0].mend;
}

// A sequence alone is macro configuration, too.
TEST_P(CallsOnBothChips, CallThatClearsASequenceIsFound) {
  enter_kernel(rig.state());
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4}, {}, {}, {}));
  const Program program = rig.assemble(
      "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPNOP\nSFPSTORE L0, FP32, 3, 0\n"
      "SFPCONFIG 0, 4, 1\nSFPNOP\n");
  const std::vector<Hazard> hazards = timing::find_changed_init(program, rig.state());
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_NE(hazards[0].message.find("the macro configuration"), std::string::npos)
      << hazards[0].message;
  EXPECT_EQ(hazards[0].line, 5U);
}

// What configures the MOP expander stands in front of its word: here behind the call's MOP.
TEST_P(CallsOnBothChips, CallThatConfiguresTheMopAtItsEndIsFound) {
  enter_kernel(rig.state());
  std::string config;
  for (unsigned i = 0; i < 9; ++i) config += fmt::format(".mop {} SFPMOV L0, L1, 0\n", i);
  config += ".mop 1 0\n"; // template 0 issues word 3 alone
  const std::string load = "SFPLOAD L0, FP32, 3, 0\n", store = "SFPSTORE L1, FP32, 3, 0\n";
  Program program = rig.assemble(config + "SFPNOP\n" + load + "MOP 0, 0, 0\n" + store +
                                 ".mop 3 SFPMOV L0, L1, 1\nSFPNOP\n");
  program.words[0].line =
      line_number({.file = "", .line = program.words[0].line, .part = ProgramPart::Init});
  const std::vector<Hazard> hazards = timing::find_changed_init(program, rig.state());
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_NE(hazards[0].message.find("the MOP expander"), std::string::npos) << hazards[0].message;
}

// What the init has recorded is gone where the call records over it.
TEST_P(CallsOnBothChips, CallThatRecordsOverItsInitIsFound) {
  enter_kernel(rig.state());
  const std::string load = "SFPLOAD L0, FP32, 3, 0\n", store = "SFPSTORE L1, FP32, 3, 0\n";
  const std::string record = "REPLAY 0, 1, 0, 1\n", play = "REPLAY 0, 1, 0, 0\n";
  const Program program = kernel(rig, record + "SFPMOV L0, L1, 0\n",
                                 load + play + store + record + "SFPMOV L0, L1, 1\n");
  const std::vector<Hazard> hazards = timing::find_changed_init(program, rig.state());
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_NE(hazards[0].message.find("the replay buffer"), std::string::npos);
}

} // namespace
} // namespace lanewise::test
