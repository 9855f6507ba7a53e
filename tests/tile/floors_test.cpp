// Floors of time: what is documented of L1, unpackers and packers (core.md 17).
#include "chip/tile/floors.h"

#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

double cycles_of(const tile::Floors& floors, std::string_view resource) {
  for (const tile::Floor& each : floors.floors)
    if (each.resource == resource) return each.cycles;
  return 0;
}

class TimeFloors : public Datacopy {};
LANEWISE_ON_BOTH_CHIPS(TimeFloors);

TEST_P(TimeFloors, ATileOf2048BytesTakesItsBytes) {
  rig.set("THCON_SEC0_REG2_Throttle_mode", 2); // x4, 64 bytes a cycle, which Blackhole doubles
  ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
  const tile::Floors floors = tile::floors_of(GetParam(), rig.state().traffic);
  EXPECT_EQ(floors.tiles, 1U) << "one PACR with Last";
  EXPECT_EQ(cycles_of(floors, "fetch of unpacker 0"), is_blackhole() ? 2048 / 128 : 2048 / 64);
  // One of Wormhole's four packers does all the work here; Blackhole's has four ways to read.
  EXPECT_EQ(cycles_of(floors, "writes of the packers"), is_blackhole() ? 128 / 4 : 128);
  EXPECT_EQ(cycles_of(floors, "issue of T0"), 4 * 2) << "two cycles for a UNPACR";
}

// core.md 17: x1, x2 and x4 are 16, 32 and 64 bytes; Blackhole follows the mode if it is told to.
TEST_P(TimeFloors, ThrottleModesSlowTheFetchDown) {
  if (is_blackhole()) rig.set("THCON_SEC0_REG1_ovrd_default_throttle_mode", 1);
  for (const auto& [mode, bytes] : {std::pair{0U, 16U}, std::pair{1U, 32U}}) {
    rig.state().traffic = {};
    rig.set("THCON_SEC0_REG2_Throttle_mode", mode);
    ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
    EXPECT_EQ(cycles_of(tile::floors_of(GetParam(), rig.state().traffic), "fetch of unpacker 0"),
              2048 / bytes);
  }
  if (!is_blackhole()) return;
  rig.state().traffic = {};
  rig.set("THCON_SEC0_REG1_ovrd_default_throttle_mode", 0); // the mode is still that of 32 bytes
  ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
  EXPECT_EQ(cycles_of(tile::floors_of(GetParam(), rig.state().traffic), "fetch of unpacker 0"),
            2048 / 128);
}

// Blackhole's own mode of data of 8 bits is x8, as it is of longer ones.
TEST_P(TimeFloors, BytesAreFetchedAtTheFullRate) {
  constexpr std::uint32_t kInt8 = 14;
  rig.set("THCON_SEC0_REG2_Throttle_mode", 2);
  rig.set("THCON_SEC0_REG0_TileDescriptor", kInt8 | 1U << 4 | kFaceData << 16);
  rig.set("THCON_SEC0_REG2_Out_data_format", kInt8);
  rig.run(0, "SETADCXX U0=1, X1Val=255\nUNPACR Last=1");
  EXPECT_EQ(cycles_of(tile::floors_of(GetParam(), rig.state().traffic), "fetch of unpacker 0"),
            256 / (is_blackhole() ? 128 : 64));
}

TEST_P(TimeFloors, AccumulationTakesFiveCyclesAWrite) {
  rig.set("THCON_SEC0_REG1_Pack_L1_Acc", 1);
  ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
  const tile::Floors floors = tile::floors_of(GetParam(), rig.state().traffic);
  EXPECT_EQ(cycles_of(floors, "writes of the packers"), 5 * (is_blackhole() ? 128 / 4 : 128));
  EXPECT_EQ(floors.floors[floors.bottleneck].resource, "writes of the packers");
}

TEST_P(TimeFloors, TilizingReads64BytesACycle) { // silicon: 41 or 42 cycles, and 52, for 32 here
  rig.set("THCON_SEC0_REG2_Tileize_mode", 1);
  rig.set("THCON_SEC0_REG2_Shift_amount_cntx0", 4); // rows 64 bytes apart
  ASSERT_TRUE(rig.run_all(programs()).blocked.empty());
  EXPECT_EQ(cycles_of(tile::floors_of(GetParam(), rig.state().traffic), "fetch of unpacker 0"),
            2048 / 64);
}

TEST(TimeFloorsByTile, AreDividedByTheTiles) {
  tile::Traffic traffic;
  traffic.issue_cycles = {100, 40, 60};
  traffic.packer[0].ends = 4;
  const tile::Floors floors = tile::floors_of(Arch::Blackhole, traffic);
  EXPECT_EQ(floors.tiles, 4U);
  EXPECT_EQ(cycles_of(floors, "issue of T0"), 25);
  EXPECT_EQ(floors.floors[floors.bottleneck].resource, "issue of T0");
  EXPECT_EQ(cycles_of(tile::floors_of(Arch::Blackhole, traffic, 10), "issue of T1"), 4);
}

} // namespace
} // namespace lanewise::test
