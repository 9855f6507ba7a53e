#include "binary/paths/clock_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "binary/paths/straight_code.h"
#include "chip/machine/kernel_entry.h"
#include "chip/timing/schedule.h"
#include "paths/code_fixture.h"

namespace lanewise::paths {
namespace {

using namespace testing;

constexpr std::string_view kMad = "SFPMAD L0, L1, L9, L2, 0";
constexpr std::string_view kStore = "SFPSTORE L2, 3, 3, 0";

std::uint32_t wh(std::string_view line) {
  return tensix(line, Arch::Wormhole);
}

/// What is found: function, word, rule and blocks (function, block).
struct Found {
  std::uint32_t function, word;
  std::string rule;
  std::vector<Place> path;

  friend bool operator==(const Found&, const Found&) = default;
};

std::ostream& operator<<(std::ostream& out, const Found& found) {
  out << found.function << ":" << found.word << " " << found.rule;
  for (const Place& each : found.path) out << " " << each.function << "/" << each.block;
  return out;
}

std::vector<Found> found_in(const std::vector<Words>& all, Arch arch) {
  const auto code = functions(all, arch);
  const ProgramGraph graph(code);
  const ClockPaths paths = find_clock_hazards(graph, arch);
  EXPECT_EQ(paths.cut_short, 0U);
  std::vector<Found> found;
  for (std::uint32_t function = 0; function < code.size(); ++function) {
    for (const ClockFinding& each : paths.findings[function])
      found.push_back({function, each.word, std::string(each.rule->id), each.path});
  }
  return found;
}

/// Blocks: 0 {0}, 1 {1, 2}, 2 {3}, 3 {4, 5}.
Words joined(std::uint32_t before_join, std::uint32_t reader) {
  return {if_zero(3), before_join, jump(2), wh("SFPNOP"), reader, kRet};
}

TEST(ClockPaths, AResultThatTheNextBlockReadsTooEarly) { // VU 5.4
  EXPECT_EQ(found_in({joined(wh(kMad), wh(kStore))}, Arch::Wormhole),
            (std::vector<Found>{{0, 4, "mad-result", {{0, 1}, {0, 3}}}}));
}

TEST(ClockPaths, TheOtherChipWaits) { // T2
  const Words code{if_zero(3), tensix(kMad), jump(2), tensix("SFPNOP"), tensix(kStore), kRet};
  EXPECT_TRUE(found_in({code}, Arch::Blackhole).empty());
}

TEST(ClockPaths, AnIndependentWordBetweenIsEnough) {
  const Words code{if_zero(4), wh(kMad), wh("SFPNOP"), jump(2), wh("SFPNOP"), wh(kStore), kRet};
  EXPECT_TRUE(found_in({code}, Arch::Wormhole).empty());
}

TEST(ClockPaths, InstructionsOfTheCoreBetweenAreNot) {
  const Words code{wh(kMad), kNop, if_zero(2), kNop, kNop, wh(kStore), kRet};
  const auto found = found_in({code}, Arch::Wormhole);
  ASSERT_EQ(found.size(), 1U) << "words may wait in the FIFO and then execute back to back";
  EXPECT_EQ(found[0].rule, "mad-result");
  EXPECT_EQ(found[0].word, 5U);
}

TEST(ClockPaths, TheBeginningOfALoopReadsWhatItsEndWrites) {
  const Words code{wh(kStore), wh("SFPNOP"), wh(kMad), if_zero(-3), kRet};
  EXPECT_EQ(found_in({code}, Arch::Wormhole),
            (std::vector<Found>{{0, 0, "mad-result", {{0, 0}, {0, 0}}}}));
}

TEST(ClockPaths, InOneBlockThereIsNoPathToTell) {
  EXPECT_EQ(found_in({{wh(kMad), wh(kStore), kRet}}, Arch::Wormhole),
            (std::vector<Found>{{0, 1, "mad-result", {}}}));
}

TEST(ClockPaths, BlocksThatPushNothingAreOnTheWay) {
  const Words code{wh(kMad), if_zero(3), kNop, jump(1), wh(kStore), kRet};
  const auto found = found_in({code}, Arch::Wormhole);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, (std::vector<Place>{{0, 0}, {0, 2}})) << "by the branch";
}

TEST(ClockPaths, IntoACalledFunctionAndBack) {
  const auto found = found_in({{wh(kMad), call(4), wh("SFPSTORE L3, 3, 3, 8"), kRet, kNop},
                               {wh(kStore), wh("SFPNOP"), wh("SFPMAD L0, L1, L9, L3, 0"), kRet}},
                              Arch::Wormhole);
  EXPECT_EQ(found, (std::vector<Found>{{0, 2, "mad-result", {{1, 0}, {0, 1}}},
                                       {1, 0, "mad-result", {{0, 0}, {1, 0}}}}));
}

TEST(ClockPaths, AFunctionReturnsToTheCallThatWasMade) {
  // f1 pushes nothing: what follows its first call does not follow the second.
  const auto found =
      found_in({{wh(kMad), call(7), wh("SFPNOP"), call(5), wh(kStore), kRet, kNop, kNop}, {kRet}},
               Arch::Wormhole);
  EXPECT_TRUE(found.empty());
}

TEST(ClockPaths, NothingIsSaidAcrossAnUnknownCall) {
  constexpr std::uint32_t kCallA5 = 0x000780E7;
  EXPECT_TRUE(found_in({{wh(kMad), kCallA5, wh(kStore), kRet}}, Arch::Wormhole).empty());
}

/// A store, many blocks, then the Matrix Unit: only STALLWAIT ends what is on its way (VU 5.6).
Words store_far_from_matrix(std::uint32_t between) {
  Words code{wh("SFPSTORE L2, 3, 3, 0")};
  for (unsigned block = 0; block < 20; ++block) {
    code.push_back(wh("SFPNOP"));
    code.push_back(if_zero(1));
  }
  code.push_back(between);
  code.push_back(if_zero(1));
  code.push_back(wh("MVMUL"));
  code.push_back(kRet);
  return code;
}

TEST(ClockPaths, WhatOnlyAWaitEndsIsFollowedAsFarAsThereIsNone) {
  const auto found = found_in({store_far_from_matrix(wh("SFPNOP"))}, Arch::Wormhole);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "store-matrix");
  EXPECT_EQ(found[0].path.size(), 22U);
  EXPECT_TRUE(
      found_in({store_far_from_matrix(wh("STALLWAIT 0x40, 0x4000"))}, Arch::Wormhole).empty());
}

TEST(ClockPaths, AWaitOnOnePathOnly) {
  const Words code{wh("SFPSTORE L2, 3, 3, 0"), if_zero(2), wh("STALLWAIT 0x40, 0x4000"),
                   wh("MVMUL"), kRet};
  EXPECT_EQ(found_in({code}, Arch::Wormhole),
            (std::vector<Found>{{0, 3, "store-matrix", {{0, 0}, {0, 2}}}}));
}

/// Sequence 0 executes template 0, SFPABS, in the cycle behind the macro. Then, in a block of its
/// own, an instruction for the same sub-unit.
Words macro_then(std::string_view between, std::string_view next) {
  return {wh("SFPABS L0, L12, 1"),
          wh("SFPCONFIG 4, 4, 1"),
          wh("SFPCONFIG 0, 8, 1"),
          wh("SFPNOP"),
          wh("SFPNOP"),
          if_zero(1),
          wh("SFPLOADMACRO 0, 0, 3, 3, 0, 0"),
          wh(between),
          if_zero(1),
          wh(next),
          kRet};
}

bool finds(const std::vector<Found>& found, std::string_view rule, std::uint32_t word) {
  return std::ranges::any_of(found, [&](const Found& each) {
    return each.rule == rule && each.word == word && !each.path.empty();
  });
}

TEST(ClockPaths, WhatAMacroSchedulesMeetsAnotherBlock) { // VU 5.5
  // Delay 1: it executes behind what stands between.
  Words late = macro_then("SFPNOP", "SFPABS L1, L1, 1");
  late[1] = wh("SFPCONFIG 0xC, 4, 1");
  EXPECT_TRUE(finds(found_in({late}, Arch::Wormhole), "macro-collision", 9));
  EXPECT_FALSE(finds(found_in({macro_then("SFPNOP", "SFPABS L1, L1, 1")}, Arch::Wormhole),
                     "macro-collision", 9));
}

/// What a macro has scheduled meets the SFPABS that is put behind the code.
void expect_collision_behind(Words code) {
  const auto reader = static_cast<std::uint32_t>(code.size());
  code.push_back(wh("SFPABS L1, L1, 1"));
  code.push_back(kRet);
  EXPECT_TRUE(finds(found_in({std::move(code)}, Arch::Wormhole), "macro-collision", reader));
}

TEST(ClockPaths, AMacroOfTheLongestDelayIsSeenToItsEnd) {
  // It executes in cycle 8 behind the macro: 7 words stand between.
  Words code = macro_then("SFPNOP", "SFPNOP");
  code[1] = wh("SFPCONFIG 0x3C, 4, 1");
  code.resize(9);
  for (unsigned word = 0; word < 6; ++word) {
    code.push_back(wh("SFPNOP"));
    code.push_back(if_zero(1));
  }
  expect_collision_behind(std::move(code));
}

// UnitDelayKind: the macro counts instructions of the Vector Unit, and what stands between in vain
// are words of another one.
TEST(ClockPaths, WordsOfOtherUnitsDoNotBringACountingMacroNearer) { // VU C57
  Words code = macro_then("SFPNOP", "SFPNOP");
  code[1] = wh("SFPCONFIG 0x3C, 4, 1");
  code[2] = wh("SFPCONFIG 0x100, 8, 1");
  code.resize(9);
  for (unsigned word = 0; word < 6; ++word) {
    for (unsigned other = 0; other < 4; ++other) code.push_back(wh("INCRWC 0, 1, 0, 0"));
    code.push_back(wh("SFPNOP"));
    code.push_back(if_zero(1));
  }
  expect_collision_behind(std::move(code));
}

TEST(ClockPaths, TheTextNamesPlaces) {
  const auto code = functions({joined(wh(kMad), wh(kStore))}, Arch::Wormhole);
  const ProgramGraph graph(code);
  const ClockPaths paths = find_clock_hazards(graph, Arch::Wormhole);
  ASSERT_EQ(paths.findings[0].size(), 1U);
  EXPECT_EQ(paths.findings[0][0].text,
            "SFPSTORE L2, 3, 3, 0: reads L2 in the cycle after SFPMAD of f0+0x4, whose result "
            "takes two cycles");
}

// --- Every hazard on a random walk is found

std::uint32_t random_word(std::mt19937& random, Arch arch, std::size_t place) {
  static const std::vector<std::string> kLines{"SFPMAD L0, L1, L9, L2, 0",
                                               "SFPMAD L2, L1, L9, L0, 0",
                                               "SFPSTORE L2, 3, 3, 0",
                                               "SFPLOAD L1, 3, 3, 0",
                                               "SFPSWAP L0, L2, 1",
                                               "SFPSHFT2 0, L1, L2, 3",
                                               "SFPABS L0, L1, 1",
                                               "SFPNOP",
                                               "MVMUL",
                                               "SFPIADD 0, L0, L2, 4",
                                               "SFPLOADI L2, 0, 1",
                                               "ELWADD"};
  switch (random() % 5) {
    case 0: return kNop;
    case 1: {
      const auto target = static_cast<int>(random() % 8);
      return if_zero(target - static_cast<int>(place));
    }
    default: return tensix(kLines[random() % kLines.size()], arch);
  }
}

using Pair = std::tuple<std::string, WordPlace, WordPlace>;

/// What the checker says of the words that a walk pushes.
std::set<Pair> hazards_of_walk(const ProgramGraph& graph, Arch arch, std::mt19937& random) {
  const StraightCode code(graph, arch);
  std::vector<WordPlace> words;
  Position at{{0, 0}};
  for (unsigned step = 0; step < 20; ++step) {
    for (const WordPlace each : graph.pushes(at.place)) words.push_back(each);
    const auto next = graph.next(at);
    if (next.empty()) break;
    at = next[random() % next.size()];
  }
  MachineState start(arch);
  enter_kernel(start);
  const MicroProgram program = FrontEnd(arch).expand(code.program_of(words));
  std::set<Pair> pairs;
  for (const timing::Hazard& each :
       timing::find_hazards(timing::schedule(start, program), program, start)) {
    if (each.other_line != 0)
      pairs.insert(
          {std::string(each.rule->id), code.at_line(each.line), code.at_line(each.other_line)});
  }
  return pairs;
}

TEST(ClockPaths, EveryHazardOnARandomWalkIsFound) {
  std::mt19937 random(15);
  std::size_t seen = 0;
  for (unsigned round = 0; round < 60; ++round) {
    const Arch arch = round % 2 == 0 ? Arch::Wormhole : Arch::Blackhole;
    Words words;
    for (std::size_t place = 0; place < 9; ++place)
      words.push_back(random_word(random, arch, place));
    words.push_back(kRet);
    const auto code = functions({words}, arch);
    const ProgramGraph graph(code);
    const ClockPaths paths = find_clock_hazards(graph, arch);
    std::set<std::pair<std::string, std::uint32_t>> found;
    for (const ClockFinding& each : paths.findings[0])
      found.insert({std::string(each.rule->id), each.word});
    for (unsigned walk = 0; walk < 10; ++walk) {
      for (const auto& [rule, at, other] : hazards_of_walk(graph, arch, random)) {
        ++seen;
        EXPECT_TRUE(found.contains({rule, at.word}))
            << rule << " of words " << other.word << " and " << at.word << " in round " << round;
      }
    }
  }
  EXPECT_GT(seen, 100U) << "the random programs have hazards";
}

} // namespace
} // namespace lanewise::paths
