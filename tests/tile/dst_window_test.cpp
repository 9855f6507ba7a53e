// Dst in the address space of cores (core.md 16.1): elements of each format, both ways, on the page
// "Dst" of the documentation of Blackhole; what it gives no meaning to.
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::uint32_t kWindow = 0xFFBD8000;
constexpr std::uint32_t kFmtFloat32 = 0, kFmtInt32 = 1, kFmtFloat16 = 2, kFmtBfloat16 = 3,
                        kFmtInt16 = 4, kFmtInt8 = 5;

class DstWindow : public ::testing::Test {
 protected:
  void set_access(unsigned core, std::uint32_t format, bool is_raw = false,
                  bool is_unsigned = false) {
    const std::string name = fmt::format("RISC_DEST_ACCESS_CTRL_SEC{}_", core);
    rig.set(name + "fmt", format);
    rig.set(name + "no_swizzle", is_raw ? 1 : 0);
    rig.set(name + "unsigned_int", is_unsigned ? 1 : 0);
  }
  std::uint32_t load(unsigned core, std::uint32_t offset, unsigned bytes) {
    const auto value = rig.tile.load(core, kWindow + offset, bytes);
    EXPECT_TRUE(value.has_value()) << (value ? "" : to_string(value.error()));
    return value && *value ? **value : 0xDEADBEEF;
  }
  void store(unsigned core, std::uint32_t offset, unsigned bytes, std::uint32_t value) {
    const auto done = rig.tile.store(core, kWindow + offset, bytes, value, 1);
    EXPECT_TRUE(done.has_value()) << (done ? "" : to_string(done.error()));
  }
  std::uint16_t cell(unsigned row, unsigned column) { return rig.machine().dst.cell[row][column]; }

  TileRig rig{Arch::Blackhole};
};

struct Case {
  std::uint32_t format;
  bool is_raw, is_unsigned;
  unsigned bytes;
  std::uint32_t value;  ///< of the core
  std::uint32_t stored; ///< in Dst: 16 bits, or 32
  std::uint32_t back;   ///< what the core finds then
};

// -1.5 is sign, exponent 127 and mantissa 0x40 of 7 bits; Dst has the mantissa before the exponent.
const std::vector<Case> kCases{
    {kFmtFloat32, false, false, 4, 0xBFC01234, 0xC07F1234, 0xBFC01234},
    {kFmtFloat32, true, false, 4, 0xBFC01234, 0xBFC01234, 0xBFC01234},
    {kFmtFloat32, false, true, 4, 0xBFC01234, 0xC07F1234, 0xBFC01234},
    {kFmtInt32, false, false, 4, 5, 5, 5},
    // -5 is sign and magnitude: 0x80000005, of which the upper half is the sign alone.
    {kFmtInt32, false, false, 4, 0xFFFFFFFB, 0x80000005, 0xFFFFFFFB},
    {kFmtInt32, false, true, 4, 0xFFFFFFFB, 0x80000005, 0xFFFFFFFB},
    {kFmtInt32, false, false, 4, 0x7F800000, 0x00FF0000, 0x7F800000},
    {kFmtInt32, false, false, 4, 0x80000000, 0xFFFFFFFF, 0x80000001}, // clamped
    {kFmtInt32, true, false, 4, 0xFFFFFFFB, 0xFFFFFFFB, 0xFFFFFFFB},
    // -1.5 of FP16: sign, exponent 15, mantissa 0x200.
    {kFmtFloat16, false, false, 2, 0xBE00, 0xC00F, 0xBE00},
    {kFmtFloat16, true, false, 2, 0xBE00, 0xBE00, 0xBE00},
    {kFmtBfloat16, false, false, 2, 0xBFC0, 0xC07F, 0xBFC0},
    {kFmtBfloat16, true, false, 2, 0xBFC0, 0xBFC0, 0xBFC0},
    {kFmtInt16, false, false, 2, 0xFFFB, 0x8005, 0xFFFB},
    {kFmtInt16, false, false, 2, 0x8000, 0xFFFF, 0x8001}, // clamped
    {kFmtInt16, false, true, 2, 0xFFFB, 0xFFFB, 0xFFFB},
    {kFmtInt16, true, false, 2, 0xFFFB, 0xFFFB, 0xFFFB},
    // Ten bits of magnitude above the exponent 16, which a zero lacks.
    {kFmtInt8, false, false, 1, 0, 0, 0},
    {kFmtInt8, false, false, 1, 5, 5 << 5 | 16, 5},
    {kFmtInt8, false, false, 1, 0x7F, 0x7F << 5 | 16, 0x7F},
    // 0x180 less 0xFB is 0x85: "meant to be sign and magnitude, but isn't"; the way back masks it.
    {kFmtInt8, false, false, 1, 0xFB, 0x8000 | 0x85 << 5 | 16, 0xFB},
    {kFmtInt8, false, false, 1, 0x80, 0x8000 | 0xFF << 5 | 16, 0x81},
    {kFmtInt8, false, true, 1, 0xFB, 0xFB << 5 | 16, 0xFB},
    {kFmtInt8, true, false, 1, 0xFB, 0xFB << 5 | 16, 0xFB}};

TEST_F(DstWindow, ConvertsEachFormatBothWays) {
  for (unsigned core = 0; core < kThreads; ++core) {
    for (const Case& each : kCases) {
      SCOPED_TRACE(fmt::format("T{}, format {}, raw {}, unsigned {}: {:x}", core, each.format,
                               each.is_raw, each.is_unsigned, each.value));
      // Other cores have other settings.
      for (unsigned other = 0; other < kThreads; ++other) set_access(other, (each.format + 1) % 6);
      set_access(core, each.format, each.is_raw, each.is_unsigned);
      const std::uint32_t offset = (16 * 9 + 3) * each.bytes; // row 9, column 3
      store(core, offset, each.bytes, each.value);
      if (each.bytes == 4) { // row 9 of 32 bits lies in rows 17 and 25
        EXPECT_EQ(cell(17, 3), each.stored >> 16);
        EXPECT_EQ(cell(25, 3), each.stored & 0xFFFF);
      } else {
        EXPECT_EQ(cell(9, 3), each.stored);
      }
      EXPECT_EQ(load(core, offset, each.bytes), each.back);
    }
  }
}

TEST_F(DstWindow, ANegativeZeroIsLoadedAsZero) {
  rig.machine().dst.reset();
  for (unsigned row = 0; row < 16; ++row) rig.machine().dst.set_valid(row, true);
  rig.machine().dst.cell[0][0] = 0x8000;
  set_access(1, kFmtInt16);
  EXPECT_EQ(load(1, 0, 2), 0U);
  set_access(1, kFmtInt8);
  EXPECT_EQ(load(1, 0, 1), 0U);
  rig.machine().dst.cell[8][0] = 0;
  set_access(1, kFmtInt32);
  EXPECT_EQ(load(1, 0, 4), 0U);
}

// As for SFPLOAD and SFPSTORE (VU C25).
TEST_F(DstWindow, ARowThatWasClearedIsZeroUntilAStore) {
  set_access(1, kFmtBfloat16);
  store(1, 0, 2, 0x3F80);
  store(1, 2, 2, 0x4000);
  rig.run(1, "ZEROACC Mode=3");
  EXPECT_EQ(load(1, 0, 2), 0U);
  store(1, 0, 2, 0x3F80);
  EXPECT_EQ(load(1, 0, 2), 0x3F80U);
}

TEST_F(DstWindow, RowsAreMovedAsForInstructions) {
  set_access(1, kFmtBfloat16);
  rig.set("DEST_ACCESS_CFG_remap_addrs", 1);
  store(1, 2 * 16 * 16, 2, 0x3F80); // row 16, of which remap_addrs makes 8
  EXPECT_EQ(cell(8, 0), 0x007F);
}

TEST_F(DstWindow, ThePackCoreMayAccessSeveralElements) {
  set_access(2, kFmtBfloat16);
  store(2, 64, 4, 0xBFC03F80);
  EXPECT_EQ(cell(2, 0), 0x007F);
  EXPECT_EQ(cell(2, 1), 0xC07F);
  EXPECT_EQ(load(2, 64, 4), 0xBFC03F80U);
  set_access(2, kFmtInt8);
  store(2, 64, 4, 0x04030201);
  EXPECT_EQ(cell(4, 3), 4 << 5 | 16);
  EXPECT_EQ(load(2, 64, 4), 0x04030201U);
  set_access(1, kFmtBfloat16);
  EXPECT_FALSE(rig.tile.load(1, kWindow + 64, 4).has_value()) << "T1 may not";
}

TEST_F(DstWindow, WhatHasNoMeaningIsRefused) {
  const auto refused = [&](std::uint32_t offset, unsigned bytes) {
    const auto loaded = rig.tile.load(1, kWindow + offset, bytes);
    const auto stored = rig.tile.store(1, kWindow + offset, bytes, 0, 1);
    if (loaded || stored) return std::string("both have a meaning");
    EXPECT_EQ(loaded.error().kind, FaultKind::UndefinedBehavior);
    EXPECT_EQ(loaded.error().message, stored.error().message);
    return loaded.error().message;
  };
  set_access(1, 6);
  EXPECT_EQ(refused(0, 2), "RISC_DEST_ACCESS_CTRL_SEC1_fmt is 6, which is reserved");
  set_access(1, kFmtFloat32);
  EXPECT_EQ(
      refused(0, 2),
      "2 bytes of Dst at once, where RISC_DEST_ACCESS_CTRL_SEC1_fmt says that an element has 4");
  EXPECT_EQ(refused(2, 4), "an access to Dst that its own size does not divide");
  // 1024 rows of bytes are half of the window; the last one is the last.
  set_access(1, kFmtInt8);
  store(1, 16 * 1024 - 1, 1, 1);
  EXPECT_EQ(refused(16 * 1024, 1), "row 1024 of Dst");
  set_access(1, kFmtFloat32);
  store(1, 4 * (16 * 512 - 1), 4, 1);
}

TEST(DstWindowOfWormhole, IsNotThere) {
  TileRig rig(Arch::Wormhole);
  const auto loaded = rig.tile.load(1, kWindow, 4);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, FaultKind::Unsupported);
}

} // namespace
} // namespace lanewise::test
