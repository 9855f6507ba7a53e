// Moves between SrcA, SrcB and Dst: what the conformance vectors do not reach (MU 7, 9), and the
// rules that are easily missed (MU 12).
#include "machine/matrix_fixture.h"

namespace lanewise::test {
namespace {

class MatrixMoves : public MatrixRig {
 protected:
  void set_formats(std::uint32_t code) {
    rig.configure("ALU_FORMAT_SPEC_REG0_SrcA", code);
    rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", code);
  }
  void use_32bit_dst() { rig.configure("ALU_ACC_CTRL_Fp32_enabled", 1); }
  void block(unsigned lane_column, unsigned bits) { // BLOCK_DEST_MOV is [10:9] (VU C39)
    rig.set_lane_config_of(1U << lane_column, bits << 9);
  }
};
LANEWISE_ON_BOTH_CHIPS(MatrixMoves);

TEST_P(MatrixMoves, Mova2dMovesOneOrEightRows) { // MU 7: eight rows are aligned, one is not
  rig.rwc() = {.dst = 3, .srca = 5};
  rig.configure("DEST_TARGET_REG_CFG_MATH_Offset", 512);
  rig.run_clean("MOVA2D SrcRow=6, DstRow=100"); // row 11 to row 615
  for (unsigned column = 0; column < 16; ++column)
    EXPECT_EQ(dst().cell[615][column], stored_bf16(cell_a(0, 11, column)));
  EXPECT_EQ(dst().cell[614][0], half(614, 0));
  EXPECT_EQ(dst().cell[616][0], half(616, 0));
  rig.run_clean("MOVA2D SrcRow=6, DstRow=100, Move8Rows=1"); // 8..15 to 608..615
  EXPECT_EQ(dst().cell[608][1], stored_bf16(cell_a(0, 8, 1)));
  EXPECT_EQ(dst().cell[615][15], stored_bf16(cell_a(0, 15, 15)));
  EXPECT_EQ(dst().cell[607][0], half(607, 0));
}

TEST_P(MatrixMoves, MoveToDstWritesTheCurrentBankAndMakesRowsValid) { // MU 1.1, 1.2
  srca().current = 1;
  dst().set_valid(0, false);
  rig.run_clean("MOVA2D");
  EXPECT_EQ(dst().cell[0][2], stored_bf16(cell_a(1, 0, 2)));
  EXPECT_TRUE(dst().valid(0));
}

TEST_P(MatrixMoves, Movdbga2dIsMova2dWithoutWaiting) { // MU 7
  srca().owned_by_matrix_unit = {false, false};
  rig.run_clean("MOVDBGA2D SrcRow=1, DstRow=2");
  EXPECT_EQ(dst().cell[2][7], stored_bf16(cell_a(0, 1, 7)));
}

TEST_P(MatrixMoves, ExponentZeroIsZeroUnlessKept) { // MU 7, MOVA2D 1
  srca().cell[0][0][0] = 0x80030000U;
  rig.run_clean("MOVA2D");
  EXPECT_EQ(dst().cell[0][0], 0U);
  rig.configure("ALU_ACC_CTRL_Zero_Flag_disabled_src", 1);
  rig.run_clean("MOVA2D");
  EXPECT_EQ(dst().cell[0][0], 0x8300U);
}

TEST_P(MatrixMoves, FormatsOfFiveBitsDropTheHighExponent) { // MU 7, MOVA2D 3; [D] for 2, 3, 11, 14
  srca().cell[0][0][0] = 1U << 31 | 0xF3U << 23 | 0x2A5U << 13;
  for (const std::uint32_t code : {1U, 2U, 3U, 10U, 11U, 14U}) {
    set_formats(code);
    rig.run_clean("MOVA2D");
    EXPECT_EQ(dst().cell[0][0], 0x8000U | 0x2A5U << 5 | 0x13U) << code;
  }
}

TEST_P(MatrixMoves, Tf32GoesToThe32BitView) { // MU 7, MOVA2D 2
  use_32bit_dst();
  set_formats(kTf32);
  srca().cell[0][0][0] = 0xC0A2E000U; // mantissa 0100010111
  rig.run_clean("MOVA2D DstRow=9");   // physical rows 17 and 25
  EXPECT_EQ(dst().cell[17][0], 1U << 15 | 0x22U << 8 | 0x81U);
  EXPECT_EQ(dst().cell[25][0], 0xE000U);
}

TEST_P(MatrixMoves, LowWritesTheLowHalfAndKeepsTheHighOne) { // MU 7, MOVA2D 4
  use_32bit_dst();
  dst().set_valid(1, false);
  rig.run_clean("MOVA2D UseDst32bLo=1, DstRow=0\nMOVA2D UseDst32bLo=1, DstRow=1");
  EXPECT_EQ(dst().cell[0][5], half(0, 5));
  EXPECT_EQ(dst().cell[8][5], stored_bf16(cell_a(0, 0, 5)));
  EXPECT_EQ(dst().cell[1][5], 0U) << "an invalid row reads as 0";
  EXPECT_EQ(dst().cell[9][5], stored_bf16(cell_a(0, 0, 5)));
  EXPECT_TRUE(dst().valid(1));
}

TEST_P(MatrixMoves, Tf32WithLowIsUndefined) { // MU 9; [D]: the low half gets both
  use_32bit_dst();
  set_formats(kTf32);
  expect_fault("MOVA2D UseDst32bLo=1", FaultKind::UndefinedBehavior, "TEN-4245");
  EXPECT_EQ(dst().cell[8][3], stored_bf16(cell_a(0, 0, 3)));
}

TEST_P(MatrixMoves, WidthsThatDisagreeAreReported) { // MU 7: Fp32_enabled has no influence
  use_32bit_dst();
  expect_fault("MOVA2D", FaultKind::UndefinedBehavior, "another width");
  EXPECT_EQ(dst().cell[0][1], stored_bf16(cell_a(0, 0, 1)));
  EXPECT_EQ(dst().cell[8][1], half(8, 1));
}

TEST_P(MatrixMoves, Movb2dOneRow) { // MU 7, modes 0 and 1; [S] refuses them
  rig.rwc() = {.srcb = 2};
  rig.run_clean("MOVB2D SrcRow=5, DstRow=3");
  EXPECT_EQ(dst().cell[3][4], stored_bf16(cell_b(0, 7, 4)));
  EXPECT_EQ(dst().cell[2][4], half(2, 4));
  EXPECT_EQ(dst().cell[4][4], half(4, 4));
  rig.run_clean("MOVB2D SrcRow=6, DstRow=3, BroadcastCol0=1");
  EXPECT_EQ(dst().cell[3][4], stored_bf16(cell_b(0, 8, 0)));
}

TEST_P(MatrixMoves, Movb2dBroadcastsAnyRow) { // MU 7: any row for modes 2 and 3
  rig.run_clean("MOVB2D SrcRow=13, DstRow=20, Broadcast1RowTo8=1");
  for (unsigned row = 16; row < 24; ++row)
    EXPECT_EQ(dst().cell[row][9], stored_bf16(cell_b(0, 13, 9)));
  rig.run_clean("MOVB2D SrcRow=13, DstRow=6, Move4Rows=1, BroadcastCol0=1");
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(dst().cell[4 + i][9], stored_bf16(cell_b(0, 12 + i, 0)));
}

TEST_P(MatrixMoves, Movb2dMasksBySrcBAndConvertsBySrcA) { // MU 7: code 10 loses 3 mantissa bits
  srcb().cell[0][0][0] = 15U << 23 | 0x3FFU << 13;
  rig.configure("ALU_FORMAT_SPEC_REG0_SrcA", kFp16);
  rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", kFp16);
  rig.run_clean("MOVB2D");
  EXPECT_EQ(dst().cell[0][0], 0x3FFU << 5 | 15);
  rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", kFp8);
  rig.run_clean("MOVB2D");
  EXPECT_EQ(dst().cell[0][0], 0x3F8U << 5 | 15);
}

TEST_P(MatrixMoves, BlackholeTakesTheImpliedFormat) { // MU 2.2
  if (!blackhole()) GTEST_SKIP() << "Blackhole only";
  srca().cell[0][0][0] = srcb().cell[0][0][0] = 15U << 23 | 0x3FFU << 13;
  srca().format[0] = srcb().format[0] = kFp16;
  rig.run_clean("MOVA2D");
  EXPECT_EQ(dst().cell[0][0], 0x7FU << 8 | 15);
  rig.configure("DISABLE_IMPLIED_SRCA_FMT_Base", 0);
  rig.configure("DISABLE_IMPLIED_SRCB_FMT_Base", 0);
  rig.run_clean("MOVA2D\nMOVB2D DstRow=1");
  EXPECT_EQ(dst().cell[0][0], 0x3FFU << 5 | 15);
  EXPECT_EQ(dst().cell[1][0], 0x3FFU << 5 | 15);
}

TEST_P(MatrixMoves, Movd2aMovesOneOrFourRows) { // MU 7; [S] refuses one row
  rig.rwc() = {.dst = 1, .srca = 2};
  dst().cell[6][0] = 0x9234;
  rig.run_clean("MOVD2A SrcRow=9, DstRow=5");
  EXPECT_EQ(srca().cell[0][11][0], 1U << 31 | 0x34U << 23 | 0x12U << 16);
  EXPECT_EQ(srca().cell[0][10][0], cell_a(0, 10, 0));
  rig.run_clean("MOVD2A SrcRow=9, DstRow=5, Move4Rows=1"); // rows 4..7 to rows 8..11
  EXPECT_EQ(srca().cell[0][10][0], 1U << 31 | 0x34U << 23 | 0x12U << 16);
  EXPECT_EQ(srca().cell[0][12][0], cell_a(0, 12, 0));
}

TEST_P(MatrixMoves, InvalidRowsMoveAsZero) { // MU 7, MOVD2A
  dst().set_valid(0, false);
  rig.run_clean("MOVD2A\nMOVD2B");
  EXPECT_EQ(srca().cell[0][0][3], 0U);
  EXPECT_EQ(srcb().cell[0][0][3], 0U);
}

TEST_P(MatrixMoves, Movd2aTruncates32BitData) { // MU 7: no rounding, no flush
  use_32bit_dst();
  dst().cell[0][0] = 0x92FE; // sign, mantissa 0010010, exponent FE
  dst().cell[8][0] = 0xFFFF;
  rig.run_clean("MOVD2A");
  EXPECT_EQ(srca().cell[0][0][0], 0x80000000U | 0xFEU << 23 | 0x12U << 16);
  set_formats(kTf32);
  rig.run_clean("MOVD2A");
  EXPECT_EQ(srca().cell[0][0][0], 0x80000000U | 0xFEU << 23 | 0x12U << 16 | 0xE000U);
  set_formats(kFp16);
  rig.run_clean("MOVD2A"); // [D]: the high half as FP16
  EXPECT_EQ(srca().cell[0][0][0], 0x80000000U | 0x1EU << 23 | (0x12FEU >> 5) << 13);
}

TEST_P(MatrixMoves, Movd2aLow) { // MU 7; [S] refuses it
  use_32bit_dst();
  dst().cell[0][0] = 0x1111;
  dst().cell[8][0] = 0x9234;
  rig.run_clean("MOVD2A UseDst32bLo=1");
  EXPECT_EQ(srca().cell[0][0][0], 1U << 31 | 0x34U << 23 | 0x12U << 16);
  set_formats(kTf32);
  rig.run_clean("MOVD2A UseDst32bLo=1"); // [D]: the low 13 bits, 1234, as a stored cell
  EXPECT_EQ(srca().cell[0][0][0], 0x34U << 23 | 0x12U << 13);
}

TEST_P(MatrixMoves, HalvesThat16BitDataLackAreReported) { // MU 7, 9
  expect_fault("MOVD2B UseDst32bLo=1", FaultKind::UndefinedBehavior, "low half");
  set_formats(kTf32);
  expect_fault("MOVD2A", FaultKind::UndefinedBehavior, "TF32");
}

TEST_P(MatrixMoves, Int8MathMeans32BitDst) { // MU 7, MOVD2A
  rig.configure("ALU_ACC_CTRL_INT8_math_enabled", 1);
  dst().cell[1][0] = 0x4280;
  rig.run_clean("MOVD2B DstRow=1");
  EXPECT_EQ(srcb().cell[0][0][0], 0x80U << 23 | 0x42U << 16);
  rig.run_clean("MOVD2B DstRow=1, UseDst32bLo=1");
  const std::uint32_t low = half(9, 0);
  EXPECT_EQ(srcb().cell[0][0][0], (low & 0xFF) << 23 | (low >> 8 & 0x7F) << 16);
}

TEST_P(MatrixMoves, Movb2aMovesOneOrFourRows) { // MU 7; [S] refuses one row
  rig.rwc() = {.srca = 1, .srcb = 2};
  rig.run_clean("MOVB2A SrcARow=9, SrcBRow=4");
  EXPECT_EQ(srca().cell[0][10][3], cell_b(0, 6, 3));
  EXPECT_EQ(srca().cell[0][9][3], cell_a(0, 9, 3));
  srcb().current = 1;
  rig.run_clean("MOVB2A SrcARow=9, SrcBRow=4, Move4Rows=1");
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(srca().cell[0][8 + i][3], cell_b(1, 4 + i, 3));
}

TEST_P(MatrixMoves, BlockDestMovKeepsColumns) { // MU 7, MOVA2D [D]: bit 9 even, bit 10 odd columns
  block(3, 1);
  rig.run_clean("MOVA2D");
  EXPECT_EQ(dst().cell[0][6], half(0, 6));
  EXPECT_EQ(dst().cell[0][7], stored_bf16(cell_a(0, 0, 7)));
  block(3, 2);
  rig.run_clean(
      "MOVB2D DstRow=1\nMOVD2A SrcRow=4, DstRow=40\nMOVD2B SrcRow=5, DstRow=40\n"
      "MOVB2A SrcARow=6, SrcBRow=6");
  EXPECT_EQ(dst().cell[1][7], half(1, 7));
  EXPECT_EQ(dst().cell[1][6], stored_bf16(cell_b(0, 0, 6)));
  EXPECT_EQ(srca().cell[0][4][7], cell_a(0, 4, 7));
  EXPECT_NE(srca().cell[0][4][6], cell_a(0, 4, 6));
  EXPECT_EQ(srcb().cell[0][5][7], cell_b(0, 5, 7));
  EXPECT_EQ(srca().cell[0][6][7], cell_a(0, 6, 7));
  EXPECT_EQ(srca().cell[0][6][6], cell_b(0, 6, 6));
}

TEST_P(MatrixMoves, PartOfAnInvalidRowIsReported) { // MU 1.1
  block(0, 1);
  dst().set_valid(0, false);
  expect_fault("MOVA2D", FaultKind::UndefinedBehavior, "cleared");
  dst().set_valid(0, false);
  rig.set_lane_config(3U << 9);
  rig.run_clean("MOVA2D");
  EXPECT_FALSE(dst().valid(0)) << "nothing was written";
}

TEST_P(MatrixMoves, Fp16IsForced) { // MU 2.2 [D]
  use_32bit_dst();
  rig.configure("FP16A_FORCE_Enable", 1);
  dst().cell[1][0] = 0x8425;
  expect_fault("MOVD2A DstRow=1", FaultKind::NonContractual, "FP16A_FORCE");
  EXPECT_EQ(srca().cell[0][0][0], 1U << 31 | 5U << 23 | 0x21U << 13);
}

} // namespace
} // namespace lanewise::test
