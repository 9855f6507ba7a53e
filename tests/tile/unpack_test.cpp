// What the documents say of UNPACR and UNPACR_NOP, fact by fact (core.md 11 to 13).
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::uint32_t kFrom = 0x20000; ///< where data lie in L1
constexpr std::uint32_t kSixteen = 16;   ///< data of a row
constexpr std::uint32_t kCodeFp32 = 0, kCodeBf16 = 5, kCodeBfp8 = 6, kCodeInt32 = 8;

class Unpack : public TileOnBothChips {
 protected:
  void SetUp() override {
    rig.set("SRCA_SET_SetOvrdWithAddr", 1);
    describe(0, kCodeBf16, 16);
    describe(1, kCodeBf16, 16);
    // Data number k is 1.0 with k in its low bits.
    for (std::uint32_t k = 0; k < 4096; ++k) rig.state().l1.store(kFrom + 2 * k, 2, 0x3F80 + k);
  }

  /// The unpacker's format and the X dimension of its tile, uncompressed, data at kFrom, to row 0.
  void describe(unsigned unpacker, std::uint32_t format, std::uint32_t x_dim) {
    const std::string section = fmt::format("THCON_SEC{}_", unpacker);
    rig.set(section + "REG0_TileDescriptor", format | 1U << 4 | x_dim << 16);
    dimensions(unpacker, 1, 1);
    rig.set(section + "REG2_Out_data_format", format);
    rig.set(section + "REG3_Base_address", kFrom / 16 - 1);
    const std::uint32_t bytes = format == kCodeBfp8 ? 1 : format == kCodeBf16 ? 2 : 4;
    rig.set(fmt::format("UNP{}_ADDR_BASE_REG_1_Base", unpacker), unpacker == 0 ? 64 * bytes : 0);
  }

  void dimensions(unsigned unpacker, std::uint32_t y, std::uint32_t z) {
    const auto first = isa::of_section(isa::ConfigField::THCON_SEC0_REG0_TileDescriptor, unpacker);
    const unsigned word = isa::config_place(first).word_of(GetParam());
    rig.machine().config.write_shared(word + 1, y | z << 16, ~0U, 0);
  }

  std::uint32_t srca(unsigned row, unsigned column = 0, unsigned bank = 0) {
    return rig.machine().srca.cell[bank][row][column];
  }
  std::uint32_t srcb(unsigned row, unsigned column = 0) {
    return rig.machine().srcb.cell[0][row][column];
  }
  /// A cell with data number k.
  static std::uint32_t cell(std::uint32_t k) { return (0x3F80 + k) << 16; }
};
LANEWISE_ON_BOTH_CHIPS(Unpack);

TEST_P(Unpack, RowsOfSrcABeginFourRowsLate) {
  rig.set("UNP0_ADDR_BASE_REG_1_Base", 0);
  rig.run(0, "SETADCXX U0=1, X1Val=79\nUNPACR Last=1");
  EXPECT_EQ(srca(0, 0), cell(64)) << "four rows have gone nowhere";
  EXPECT_EQ(srca(0, 15), cell(79));
  EXPECT_EQ(srca(1), 0U);
  EXPECT_EQ(rig.faults(), "");
}

// LLK's fast_tilize counts rows on without a new address, bank after bank.
TEST_P(Unpack, RowsOfSrcAComeAroundOnBlackhole) {
  constexpr std::uint32_t kBytesOfRow = 32, kLeading = 4;
  rig.set("UNP0_ADDR_BASE_REG_1_Base", (kLeading + 64 + 62) * kBytesOfRow);
  rig.run(0, "SETADCXX U0=1, X1Val=31\nUNPACR WhichUnpacker=0");
  EXPECT_EQ(srca(62), cell(0));
  EXPECT_EQ(srca(63), cell(16));
  EXPECT_EQ(rig.faults().empty(), is_blackhole()) << rig.faults();
  rig.run(0, "SETADCXX U0=1, X1Val=47\nUNPACR WhichUnpacker=0");
  EXPECT_NE(rig.faults().find("rows of SrcA that do not exist"), std::string::npos)
      << "from one turn into the next";
}

// What LLK of 2026 ends its unpacks to Dst with on Wormhole, and what it does not.
TEST_P(Unpack, ARowOfZerosThatNobodyGetsMayLieBeyondSrcA) {
  describe(0, kCodeInt32, 16);
  rig.set("UNP0_ADDR_BASE_REG_1_Base", (4 + 64) * 16 * 4);
  rig.run(0, "SETADCXX U0=1, X1Val=15\nUNPACR AllDatumsAreZero=1");
  EXPECT_EQ(rig.faults(), "");
  rig.run(0, "UNPACR AllDatumsAreZero=1, FlipSrc=1");
  EXPECT_EQ(rig.faults().empty(), is_blackhole()) << "handed over";
}

TEST_P(Unpack, RowsOfSrcBBeginAtOnce) {
  rig.run(0, "SETADCXX U1=1, X1Val=31\nUNPACR WhichUnpacker=1");
  EXPECT_EQ(srcb(0, 3), cell(3));
  EXPECT_EQ(srcb(1, 15), cell(31));
}

TEST_P(Unpack, ACountIsTheLastDatumLessTheFirst) {
  rig.run(0, "SETADCXX U0=1, X0Val=2, X1Val=4\nUNPACR Last=1");
  EXPECT_EQ(srca(0, 0), cell(2)) << "the input begins at X, the output does not";
  EXPECT_EQ(srca(0, 2), cell(4));
  EXPECT_EQ(srca(0, 3), 0U);
}

TEST_P(Unpack, BaseAndOffsetCountSixteenBytesBehindTheHeader) {
  rig.set("THCON_SEC0_REG3_Base_address", kFrom / 16 - 1 - 2);
  rig.set("THCON_SEC0_REG7_Offset_address", 3);
  rig.run(0, "SETADCXX U0=1, X1Val=15\nUNPACR Last=1");
  EXPECT_EQ(srca(0), cell(8)) << "16 bytes are 8 data";
}

TEST_P(Unpack, InputIsPlacedByTheDimensionsOfTheTile) {
  dimensions(0, 4, 3);
  rig.run(0, "SETADCXX U0=1, X0Val=1, X1Val=1\nSETADCXY U0=1, Y0=1, Y0Val=2");
  rig.run(0, "SETADCZW U0=1, Z0=1, Z0Val=1, W0=1, W0Val=1\nUNPACR Last=1");
  EXPECT_EQ(srca(0), cell(((1 * 3 + 1) * 4 + 2) * 16 + 1)) << "((W*ZDim + Z)*YDim + Y)*XDim + X";
}

TEST_P(Unpack, StridesOfTheOutputCountBytes) {
  rig.set("UNP0_ADDR_CTRL_XY_REG_1_Ystride", 2 * 16 * 5);
  rig.run(0, "SETADCXX U0=1, X1Val=15\nSETADCXY U0=1, Y1=1, Y1Val=2\nUNPACR Last=1");
  EXPECT_EQ(srca(10), cell(0)) << "twice five rows of 16 data of two bytes";
}

TEST_P(Unpack, InstructionsCountOn) {
  dimensions(0, 8, 1);
  rig.set("UNP0_ADDR_CTRL_XY_REG_1_Ystride", 2 * 16);
  rig.run(0, "SETADCXX U0=1, X1Val=15\nUNPACR Ch0YInc=2, Ch1YInc=1\nUNPACR Last=1");
  EXPECT_EQ(srca(0), cell(0));
  EXPECT_EQ(srca(1), cell(32)) << "two rows on in L1, one in SrcA";
}

TEST_P(Unpack, ExponentsOfABlockFormatLieBeforeItsData) {
  describe(0, kCodeBfp8, 256);
  // 256 data have 16 exponents, which take 16 bytes.
  for (unsigned k = 0; k < 16; ++k) rig.state().l1.store(kFrom + k, 1, 127 + k);
  for (unsigned k = 0; k < 256; ++k) rig.state().l1.store(kFrom + 16 + k, 1, k % 2 ? 0xC0 : 0x20);
  rig.run(0, "SETADCXX U0=1, X1Val=255\nUNPACR Last=1");
  EXPECT_EQ(srca(0, 0), 0x3F000000U) << "0x20 of 0x40 is a half";
  EXPECT_EQ(srca(0, 1), 0xBF800000U) << "minus one";
  EXPECT_EQ(srca(2, 1), 0xC0800000U) << "with exponent 129, minus four";
}

TEST_P(Unpack, FiveBitsOfExponentAreLostBelowSixAndAbove31) {
  constexpr std::uint32_t kCodeBfp8a = 2, kData = kFrom + 16, kLeastMagnitude = 1;
  for (std::uint32_t k = 0; k < kSixteen; ++k) rig.state().l1.store(kData + k, 1, kLeastMagnitude);
  const auto loses = [&](std::uint32_t exponent) {
    TileRig fresh = rig;
    std::swap(fresh, rig);
    describe(0, kCodeBfp8a, 16);
    rig.state().l1.store(kFrom, 1, exponent);
    rig.run(0, "SETADCXX U0=1, X1Val=15\nUNPACR WhichUnpacker=0");
    std::swap(fresh, rig);
    return fresh.has_fault("leave their range");
  };
  for (const std::uint32_t exponent : {6U, 31U}) EXPECT_FALSE(loses(exponent)) << exponent;
  for (const std::uint32_t exponent : {0U, 5U, 32U}) EXPECT_TRUE(loses(exponent)) << exponent;
}

TEST_P(Unpack, AForcedExponentTakesThePlaceOfTheSection) {
  describe(0, kCodeBfp8, 256);
  rig.set("THCON_SEC0_REG2_Force_shared_exp", 1);
  rig.set("UNP0_FORCED_SHARED_EXP_shared_exp", 128);
  rig.state().l1.store(kFrom, 1, 0x40);
  rig.run(0, "SETADCXX U0=1, X1Val=0\nUNPACR Last=1");
  EXPECT_EQ(srca(0), 0x40000000U) << "the data begin at once, and 0x40 is 2^(128-127)";
}

TEST_P(Unpack, TileizeTakesRowsFromApart) {
  constexpr std::uint32_t kStride = 0x120; // 0x2 in the lowest shift amount, 0x1 in the next
  rig.set("THCON_SEC0_REG2_Tileize_mode", 1);
  rig.set("THCON_SEC0_REG2_Shift_amount_cntx0", 2);
  rig.set("THCON_SEC0_REG2_Shift_amount_cntx1", 1);
  rig.run(0, "SETADCXX U0=1, X1Val=63\nUNPACR Last=1");
  const std::uint32_t second = is_blackhole() ? 2 : 1;
  EXPECT_EQ(srca(second), cell(kStride / 2))
      << "Blackhole's rows of 16 bits have 32 data, Wormhole's 16";
  EXPECT_EQ(srca(second - 1, 15), cell(16 * second - 1));
}

TEST_P(Unpack, HaloizeTransposesFaces) {
  rig.set("THCON_SEC0_REG2_Haloize_mode", 1);
  rig.run(0, "SETADCXX U0=1, X1Val=511\nUNPACR Last=1");
  EXPECT_EQ(srca(3, 5), cell(5 * 16 + 3));
  EXPECT_EQ(srca(16 + 3, 5), cell(256 + 5 * 16 + 3)) << "each face for itself";
}

TEST_P(Unpack, HaloizeOfUnpacker1IsIgnored) {
  rig.set("THCON_SEC1_REG2_Haloize_mode", 1);
  rig.run(0, "SETADCXX U1=1, X1Val=255\nUNPACR WhichUnpacker=1");
  EXPECT_EQ(srcb(3, 5), cell(3 * 16 + 5)) << "not transposed";
  EXPECT_TRUE(rig.has_fault("silicon ignores"));
}

TEST_P(Unpack, AShiftDropsColumns) {
  rig.set("THCON_SEC0_REG2_Shift_amount_cntx0", 3);
  rig.run(0, "SETADCXX U0=1, X1Val=31\nUNPACR Last=1");
  EXPECT_EQ(srca(0, 0), cell(3));
  EXPECT_EQ(srca(0, 12), cell(15));
  EXPECT_EQ(srca(0, 13), 0U) << "nothing comes from the next row";
  EXPECT_EQ(srca(1, 0), cell(19));
}

TEST_P(Unpack, AddressesBeyondTheLimitComeAround) {
  rig.set("THCON_SEC0_REG2_Unpack_limit_address", kFrom / 16 + 3); // of 32 bytes each row
  rig.set("THCON_SEC0_REG2_Unpack_fifo_size", 4);
  rig.set("THCON_SEC0_REG2_Tileize_mode", 1); // rows one behind the other, 64 and 32 bytes
  rig.set("THCON_SEC0_REG2_Shift_amount_cntx0", is_blackhole() ? 4 : 2);
  rig.run(0, "SETADCXX U0=1, X1Val=127\nUNPACR Last=1");
  for (unsigned row = 0; row < 8; ++row)
    EXPECT_EQ(srca(row), cell(row % 2 * 16)) << "64 bytes over and over: row " << row;
}

TEST_P(Unpack, FlipSrcHandsTheBankOver) {
  rig.run(0, "SETADCXX U0=1, X1Val=15\nUNPACR FlipSrc=1");
  const SourceFile& file = rig.machine().srca;
  EXPECT_TRUE(file.owned_by_matrix_unit[0]);
  EXPECT_FALSE(file.owned_by_matrix_unit[1]);
  EXPECT_EQ(file.filling, 1U);
  if (is_blackhole()) {
    EXPECT_EQ(file.format[0], kCodeBf16) << "the implied format";
  }
}

TEST_P(Unpack, WaitsForABankOfItsOwn) {
  rig.run(0, "SETADCXX U0=1, X1Val=15\nUNPACR FlipSrc=1\nUNPACR FlipSrc=1\nUNPACR FlipSrc=1");
  EXPECT_EQ(rig.tile.wait(0).cause, tile::WaitCause::SrcAToFill);
  rig.run(1, "CLEARDVALID FlipSrcA=1");
  EXPECT_TRUE(rig.tile.step(0)) << "the bank is back";
}

TEST_P(Unpack, ContextsHaveBasesAndDestinationsOfTheirOwn) {
  rig.set("THCON_SEC0_REG3_Base_cntx1_address", kFrom / 16 - 1 + 4);
  rig.set("THCON_SEC0_REG5_Dest_cntx1_address", 64 + 16 * 7);
  rig.set("THCON_SEC0_REG5_Tile_x_dim_cntx1", 16);
  rig.set("THCON_SEC0_REG2_Disable_zero_compress_cntx1", 1);
  rig.run(0, "SETADCXX U0=1, X1Val=15\nUNPACR MultiContextMode=1, ContextNumber=1");
  EXPECT_EQ(srca(7), cell(32));
}

TEST_P(Unpack, TheCounterOfContextsGoesRoundByItsCount) {
  rig.set("THCON_SEC0_REG2_Context_count", 1); // two
  for (unsigned i = 0; i < 2; ++i) {
    rig.set(fmt::format("THCON_SEC0_REG2_Disable_zero_compress_cntx{}", i), 1);
    rig.set(fmt::format("THCON_SEC0_REG5_Dest_cntx{}_address", i), 64 + 16 * i);
  }
  for (const unsigned next : {1U, 0U, 1U}) {
    rig.run(0, "SETADCXX U0=1, X1Val=15\nUNPACR MultiContextMode=1, UseContextCounter=1");
    EXPECT_EQ(rig.state().unpacker[0].context[0], next);
  }
  rig.run(0, "UNPACR CfgContextCntInc=1");
  EXPECT_EQ(rig.state().unpacker[0].context[0], 0U) << "without data, too";
}

TEST_P(Unpack, DstGetsThirtyTwoBitsInTwoRowsEightApart) {
  rig.set("SRCA_SET_SetOvrdWithAddr", 0);
  describe(0, kCodeInt32, 16);
  rig.set("THCON_SEC0_REG2_Unpack_If_Sel", 1);
  rig.set("UNP0_ADDR_BASE_REG_1_Base", (4 + 9) * kSixteen * 4);
  rig.state().l1.store(kFrom, 4, 0x12345678);
  rig.machine().dst.set_valid(17, false);
  rig.run(0, "SETADCXX U0=1, X1Val=0\nUNPACR Last=1");
  // Row 9 of 32 bits is physical row 17; its upper half goes there in the order of BF16.
  EXPECT_EQ(rig.machine().dst.cell[17][0], 0x3424U) << "0x1234: sign 0, mantissa 34, exponent 24";
  EXPECT_EQ(rig.machine().dst.cell[17 + 8][0], 0x5678U);
  EXPECT_TRUE(rig.machine().dst.valid(17));
}

TEST_P(Unpack, DstOfSixteenBitsIsAHighHalfByBit11OfTheDebugRegister) {
  rig.set("SRCA_SET_SetOvrdWithAddr", 0);
  rig.set("RISCV_DEBUG_REG_DBG_FEATURE_DISABLE", kHighHalfView);
  rig.set("THCON_SEC0_REG2_Unpack_If_Sel", 1);
  rig.set("UNP0_ADDR_BASE_REG_1_Base", (4 + 9) * kSixteen * 2);
  rig.state().l1.store(kFrom, 2, 0x3F81);
  rig.run(0, "SETADCXX U0=1, X1Val=0\nUNPACR Last=1");
  // Row 9 of 32 bits is physical row 17.
  EXPECT_EQ(rig.machine().dst.cell[17][0], 0x017FU) << "0x3F81: sign 0, mantissa 01, exponent 7F";
}

TEST_P(Unpack, Fp32BecomesTf32ByLosingBits) {
  describe(0, kCodeFp32, 16);
  rig.set("THCON_SEC0_REG2_Out_data_format", 4);
  rig.state().l1.store(kFrom, 4, 0x3F801FFF);
  rig.run(0, "SETADCXX U0=1, X1Val=0\nUNPACR Last=1");
  EXPECT_EQ(srca(0), 0x3F800000U);
}

TEST_P(Unpack, OnlyTheLowEightBitsOfZCountForInput) {
  dimensions(0, 1, 4);
  rig.run(0,
          "SETADC U0=1, Channel=0, XYZW=2, NewValue=258\nSETADCXX U0=1, X1Val=15\nUNPACR Last=1");
  EXPECT_EQ(srca(0), cell(2 * 16)) << "258 is 2";
}

TEST_P(Unpack, NopClearsTheBankOfTheUnpacker) {
  rig.machine().srcb.cell[0][5][5] = 0x3F800000;
  rig.run(0, is_blackhole() ? "UNPACR_NOP WhichUnpacker=1, UnpackPop=1"
                            : "UNPACR_NOP WhichUnpacker=1, NoOp=1");
  EXPECT_EQ(srcb(5, 5), 0U);
}

TEST_P(Unpack, MinusInfinityReachesSrcBOnBlackholeOnly) {
  rig.run(0, is_blackhole() ? "UNPACR_NOP WhichUnpacker=0, UnpackPop=1, SrcClrValCtrl=1\n"
                              "UNPACR_NOP WhichUnpacker=1, UnpackPop=1, SrcClrValCtrl=1"
                            : "UNPACR_NOP WhichUnpacker=0, NoOp=5\n"
                              "UNPACR_NOP WhichUnpacker=1, NoOp=5");
  EXPECT_EQ(srca(63, 15), 0xFFFFE000U);
  EXPECT_EQ(srcb(63, 15), is_blackhole() ? 0xFFFFE000U : 0U);
}

} // namespace
} // namespace lanewise::test
