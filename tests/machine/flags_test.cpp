// Who sets LaneFlags, and when: SFPSETCC, SFPIADD, SFPLZ, SFPEXEXP, SFPGT, SFPLE.
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class Flags : public OnBothChips {
 protected:
  /// Flags of the lanes in which a condition on the lane number holds.
  template <class Condition>
  static std::uint32_t lanes_where(Condition&& condition) {
    std::uint32_t lanes = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (condition(lane)) lanes |= 1U << lane;
    }
    return lanes;
  }

  /// Runs one instruction with predication on in all lanes; the flags that result.
  std::uint32_t flags_after(const std::string& instruction) {
    rig.predicate(kAllLanes);
    rig.run(instruction);
    return rig.vector().flags;
  }

  /// The same with predication off and flags kFlagsA to begin with, so that inversions show.
  std::uint32_t flags_after_without_predication(const std::string& instruction) {
    rig.vector().use_flags = 0;
    rig.vector().flags = kFlagsA;
    rig.run(instruction);
    return rig.vector().flags;
  }
};
LANEWISE_ON_BOTH_CHIPS(Flags);

TEST_P(Flags, SetccComparesWithZero) { // VU C8
  rig.set_lreg(1, by_lane([](unsigned lane) {
                 return lane % 3 == 0 ? 0 : lane % 3 == 1 ? 5 : 0x80000000U;
               }));
  const std::uint32_t zero = lanes_where([](unsigned lane) { return lane % 3 == 0; });
  const std::uint32_t negative = lanes_where([](unsigned lane) { return lane % 3 == 2; });
  EXPECT_EQ(flags_after("SFPSETCC VC=L1, Mod1=0"), negative);
  EXPECT_EQ(flags_after("SFPSETCC VC=L1, Mod1=2"), ~zero);
  EXPECT_EQ(flags_after("SFPSETCC VC=L1, Mod1=4"), ~negative);
  EXPECT_EQ(flags_after("SFPSETCC VC=L1, Mod1=6"), zero);
}

TEST_P(Flags,
       SetccImmediateAndClear) { // VU C8: Mod1[3] wins over Mod1[0] wins over the comparisons
  rig.set_lreg(1, 5);
  for (unsigned mode = 0; mode < 16; ++mode) {
    for (unsigned imm = 0; imm < 2; ++imm) {
      if ((mode & 9) == 0) continue;
      const std::uint32_t flags =
          flags_after(fmt::format("SFPSETCC Imm1={}, VC=L1, Mod1={}", imm, mode));
      EXPECT_EQ(flags, (mode & 8) == 0 && imm == 1 ? kAllLanes : 0U) << mode << ' ' << imm;
    }
  }
}

TEST_P(Flags, SetccWithPredicationOffClears) { // VU C8: first match
  for (unsigned mode = 0; mode < 16; ++mode) {
    EXPECT_EQ(flags_after_without_predication(fmt::format("SFPSETCC Imm1=1, VC=L9, Mod1={}", mode)),
              0U)
        << mode;
  }
}

TEST_P(Flags, SetccWithPredicationOffSparesMaskedRows) { // VU C8, C5
  rig.set_lane_config(0b0100U << lane_config::kRowMaskShift);
  EXPECT_EQ(flags_after_without_predication("SFPSETCC VC=L9, Mod1=6"), kFlagsA & kRow2);
}

TEST_P(Flags, DisabledLanesKeepTheirs) { // VU C5
  for (const char* instruction :
       {"SFPSETCC VC=L9, Mod1=LREG_EQ0", "SFPIADD 0, L9, L1, ARG_IMM|CC_GTE0",
        "SFPLZ L10, L1, CC_NE0", "SFPEXEXP L9, L1, SET_CC_SGN_EXP"}) {
    rig.predicate(kFlagsA);
    rig.run_clean(instruction);
    EXPECT_EQ(rig.vector().flags, kFlagsA)
        << instruction << ": true in all lanes, but some are off";
  }
}

TEST_P(Flags, IaddModes) { // VU C26
  const Lanes lane_minus_16 = by_lane([](unsigned lane) { return lane - 16; });
  const std::uint32_t negative = kRow0 | kRow1;
  for (unsigned mode = 0; mode < 16; ++mode) {
    rig.set_lreg(1, by_lane([](unsigned lane) { return lane; }));
    // All three operations give lane - 16.
    rig.set_lreg(2, (mode & 3) == 2 ? 16U : 0U - 16U);
    const std::uint32_t old = kFlagsA;
    const std::uint32_t flags =
        flags_after_without_predication(fmt::format("SFPIADD -16, L1, L2, {}", mode));
    std::uint32_t expected = (mode & 4) != 0 ? old : negative;
    if ((mode & 8) != 0) expected = ~expected; // 12..15 invert the old flag
    EXPECT_EQ(flags, expected) << mode;
    EXPECT_EQ(rig.lreg(2), lane_minus_16) << mode;
  }
}

TEST_P(Flags, IaddImmediateIsSigned) { // VU C26: -2048..2047
  rig.run_clean("SFPIADD -2048, L9, L1, ARG_IMM|CC_NONE\nSFPIADD 2047, L9, L2, ARG_IMM|CC_NONE");
  EXPECT_EQ(rig.lreg(1), all(0U - 2048));
  EXPECT_EQ(rig.lreg(2), all(2047));
}

TEST_P(Flags, IaddSubtractsVdFromVc) { // VU C26
  rig.set_lreg(1, 10);
  rig.set_lreg(2, 3);
  rig.run_clean("SFPIADD 0, L1, L2, ARG_2SCOMP_LREG_DST|CC_NONE");
  EXPECT_EQ(rig.lreg(2), all(7));
}

TEST_P(Flags, LzModes) { // VU C27
  rig.set_lreg(1, by_lane([](unsigned lane) { return lane % 2 == 0 ? 0x80000000U : 0x00010000U; }));
  const std::uint32_t odd = 0xAAAAAAAAU;
  for (unsigned mode = 0; mode < 16; ++mode) {
    const std::uint32_t flags =
        flags_after_without_predication(fmt::format("SFPLZ L1, L2, {}", mode));
    const bool masked = (mode & 4) != 0;
    const std::uint32_t not_zero = masked ? odd : kAllLanes;
    std::uint32_t expected = (mode & 2) != 0 ? not_zero : kFlagsA;
    if ((mode & 8) != 0) expected = ~expected;
    EXPECT_EQ(flags, expected) << mode;
    EXPECT_EQ(rig.lreg(2), blend(odd, 15, masked ? 32 : 0)) << mode << ": bit 0 is ignored";
  }
}

TEST_P(Flags, ExexpModes) { // VU C27
  rig.set_lreg(1, by_lane([](unsigned lane) { return lane % 2 == 0 ? 0x3F000000U : 0x40000000U; }));
  const std::uint32_t even = 0x55555555U;
  for (unsigned mode = 0; mode < 16; ++mode) {
    const std::uint32_t flags =
        flags_after_without_predication(fmt::format("SFPEXEXP L1, L2, {}", mode));
    const bool debias = (mode & 1) == 0;
    const std::uint32_t negative = debias ? even : 0; // 0.5 has exponent -1
    std::uint32_t expected = (mode & 2) != 0 ? negative : kFlagsA;
    if ((mode & 8) != 0) expected = ~expected;
    EXPECT_EQ(flags, expected) << mode;
    EXPECT_EQ(rig.lreg(2), debias ? blend(even, 0U - 1, 1) : blend(even, 126, 128)) << mode;
  }
}

class Compare : public OnBlackhole {
 protected:
  /// VD holds, from lane 0 on, the order -NaN < -Inf < -1 < -denormal < -0 < +0 < ... < +NaN (VU
  /// C32).
  static constexpr std::array<std::uint32_t, 10> kAscending{
      0xFFC00000, 0xFF800000, 0xBF800000, 0x80000001, 0x80000000,
      0x00000000, 0x00000001, 0x3F800000, 0x7F800000, 0x7FC00000};
  void SetUp() override {
    rig.set_lreg(1, by_lane([](unsigned lane) { return kAscending[lane % kAscending.size()]; }));
    rig.vector().use_flags = 0;
    rig.vector().flags = 0;
  }

  /// Lanes whose place in the order is above `place`.
  static std::uint32_t above(unsigned place) {
    std::uint32_t lanes = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (lane % kAscending.size() > place) lanes |= 1U << lane;
    }
    return lanes;
  }
};

TEST_F(Compare, TotalOrder) { // VU C32: VD > VC, VD <= VC
  for (unsigned place = 0; place < kAscending.size(); ++place) {
    rig.set_lreg(2, kAscending[place]);
    rig.run_clean("SFPGT L2, L1, SET_CC");
    EXPECT_EQ(rig.vector().flags, above(place)) << place;
    rig.run_clean("SFPLE L2, L1, SET_CC");
    EXPECT_EQ(rig.vector().flags, ~above(place)) << place;
  }
}

TEST_F(Compare, EveryCombinationOfBits) { // VU C32
  rig.set_lreg(2, 0x3F800000);
  const Lanes before = rig.lreg(1);
  const std::uint32_t greater = above(7);
  constexpr std::uint32_t kEnabled = 0x0FF00FF0U;
  for (unsigned mode = 0; mode < 16; ++mode) {
    for (bool gt : {true, false}) {
      SCOPED_TRACE(fmt::format("{} {}", gt ? "SFPGT" : "SFPLE", mode));
      rig.set_lreg(1, before);
      rig.predicate(kEnabled);
      rig.vector().stack = {};
      rig.vector().stack.push(kAllLanes, {kFlagsB, kFlagsA});
      rig.run_clean(fmt::format("{} L2, L1, {}", gt ? "SFPGT" : "SFPLE", mode));
      const std::uint32_t holds = gt ? greater : ~greater;
      // SET_CC: enabled lanes only (VU C5).
      EXPECT_EQ(rig.vector().flags, (mode & 1) != 0 ? kEnabled & holds : kEnabled);
      // MUTATE_STACK: all lanes, the flag only; MUTATE_OR alone is inert.
      std::uint32_t top = kFlagsB;
      if ((mode & 2) != 0) top = (mode & 4) != 0 ? kFlagsB | holds : kFlagsB & holds;
      EXPECT_EQ(rig.vector().stack.top(), (FlagStack::Entry{top, kFlagsA}));
      // SET_VD: all ones or zero in enabled lanes; the comparison was taken from the old VD.
      const Lanes written = blend(kEnabled, blend(holds, ~0U, 0), before);
      EXPECT_EQ(rig.lreg(1), (mode & 8) != 0 ? written : before);
    }
  }
}

TEST_F(Compare, MutatingAnEmptyStackDoesNothing) { // VU C32
  rig.run_clean("SFPGT L2, L1, MUTATE_STACK|MUTATE_OR");
  EXPECT_EQ(rig.vector().stack.empty_lanes(), kAllLanes);
}

TEST_F(Compare, RegisterWithItself) {
  rig.run_clean("SFPLE L1, L1, SET_CC");
  EXPECT_EQ(rig.vector().flags, kAllLanes);
  rig.run_clean("SFPGT L1, L1, SET_CC|SET_VD");
  EXPECT_EQ(rig.vector().flags, 0U);
  EXPECT_EQ(rig.lreg(1), all(0));
}

} // namespace
} // namespace lanewise::test
