// What a finding advises is applied to the program's text, as its author would do it: the values
// must then be those that the program means.
#include <cstring>
#include <regex>
#include <sstream>

#include "chip/machine/kernel_entry.h"
#include "chip/timing/hazards/mend_trial.h"
#include "timing/hazard_cases.h"

namespace lanewise::test {
namespace {

using timing::Hazard;
using timing::HazardModel;

using MendsOnBothChips = ClockOnBothChips;
using MendsOnWormhole = ClockOnWormhole;
LANEWISE_ON_BOTH_CHIPS(MendsOnBothChips);

Program assembled(Arch arch, const std::string& source) {
  const Expected<Program> program = assembly::assemble(arch, source, "test.tt");
  if (!program) ADD_FAILURE() << to_string(program.error()) << source;
  return program ? *program : Program{};
}

std::vector<Hazard> findings(ClockRig& rig, const std::string& source, bool pushed = true) {
  const Program program = assembled(rig.arch(), source);
  const MicroProgram micro = FrontEnd(rig.arch()).expand(program);
  return timing::find_hazards(timing::schedule(rig.state(), micro), micro, rig.state(),
                              {.pushed = pushed, .source = &program});
}

std::vector<std::string> lines_of(const std::string& source) {
  std::vector<std::string> lines;
  std::istringstream text(source);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& each : lines) text += each + "\n";
  return text;
}

/// The source after each change that a text like "insert SFPNOP before line 2, or move line 3
/// (...), which is independent, here" names.
std::vector<std::string> changed_sources(const std::string& source, const std::string& mend) {
  static const std::regex kInsert(
      R"(insert (?:(\d+) )?(STALLWAIT [^ ]+ [^ ]+|SFPNOP)s?(?: or other instructions)? before line (\d+))");
  static const std::regex kMove(R"(move line (\d+) )");
  std::vector<std::string> changed;
  std::size_t place = 0;
  for (std::sregex_iterator each(mend.begin(), mend.end(), kInsert), end; each != end; ++each) {
    std::vector<std::string> lines = lines_of(source);
    place = std::stoul((*each)[3]) - 1;
    const std::size_t copies = (*each)[1].matched ? std::stoul((*each)[1]) : 1;
    lines.insert(lines.begin() + std::ptrdiff_t(place), copies, (*each)[2]);
    changed.push_back(joined(lines));
  }
  std::smatch moved;
  if (std::regex_search(mend, moved, kMove)) {
    std::vector<std::string> lines = lines_of(source);
    const std::size_t from = std::stoul(moved[1]) - 1;
    const std::string line = lines[from];
    lines.erase(lines.begin() + std::ptrdiff_t(from));
    lines.insert(lines.begin() + std::ptrdiff_t(place), line);
    changed.push_back(joined(lines));
  }
  return changed;
}

/// What a program leaves, on a tile and in registers of random bits.
MachineState after(ClockRig& rig, const std::string& source, HazardModel model, unsigned seed) {
  MachineState state = rig.state();
  std::uint32_t bits = 2463534242U + seed;
  const auto next = [&bits] { // xorshift
    bits ^= bits << 13;
    bits ^= bits >> 17;
    return bits ^= bits << 5;
  };
  for (auto& row : state.dst.cell)
    for (auto& cell : row) cell = static_cast<std::uint16_t>(next());
  for (unsigned i = 0; i < kWritableLRegs; ++i)
    for (std::uint32_t& lane : state.vector.lreg[i]) lane = next();
  const MicroProgram micro = FrontEnd(rig.arch()).expand(assembled(rig.arch(), source));
  execute(state, timing::schedule(state, micro, {.model = model}).ops(micro));
  return state;
}

void expect_same(const MachineState& a, const MachineState& b, const std::string& about) {
  EXPECT_EQ(std::memcmp(a.vector.lreg, b.vector.lreg, sizeof a.vector.lreg), 0) << about;
  EXPECT_EQ(std::memcmp(a.dst.cell, b.dst.cell, sizeof a.dst.cell), 0) << about;
  EXPECT_EQ(a.vector.flags, b.vector.flags) << about;
}

/// Of programs without macros: the hardware computes after the change what the original means.
TEST_P(MendsOnBothChips, AdviceThatNamesLinesHolds) {
  unsigned applied = 0;
  for (const auto& group : {result_cases(), dst_cases(), configuration_cases()}) {
    for (const HazardCase& each : group) {
      const bool on_chip =
          each.chips.find(arch_params(GetParam()).names.id) != std::string_view::npos;
      if (!on_chip || !each.schedule.auto_stall) continue;
      ClockRig fresh(GetParam());
      enter_kernel(fresh.state());
      if (each.setup) each.setup(fresh, true);
      const auto hazards = findings(fresh, each.bad, each.check.pushed);
      ASSERT_EQ(hazards.size(), 1U) << each.bad;
      for (const std::string& source : changed_sources(each.bad, hazards[0].mend)) {
        ++applied;
        const std::string about = each.bad + "\n-> " + hazards[0].mend + "\n" + source;
        EXPECT_TRUE(findings(fresh, source, each.check.pushed).empty()) << about;
        for (unsigned seed = 0; seed < 2; ++seed) {
          expect_same(after(fresh, source, HazardModel::Hardware, seed),
                      after(fresh, each.bad, HazardModel::Documented, seed), about);
        }
      }
    }
  }
  EXPECT_GE(applied, 15U) << "most of these rules have a change to name";
}

TEST_P(MendsOnBothChips, DiscardedInstructionExecutesAfterTheChange) {
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4}, {}, {}, {}));
  const std::string source = std::string(kLoadMacro) + "SFPIADD 5, L1, L2, 5\n";
  const auto hazards = findings(rig, source);
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].mend, "insert SFPNOP before line 2");
  const MachineState found =
      after(rig, changed_sources(source, hazards[0].mend).front(), HazardModel::Documented, 1);
  const MachineState start = after(rig, "SFPNOP\n", HazardModel::Documented, 1);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    EXPECT_EQ(found.vector.lreg[2][lane], start.vector.lreg[1][lane] + 5);
}

TEST_P(MendsOnBothChips, ResultOfAMacroIsReadAfterTheChange) {
  rig.set_template(0, "SFPMAD L10, L10, L10, L0, 0"); // 1 * 1 + what was loaded
  rig.set_sequence(0, sequence({}, {4}, {}, {}));
  const std::string source = std::string(kLoadMacro) + "SFPNOP\nSFPSTORE L0, FP32, 3, 16\n";
  const auto hazards = findings(rig, source);
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].rule->id, "macro-result");
  EXPECT_EQ(hazards[0].mend, "insert SFPNOP before line 3");
}

const std::string kPair = "SFPMAD L0, L1, L9, L2, 0\nSFPSTORE L2, FP32, 3, 0\n";
constexpr std::string_view kGeneral = "put SFPNOP or something independent between the two";

TEST_F(MendsOnWormhole, ChangeThatWouldNotHoldIsNotNamed) {
  // One more instruction and the count of the REPLAY does not fit.
  auto hazards = findings(rig, "REPLAY 0, 2, 1, 1\n" + kPair);
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].mend, kGeneral);
  hazards = findings(rig, kPair);
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].mend, "insert SFPNOP before line 2");
}

TEST_P(MendsOnBothChips, ChangeThatMovesTheHazardIsNotNamed) {
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4, 1}, {}, {}, {}));
  // The regular SFPABS meets the one of line 1; a cycle later, that of line 2.
  const auto hazards = findings(
      rig, std::string(kLoadMacro) + "SFPLOADMACRO 0, 1, FP32, 3, 2, 0\nSFPABS L4, L4, 1\n", false);
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].rule->id, "macro-collision");
  EXPECT_EQ(hazards[0].mend, hazards[0].rule->mend);
}

TEST_P(MendsOnBothChips, ChangeThatShiftsWhatIsScheduledIsNotNamed) {
  // The SFPNOP would also move the SFPLOADI behind the store that takes its value.
  rig.set_template(0, "SFPABS L4, L4, 1");
  rig.set_misc(3);
  rig.set_sequence(0, sequence({4}, {}, {}, {3, 2}));
  const auto hazards = findings(
      rig, std::string(kLoadMacro) + "SFPABS L5, L5, 1\nSFPLOADI L0, 0, 0x4040\nSFPNOP\n", false);
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].rule->id, "macro-collision");
  EXPECT_EQ(hazards[0].mend, hazards[0].rule->mend);
}

TEST_F(MendsOnWormhole, WhatIsTriedDoesNotGrowWithTheProgram) {
  const auto told = [&](std::size_t others) {
    std::string source = kPair;
    for (std::size_t i = 0; i < others; ++i) source += "SFPNOP\n";
    const std::vector<Hazard> hazards = findings(rig, source);
    return hazards.empty() ? std::string() : hazards.front().mend;
  };
  EXPECT_EQ(told(30), "insert SFPNOP before line 2");
  EXPECT_EQ(told(40'000), kGeneral);
}

TEST_F(MendsOnWormhole, WithoutTheWordsNothingIsTried) {
  const MicroProgram micro = rig.prepare(kPair);
  const auto hazards =
      timing::find_hazards(timing::schedule(rig.state(), micro), micro, rig.state());
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].mend, kGeneral);
  EXPECT_EQ(hazards[0].changes.size(), 1U) << "proposed, for whoever can try them";
}

TEST(ChangedProgram, SettingsOfTheMopStayInFrontOfTheirWords) {
  Program program = assembled(Arch::Wormhole, "SFPNOP\nSFPABS L0, L0, 1\nSFPNOP\n");
  program.mop = {{.before = 0}, {.before = 1}, {.before = 2}};
  const timing::ProposedChange change{"", 2, {program.words[0].word}, 0};
  const auto changed = timing::changed_program(program, change);
  ASSERT_TRUE(changed.has_value());
  EXPECT_EQ(changed->words.size(), 4U);
  EXPECT_EQ(changed->words[2].line, 2U);
  EXPECT_EQ(changed->mop[0].before, 0U);
  EXPECT_EQ(changed->mop[1].before, 1U);
  EXPECT_EQ(changed->mop[2].before, 3U);
}

TEST(ChangedProgram, LinesThatAreNotThereHaveNoPlace) {
  const Program program = assembled(Arch::Wormhole, "SFPNOP\n");
  EXPECT_FALSE(timing::changed_program(program, {"", 7, {0x02000000}, 0}));
  EXPECT_FALSE(timing::changed_program(program, {"", 1, {}, 7}));
}

} // namespace
} // namespace lanewise::test
