// What unpackers and packers are asked for: what is documented of L1 and of them (core.md 17).
#include "chip/tile/traffic.h"

#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

struct Work : Datacopy {
  const tile::Traffic& traffic() { return rig.state().traffic; }
  std::uint64_t fetch_cycles() { return traffic().unpacker[0].fetch_cycles; }
};
LANEWISE_ON_BOTH_CHIPS(Work);

TEST_P(Work, ATileOf2048BytesTakesItsBytes) {
  rig.set("THCON_SEC0_REG2_Throttle_mode", 2); // x4, 64 bytes a cycle, which Blackhole doubles
  ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
  EXPECT_EQ(traffic().packer[0].ends, 1U) << "one PACR with Last";
  EXPECT_EQ(fetch_cycles(), is_blackhole() ? 2048 / 128 : 2048 / 64);
  EXPECT_EQ(traffic().packer[0].writes, 2048U / 16);
  EXPECT_EQ(traffic().packer[0].accumulated, 0U);
}

// core.md 17: x1, x2 and x4 are 16, 32 and 64 bytes; Blackhole follows the mode if it is told to.
TEST_P(Work, ThrottleModesSlowTheFetchDown) {
  if (is_blackhole()) rig.set("THCON_SEC0_REG1_ovrd_default_throttle_mode", 1);
  for (const auto& [mode, bytes] : {std::pair{0U, 16U}, std::pair{1U, 32U}}) {
    rig.state().traffic = {};
    rig.set("THCON_SEC0_REG2_Throttle_mode", mode);
    ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
    EXPECT_EQ(fetch_cycles(), 2048 / bytes);
  }
  if (!is_blackhole()) return;
  rig.state().traffic = {};
  rig.set("THCON_SEC0_REG1_ovrd_default_throttle_mode", 0); // the mode is still that of 32 bytes
  ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
  EXPECT_EQ(fetch_cycles(), 2048U / 128);
}

// Blackhole's own mode of data of 8 bits is x8, as it is of longer ones.
TEST_P(Work, BytesAreFetchedAtTheFullRate) {
  constexpr std::uint32_t kInt8 = 14;
  rig.set("THCON_SEC0_REG2_Throttle_mode", 2);
  rig.set("THCON_SEC0_REG0_TileDescriptor", kInt8 | 1U << 4 | kFaceData << 16);
  rig.set("THCON_SEC0_REG2_Out_data_format", kInt8);
  rig.run(0, "SETADCXX U0=1, X1Val=255\nUNPACR Last=1");
  EXPECT_EQ(fetch_cycles(), 256U / (is_blackhole() ? 128 : 64));
}

TEST_P(Work, WritesThatAddAreCountedAsSuch) {
  rig.set("THCON_SEC0_REG1_Pack_L1_Acc", 1);
  ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
  EXPECT_EQ(traffic().packer[0].accumulated, 2048U / 16);
}

// tt-llk 130: a tile of BF16 in 52 cycles on Wormhole and in 25 on Blackhole, less than 64 bytes a
// cycle allow.
TEST_P(Work, TilizingReadsAtTheSpeedOfX4) {
  rig.set("THCON_SEC0_REG2_Tileize_mode", 1);
  rig.set("THCON_SEC0_REG2_Shift_amount_cntx0", 4); // rows 64 bytes apart
  ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
  EXPECT_EQ(fetch_cycles(), is_blackhole() ? 2048U / 128 : 2048U / 64);
}

TEST_P(Work, RowsOfATilizingUnpackerAreApart) {
  rig.set("THCON_SEC0_REG2_Tileize_mode", 1);
  rig.set("THCON_SEC0_REG2_Shift_amount_cntx0", 4);
  ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
  const tile::Traffic::Rows rows = traffic().unpacker[0].rows;
  EXPECT_EQ(rows.stride, 64U);
  EXPECT_EQ(rows.bytes, is_blackhole() ? 64U : 32U) << "32 data, or 16";
  EXPECT_EQ(rows.rows * rows.bytes, 2 * kFaceData) << "those of the last UNPACR";
}

} // namespace
} // namespace lanewise::test
