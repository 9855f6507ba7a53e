// SFPSWAP (VU C33) and the index registers that it carries (C34).
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

/// Sign-magnitude total order (VU C32), written without the machine's key.
bool less(std::uint32_t a, std::uint32_t b) {
  const bool a_negative = a >> 31 != 0, b_negative = b >> 31 != 0;
  if (a_negative != b_negative) return a_negative;
  return a_negative ? a > b : a < b;
}

/// Lanes in which VD gets the minimum, by mode (VU C33 b).
constexpr std::uint32_t kMinimum[16] = {
    0,          0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF, 0x000000FF, 0x0000FF00, 0x00FF0000,
    0xFF000000, 0,          0,          0,          0,          0,          0,          0};

class Swap : public OnBothChips {
 protected:
  /// L1 and L2 meet in every order, signs and equality included.
  static constexpr std::array<std::uint32_t, 7> kValues{0xFFC00000, 0xBF800000, 0x80000000, 0,
                                                        0x3F800000, 0x40000000, 0x7FC00000};
  const Lanes c = by_lane([](unsigned lane) { return kValues[(lane * 3) % 7]; });
  const Lanes d = by_lane([](unsigned lane) { return kValues[(lane * 5 + lane / 7) % 7]; });
  const Lanes index_c = by_lane([](unsigned lane) { return 0x100 + lane; });
  const Lanes index_d = by_lane([](unsigned lane) { return 0x200 + lane; });

  void SetUp() override {
    rig.set_lreg(1, c);
    rig.set_lreg(2, d);
    rig.set_lreg(5, index_c);
    rig.set_lreg(6, index_d);
  }

  /// Lanes that swap: minimum lanes where VC < VD, maximum lanes where not.
  std::uint32_t swapping(unsigned mode, bool exchange_sources = false) const {
    if (mode == 0) return kAllLanes;
    std::uint32_t lanes = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const bool minimum = (kMinimum[mode] >> lane & 1U) != 0;
      const bool swap = (less(c[lane], d[lane]) == minimum) != exchange_sources;
      if (swap) lanes |= 1U << lane;
    }
    return lanes;
  }

  void expect_swapped(std::uint32_t lanes, std::uint32_t index_lanes) {
    EXPECT_EQ(rig.lreg(1), blend(lanes, d, c));
    EXPECT_EQ(rig.lreg(2), blend(lanes, c, d));
    EXPECT_EQ(rig.lreg(5), blend(index_lanes, index_d, index_c));
    EXPECT_EQ(rig.lreg(6), blend(index_lanes, index_c, index_d));
  }
};
LANEWISE_ON_BOTH_CHIPS(Swap);

TEST_P(Swap, EveryMode) { // VU C33 b, c; 10..15 act as 9
  for (unsigned mode = 0; mode < 16; ++mode) {
    SCOPED_TRACE(mode);
    SetUp();
    rig.run(fmt::format("SFPSWAP L1, L2, {}", mode));
    expect_swapped(swapping(mode), 0);
    if (mode == 0) continue;
    for (unsigned lane = 0; lane < kLanes; ++lane) { // what it is for
      const std::uint32_t low = less(c[lane], d[lane]) ? c[lane] : d[lane];
      const std::uint32_t high = less(c[lane], d[lane]) ? d[lane] : c[lane];
      EXPECT_EQ(rig.lreg(2)[lane], (kMinimum[mode] >> lane & 1U) != 0 ? low : high);
    }
  }
}

TEST_P(Swap, DisabledLanesKeepTheirValues) { // VU C33 a: mode 0 too
  for (unsigned mode = 0; mode < 10; ++mode) {
    SCOPED_TRACE(mode);
    SetUp();
    rig.predicate(kFlagsA);
    rig.run_clean(fmt::format("SFPSWAP L1, L2, {}", mode));
    expect_swapped(swapping(mode) & kFlagsA, 0);
  }
}

TEST_P(Swap, ExchangeOfSourcesInvertsTheCondition) { // VU C33 c: in modes other than 0
  rig.set_lane_config_of(0x0F, lane_config::kExchangeSrcbSrcc);
  constexpr std::uint32_t kExchanged = 0x0F0F0F0FU;
  for (unsigned mode = 0; mode < 10; ++mode) {
    SCOPED_TRACE(mode);
    SetUp();
    rig.run_clean(fmt::format("SFPSWAP L1, L2, {}", mode));
    const std::uint32_t inverted = mode == 0 ? kAllLanes : swapping(mode, true);
    expect_swapped((inverted & kExchanged) | (swapping(mode) & ~kExchanged), 0);
  }
}

TEST_P(Swap, IndicesGoWithTheirValues) { // VU C33 e
  rig.set_lane_config(lane_config::kEnableDestIndex);
  for (unsigned mode = 0; mode < 10; ++mode) {
    SCOPED_TRACE(mode);
    SetUp();
    rig.run_clean(fmt::format("SFPSWAP L1, L2, {}", mode));
    expect_swapped(swapping(mode), swapping(mode));
  }
}

TEST_P(Swap, EqualValuesSwapTheirIndicesInMaximumLanes) { // VU C33 c
  rig.set_lane_config(lane_config::kEnableDestIndex);
  for (unsigned mode = 1; mode < 10; ++mode) {
    SetUp();
    rig.set_lreg(2, c);
    rig.run_clean(fmt::format("SFPSWAP L1, L2, {}", mode));
    EXPECT_EQ(rig.lreg(1), c);
    EXPECT_EQ(rig.lreg(5), blend(kMinimum[mode], index_c, index_d)) << mode;
    EXPECT_EQ(rig.lreg(6), blend(kMinimum[mode], index_d, index_c)) << mode;
  }
}

TEST_P(Swap, IndexModeIsPerColumn) { // VU C39
  rig.set_lane_config_of(0x0F, lane_config::kEnableDestIndex);
  rig.run_clean("SFPSWAP L1, L2, SWAP");
  expect_swapped(kAllLanes, 0x0F0F0F0FU);
}

TEST_P(Swap,
       IndexModeWritesValuesBelow4Only) { // VU C33 e: LReg[4 + (VC & 3)] <-> LReg[4 + (VD & 3)]
  rig.set_lane_config(lane_config::kEnableDestIndex);
  rig.set_lreg(4, 0x44);
  rig.set_lreg(7, 0x77);
  rig.run_clean("SFPSWAP L7, L0, SWAP"); // value of L7 to L0; indices L7 and L4
  EXPECT_EQ(rig.lreg(0), all(0x77));
  EXPECT_EQ(rig.lreg(4), all(0x77));
  EXPECT_EQ(rig.lreg(7), all(0x44));
}

TEST_P(Swap, ConstantsMayBeCompared) { // VU C33 d: clamping
  rig.run_clean("SFPSWAP L10, L1, VEC_MIN_MAX");
  EXPECT_EQ(rig.lreg(1), by_lane([&](unsigned lane) {
              return less(0x3F800000, c[lane]) ? 0x3F800000 : c[lane];
            }));
  EXPECT_EQ(rig.lreg(10), all(0x3F800000));
  rig.run_clean("SFPSWAP L2, L9, VEC_MIN_MAX"); // VD = L9 gets the minimum, L2 the maximum
  EXPECT_EQ(rig.lreg(2), by_lane([&](unsigned lane) { return less(d[lane], 0) ? 0 : d[lane]; }));
  EXPECT_EQ(rig.lreg(9), all(0));
}

TEST_P(Swap, ConstantsHaveIndicesToo) { // VU C33 e with VC = 10: LReg[4 + 2]
  rig.set_lane_config(lane_config::kEnableDestIndex);
  rig.run_clean("SFPSWAP L10, L1, SWAP");
  EXPECT_EQ(rig.lreg(1), all(0x3F800000));
  EXPECT_EQ(rig.lreg(5), index_d);
  EXPECT_EQ(rig.lreg(6), index_c);
}

TEST_P(Swap, RegisterWithItself) {
  for (unsigned mode = 0; mode < 10; ++mode) {
    rig.run_clean(fmt::format("SFPSWAP L1, L1, {}", mode));
    EXPECT_EQ(rig.lreg(1), c);
  }
}

// ---------------------------------------------------------------- TEN-2932 (VU C34)

class DestIndexErratum : public OnBothChips {
 protected:
  void SetUp() override { rig.set_lane_config(lane_config::kEnableDestIndex); }
  bool reported(std::string_view instruction) {
    bool found = false;
    for (const Fault& fault : rig.run(instruction)) {
      if (fault.rule != "VU C34 (TEN-2932)") continue;
      found = true;
      EXPECT_EQ(fault.kind, FaultKind::UnpredictableValue);
    }
    return found;
  }
};
LANEWISE_ON_BOTH_CHIPS(DestIndexErratum);

TEST_P(DestIndexErratum, FourInstructionsAreSafe) {
  for (const char* instruction :
       {"SFPLOAD L4, INT32, 3, 0", "SFPLOADI L5, USHORT, 7", "SFPSWAP L4, L5, SWAP", "SFPTRANSP"}) {
    EXPECT_FALSE(reported(instruction)) << instruction;
  }
}

TEST_P(DestIndexErratum, OthersAreReported) {
  for (const char* instruction :
       {"SFPMOV L0, L4, 0", "SFPIADD 1, L0, L7, 5", "SFPMAD L10, L10, L9, L5, 0",
        "SFPSHFT2 0, L0, L6, 3", "SFPSTOCHRND 0, 0, L0, L0, L4, 0"}) {
    EXPECT_TRUE(reported(instruction)) << instruction;
  }
}

TEST_P(DestIndexErratum, OnlyLReg4To7Matter) {
  for (const char* instruction :
       {"SFPMOV L0, L3, 0", "SFPMOV L0, L8, 0", "SFPSHFT2 0, L4, L0, COPY4",
        "SFPSETCC VC=L4, VD=L4, Mod1=0", "SFPSTORE L4, INT32, 3, 0"}) {
    EXPECT_FALSE(reported(instruction)) << instruction;
  }
}

TEST_P(DestIndexErratum, IndirectDestinationCountsWhereItIs) { // VU C15
  rig.run_clean("SFPLOADI L7, USHORT, 3");
  EXPECT_FALSE(reported("SFPMAD L10, L10, L9, L0, INDIRECT_VD")) << "LReg[3]";
  EXPECT_FALSE(reported("SFPMAD L10, L10, L9, L5, INDIRECT_VD")) << "the encoded VD is not written";
  rig.run_clean("SFPLOADI L7, USHORT, 0x15");
  EXPECT_TRUE(reported("SFPMAD L10, L10, L9, L0, INDIRECT_VD")) << "LReg[5]";
}

TEST_P(DestIndexErratum, NeedsAnEnabledLane) {
  rig.predicate(0);
  EXPECT_FALSE(reported("SFPMOV L0, L4, 0"));
  EXPECT_TRUE(reported("SFPMOV L0, L4, ALL_LANES_ENABLED")) << "writes disabled lanes too (VU C6)";
}

TEST_P(DestIndexErratum, NamesTheFirstLane) {
  rig.set_lane_config_of(0xF8, lane_config::kEnableDestIndex);
  const auto faults = rig.run("SFPNOP\nSFPMOV L0, L4, 0");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].lane, 3);
  EXPECT_EQ(faults[0].line, 2U);
  EXPECT_EQ(faults[0].instruction, "SFPMOV");
}

} // namespace
} // namespace lanewise::test
