// Counters, ADDR_MOD, clearing and shifting in the Matrix Unit (MU 3, 7).
#include "machine/matrix_fixture.h"

namespace lanewise::test {
namespace {

class MatrixControl : public MatrixRig {
 protected:
  void set_section(unsigned section, const AddrModSection& value) {
    rig.state().config.set_addr_mod(section, value);
  }
  /// Rows first..last and no others are invalid.
  void expect_invalid(unsigned first, unsigned last) {
    for (unsigned row = 0; row < kDstRows; ++row)
      ASSERT_EQ(dst().valid(row), row < first || row > last) << row;
  }
  void make_valid() { dst().valid_bits.fill(~std::uint64_t{0}); }
};
LANEWISE_ON_BOTH_CHIPS(MatrixControl);

TEST_P(MatrixControl, AddrModMovesFidelityToo) { // MU 3.2
  set_section(1, {.dst_increment = 8, .srca_increment = 16, .fidelity_increment = 3});
  for (const char* instruction : {"MVMUL", "MOVA2D", "MOVB2D", "MOVD2A", "MOVD2B", "MOVB2A",
                                  "MOVDBGA2D", "ZEROACC Mode=1, Imm10=0xFF", "SHIFTXB"}) {
    rig.rwc() = {};
    rig.run(std::string(instruction) +
            (std::string_view(instruction).find(' ') == std::string_view::npos ? " " : ", ") +
            "AddrMod=1");
    EXPECT_EQ(rig.rwc(), (Rwc{.dst = 8, .srca = 16, .fidelity = 3})) << instruction;
  }
  for (const char* instruction : {"ZEROACC Mode=2, AddrMod=1", "ZEROACC Mode=3, AddrMod=1",
                                  "ZEROSRC ClearSrcA=1", "TRNSPSRCB", "SHIFTXA Direction=2"}) {
    rig.rwc() = {};
    rig.run(instruction);
    EXPECT_EQ(rig.rwc(), Rwc{}) << instruction;
  }
}

TEST_P(MatrixControl, PoolsHaveTheirSectionAtBit15) { // MU 4: on Blackhole too, 17:15
  const unsigned section = blackhole() ? 5 : 3;
  set_section(section, {.dst_increment = 4});
  for (const char* pool : {"GAPOOL", "GMPOOL"}) {
    rig.rwc() = {};
    rig.run(fmt::format("{} Pool16x16=1, AddrMod={}", pool, section));
    EXPECT_EQ(rig.rwc().dst, 4U) << pool;
  }
}

TEST_P(MatrixControl, BiasOfTheInstructionBeforeChoosesTheSection) { // MU 3.2
  set_section(3, {.dst_increment = 8, .bias_increment = 1});
  set_section(4, {.dst_increment = 100, .bias_increment = 1});
  if (blackhole()) {
    expect_fault("MOVD2A AddrMod=3", FaultKind::NonContractual, "Blackhole");
    EXPECT_EQ(rig.rwc().dst, 8U);
    return;
  }
  rig.run_clean("MOVD2A AddrMod=3\nMOVD2A AddrMod=0\nMOVD2A AddrMod=0");
  EXPECT_EQ(rig.rwc(), (Rwc{.dst = 108}));
}

TEST_P(MatrixControl, ZeroaccOfOneRow) { // MU 7: use_32b is ignored, the configuration counts
  rig.rwc() = {.dst = 6};
  rig.configure("DEST_TARGET_REG_CFG_MATH_Offset", 1000);
  rig.run_clean("ZEROACC Mode=0, Imm10=27, UseDst32b=1"); // 1033 mod 1024
  expect_invalid(9, 9);
  make_valid();
  rig.configure("ALU_ACC_CTRL_INT8_math_enabled", 1);
  rig.run_clean("ZEROACC Mode=0, Imm10=27"); // 32-bit row 9: the high row only
  expect_invalid(17, 17);
}

TEST_P(MatrixControl, ZeroaccOfSixteenRows) { // MU 7: rows 16 imm .. + 15; 32-bit: high rows
  rig.run_clean("ZEROACC Mode=1, Imm10=3");
  expect_invalid(48, 63);
  make_valid();
  rig.run_clean("ZEROACC Mode=1, Imm10=2, UseDst32b=1");
  for (unsigned row = 0; row < kDstRows; ++row)
    ASSERT_EQ(dst().valid(row), row / 32 != 2 || row % 16 >= 8) << row;
}

TEST_P(MatrixControl, ZeroaccPicksTheHalfOnBlackhole) { // MU 7; MU 12, item 14
  rig.rwc() = {.dst = 512};
  rig.run_clean("ZEROACC Mode=1, Imm10=3");
  const unsigned first = blackhole() ? 16 * 35 : 48;
  expect_invalid(first, first + 15);
  if (!blackhole()) return;
  make_valid();
  rig.configure("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode", 1);
  rig.run_clean("ZEROACC Mode=1, Imm10=3");
  expect_invalid(48, 63);
  make_valid();
  rig.configure("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode", 0);
  rig.rwc() = {.dst = 256};
  rig.run_clean("ZEROACC Mode=1, Imm10=1, UseDst32b=1"); // block 17 of the 32-bit view
  EXPECT_FALSE(dst().valid(32 * 17));
  EXPECT_TRUE(dst().valid(32));
}

// What a probe on a p150 has measured (tt-metal 54295): the bank follows row + block >= 512.
TEST_P(MatrixControl, ZeroaccAddsItsBlockToTheRowToFindTheBankOnBlackhole) { // MU 7
  struct Measured {
    unsigned row, block, cleared;
  };
  for (const Measured& each :
       {Measured{480, 31, 31}, Measured{488, 31, 63}, Measured{496, 31, 63}, Measured{496, 0, 0},
        Measured{496, 15, 15}, Measured{496, 16, 48}, Measured{496, 24, 56}}) {
    for (const unsigned offset : {0U, 480U}) { // MATH_Offset and the counter count alike
      make_valid();
      rig.configure("DEST_TARGET_REG_CFG_MATH_Offset", offset);
      rig.rwc() = {.dst = each.row - offset};
      const std::string text = fmt::format("ZEROACC Mode=1, Imm10={}", each.block);
      if (blackhole() && each.cleared != each.block) {
        expect_fault(text, FaultKind::NonContractual, "other bank");
        make_valid();
        rig.rwc() = {.dst = each.row - offset};
        rig.run(text);
      } else {
        rig.run_clean(text);
      }
      const unsigned first = 16 * (blackhole() ? each.cleared : each.block);
      expect_invalid(first, first + 15);
    }
  }
}

TEST_P(MatrixControl, ZeroaccInAnAbsoluteTileModeAddsNothing) { // MU 7
  if (!blackhole()) return;
  rig.configure("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode", 1);
  rig.rwc() = {.dst = 496};
  rig.run_clean("ZEROACC Mode=1, Imm10=31");
  expect_invalid(496, 511);
}

// Between the banks of 32 bits, and from the upper bank on, nobody has measured.
TEST_P(MatrixControl, ZeroaccSaysWhereItsBankIsOpen) { // MU Q1
  rig.rwc() = {.dst = 1008};
  const char* const last = "ZEROACC Mode=1, Imm10=31";
  if (!blackhole()) return rig.run_clean(last);
  expect_fault(last, FaultKind::UnpredictableValue, "nobody has measured");
  expect_invalid(496, 511);
  make_valid();
  rig.rwc() = {.dst = 248};
  expect_fault("ZEROACC Mode=1, Imm10=15, UseDst32b=1", FaultKind::UnpredictableValue, "MU Q1");
  EXPECT_FALSE(dst().valid(32 * 31));
  EXPECT_TRUE(dst().valid(32 * 15));
  make_valid();
  rig.rwc() = {.dst = 240}; // the last face of a bank of 32 bits
  rig.run_clean("ZEROACC Mode=1, Imm10=15, UseDst32b=1");
  EXPECT_FALSE(dst().valid(32 * 15));
  rig.rwc() = {.dst = 752};
  rig.run_clean("ZEROACC Mode=1, Imm10=15, UseDst32b=1"); // LLK's upper bank begins at 512
  rig.run_clean("ZEROACC Mode=1, Imm10=0xFF");
}

TEST_P(MatrixControl, ZeroaccOutOfRangeClearsNothing) { // MU 7, 9
  rig.run_clean("ZEROACC Mode=1, Imm10=0xFF");
  expect_fault("ZEROACC Mode=1, Imm10=64", FaultKind::NonContractual, "does not have");
  expect_fault("ZEROACC Mode=1, Imm10=32, UseDst32b=1", FaultKind::NonContractual, "ZEROACC");
  expect_invalid(kDstRows, kDstRows);
  rig.run_clean("ZEROACC Mode=1, Imm10=0x103"); // 8 bits count
  expect_invalid(48, 63);
}

TEST_P(MatrixControl, ZeroaccOfHalvesAndAll) { // MU 7: flags only, cells stay
  rig.run_clean("ZEROACC Mode=2, Imm10=1");
  expect_invalid(512, 1023);
  make_valid();
  rig.run_clean("ZEROACC Mode=2, Imm10=2");
  expect_invalid(0, 511);
  rig.run_clean("ZEROACC Mode=3");
  expect_invalid(0, 1023);
  EXPECT_EQ(dst().cell[700][3], half(700, 3));
}

TEST_P(MatrixControl, ZeroaccRevertMakesRowsValidAgain) { // MU 7, 9
  dst().valid_bits.fill(0);
  if (blackhole()) {
    rig.run_clean("ZEROACC Mode=1, Imm10=0, Revert=1"); // what kernels use
  } else {
    expect_fault("ZEROACC Mode=1, Imm10=0, Revert=1", FaultKind::UndefinedBehavior, "ZEROACC");
  }
  EXPECT_TRUE(dst().valid(0) && dst().valid(15));
  EXPECT_FALSE(dst().valid(16));
  expect_fault("ZEROACC Mode=3, Revert=1", FaultKind::UndefinedBehavior, "not defined");
  expect_invalid(kDstRows, kDstRows);
}

TEST_P(MatrixControl, ZerosrcClearsWholeBanks) { // MU 7
  srca().filling = 1;
  rig.run_clean("ZEROSRC ClearSrcA=1"); // the unpacker's bank
  EXPECT_EQ(srca().cell[0][63][15], cell_a(0, 63, 15));
  EXPECT_EQ(srca().cell[1][0][0] | srca().cell[1][63][15], 0U);
  rig.run_clean("ZEROSRC ClearSrcB=1, SingleBankMatrixUnit=1");
  EXPECT_EQ(srcb().cell[0][0][0] | srcb().cell[0][63][15], 0U);
  EXPECT_EQ(srcb().cell[1][0][0], cell_b(1, 0, 0));
  rig.run_clean("ZEROSRC ClearSrcA=1, ClearSrcB=1, BothBanks=1, NegativeInfSrcA=1");
  for (unsigned bank = 0; bank < 2; ++bank) {
    EXPECT_EQ(srca().cell[bank][17][5], 0xFFFFE000U);
    EXPECT_EQ(srcb().cell[bank][17][5], 0U) << "SrcB is always zeroed";
  }
}

TEST_P(MatrixControl, TrnspsrcbTransposesRows16To31) { // MU 7
  srcb().current = 1;
  rig.run_clean("TRNSPSRCB");
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned j = 0; j < 16; ++j) ASSERT_EQ(srcb().cell[1][16 + i][j], cell_b(1, 16 + j, i));
  }
  EXPECT_EQ(srcb().cell[1][15][3], cell_b(1, 15, 3));
  EXPECT_EQ(srcb().cell[1][32][3], cell_b(1, 32, 3));
}

TEST_P(MatrixControl, ShiftxaShiftsToRows0To15) { // MU 7, SHIFTXA
  rig.rwc() = {.srca = 37};
  rig.run_clean("MOVD2B SrcRow=0\nSHIFTXA Direction=2"); // any move leaves its row of SrcA: 32
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(srca().cell[0][i][0], 0U);
    for (unsigned column = 1; column < 16; ++column)
      ASSERT_EQ(srca().cell[0][i][column], cell_a(0, 32 + i, column - 1));
  }
  EXPECT_EQ(srca().cell[0][32][5], cell_a(0, 32, 5));
}

TEST_P(MatrixControl, ShiftxaShiftsInPlace) { // direction 3, toward column 0
  rig.run_clean("SHIFTXA Direction=3");
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(srca().cell[0][i][15], 0U);
    for (unsigned column = 0; column < 15; ++column)
      ASSERT_EQ(srca().cell[0][i][column], cell_a(0, i, column + 1));
  }
  rig.run_clean("SHIFTXA Direction=2");
  EXPECT_EQ(srca().cell[0][4][0], 0U);
  EXPECT_EQ(srca().cell[0][4][3], cell_a(0, 4, 3));
}

TEST_P(MatrixControl, EveryListedInstructionLeavesItsSrcaRow) { // MU 7, SHIFTXA's hardware bug
  for (const char* instruction :
       {"MVMUL", "DOTPV", "GAPOOL", "GMPOOL", "ELWMUL", "ELWADD", "ELWSUB", "MOVA2D", "MOVB2D",
        "MOVD2A", "MOVD2B", "MOVB2A", "CONV3S1", "CONV3S2", "MFCONV3S1", "MPOOL3S1", "MPOOL3S2",
        "APOOL3S1", "APOOL3S2"}) {
    rig.rwc() = {.srca = 53};
    rig.state().last_srca_row = 0;
    rig.run(instruction);
    EXPECT_EQ(rig.state().last_srca_row, 48) << instruction;
  }
  rig.run("ZEROACC\nINCRWC SrcAInc=15\nSHIFTXB\nTRNSPSRCB");
  EXPECT_EQ(rig.state().last_srca_row, 48);
}

TEST_P(MatrixControl, ShiftxaModes) { // MU 4, 7
  expect_fault("SHIFTXA Direction=1", FaultKind::UndefinedBehavior, "nothing was shifted");
  EXPECT_EQ(srca().cell[0][3][3], cell_a(0, 3, 3));
  expect_fault("SHIFTXA Direction=2, Log2Amount=1", FaultKind::NonContractual, "by one");
}

TEST_P(MatrixControl, ShiftxbRotatesOneRow) { // MU 7, SHIFTXB
  rig.rwc() = {.srcb = 60};
  rig.run_clean("SHIFTXB SrcRow=7"); // row 3
  for (unsigned column = 0; column < 15; ++column)
    EXPECT_EQ(srcb().cell[0][3][column], cell_b(0, 3, column + 1));
  EXPECT_EQ(srcb().cell[0][3][15], cell_b(0, 3, 0));
  rig.run_clean("SHIFTXB SrcRow=7, ShiftInZero=1");
  EXPECT_EQ(srcb().cell[0][3][14], cell_b(0, 3, 0));
  EXPECT_EQ(srcb().cell[0][3][15], 0U);
  EXPECT_EQ(srcb().cell[0][4][15], cell_b(0, 4, 15));
}

TEST_P(MatrixControl, WordsThatKernelsDoNotUseAreNamed) { // MU 7, 9
  expect_fault("SETRWC SrcACr=1, SrcB=1", FaultKind::NonContractual, "mask bit");
  expect_fault("ELWMUL AddDst=1", FaultKind::NonContractual, "bit 21");
  for (const char* legacy :
       {"CONV3S1", "CONV3S2", "MFCONV3S1", "APOOL3S1", "APOOL3S2", "MPOOL3S1", "MPOOL3S2"})
    expect_fault(legacy, FaultKind::NonContractual, "older chips");
  rig.run_clean("GATESRCRST InvalidateSrcBCache=1, InvalidateSrcACache=1\nCLREXPHIST");
}

TEST_P(MatrixControl, WhatNobodyDocumentsIsRefusedByName) { // MU 7, SETIBRWC, TRNSPSRCA
  expect_fault("SETIBRWC 0, 0, 0", FaultKind::Unsupported, "SETIBRWC");
  expect_fault("TRNSPSRCA", FaultKind::Unsupported, "TRNSPSRCA");
}

} // namespace
} // namespace lanewise::test
