// Whole arithmetic instructions of the Matrix Unit, from the documented rules: what the conformance
// vectors do not reach (MU 9), modes, and what is reported.
#include "chip/machine/matrix/arithmetic.h"

#include "machine/matrix_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::uint32_t kOneCell = 127U << 23; ///< 1.0 of SrcA and SrcB
constexpr std::uint16_t kOneBf16 = 0x007F;     ///< and of Dst, stored

class MatrixArithmetic : public MatrixRig {
 protected:
  void set_format(std::uint32_t code) {
    rig.configure("ALU_FORMAT_SPEC_REG0_SrcA", code);
    rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", code);
  }
  void fill_srca(std::uint32_t cell) { fill(srca(), cell); }
  void fill_srcb(std::uint32_t cell) { fill(srcb(), cell); }
  void fill_dst(std::uint16_t cell) { std::fill_n(dst().cell[0], kDstRows * kDstColumns, cell); }
  /// Whether a run reports a rule.
  bool reports(const std::string& program, std::string_view rule) {
    return std::ranges::any_of(rig.run(program),
                               [&](const Fault& fault) { return fault.rule == rule; });
  }

 private:
  static void fill(SourceFile& file, std::uint32_t cell) {
    std::fill_n(file.cell[0][0], kSourceBanks * kSourceRows * kSourceColumns, cell);
  }
};
LANEWISE_ON_BOTH_CHIPS(MatrixArithmetic);

// MU 7, MVMUL: Dst += SrcB x SrcA; with the unit matrix in SrcA that is SrcB.
TEST_P(MatrixArithmetic, MvmulByTheUnitMatrixAddsSrcB) {
  fill_srca(0);
  for (unsigned k = 0; k < 16; ++k) srca().cell[0][k][k] = kOneCell;
  rig.run_clean("ZEROACC Mode=3\nMVMUL DstRow=16");
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned column = 0; column < kDstColumns; ++column) {
      // Phase 0 has 6 bits of SrcB's mantissa.
      EXPECT_EQ(dst().cell[16 + row][column], stored_bf16(cell_b(0, row, column)) & ~0x0100);
    }
    EXPECT_TRUE(dst().valid(16 + row));
  }
  EXPECT_FALSE(dst().valid(15));
  EXPECT_FALSE(dst().valid(24));
}

// MU 3.1: counters and MATH_Offset are added to the field, and the sum is aligned.
TEST_P(MatrixArithmetic, RowsComeFromCounters) {
  fill_srca(kOneCell);
  fill_srcb(kOneCell);
  rig.configure("DEST_TARGET_REG_CFG_MATH_Offset", 1020);
  rig.rwc().dst = 13;
  rig.run_clean("ZEROACC Mode=3\nELWADD DstRow=5"); // 1020 + 13 + 5 = 14 modulo 1024
  for (unsigned row = 0; row < 32; ++row) EXPECT_EQ(dst().valid(row), row / 8 == 1) << row;
}

// MU 7, SHIFTXA: every arithmetic instruction leaves the 16-aligned row of SrcA for it.
TEST_P(MatrixArithmetic, RowOfSrcAIsRemembered) {
  for (const char* text : {"MVMUL", "DOTPV", "GAPOOL Pool16x16=1", "GMPOOL Pool16x16=1", "ELWADD",
                           "ELWSUB", "ELWMUL", "CONV3S1", "MPOOL3S1"}) {
    rig.state().last_srca_row = 0;
    rig.rwc().srca = 39;
    rig.run(text);
    EXPECT_EQ(rig.state().last_srca_row, 32) << text;
  }
}

// MU 1.1 [D]: Blackhole can map rows of Dst in another order.
TEST_P(MatrixArithmetic, RowsAreRemappedOnBlackhole) {
  if (!blackhole()) return;
  rig.configure("DEST_ACCESS_CFG_remap_addrs", 1);
  EXPECT_EQ(matrix_dst_row(rig.state().config, 8, false), remap_row(8));
  EXPECT_EQ(matrix_dst_row(rig.state().config, 8, true), adjust_row_32(remap_row(8)));
  rig.configure("DEST_ACCESS_CFG_swizzle_32b", 1);
  EXPECT_EQ(matrix_dst_row(rig.state().config, 12, true),
            adjust_row_32(swizzle_row_32(remap_row(12))));
  rig.run_clean("ZEROACC Mode=3\nELWADD DstRow=8");
  for (unsigned i = 0; i < 8; ++i) EXPECT_TRUE(dst().valid(remap_row(8 + i)));
}

// MU 2.2: INT8 and FP32 make Dst 32 bits wide, FP16A_FORCE comes before both.
TEST_P(MatrixArithmetic, ModesFollowPrecedence) {
  using semantics::MatrixArithmetic;
  const auto mode = [&] { return matrix_mode(rig.state()); };
  set_format(kTf32);
  EXPECT_EQ(mode().arithmetic, MatrixArithmetic::Exponent8);
  EXPECT_FALSE(mode().wide);
  rig.configure("ALU_ACC_CTRL_Fp32_enabled", 1);
  set_format(kFp16);
  EXPECT_EQ(mode().arithmetic, MatrixArithmetic::Exponent5);
  EXPECT_TRUE(mode().wide);
  rig.configure("ALU_ACC_CTRL_INT8_math_enabled", 1);
  rig.configure("ALU_ACC_CTRL_Fp32_enabled", 0);
  EXPECT_EQ(mode().arithmetic, MatrixArithmetic::Int8);
  EXPECT_TRUE(mode().wide);
  rig.configure("FP16A_FORCE_Enable", 1);
  EXPECT_EQ(mode().arithmetic, MatrixArithmetic::Exponent5);
  EXPECT_FALSE(mode().wide);
}

// MU 2.2: exponent widths by code.
TEST(MatrixFormats, ExponentWidths) {
  for (unsigned code : {0, 4, 5, 6, 7, 8, 9, 15})
    EXPECT_FALSE(has_5bit_exponent(static_cast<DataFormat>(code))) << code;
  for (unsigned code : {1, 2, 3, 10, 11, 14})
    EXPECT_TRUE(has_5bit_exponent(static_cast<DataFormat>(code))) << code;
}

// MU 2.2: overrides on both chips; Blackhole's banks say their format unless that is disabled.
TEST_P(MatrixArithmetic, FormatsAreImpliedOrConfigured) {
  MachineState& s = rig.state();
  rig.configure("ALU_FORMAT_SPEC_REG_SrcA_val", kFp8);
  EXPECT_EQ(srca_format(s), DataFormat::Bf16);
  rig.configure("ALU_FORMAT_SPEC_REG_SrcA_override", 1);
  EXPECT_EQ(srca_format(s), DataFormat::Fp8);
  srca().format = {1, 4};
  srcb().format = {4, 1};
  if (!blackhole()) return;
  rig.configure("DISABLE_IMPLIED_SRCA_FMT_Base", 0);
  EXPECT_EQ(srca_format(s), DataFormat::Fp16);
  srca().current = 1;
  EXPECT_EQ(srca_format(s), DataFormat::Tf32);
  EXPECT_EQ(srcb_format(s), DataFormat::Bf16);
  EXPECT_EQ(srcb_move_format(s), DataFormat::Tf32);
  rig.configure("DISABLE_IMPLIED_SRCB_FMT_Base", 0);
  EXPECT_EQ(srcb_format(s), DataFormat::Tf32);
}

// MU 3.1: phase = (Fidelity + FIDELITY_BASE_Phase) & 3.
TEST_P(MatrixArithmetic, PhaseIsASum) {
  rig.rwc().fidelity = 3;
  rig.configure("FIDELITY_BASE_Phase", 2);
  EXPECT_EQ(fidelity_phase(rig.state()), 1U);
}

// MU 7, CONV3S1 and MU 5.5: Dst += 0 in 8 rows makes invalid rows valid and flushes denormals.
TEST_P(MatrixArithmetic, LegacyConvolutionsAddZero) {
  for (const char* text : {"CONV3S1", "CONV3S2", "MFCONV3S1", "APOOL3S1", "APOOL3S2"}) {
    fill_dst(0x8300); // a negative denormal
    std::fill_n(dst().cell[1], kDstColumns, kOneBf16);
    dst().set_valid(2, false);
    rig.run(text);
    EXPECT_EQ(dst().cell[0][3], 0) << text;
    EXPECT_EQ(dst().cell[1][3], kOneBf16) << text;
    EXPECT_TRUE(dst().valid(2)) << text;
    EXPECT_EQ(dst().cell[2][3], 0) << text;
    EXPECT_EQ(dst().cell[7][3], 0) << text;
    EXPECT_EQ(dst().cell[8][3], 0x8300) << text;
  }
}

// MU 5.5: with FP16 sources and 32-bit Dst, zero products have exponent 97 and small numbers
// vanish.
TEST_P(MatrixArithmetic, LegacyConvolutionsRoundSmallNumbersAway) {
  set_format(kFp16);
  rig.configure("ALU_ACC_CTRL_Fp32_enabled", 1);
  fill_dst(0x0041); // exponent 65, in the low half a tiny mantissa
  rig.run("CONV3S1");
  EXPECT_EQ(dst().cell[0][0], 0);
  EXPECT_EQ(dst().cell[8][0], 0);
}

// MU 7, MPOOL3S1: max(Dst, +0), invalid rows become 0, and so do the other rows of the block.
TEST_P(MatrixArithmetic, LegacyPoolsTakeMaximumWithZero) {
  for (const char* text : {"MPOOL3S1", "MPOOL3S2"}) {
    fill_dst(kOneBf16);
    dst().cell[0][1] = 0x8000 | kOneBf16;
    dst().set_valid(0, true);
    dst().set_valid(3, false);
    rig.run(text);
    EXPECT_EQ(dst().cell[0][0], kOneBf16) << text;
    EXPECT_EQ(dst().cell[0][1], 0) << text;
    for (unsigned row = 1; row < 4; ++row) {
      EXPECT_EQ(dst().cell[row][0], 0) << text;
      EXPECT_TRUE(dst().valid(row)) << text;
    }
    EXPECT_EQ(dst().cell[4][0], kOneBf16) << text;
    dst().set_valid(0, false);
    rig.run(text);
    EXPECT_EQ(dst().cell[0][0], 0) << text;
  }
}

// MU 7, GMPOOL [D]: rows of SrcA are scaled by SrcB's exponents; a zero there takes the row out.
TEST_P(MatrixArithmetic, GmpoolScalesRows) {
  fill_srca(0x80000000U | kOneCell); // -1
  fill_srcb(kOneCell);
  srca().cell[0][3][5] = kOneCell;   // +1, times 4
  srca().cell[0][4][5] = 128U << 23; // +2, out
  srcb().cell[0][0][3] = 129U << 23;
  srcb().cell[0][0][4] = 0;
  rig.run_clean("ZEROACC Mode=3\nGMPOOL Pool16x16=1");
  EXPECT_EQ(dst().cell[0][5], 0x0081);            // 4
  EXPECT_EQ(dst().cell[0][6], 0x8000 | kOneBf16); // -1
}

// MU 7, GMPOOL [D]: FP16 in 16-bit Dst.
TEST_P(MatrixArithmetic, GmpoolOfFp16) {
  set_format(kFp16);
  fill_srca(14U << 23);
  fill_srcb(15U << 23);
  srca().cell[0][15][2] = 15U << 23 | 0x3FFU << 13;
  rig.run_clean("ZEROACC Mode=3\nGMPOOL Pool16x16=1");
  EXPECT_EQ(dst().cell[0][0], 14);
  EXPECT_EQ(dst().cell[0][2], 0x3FF << 5 | 15);
}

// MU 7, GMPOOL [D]: the index of the largest of rows 0..7 stands in the low half; among equal ones
// the last visited of 4, 5, 6, 7, 0, 1, 2, 3 counts, and each call moves the phase on.
TEST_P(MatrixArithmetic, GmpoolReturnsIndices) {
  rig.configure("ALU_ACC_CTRL_Fp32_enabled", 1);
  fill_srca(kOneCell);
  fill_srcb(kOneCell);
  srca().cell[0][6][1] = 128U << 23;  // 2.0 in row 6 of column 1
  srca().cell[0][12][2] = 128U << 23; // beyond the first eight: only the value
  rig.run_clean("ZEROACC Mode=3\nGMPOOL Pool16x16=1, ArgMax=1");
  EXPECT_EQ(dst().cell[0][0], kOneBf16);
  EXPECT_EQ(dst().cell[8][0], 1); // row 3, whose code is 1; the phase of an invalid row is 0
  EXPECT_EQ(dst().cell[0][1], 0x0080);
  EXPECT_EQ(dst().cell[8][1], 2); // row 6
  EXPECT_EQ(dst().cell[0][2], 0x0080);
  EXPECT_EQ(dst().cell[8][2], 1);
  srca().cell[0][5][1] = 129U << 23; // 4.0 in the next eight
  rig.run_clean("GMPOOL Pool16x16=1, ArgMax=1");
  EXPECT_EQ(dst().cell[8][1], 0x100 | (0x10 + 7)); // phase 1, row 5
  EXPECT_EQ(dst().cell[8][0], 0x100 | (0x10 + 1)); // an equal one replaces
  EXPECT_EQ(dst().cell[1 + 8][0], 0x100);          // the other rows only count
}

// MU 7, GMPOOL [D]: INT8 keeps 13 bits of the result.
TEST_P(MatrixArithmetic, GmpoolOfIntegers) {
  rig.configure("ALU_ACC_CTRL_INT8_math_enabled", 1);
  fill_srca(0x80000000U | 16U << 23 | 100U << 13);
  fill_srcb(kOneCell);
  srca().cell[0][9][4] = 16U << 23 | 1000U << 13;
  rig.run_clean("ZEROACC Mode=3\nGMPOOL Pool16x16=1");
  EXPECT_EQ(dst().load_32(0, 0), 0x80000000U | 100U);
  EXPECT_EQ(dst().load_32(0, 4), 1000U);
}

// MU 6, 9: INT8 data whose exponent field is neither 16 nor 0.
TEST_P(MatrixArithmetic, StrayExponentsOfInt8AreReported) {
  rig.configure("ALU_ACC_CTRL_INT8_math_enabled", 1);
  fill_srca(16U << 23);
  fill_srcb(0);
  rig.run_clean("MVMUL\nELWADD");
  srcb().cell[0][3][7] = 15U << 23;
  expect_fault("MVMUL", FaultKind::UnpredictableValue, "MU 6");
  rig.machine().state().faults.clear();
  expect_fault("ELWADD", FaultKind::UnpredictableValue, "MU 6");
}

// MU 9: exponents of more than 5 bits, where the format keeps them.
TEST_P(MatrixArithmetic, StrayExponentsOf5BitsAreReported) {
  fill_srca(32U << 23);
  fill_srcb(15U << 23);
  set_format(kFp16); // masked to 5 bits (MU 2.2)
  rig.run_clean("MVMUL");
  set_format(2); // BFP8a is not
  expect_fault("MVMUL", FaultKind::UnpredictableValue, "exponents");
}

// MU 2.2, 5.7, 7, 9: what nobody has characterised is computed and reported.
TEST_P(MatrixArithmetic, UncharacterisedModesAreReported) {
  fill_srca(15U << 23);
  fill_srcb(15U << 23);
  rig.configure("ALU_ACC_CTRL_Zero_Flag_disabled_src", 1);
  expect_fault("MVMUL", FaultKind::UnpredictableValue, "MU 7, MVMUL");
  rig.configure("ALU_ACC_CTRL_Zero_Flag_disabled_src", 0);
  rig.state().faults.clear();
  rig.rwc().srca = 8;
  expect_fault("GAPOOL Pool16x16=1", FaultKind::NonContractual, "multiple of 16");
  rig.rwc().srca = 0;
  rig.state().faults.clear();
  rig.configure("FIDELITY_BASE_Phase", 1);
  expect_fault("ELWADD", FaultKind::UnpredictableValue, "MU 5.7");
  rig.configure("FIDELITY_BASE_Phase", 0);
  rig.state().faults.clear();
  rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", kFp16);
  expect_fault("ELWMUL", FaultKind::UnpredictableValue, "MU 9");
  rig.state().faults.clear();
  set_format(12);
  expect_fault("ELWMUL", FaultKind::UndefinedBehavior, "MU 2.2");
  rig.state().faults.clear();
  set_format(kBf16);
  rig.configure("ALU_ROUNDING_MODE_Fpu_srnd_en", 1);
  expect_fault("ELWMUL", FaultKind::UnpredictableValue, "stochastic");
  rig.configure("ALU_ROUNDING_MODE_Fpu_srnd_en", 0);
  rig.state().faults.clear();
  rig.configure("FP16A_FORCE_Enable", 1);
  expect_fault("ELWMUL", FaultKind::NonContractual, "FP16A_FORCE");
}

// MU 7, GMPOOL: FP16 into 32-bit Dst keeps its value, but is reported.
TEST_P(MatrixArithmetic, GmpoolOfFp16Into32BitsIsReported) {
  set_format(kFp16);
  rig.configure("ALU_ACC_CTRL_Fp32_enabled", 1);
  fill_srca(15U << 23);
  fill_srcb(15U << 23);
  expect_fault("ZEROACC Mode=3\nGMPOOL Pool16x16=1", FaultKind::UnpredictableValue, "GMPOOL");
  EXPECT_EQ(dst().cell[0][0], kOneBf16);
}

// Zero_Flag_disabled_src: on a -0 of SrcB in a sum no source can be relied (MU Q2).
TEST_P(MatrixArithmetic, NegativeZerosOfSrcBAreReportedWhereTheyAreAdded) {
  const std::string_view rule = "MU Q2";
  for (const char* sum : {"ELWADD", "ELWSUB", "ELWADD AddDst=1", "ELWSUB BroadcastSrcBRow=1"}) {
    for (const bool keeps : {false, true}) {
      rig.configure("ALU_ACC_CTRL_Zero_Flag_disabled_src", keeps ? 1 : 0);
      for (auto& row : srcb().cell[0]) std::ranges::fill(row, 0x3F800000U);
      rig.rwc() = {};
      EXPECT_FALSE(reports(sum, rule)) << sum;
      srcb().cell[0][0][15] = 0x80000000;
      EXPECT_EQ(reports(sum, rule), keeps) << sum;
      EXPECT_FALSE(reports("ELWMUL", rule));
    }
  }
  const auto only_at = [&](unsigned row, unsigned column) {
    for (auto& each : srcb().cell[0]) std::ranges::fill(each, 0U);
    srcb().cell[0][row][column] = 0x80000000;
  };
  only_at(7, 0);
  EXPECT_TRUE(reports("ELWADD BroadcastSrcBCol0=1", rule));
  EXPECT_FALSE(reports("ELWADD BroadcastSrcBRow=1", rule));
  only_at(0, 1);
  EXPECT_FALSE(reports("ELWADD BroadcastSrcBCol0=1", rule)) << "column 0 alone counts";
  only_at(8, 0);
  EXPECT_FALSE(reports("ELWADD", rule));
  rig.rwc() = {.srcb = 8};
  EXPECT_TRUE(reports("ELWADD", rule));
}

} // namespace
} // namespace lanewise::test
