// Where SFPLOAD and SFPSTORE access Dst, and what moves on the way (VU C16..C20, 3.4).
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class DstAddressing : public OnBothChips {
 protected:
  /// Every 16-bit cell holds its own place: row << 4 | column, physical rows.
  void SetUp() override {
    for (unsigned row = 0; row < kDstRows; ++row) {
      for (unsigned column = 0; column < kDstColumns; ++column) {
        rig.state().dst.cell[row][column] = static_cast<std::uint16_t>(row << 4 | column);
      }
    }
  }
  /// What a 16-bit load at an address finds (VU C17: row = Addr & 3FC + lane / 8, column = 2 (lane
  /// % 8) + Addr[1]).
  static Lanes places(unsigned address) {
    return by_lane([&](unsigned lane) {
      const unsigned row = (address & 0x3FC) + lane / 8;
      return row << 4 | (2 * (lane % 8) + (address >> 1 & 1));
    });
  }
  Lanes load(std::string_view operands) {
    rig.run_clean(fmt::format("SFPLOAD L0, {}", operands));
    return rig.lreg(0);
  }
};
LANEWISE_ON_BOTH_CHIPS(DstAddressing);
class DstAddressingOnBlackhole : public OnBlackhole {};
class DstAddressingOnWormhole : public OnWormhole {};

TEST_P(DstAddressing, AddressBits) { // VU C16: bit 0 is unused, bit 1 selects odd columns
  for (unsigned address = 0; address < 1024; ++address) {
    EXPECT_EQ(load(fmt::format("UINT16, 3, {}", address)), places(address)) << address;
  }
}

TEST_P(DstAddressing, SumOfImmediateOffsetAndCounter) { // VU C17, modulo 2^10
  rig.configure("DEST_TARGET_REG_CFG_MATH_Offset", 0x200);
  rig.rwc().dst = 0x106;
  EXPECT_EQ(load("UINT16, 3, 0x20"), places(0x326));
  EXPECT_EQ(load("UINT16, 3, 0x3FC"), places(0x302)) << "wraps";
  rig.configure("DEST_TARGET_REG_CFG_MATH_Offset", 0xE00);
  EXPECT_EQ(load("UINT16, 3, 0x20"), places(0x326)) << "only ten bits of the offset count";
}

TEST_P(DstAddressing, DestRegwBaseIsIgnoredAndReported) { // VU C17
  const auto faults = rig.run(".cfg DEST_REGW_BASE_Base 64\nSFPLOAD L0, UINT16, 3, 0");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::NonContractual);
  EXPECT_EQ(rig.lreg(0), places(0));
}

TEST_P(DstAddressing,
       ColumnExchangeForcesOddColumns) { // VU C18: OR, not XOR; loads and stores have a bit each
  rig.set_lane_config_of(0x0F, lane_config::kDestRdColExchange);
  constexpr std::uint32_t kColumns03 = 0x0F0F0F0FU;
  EXPECT_EQ(load("UINT16, 3, 0"), blend(kColumns03, places(2), places(0)));
  EXPECT_EQ(load("UINT16, 3, 2"), places(2)) << "not toggled back";
  rig.set_lane_config_of(0x0F, lane_config::kDestWrColExchange);
  EXPECT_EQ(load("UINT16, 3, 0"), places(0)) << "loads do not look at the store bit";
  rig.run_clean("SFPSTORE L10, HI16_ONLY, 3, 0");
  for (unsigned column = 0; column < 16; ++column) {
    const bool odd = column % 2 == 1;
    const bool written = column < 8 ? odd : !odd;
    EXPECT_EQ(rig.state().dst.cell[3][column], written ? 0x3F80 : (3 << 4 | column)) << column;
  }
}

TEST_P(DstAddressing, BlockBits) { // VU C20
  rig.set_lane_config_of(0x81, lane_config::kBlockSfpuRdFromDest);
  rig.set_lreg(0, 7);
  rig.rwc().dst = 0;
  EXPECT_EQ(load("UINT16, 3, 0"), blend(0x81818181U, all(7), places(0)));
  rig.set_lreg(0, 7);
  EXPECT_EQ(load("ZERO, 3, 0"), blend(0x81818181U, 7, 0));
  rig.set_lane_config_of(0x81, lane_config::kBlockDestWrFromSfpu);
  rig.run_clean("SFPSTORE L9, UINT16, 3, 0");
  rig.set_lane_config(0);
  EXPECT_EQ(load("UINT16, 3, 0"), blend(0x81818181U, places(0), all(0)));
}

TEST_P(DstAddressing, CaptureOfTheIndex) { // VU C20
  constexpr std::uint32_t kBoth =
      lane_config::kEnableDestIndex | lane_config::kCaptureDefaultDestIndex;
  rig.rwc().dst = 4;
  for (unsigned vd = 0; vd < 8; ++vd) {
    for (unsigned reg = 0; reg < 8; ++reg) rig.set_lreg(reg, 7);
    rig.set_lane_config_of(0x0F, kBoth);
    rig.run_clean(fmt::format("SFPLOAD L{}, ZERO, 3, 0x12", vd));
    for (unsigned reg = 0; reg < 8; ++reg) {
      Lanes expected = reg == vd ? all(0) : all(7);
      // 0x12 + 4 = 0x16: rows 0x14.., odd columns.
      if (vd < 4 && reg == vd + 4) expected = blend(0x0F0F0F0FU, places(0x16), all(7));
      EXPECT_EQ(rig.lreg(reg), expected) << vd << ' ' << reg;
    }
  }
  for (std::uint32_t one : {lane_config::kEnableDestIndex, lane_config::kCaptureDefaultDestIndex}) {
    rig.set_lreg(4, 7);
    rig.set_lane_config(one);
    rig.run_clean("SFPLOAD L0, ZERO, 3, 0");
    EXPECT_EQ(rig.lreg(4), all(7)) << "needs both switches";
  }
}

TEST_P(DstAddressing, CapturedColumnKnowsTheExchange) { // VU C18, C20
  rig.set_lane_config(lane_config::kEnableDestIndex | lane_config::kCaptureDefaultDestIndex |
                      lane_config::kDestRdColExchange);
  rig.predicate(kRow1);
  rig.run_clean("SFPLOAD L1, UINT16, 3, 0");
  EXPECT_EQ(rig.lreg(5), blend(kRow1, places(2), all(0)));
}

TEST_P(DstAddressing, RowsOf32BitData) { // VU 3.4: Adj32(r) = ((r & 1F8) << 1) | (r & 207)
  for (unsigned row : {0U, 4U, 8U, 12U, 16U, 248U, 256U, 508U, 512U, 1020U}) {
    const unsigned physical = ((row & 0x1F8) << 1) | (row & 0x207);
    rig.run_clean(fmt::format("SFPLOAD L0, INT32, 3, {}", row));
    EXPECT_EQ(rig.lreg(0), by_lane([&](unsigned lane) {
                const unsigned high = (physical + lane / 8) << 4 | 2 * (lane % 8);
                const unsigned low = (physical + 8 + lane / 8) << 4 | 2 * (lane % 8);
                // S M7 E8 to S E8 M7.
                const unsigned upper = (high & 0x8000) | (high & 0xFF) << 7 | (high >> 8 & 0x7F);
                return upper << 16 | low;
              }))
        << row;
  }
}

TEST_P(DstAddressing, SideEffectsHappenRegardless) { // VU C19
  rig.state().config.set_addr_mod(1, {.dst_increment = 2});
  for (unsigned vd : {0U, 8U, 11U}) {
    rig.rwc().dst = 0;
    rig.run_clean(fmt::format("SFPLOAD L{}, UINT16, 1, 0", vd));
    EXPECT_EQ(rig.rwc().dst, 2U) << vd;
  }
  rig.predicate(0);
  rig.set_lane_config(lane_config::kBlockDestWrFromSfpu | lane_config::kBlockSfpuRdFromDest |
                      0xFU << 12);
  rig.rwc().dst = 0;
  rig.run_clean("SFPLOAD L0, UINT16, 1, 0\nSFPSTORE L0, UINT16, 1, 0");
  EXPECT_EQ(rig.rwc().dst, 4U);
}

TEST_P(DstAddressing, InvalidRowsReadZero) { // VU C25
  for (unsigned row : {1U, 2U}) rig.state().dst.set_valid(row, false);
  EXPECT_EQ(load("UINT16, 3, 0"), blend(kRow0 | kRow3, places(0), all(0)));
  EXPECT_EQ(load("HI16, 3, 0")[8], 0U);
}

TEST_P(DstAddressing, HighRowDecidesFor32BitData) { // VU C25
  rig.state().dst.set_valid(8, false);              // low half of row 0
  rig.state().dst.set_valid(1, false);
  rig.run_clean("SFPLOAD L0, INT32, 3, 0");
  EXPECT_EQ(rig.lreg(0)[0] & 0xFFFF, 8U << 4);
  EXPECT_EQ(rig.lreg(0)[8], 0U);
  EXPECT_NE(rig.lreg(0)[16], 0U);
}

TEST_P(DstAddressing, StoresValidateWholeRowsAndStaleDataReappears) { // VU C25
  for (unsigned row = 0; row < 4; ++row) rig.state().dst.set_valid(row, false);
  rig.predicate(1U << 8); // one lane of row 1
  rig.run_clean("SFPSTORE L10, UINT16, 3, 0");
  rig.predicate(kAllLanes);
  EXPECT_EQ(load("UINT16, 3, 2"), blend(kRow1, places(2), all(0)))
      << "columns that were not stored";
  EXPECT_EQ(load("UINT16, 3, 0"), blend(kRow1 & ~(1U << 8), places(0), all(0)));
}

// ---------------------------------------------------------------- The stack of INT32_ALL (VU C17)

TEST_F(DstAddressingOnBlackhole, StackPointerOfInt32All) {
  rig.configure("SFPU_STACK_Incr", 8);
  rig.set_lreg(1, 0x11);
  rig.set_lreg(2, 0x22);
  rig.rwc().sp = 16;
  rig.run_clean("SFPSTORE L1, INT32_ALL, 7, 0\nSFPSTORE L2, INT32_ALL, 7, 0"); // to 16 and 24
  EXPECT_EQ(rig.rwc().sp, 32U);
  EXPECT_EQ(rig.state().dst.load_32(16, 0), 0x11U);
  EXPECT_EQ(rig.state().dst.load_32(24, 0), 0x22U);
  rig.run_clean("SFPLOAD L3, INT32_ALL, 7, 0\nSFPLOAD L4, INT32_ALL, 7, 0"); // last in, first out
  EXPECT_EQ(rig.rwc().sp, 16U);
  EXPECT_EQ(rig.lreg(3), all(0x22));
  EXPECT_EQ(rig.lreg(4), all(0x11));
}

TEST_F(DstAddressingOnBlackhole, LoadDoesNotPopAtZero) { // VU C17: if Sp != 0
  rig.configure("SFPU_STACK_Incr", 8);
  rig.run_clean("SFPLOAD L3, INT32_ALL, 7, 0");
  EXPECT_EQ(rig.rwc().sp, 0U);
  rig.rwc().sp = 4; // not a multiple: wraps modulo 2^10
  rig.run_clean("SFPLOAD L3, INT32_ALL, 7, 0");
  EXPECT_EQ(rig.rwc().sp, 1020U);
}

TEST_F(DstAddressingOnBlackhole, StackMovesWithoutLanesOrDestination) { // VU C19
  rig.configure("SFPU_STACK_Incr", 8);
  rig.rwc().sp = 16;
  rig.set_lane_config(lane_config::kBlockDestWrFromSfpu | lane_config::kBlockSfpuRdFromDest);
  rig.run_clean("SFPLOAD L8, INT32_ALL, 7, 0");
  EXPECT_EQ(rig.rwc().sp, 8U);
  rig.run_clean("SFPSTORE L1, INT32_ALL, 7, 0");
  EXPECT_EQ(rig.rwc().sp, 16U);
}

TEST_F(DstAddressingOnBlackhole, TwoFormulas) { // VU C17: & 3 on Sp normally, on Dst for INT32_ALL
  rig.configure("DEST_SP_BASE_Base", 5);
  rig.configure("DEST_TARGET_REG_CFG_MATH_Offset", 0x40);
  rig.rwc().sp = 0x101;
  rig.rwc().dst = 0x20;
  rig.set_lreg(1, 0x11);
  // 8 + 40 + 20 + ((101 + 5) & 3 = 2) = 6A: row 68, odd columns.
  rig.run_clean("SFPSTORE L1, UINT16, 7, 8");
  EXPECT_EQ(rig.state().dst.cell[0x68][1], 0x11);
  // 8 + 40 + (101 + 5) + (22 & 3 = 2) = 150: row 150, even columns.
  rig.rwc().dst = 0x22;
  rig.run_clean("SFPSTORE L1, INT32_ALL, 7, 8");
  EXPECT_EQ(rig.state().dst.load_32(0x150, 0), 0x11U);
}

TEST_F(DstAddressingOnWormhole, Int32AllTakesTwoBitsOfDst) { // VU C17: no stack
  rig.rwc().dst = 0x126;
  rig.set_lreg(1, 0x11);
  rig.run_clean("SFPSTORE L1, INT32_ALL, 3, 8"); // 8 + (126 & 3 = 2): row 8, odd columns
  EXPECT_EQ(rig.state().dst.load_32(8, 1), 0x11U);
  EXPECT_EQ(rig.state().dst.load_32(8, 0), 0U);
  EXPECT_EQ(rig.rwc().sp, 0U);
}

// ---------------------------------------------------------------- Row permutations (VU 3.4)

TEST_F(DstAddressingOnBlackhole, RemapAndSwizzle) {
  const auto remap = [](unsigned r) {
    return (r & 0x3C7) ^ ((r & 0x030) >> 1) ^ ((r & 0x008) << 2);
  };
  const auto swizzle = [](unsigned t) {
    return (t & 0x3F3) ^ ((t & 0x018) >> 1) ^ ((t & 0x004) << 1);
  };
  const auto adjust = [](unsigned t) { return ((t & 0x1F8) << 1) | (t & 0x207); };
  rig.set_lreg(1, 0x11);
  for (unsigned config = 0; config < 4; ++config) {
    rig.configure("DEST_ACCESS_CFG_swizzle_32b", config & 1);
    rig.configure("DEST_ACCESS_CFG_remap_addrs", config >> 1);
    for (unsigned row = 0; row < 1024; row += 4) {
      const unsigned row16 = (config & 2) != 0 ? remap(row) : row;
      const unsigned row32 = adjust((config & 1) != 0 ? swizzle(row16) : row16);
      rig.state().dst.reset();
      rig.run_clean(fmt::format("SFPSTORE L1, UINT16, 7, {}", row));
      ASSERT_EQ(rig.state().dst.cell[row16][0], 0x11) << config << ' ' << row;
      rig.state().dst.reset();
      rig.run_clean(fmt::format("SFPSTORE L1, INT32, 7, {}", row));
      ASSERT_EQ(rig.state().dst.cell[row32 + 8][0], 0x11) << config << ' ' << row;
    }
  }
}

TEST(DstRows, RemapSpotValues) { // VU 3.4, by hand: bits 5:3 rotate left by one place, 8 -> 32, 16
                                 // -> 8, 32 -> 16
  EXPECT_EQ(remap_row(8), 32U);
  EXPECT_EQ(remap_row(16), 8U);
  EXPECT_EQ(remap_row(32), 16U);
  EXPECT_EQ(remap_row(0x3C7), 0x3C7U);
  EXPECT_EQ(swizzle_row_32(4), 8U);
  EXPECT_EQ(swizzle_row_32(8), 4U);
  EXPECT_EQ(swizzle_row_32(16), 24U) << "bit 4 stays and also enters bit 3";
  EXPECT_EQ(adjust_row_32(8), 16U);
  EXPECT_EQ(adjust_row_32(7), 7U);
  EXPECT_EQ(adjust_row_32(512), 512U);
}

} // namespace
} // namespace lanewise::test
