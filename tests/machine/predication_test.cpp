// SFPENCC, SFPPUSHC, SFPPOPC and SFPCOMPC: the predication of lanes (VU C5..C11).
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

using Entry = FlagStack::Entry;

std::string with_mode(std::string_view instruction, unsigned mode) {
  return fmt::format("{} Mod1={}", instruction, mode);
}

class Predication : public OnBothChips {
 protected:
  /// Flags and top entry such that every combination of (flag, top flag) is in some lane.
  void prepare(std::uint32_t use, std::uint32_t top_use) {
    rig.vector().flags = kFlagsA;
    rig.vector().use_flags = use;
    rig.vector().stack = {};
    rig.vector().stack.push(kAllLanes, {kFlagsB, top_use});
  }
};
LANEWISE_ON_BOTH_CHIPS(Predication);
class PredicationOnBlackhole : public OnBlackhole {};
class PredicationOnWormhole : public OnWormhole {};

/// The table of seed 000, 4.8.
bool boolean_op(unsigned op, bool a, bool b) {
  switch (op) {
    case 1: return b;
    case 2: return !b;
    case 3: return a && b;
    case 4: return a || b;
    case 5: return a && !b;
    case 6: return a || !b;
    case 7: return !a && b;
    case 8: return !a || b;
    case 9: return !a && !b;
    case 10: return !a || !b;
    case 11: return a != b;
    default: return a == b;
  }
}

/// boolean_op() of two masks, lane by lane.
std::uint32_t combine(unsigned op, std::uint32_t a, std::uint32_t b) {
  std::uint32_t result = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool bit = boolean_op(op, (a >> lane & 1U) != 0, (b >> lane & 1U) != 0);
    result |= static_cast<std::uint32_t>(bit) << lane;
  }
  return result;
}

TEST_P(Predication, EnccFollowsItsRulesForEveryModeAndImmediate) { // VU C7
  constexpr std::uint32_t kUse = 0xF0F0F0F0U;
  for (unsigned mode = 0; mode < 16; ++mode) {
    for (unsigned imm = 0; imm < 4; ++imm) {
      rig.vector().flags = kFlagsA;
      rig.vector().use_flags = kUse;
      rig.run_clean(fmt::format("SFPENCC Imm2={}, Mod1={}", imm, mode));
      const std::uint32_t imm_use = (imm & 1) != 0 ? kAllLanes : 0;
      const std::uint32_t use = (mode & 2) != 0 ? imm_use : (mode & 1) != 0 ? ~kUse : kUse;
      const std::uint32_t flags = (mode & 8) == 0 || (imm & 2) != 0 ? kAllLanes : 0;
      EXPECT_EQ(rig.vector().use_flags, use) << "Mod1 " << mode << " Imm2 " << imm;
      EXPECT_EQ(rig.vector().flags, flags) << "Mod1 " << mode << " Imm2 " << imm;
    }
  }
}

TEST_P(Predication, EnccReachesDisabledAndMaskedLanes) { // VU C6
  rig.predicate(0);
  rig.set_lane_config(0xFU << lane_config::kRowMaskShift);
  rig.run_clean("SFPENCC Imm2=3, Mod1=EI_RI");
  EXPECT_EQ(rig.vector().flags, kAllLanes);
  EXPECT_EQ(rig.vector().use_flags, kAllLanes);
}

TEST_P(Predication, PushAndPopRestoreEveryLane) { // VU C6, C9, C10
  rig.vector().flags = kFlagsA;
  rig.vector().use_flags = 0xFFFF0000U;
  rig.run_clean("SFPPUSHC");
  rig.vector().flags = 0;
  rig.vector().use_flags = kAllLanes;
  rig.set_lane_config(0xFU << lane_config::kRowMaskShift);
  rig.run_clean("SFPPOPC");
  EXPECT_EQ(rig.vector().flags, kFlagsA);
  EXPECT_EQ(rig.vector().use_flags, 0xFFFF0000U);
  EXPECT_EQ(rig.vector().stack.depth(0), 0U);
}

TEST_P(Predication, StackIsLastInFirstOutAndEightDeep) { // VU C9
  for (std::uint32_t i = 1; i <= 8; ++i) {
    rig.vector().flags = i;
    rig.run_clean("SFPPUSHC");
  }
  EXPECT_EQ(rig.vector().stack.full_lanes(), kAllLanes);
  for (std::uint32_t i = 8; i >= 1; --i) {
    rig.run_clean("SFPPOPC");
    EXPECT_EQ(rig.vector().flags, i);
  }
  EXPECT_EQ(rig.vector().stack.empty_lanes(), kAllLanes);
}

TEST_P(Predication, PushOntoAFullStackIsUndefined) { // VU C9
  const auto faults = rig.run(".repeat 9\nSFPPUSHC\n.endr");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
  EXPECT_EQ(faults[0].instruction, "SFPPUSHC");
  EXPECT_EQ(faults[0].rule, "VU C9");
  EXPECT_EQ(rig.vector().stack.full_lanes(), kAllLanes);
}

TEST_P(Predication, PopFromAnEmptyStackIsUndefined) { // VU C10
  rig.predicate(kFlagsA);
  const auto faults = rig.run("SFPNOP\nSFPPOPC");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
  EXPECT_EQ(faults[0].instruction, "SFPPOPC");
  EXPECT_EQ(faults[0].line, 2U);
  EXPECT_EQ(faults[0].lane, 0);
  EXPECT_EQ(rig.vector().flags, kFlagsA) << "left out";
}

TEST_P(Predication, PopcModesCombineFlagWithTop) { // VU C10: A = current flag, B = top
  for (unsigned mode = 1; mode <= 12; ++mode) {
    prepare(0x0F0F0F0FU, 0x00FFFF00U);
    rig.run_clean(with_mode("SFPPOPC", mode));
    EXPECT_EQ(rig.vector().flags, combine(mode, kFlagsA, kFlagsB)) << mode;
    EXPECT_EQ(rig.vector().use_flags, 0x00FFFF00U) << "Use becomes that of the top, mode " << mode;
    EXPECT_EQ(rig.vector().stack.top(), (Entry{kFlagsB, 0x00FFFF00U})) << "peeking does not pop";
    EXPECT_EQ(rig.vector().stack.depth(0), 1U);
  }
}

TEST_P(Predication, PopcModesThatIgnoreTheStack) { // VU C10
  prepare(0x0F0F0F0FU, 0);
  rig.run_clean("SFPPOPC Mod1=13");
  EXPECT_EQ(rig.vector().flags, ~kFlagsA);
  EXPECT_EQ(rig.vector().use_flags, 0x0F0F0F0FU);
  rig.run_clean("SFPPOPC Mod1=14");
  EXPECT_EQ(rig.vector().flags, kAllLanes);
  EXPECT_EQ(rig.vector().use_flags, kAllLanes);
  prepare(0x0F0F0F0FU, 0);
  rig.run_clean("SFPPOPC Mod1=15");
  EXPECT_EQ(rig.vector().flags, 0U);
  EXPECT_EQ(rig.vector().use_flags, kAllLanes);
}

TEST_P(Predication, PeekingAnEmptyStackReadsFalse) { // VU C10: defined
  for (unsigned mode = 1; mode <= 12; ++mode) {
    rig.predicate(kFlagsA);
    rig.run_clean(with_mode("SFPPOPC", mode));
    EXPECT_EQ(rig.vector().flags, combine(mode, kFlagsA, 0)) << mode;
    EXPECT_EQ(rig.vector().use_flags, 0U) << mode;
  }
}

TEST_F(PredicationOnBlackhole, PushcModesChangeTheTop) { // VU C9: A = top, B = current flag
  for (unsigned mode = 1; mode <= 15; ++mode) {
    rig.vector().flags = kFlagsA;
    rig.vector().use_flags = 0x0F0F0F0FU;
    rig.vector().stack = {};
    rig.vector().stack.push(kAllLanes, {1, 2});
    rig.vector().stack.push(kAllLanes, {kFlagsB, 0x00FFFF00U});
    rig.run_clean(with_mode("SFPPUSHC", mode));
    Entry top{combine(mode, kFlagsB, kFlagsA), 0x0F0F0F0FU};
    if (mode == 13) top = {~kFlagsA, 0x0F0F0F0FU};
    if (mode == 14) top = {kAllLanes, kAllLanes};
    if (mode == 15) top = {0, kAllLanes};
    EXPECT_EQ(rig.vector().stack.top(), top) << mode;
    EXPECT_EQ(rig.vector().flags, mode == 13 ? ~kFlagsA : kFlagsA) << mode;
    EXPECT_EQ(rig.vector().use_flags, 0x0F0F0F0FU) << mode;
    EXPECT_EQ(rig.vector().stack.depth(0), 2U) << mode;
    EXPECT_EQ(rig.vector().stack.entry[0], (Entry{1, 2})) << "the entry below stays, mode " << mode;
  }
}

TEST_F(PredicationOnBlackhole, PushcModesNeedAnEntry) { // VU C9
  for (unsigned mode = 1; mode <= 15; ++mode) {
    Rig fresh(Arch::Blackhole);
    fresh.predicate(kFlagsA);
    const auto faults = fresh.run(with_mode("SFPPUSHC", mode));
    ASSERT_EQ(faults.size(), 1U) << mode;
    EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
    EXPECT_EQ(fresh.vector().flags, kFlagsA) << mode;
    EXPECT_EQ(fresh.vector().stack.empty_lanes(), kAllLanes);
  }
}

TEST_F(PredicationOnWormhole, PushcHasNoModes) { // VU C9, section 6: NonContractual
  rig.predicate(kFlagsA);
  const auto faults = rig.run("SFPPUSHC Mod1=13");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::NonContractual);
  EXPECT_EQ(rig.vector().stack.depth(0), 1U) << "it pushes";
  EXPECT_EQ(rig.vector().flags, kFlagsA);
}

class FullStack : public OnBothChips {
 protected:
  /// Entries {i, ~i}, i = 1..8 from the bottom.
  void SetUp() override {
    for (std::uint32_t i = 1; i <= 8; ++i) rig.vector().stack.push(kAllLanes, {i, ~i});
    rig.predicate(kFlagsA);
  }
};
LANEWISE_ON_BOTH_CHIPS(FullStack);

TEST_P(FullStack, PeekingOverwritesTheBottomOnWormhole) { // VU C10
  for (unsigned mode = 1; mode <= 15; ++mode) {
    SCOPED_TRACE(mode);
    Rig fresh = rig;
    const auto faults = fresh.run(with_mode("SFPPOPC", mode));
    const bool wormhole = GetParam() == Arch::Wormhole;
    ASSERT_EQ(faults.size(), wormhole ? 1U : 0U);
    if (wormhole) {
      EXPECT_EQ(faults[0].kind, FaultKind::NonContractual);
    }
    const std::uint32_t bottom = wormhole ? 8 : 1;
    EXPECT_EQ(fresh.vector().stack.entry[0], (Entry{bottom, ~bottom}));
    for (std::uint32_t i = 2; i <= 8; ++i) {
      EXPECT_EQ(fresh.vector().stack.entry[i - 1], (Entry{i, ~i}));
    }
  }
}

TEST_P(FullStack, OneEntryLessIsNoBug) { // VU C10
  rig.run_clean("SFPPOPC");
  rig.run_clean("SFPPOPC Mod1=3");
  EXPECT_EQ(rig.vector().stack.entry[0], (Entry{1, ~1U}));
}

TEST_P(Predication, CompcTruthTable) { // VU C11
  for (unsigned bits = 0; bits < 4; ++bits) {
    const std::uint32_t use = (bits & 1) != 0 ? kAllLanes : 0;
    const std::uint32_t top_use = (bits & 2) != 0 ? kAllLanes : 0;
    prepare(use, top_use);
    rig.run_clean("SFPCOMPC");
    EXPECT_EQ(rig.vector().flags, bits == 3 ? kFlagsB & ~kFlagsA : 0U) << bits;
    EXPECT_EQ(rig.vector().use_flags, use);
    EXPECT_EQ(rig.vector().stack.depth(0), 1U) << "popping is not part of it";
  }
}

TEST_P(Predication, CompcTakesAnEmptyStackForTrue) { // VU C11
  rig.predicate(kFlagsA);
  rig.run_clean("SFPCOMPC");
  EXPECT_EQ(rig.vector().flags, ~kFlagsA);
}

TEST_P(Predication, IfElseEndif) { // seed 000, 4.9
  rig.set_lreg(0, by_lane([](unsigned lane) { return lane % 3 == 0 ? 0x80000000U : lane; }));
  rig.run_clean(R"(
    SFPENCC Imm2=3, Mod1=EI_RI
    SFPPUSHC
    SFPSETCC VC=L0, Mod1=LREG_LT0
    SFPLOADI L1, USHORT, 1
    SFPCOMPC
    SFPLOADI L1, USHORT, 2
    SFPPOPC
    SFPLOADI L2, USHORT, 3
  )");
  EXPECT_EQ(rig.lreg(1), by_lane([](unsigned lane) { return lane % 3 == 0 ? 1 : 2; }));
  EXPECT_EQ(rig.lreg(2), all(3));
}

TEST_P(Predication, NestedConditionsLeaveOuterLanesOff) { // VU C5: disabled lanes keep their flag
  rig.set_lreg(0, by_lane([](unsigned lane) { return lane; }));
  rig.run_clean(R"(
    SFPENCC Imm2=3, Mod1=EI_RI
    SFPPUSHC
    SFPMOV L0, L1, 0
    SFPIADD -16, L1, L1, ARG_IMM|CC_LT0
    SFPPUSHC
    SFPSETCC VC=L0, Mod1=LREG_GTE0
    SFPLOADI L2, USHORT, 7
    SFPCOMPC
    SFPLOADI L2, USHORT, 8
    SFPPOPC
    SFPPOPC
  )");
  // Only lanes 0..15 pass the outer condition; the inner one is true for all, and its else reaches
  // none.
  EXPECT_EQ(rig.lreg(2), blend(kRow0 | kRow1, 7, 0));
}

} // namespace
} // namespace lanewise::test
