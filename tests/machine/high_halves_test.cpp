// Bit 11 of DBG_FEATURE_DISABLE: the 16-bit view of Dst is the high half of the 32-bit view (ISA
// Dst, MU 1.1).
#include "machine/matrix_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::string_view kName = "RISCV_DEBUG_REG_DBG_FEATURE_DISABLE";
constexpr std::uint32_t kBit11 = 0x800;

class HighHalves : public MatrixRig {
 protected:
  void set(std::uint32_t value) { rig.configure(kName, value); }
  bool is_set() { return rig.state().config.dst16_view() == Dst16View::HighHalves; }
};
LANEWISE_ON_BOTH_CHIPS(HighHalves);
class HighHalvesOnBlackhole : public OnBlackhole {};

TEST_P(HighHalves, Only11Counts) {
  set(0xF7FF);
  EXPECT_FALSE(is_set());
  set(kBit11);
  EXPECT_TRUE(is_set());
  EXPECT_FALSE(rig.machine().set_config(kName, 0x10000).has_value()) << "16 bits (LLK)";
  rig.state().reset();
  EXPECT_FALSE(is_set()) << "0 after reset";
}

TEST_P(HighHalves, LoadsReadTheHighHalf) {
  set(kBit11);
  for (unsigned address = 0; address < 512; address += 2) {
    rig.run_clean(fmt::format("SFPLOAD L0, UINT16, 3, {}", address));
    const Lanes expected = by_lane([&](unsigned lane) {
      const unsigned row = (address & 0x3FC) + lane / 8;
      return half(2 * (row & ~7U) + (row & 7), 2 * (lane % 8) + (address >> 1 & 1));
    });
    ASSERT_EQ(rig.lreg(0), expected) << address;
  }
}

TEST_P(HighHalves, StoresWriteTheHighHalfAndLeaveTheRest) {
  set(kBit11);
  rig.set_lreg(1, by_lane([](unsigned lane) { return 0x5000 + lane; }));
  const Dst before = dst();
  rig.run_clean("SFPSTORE L1, UINT16, 3, 12"); // rows 12..15, in physical rows 20..23
  for (unsigned row = 0; row < kDstRows; ++row) {
    for (unsigned column = 0; column < kDstColumns; ++column) {
      const bool written = row >= 20 && row < 24 && column % 2 == 0;
      const unsigned lane = (row - 20) * 8 + column / 2;
      ASSERT_EQ(dst().cell[row][column], written ? 0x5000 + lane : before.cell[row][column]);
    }
  }
}

TEST_P(HighHalves, WideAccessesAreWhereTheyWere) {
  rig.run_clean("SFPLOAD L0, INT32, 3, 20");
  set(kBit11);
  rig.run_clean("SFPLOAD L1, INT32, 3, 20");
  EXPECT_EQ(rig.lreg(0), rig.lreg(1));
}

TEST_P(HighHalves, ValidFlagsAreThoseOfTheHighHalves) {
  set(kBit11);
  dst().set_valid(16, false); // the high halves of row 8
  rig.run_clean("SFPLOAD L0, UINT16, 3, 8");
  for (unsigned lane = 0; lane < 8; ++lane) EXPECT_EQ(rig.lreg(0)[lane], 0U);
  EXPECT_NE(rig.lreg(0)[8], 0U);
  rig.run_clean("SFPSTORE L9, UINT16, 3, 8");
  EXPECT_TRUE(dst().valid(16));
}

TEST_P(HighHalves, MovesOf16BitsWriteTheHighHalf) { // budabackend#1948: BF16 into 32-bit Dst
  rig.configure("ALU_ACC_CTRL_Fp32_enabled", 1);
  set(kBit11);
  rig.run_clean("MOVA2D SrcRow=6, DstRow=12"); // and no fault about the width
  EXPECT_EQ(dst().cell[20][3], stored_bf16(cell_a(0, 6, 3)));
  EXPECT_EQ(dst().cell[28][3], half(28, 3)) << "the low half stays";
  EXPECT_EQ(dst().cell[12][3], half(12, 3));
}

TEST_P(HighHalves, ZeroaccOfOneRowClearsWhatIsRead) {
  set(kBit11);
  rig.run_clean("ZEROACC Mode=0, Imm10=8");
  EXPECT_FALSE(dst().valid(16));
  EXPECT_TRUE(dst().valid(8));
  rig.run_clean("ZEROACC Mode=1, Imm10=2"); // its rows do not depend on the bit
  EXPECT_FALSE(dst().valid(32));
  EXPECT_FALSE(dst().valid(47));
  EXPECT_TRUE(dst().valid(48));
}

TEST_P(HighHalves, StoreregSetsIt) { // ISA STOREREG: FFB00000 + 4 * 481A = FFB12068
  rig.run_clean("SETDMAREG 0, 0x800, 0, 120\nSETDMAREG 0, 0, 0, 121\nSTOREREG 60, 0x481A");
  EXPECT_TRUE(is_set());
  rig.run_clean("SETDMAREG 0, 0, 0, 120\nSTOREREG 60, 0x481A");
  EXPECT_FALSE(is_set());
}

TEST_P(HighHalves, StoreregToOtherRegistersIsRefused) {
  const auto faults = rig.run("STOREREG 60, 0x481B");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::Unsupported);
  EXPECT_EQ(faults[0].instruction, "STOREREG");
}

TEST_F(HighHalvesOnBlackhole, FollowTheRowPermutations) { // ISA Dst: Adj32 begins with Adj16
  rig.configure("DEST_ACCESS_CFG_swizzle_32b", 1);
  rig.configure("DEST_ACCESS_CFG_remap_addrs", 1);
  rig.configure(kName, kBit11);
  rig.set_lreg(1, 0x11);
  for (unsigned row = 0; row < 512; row += 4) {
    rig.state().dst.reset();
    rig.run_clean(fmt::format("SFPSTORE L1, UINT16, 7, {}", row));
    ASSERT_EQ(rig.state().dst.cell[adjust_row_32(swizzle_row_32(remap_row(row)))][0], 0x11) << row;
  }
}

TEST(DstRows, HighHalvesHaveOneRowEach) {
  for (unsigned row = 0; row < 512; ++row) EXPECT_EQ(row_of_high_half(adjust_row_32(row)), row);
}

} // namespace
} // namespace lanewise::test
