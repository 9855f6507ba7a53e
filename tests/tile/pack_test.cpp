// What the documents say of PACR, fact by fact (core.md 14).
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::uint32_t kTo = 0x30000;
constexpr std::uint32_t kBf16Code = 5, kBfp8Code = 6, kFp32Code = 0;

class Pack : public TileOnBothChips {
 protected:
  void SetUp() override {
    formats(kBf16Code, kBf16Code);
    rig.set("PCK0_ADDR_CTRL_XY_REG_0_Ystride", 2 * 16);
    for (unsigned i = 0; i < 4; ++i) {
      const auto mask = isa::of_section(isa::ConfigField::PCK_EDGE_OFFSET_SEC0_mask, i);
      rig.machine().config.set(mask, 0xFFFF, 0);
    }
    rig.set("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane", 16);
    for (unsigned packer = 0; packer < 4; ++packer) {
      const std::string reg = register_of(packer);
      if (!exists(reg + "L1_Dest_addr")) continue;
      rig.set(reg + "L1_Dest_addr", (kTo + 0x1000 * packer) / 16 - 1);
      rig.set(reg + "Disable_zero_compress", 1);
    }
    // Cell c of row r: 1.0 with the row and column in the low bits.
    for (unsigned row = 0; row < 128; ++row) {
      for (unsigned column = 0; column < 16; ++column)
        rig.machine().dst.cell[row][column] = stored(value(row, column));
    }
    for (std::uint32_t k = 0; k < 0x4000; ++k) rig.state().l1.store(kTo + k, 1, 0xEE);
    x_range(0, 15);
  }

  static std::string register_of(unsigned packer) {
    return fmt::format("THCON_SEC{}_REG{}_", packer / 2, packer % 2 == 0 ? 1 : 8);
  }
  bool exists(const std::string& name) const {
    return isa::find_config_field(GetParam(), name).has_value();
  }
  void formats(std::uint32_t in, std::uint32_t out) {
    rig.set("ALU_FORMAT_SPEC_REG2_Dstacc", in);
    for (unsigned packer = 0; packer < (is_blackhole() ? 1U : 4U); ++packer) {
      rig.set(register_of(packer) + "In_data_format", in);
      rig.set(register_of(packer) + "Out_data_format", out);
    }
  }
  void x_range(unsigned first, unsigned last) {
    rig.run(0, fmt::format("SETADCXX PK=1, X0Val={}, X1Val={}", first, last));
  }
  void row(unsigned number) {
    rig.run(0, fmt::format("SETADC PK=1, Channel=0, XYZW=1, NewValue={}", number));
  }

  static std::uint32_t value(unsigned row, unsigned column) {
    return 0x3F80 + (row % 8) * 16 + column;
  }
  /// BF16 as Dst keeps it: sign, mantissa, exponent.
  static std::uint16_t stored(std::uint32_t bf16) {
    return static_cast<std::uint16_t>((bf16 & 0x8000) | (bf16 & 0x7F) << 8 | (bf16 >> 7 & 0xFF));
  }
  std::uint32_t at(std::uint32_t offset, unsigned bytes = 2) {
    return rig.state().l1.load(kTo + offset, bytes);
  }
  /// PACR of a row, by the first packer or the first way to read Dst.
  std::string pacr(const std::string& rest) const {
    return (is_blackhole() ? "PACR ReadIntfSel=1" : "PACR PackerMask=1") +
           (rest.empty() ? "" : ", " + rest) + "\n";
  }
};
LANEWISE_ON_BOTH_CHIPS(Pack);

TEST_P(Pack, ARowGoesToItsAddress) {
  row(3);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0), value(3, 0));
  EXPECT_EQ(at(30), value(3, 15));
  EXPECT_EQ(at(32), 0xEEEEU) << "and nothing else";
  EXPECT_EQ(rig.faults(), "");
}

TEST_P(Pack, DstOfSixteenBitsIsAHighHalfByBit11OfTheDebugRegister) {
  rig.set("RISCV_DEBUG_REG_DBG_FEATURE_DISABLE", kHighHalfView);
  rig.machine().dst.cell[17][0] = stored(0x4040);
  row(9);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0), 0x4040U) << "row 9 of 32 bits has its high half in physical row 17";
  EXPECT_EQ(at(30), value(17, 15));
}

TEST_P(Pack, LastPadsToSixteenBytesWithZeros) {
  x_range(0, 2);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(4), value(0, 2));
  for (unsigned offset = 6; offset < 16; offset += 2) EXPECT_EQ(at(offset), 0U) << offset;
  EXPECT_EQ(at(16), 0xEEEEU);
}

TEST_P(Pack, WithoutLastTheStreamGoesOn) {
  x_range(0, 7);
  rig.run(0, pacr(""));
  x_range(4, 7);
  rig.run(0, pacr(""));
  EXPECT_EQ(at(14), value(0, 7));
  EXPECT_EQ(at(16), 0xEEEEU) << "what does not fill 16 bytes is held back";
  row(1);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(16), value(0, 4));
  EXPECT_EQ(at(24), value(1, 4));
}

TEST_P(Pack, AnotherFormatWithinABlockIsFound) {
  formats(kBf16Code, kBfp8Code);
  x_range(0, 7);
  rig.run(0, pacr(""));
  formats(kBf16Code, kBf16Code);
  rig.run(0, pacr("Last=1"));
  EXPECT_NE(rig.faults().find("in another format before a block of 16 data is full"),
            std::string::npos)
      << rig.faults();
}

TEST_P(Pack, AfterLastTheAddressIsTakenAnew) {
  rig.run(0, pacr("Last=1"));
  row(2);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0), value(2, 0));
  EXPECT_EQ(at(32), 0xEEEEU);
}

TEST_P(Pack, FlushEndsTheStreamWithoutData) {
  x_range(0, 2);
  rig.run(0, pacr("") + pacr("Flush=1"));
  EXPECT_EQ(at(4), value(0, 2));
  EXPECT_EQ(at(6), 0U);
}

TEST_P(Pack, StepsOfTheOutputAddress) {
  rig.set("PCK0_ADDR_CTRL_XY_REG_1_Ystride", 32);
  rig.run(0, "SETADCXY PK=1, Y1=1, Y1Val=2\n" + pacr("Last=1"));
  if (is_blackhole()) {
    EXPECT_EQ(at(64), value(0, 0)) << "bytes";
  } else {
    EXPECT_EQ(at(64 * 16), value(0, 0)) << "units of 16 bytes";
  }
}

TEST_P(Pack, TheSmallestStepIs256BytesOnWormholeAnd16OnBlackhole) {
  rig.set("PCK0_ADDR_CTRL_XY_REG_1_Ystride", 31);
  rig.run(0, "SETADCXY PK=1, Y1=1, Y1Val=1\n" + pacr("Last=1"));
  EXPECT_EQ(at(is_blackhole() ? 16 : 256), value(0, 0));
}

TEST_P(Pack, ASectionOfExponentsComesFirst) {
  formats(kBf16Code, kBfp8Code);
  rig.set("PCK0_ADDR_CTRL_XY_REG_0_Ystride", 2 * 16);
  rig.set("THCON_SEC0_REG1_Exp_section_size", 3);
  for (unsigned column = 0; column < 16; ++column)
    rig.machine().dst.cell[0][column] = stored(column == 7 ? 0xC000 : 0x3F80);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0, 1), 128U) << "the exponent of -2";
  EXPECT_EQ(at(1, 1), 0U) << "and zeros to 16 bytes";
  EXPECT_EQ(at(48, 1), 0x20U) << "1 is half of the block's unit";
  EXPECT_EQ(at(48 + 7, 1), 0xC0U) << "sign, and 0x40";
}

TEST_P(Pack, ABlockGoesOnInTheNextRow) { // 16 data, wherever they come from (core.md 14.9)
  formats(kBf16Code, kBfp8Code);
  rig.set(register_of(0) + "Exp_section_size", 1);
  constexpr std::uint32_t kOne = 0x3F80, kTwo = 0x4000, kFour = 0x4080;
  auto& cell = rig.machine().dst.cell;
  for (unsigned column = 0; column < 16; ++column) {
    cell[0][column] = stored(kOne);
    cell[1][column] = stored(column < 8 ? kFour : kTwo);
  }
  x_range(0, 7);
  row(0);
  rig.run(0, pacr(""));
  x_range(0, 15);
  row(1);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0, 1), 129U) << "eight times 1 and eight times 4";
  EXPECT_EQ(at(1, 1), 128U) << "eight times 2";
  EXPECT_EQ(at(16, 1), 0x10U) << "1, two places below 4";
  EXPECT_EQ(at(16 + 8, 1), 0x40U);
}

TEST_P(Pack, EdgesBecomeZeroOrMinusInfinity) {
  rig.machine().config.set(isa::ConfigField::PCK_EDGE_OFFSET_SEC0_mask, 0x0001, 0);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0), value(0, 0));
  EXPECT_EQ(at(2), 0U);
  rig.set("PCK_EDGE_MODE_mode", 1);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(2), 0xFF80U);
}

TEST_P(Pack, RowsChooseTheirMaskByTheirPlaceInTheTile) {
  rig.machine().config.set(isa::of_section(isa::ConfigField::PCK_EDGE_OFFSET_SEC0_mask, 1), 0, 0);
  const isa::ConfigPlace& place = isa::config_place(
      *isa::find_config_field(GetParam(), "TILE_ROW_SET_MAPPING_0_row_set_mapping_0"));
  // Row 1 of a face takes mask 1.
  rig.machine().config.write_shared(place.word_of(GetParam()), 1U << 2, ~0U, 0);
  rig.run(0, pacr(""));
  row(1);
  rig.run(0, pacr(""));
  row(2);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0), value(0, 0));
  EXPECT_EQ(at(32), 0U);
  EXPECT_EQ(at(64), value(2, 0));
}

TEST_P(Pack, SumsInL1) {
  rig.set("THCON_SEC0_REG1_Pack_L1_Acc", 1);
  for (unsigned column = 0; column < 16; ++column) {
    rig.machine().dst.cell[0][column] = stored(0x3F80); // 1
    rig.state().l1.store(kTo + 2 * column, 2, 0x4000);  // 2
  }
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0), 0x4040U) << "3";
  EXPECT_EQ(at(30), 0x4040U);
}

TEST_P(Pack, ReluClampsBetweenZeroAndTheThreshold) {
  rig.set("STACC_RELU_ApplyRelu", 3);
  rig.set("STACC_RELU_ReluThreshold", 0x3FC0); // 1.5
  rig.machine().dst.cell[0][0] = stored(0xBF80);
  rig.machine().dst.cell[0][1] = stored(0x3F80);
  rig.machine().dst.cell[0][2] = stored(0x4000);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0), 0U);
  EXPECT_EQ(at(2), 0x3F80U);
  EXPECT_EQ(at(4), 0x3FC0U);
}

TEST_P(Pack, ARowThatHasBeenClearedReadsAsZeros) {
  rig.machine().dst.set_valid(0, false);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0), 0U);
}

TEST_P(Pack, Reads32BitsFromTwoRows) {
  formats(kFp32Code, kFp32Code);
  rig.set("PCK0_ADDR_CTRL_XY_REG_0_Ystride", 4 * 16);
  rig.set("PCK_DEST_RD_CTRL_Read_32b_data", 1);
  rig.machine().dst.cell[17][4] = stored(0x4049);
  rig.machine().dst.cell[25][4] = 0x0FDB;
  row(9);
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(16, 4), 0x40490FDBU) << "row 9 is physical row 17, its low half eight rows on";
}

// Software puts the second half of Dst at row 512 in either width (LLK: DEST_REGISTER_HALF_SIZE),
// and bit 9 of a row is one of the physical row, too (core.md 11.1).
TEST_P(Pack, Reads32BitsOfTheSecondHalfFromRow512On) {
  formats(kFp32Code, kFp32Code);
  rig.set("PCK_DEST_RD_CTRL_Read_32b_data", 1);
  rig.set("DEST_TARGET_REG_CFG_PACK_SEC0_Offset", 512);
  rig.machine().dst.cell[512][0] = stored(0x4049);
  rig.machine().dst.cell[520][0] = 0x0FDB;
  rig.run(0, pacr("Last=1"));
  EXPECT_EQ(at(0, 4), 0x40490FDBU);
}

TEST_P(Pack, AddrModMovesTheCounters) {
  rig.set("ADDR_MOD_PACK_SEC1_YsrcIncr", 3);
  rig.set("ADDR_MOD_PACK_SEC1_ZdstIncr", 1);
  rig.set("ADDR_MOD_PACK_SEC2_YsrcIncr", 5);
  rig.set("ADDR_MOD_PACK_SEC2_YsrcCR", 1);
  rig.set("ADDR_MOD_PACK_SEC3_YsrcClear", 1);
  const auto y = [&] { return rig.state().counters.of(0, 2)[0][tile::Axis::Y]; };
  row(1);
  rig.run(0, pacr("AddrMod=1, Last=1"));
  EXPECT_EQ(y(), (tile::AddressCounter{.value = 4, .cr = 1}));
  EXPECT_EQ(rig.state().counters.of(0, 2)[1][tile::Axis::Z].value, 1U);
  rig.run(0, pacr("AddrMod=2, Last=1"));
  EXPECT_EQ(y(), (tile::AddressCounter{.value = 6, .cr = 6})) << "from the shadow";
  rig.run(0, pacr("AddrMod=3, Last=1"));
  EXPECT_EQ(y(), (tile::AddressCounter{.value = 0, .cr = 0}));
}

class PackOnBlackhole : public Pack {};
INSTANTIATE_TEST_SUITE_P(Chip, PackOnBlackhole, testing::Values(Arch::Blackhole));

TEST_P(PackOnBlackhole, TheMaskNamesRowsFromTheFirst) {
  row(4);
  rig.run(0, "PACR ReadIntfSel=5, Last=1");
  EXPECT_EQ(at(0), value(4, 0));
  EXPECT_EQ(at(32), value(6, 0));
  EXPECT_EQ(at(64), 0xEEEEU);
}

TEST_P(PackOnBlackhole, AMaskOfZeroIsAllFour) {
  rig.run(0, "PACR Last=1");
  for (unsigned r = 0; r < 4; ++r) EXPECT_EQ(at(32 * r), value(r, 0));
}

TEST_P(PackOnBlackhole, MasksLeaveTheirGroupOfFourOnlyWithAFault) {
  row(3);
  rig.run(0, "PACR ReadIntfSel=3, Last=1");
  EXPECT_TRUE(rig.has_fault("two groups of four"));
}

TEST_P(PackOnBlackhole, TheTilePositionWrapsOnlyIfItLandsOnThePlane) {
  rig.set("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane", 4);
  rig.run(0, "PACR ReadIntfSel=7\nPACR ReadIntfSel=7");
  EXPECT_EQ(rig.state().packer[0].tile_y, 6U) << "3, then 6: over 4 and on";
  rig.run(0, "PACR Last=1\nPACR ReadIntfSel=15");
  EXPECT_EQ(rig.state().packer[0].tile_y, 0U) << "of a new address: 4, which is 0";
  EXPECT_EQ(rig.state().packer[0].tile_z, 1U);
}

TEST_P(PackOnBlackhole, StridedAccessReadsRowsSixteenApart) {
  rig.set("DEST_ACCESS_CFG_swizzle_32b", 1);
  rig.set("DEST_ACCESS_CFG_remap_addrs", 1);
  rig.machine().dst.cell[remap_row(16)][0] = stored(0x4040);
  rig.run(0, "PACR ReadIntfSel=3, DstAccessMode=1, Last=1");
  EXPECT_EQ(at(32), 0x4040U);
}

class PackOnWormhole : public Pack {};
INSTANTIATE_TEST_SUITE_P(Chip, PackOnWormhole, testing::Values(Arch::Wormhole));

TEST_P(PackOnWormhole, PackersReadAtTheirOffsets) {
  rig.set("DEST_TARGET_REG_CFG_PACK_SEC1_Offset", 5);
  rig.run(0, "PACR PackerMask=3, Last=1");
  EXPECT_EQ(at(0), value(0, 0));
  EXPECT_EQ(at(0x1000), value(5, 0));
}

TEST_P(PackOnWormhole, AMaskOfZeroIsPackerZero) {
  rig.run(0, "PACR Last=1");
  EXPECT_EQ(at(0), value(0, 0));
  EXPECT_EQ(at(0x1000), 0xEEEEU);
}

TEST_P(PackOnWormhole, AddressesCanBeRelativeToThoseOfPackerZero) {
  rig.set("THCON_SEC0_REG1_L1_Dest_addr", (kTo / 16 - 1) | 1U << 31);
  rig.set("THCON_SEC0_REG8_L1_Dest_addr", 0x20 - 1);
  rig.run(0, "PACR PackerMask=3, Last=1");
  EXPECT_EQ(at(0), value(0, 0));
  EXPECT_EQ(at(0x200), value(0, 0));
}

TEST_P(PackOnWormhole, ARunOfDataGoesOverRows) {
  x_range(0, 47);
  rig.run(0, "PACR PackerMask=1, Last=1");
  EXPECT_EQ(at(2 * 47), value(2, 15));
}

} // namespace
} // namespace lanewise::test
