// Numbers in SrcA and SrcB, in every format as they arrive there (core.md 11, 12.5), and the
// hand-over of banks (MU 1.2).
#include <algorithm>
#include <bit>
#include <cmath>

#include "chip/machine/matrix/source_number.h"
#include "machine/matrix_fixture.h"

namespace lanewise::test {
namespace {

/// The cell that one number becomes, in a row of zeros.
std::uint32_t cell_of(float number, DataFormat format) {
  std::array<float, kSourceColumns> row{};
  row[3] = number;
  const auto cells = source_cells(row, format);
  EXPECT_TRUE(cells.has_value());
  return cells ? (*cells)[3] : 0;
}

float fp32(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

bool is_refused(float number, DataFormat format) {
  std::array<float, kSourceColumns> row{};
  row[9] = number;
  const auto cells = source_cells(row, format);
  return !cells.has_value() && cells.error().kind == FaultKind::BadInput;
}

constexpr std::array kBlockFormats{DataFormat::Bfp8,  DataFormat::Bfp4,  DataFormat::Bfp2,
                                   DataFormat::Bfp8a, DataFormat::Bfp4a, DataFormat::Bfp2a};

TEST(SourceCells, Tf32IsFp32WithoutItsLow13Bits) { // core.md 12.5: truncated, denormals kept
  EXPECT_EQ(cell_of(1.0F, DataFormat::Tf32), 0x3F800000U);
  EXPECT_EQ(cell_of(fp32(0xBF803FFFU), DataFormat::Tf32), 0xBF802000U);
  EXPECT_EQ(cell_of(fp32(0x807FFFFFU), DataFormat::Tf32), 0x807FE000U);
  EXPECT_EQ(cell_of(fp32(0x7F800000U), DataFormat::Tf32), 0x7F800000U);
  EXPECT_EQ(cell_of(fp32(0xFFC12345U), DataFormat::Tf32), 0xFFC12000U);
}

TEST(SourceCells, Fp32ArrivesAsBf16) { // core.md 12.5: denormals flushed, low 16 bits cleared
  EXPECT_EQ(cell_of(fp32(0x3F80FFFFU), DataFormat::Fp32), 0x3F800000U);
  EXPECT_EQ(cell_of(fp32(0x807FFFFFU), DataFormat::Fp32), 0x80000000U);
}

TEST(SourceCells, Bf16IsUnpackedAsItIs) { // core.md 12.5: no flush
  for (std::uint32_t datum = 0; datum < 0x10000; ++datum)
    ASSERT_EQ(cell_of(fp32(datum << 16), DataFormat::Bf16), datum << 16);
}

TEST(SourceCells, NumbersForBf16AreRounded) {
  EXPECT_EQ(cell_of(fp32(0x3F80C000U), DataFormat::Bf16), 0x3F810000U);
  EXPECT_EQ(cell_of(fp32(0x3F808000U), DataFormat::Bf16), 0x3F800000U) << "a tie goes to even";
  EXPECT_EQ(cell_of(fp32(0x3FFF8000U), DataFormat::Bf16), 0x40000000U) << "a carry";
  EXPECT_EQ(cell_of(fp32(0x7F7FFFFFU), DataFormat::Bf16), 0x7F800000U);
  EXPECT_EQ(cell_of(fp32(0xFF800001U), DataFormat::Bf16), 0xFFC00000U) << "a NaN stays one";
}

TEST(SourceCells, FormatsWithFiveBitExponents) { // MU 1.2: the low 5 bits of the exponent field
  EXPECT_EQ(cell_of(1.0F, DataFormat::Fp16), 15U << 23);
  EXPECT_EQ(cell_of(-1.5F, DataFormat::Fp16), 1U << 31 | 15U << 23 | 512U << 13);
  EXPECT_EQ(cell_of(1.75F, DataFormat::Fp8), 15U << 23 | 0x300U << 13);
  EXPECT_EQ(cell_of(1e6F, DataFormat::Fp16), 31U << 23 | 0x3FFU << 13) << "saturates";
  EXPECT_EQ(cell_of(-1e6F, DataFormat::Fp8), 1U << 31 | 31U << 23 | 0x300U << 13);
  EXPECT_EQ(cell_of(fp32(0x7FC00000U), DataFormat::Fp16), 31U << 23 | 0x3FFU << 13);
  EXPECT_EQ(cell_of(1e-5F, DataFormat::Fp16), 0U) << "too small for a normal number";
  EXPECT_EQ(cell_of(65536.0F, DataFormat::Fp16), 31U << 23) << "31 is an ordinary exponent";
}

// core.md 11: sign and 7 bits of magnitude; MU 1.2: INT8 has exponent 16, or 0 for zero.
TEST(SourceCells, Int8) {
  EXPECT_EQ(cell_of(5.0F, DataFormat::Int8), 16U << 23 | 5U << 13);
  EXPECT_EQ(cell_of(-127.0F, DataFormat::Int8), 1U << 31 | 16U << 23 | 127U << 13);
  EXPECT_EQ(cell_of(255.0F, DataFormat::Int8), 16U << 23 | 255U << 13) << "unsigned data";
  EXPECT_EQ(cell_of(-0.0F, DataFormat::Int8), 0U);
  for (const float number : {-128.0F, 256.0F, 300.0F, 2.5F, 1e9F, fp32(0x7FC00000U)})
    EXPECT_TRUE(is_refused(number, DataFormat::Int8)) << number;
}

TEST(SourceCells, Int16) { // core.md 11.1: moved to Dst, the 16 bits are there again
  EXPECT_EQ(cell_of(-0x1234.0p0F, DataFormat::Int16), 1U << 31 | 0x34U << 23 | 0x12U << 16);
  EXPECT_EQ(cell_of(32767.0F, DataFormat::Int16), 0xFFU << 23 | 0x7FU << 16);
  for (const float number : {32768.0F, -32768.0F, 0.5F})
    EXPECT_TRUE(is_refused(number, DataFormat::Int16)) << number;
}

/// core-formulas.py, bfp_to_bf16(), written for the value: magnitude of 7 bits, its top bit worth
/// 2^(exponent - 127).
float block_value(unsigned magnitude, int exponent) {
  return std::ldexp(static_cast<float>(magnitude), exponent - 127 - 6);
}

TEST(SourceCells, EveryMagnitudeOfABlock) {
  for (unsigned magnitude = 1; magnitude < 128; ++magnitude) {
    std::array<float, kSourceColumns> row{};
    row[0] = 1.0F; // the largest exponent, or with a magnitude from 64 on not below it
    row[5] = -block_value(magnitude, 127);
    const auto cells = source_cells(row, DataFormat::Bfp8);
    ASSERT_TRUE(cells.has_value());
    EXPECT_EQ((*cells)[5], std::bit_cast<std::uint32_t>(row[5])) << magnitude;
  }
}

TEST(SourceCells, BlocksRoundToEvenAndSaturate) { // core.md 11: no hidden one, min(..., all ones)
  std::array<float, kSourceColumns> row{};
  row[0] = 64.0F;
  row[1] = -1.5F;
  row[2] = 0.5F;
  row[3] = 3.25F;
  const auto bfp8 = source_cells(row, DataFormat::Bfp8); // 7 bits of magnitude: units of 1
  ASSERT_TRUE(bfp8.has_value());
  EXPECT_EQ((*bfp8)[0], std::bit_cast<std::uint32_t>(64.0F));
  EXPECT_EQ((*bfp8)[1], std::bit_cast<std::uint32_t>(-2.0F));
  EXPECT_EQ((*bfp8)[2], 0U);
  EXPECT_EQ((*bfp8)[3], std::bit_cast<std::uint32_t>(3.0F));
  const auto bfp4 = source_cells(row, DataFormat::Bfp4); // 3 bits: units of 16
  EXPECT_EQ((*bfp4)[0], std::bit_cast<std::uint32_t>(64.0F));
  EXPECT_EQ((*bfp4)[3], 0U);
  const auto bfp8a = source_cells(row, DataFormat::Bfp8a);
  EXPECT_EQ((*bfp8a)[3], 16U << 23 | 512U << 13) << "the exponent has 5 bits";
  // 1.999 is nearer to 2, which has another exponent.
  EXPECT_EQ(cell_of(1.999F, DataFormat::Bfp8), std::bit_cast<std::uint32_t>(127 / 64.0F));
  EXPECT_EQ(cell_of(1.999F, DataFormat::Bfp4), std::bit_cast<std::uint32_t>(7 / 4.0F));
  EXPECT_EQ(cell_of(1.999F, DataFormat::Bfp2), std::bit_cast<std::uint32_t>(1.0F));
  EXPECT_EQ(cell_of(1e9F, DataFormat::Bfp8a), 31U << 23 | 0x3F0U << 13) << "beyond 5 bits";
  EXPECT_EQ(cell_of(-1e9F, DataFormat::Bfp2a), 1U << 31 | 31U << 23);
}

TEST(SourceCells, BlocksHaveNoSpecialNumbers) {
  for (const DataFormat format : kBlockFormats) {
    EXPECT_TRUE(is_refused(fp32(0x7F800000U), format));
    EXPECT_TRUE(is_refused(fp32(0xFFC00000U), format));
    EXPECT_EQ(cell_of(-0.0F, format), 0U) << "a zero with a sign would arrive as -infinity";
  }
}

TEST(SourceCells, EveryCellHasNineteenBits) {
  for (unsigned code = 0; code < 16; ++code) {
    std::array<float, kSourceColumns> row{};
    for (unsigned i = 0; i < kSourceColumns; ++i)
      row[i] = std::ldexp(i % 2 == 0 ? 1.2345678F : -1.999999F, static_cast<int>(i) * 3 - 24);
    const bool is_integer = code == 9 || code == 14;
    for (float& number : row)
      number = is_integer ? std::clamp(std::round(number), -127.0F, 255.0F) : number;
    const auto cells = source_cells(row, static_cast<DataFormat>(code));
    const bool exists = code != 8 && code != 12 && code != 13;
    ASSERT_EQ(cells.has_value(), exists) << code;
    if (!exists) continue;
    for (const std::uint32_t cell : *cells) EXPECT_EQ(cell & 0x1FFF, 0U) << code;
  }
}

class SourceBanks : public MatrixRig {};
LANEWISE_ON_BOTH_CHIPS(SourceBanks);

TEST_P(SourceBanks, SetdvalidHandsOverWhatTheUnpackersFill) { // MU 1.2
  for (SourceFile* file : {&srca(), &srcb()}) file->owned_by_matrix_unit = {false, false};
  rig.run_clean("SETDVALID FlipSrcA=1");
  EXPECT_EQ(srca().owned_by_matrix_unit, (std::array<bool, 2>{true, false}));
  EXPECT_EQ(srca().filling, 1);
  EXPECT_EQ(srcb().filling, 0);
  rig.run_clean("SETDVALID FlipSrcA=1, FlipSrcB=1");
  EXPECT_EQ(srca().owned_by_matrix_unit, (std::array<bool, 2>{true, true}));
  EXPECT_EQ(srcb().owned_by_matrix_unit, (std::array<bool, 2>{true, false}));
  EXPECT_EQ(srca().filling, 0);
}

TEST_P(SourceBanks, CleardvalidIsNotGatedByTheDisableBits) { // MU 7, CLEARDVALID
  rig.configure("CLR_DVALID_SrcA_Disable", 1);
  rig.run_clean("CLEARDVALID FlipSrcA=1");
  EXPECT_EQ(srca().owned_by_matrix_unit, (std::array<bool, 2>{false, true}));
  EXPECT_EQ(srca().current, 1);
  rig.run_clean("CLEARDVALID FlipSrcB=1, KeepReadingSameSrc=1");
  EXPECT_EQ(srcb().owned_by_matrix_unit, (std::array<bool, 2>{false, true}));
  EXPECT_EQ(srcb().current, 0);
}

TEST_P(SourceBanks, CleardvalidResets) { // MU 7: all banks to the unpackers, all cursors to 0
  srca().current = srcb().filling = 1;
  expect_fault("CLEARDVALID Reset=1", FaultKind::NonContractual, "22383");
  for (const SourceFile* file : {&srca(), &srcb()}) {
    EXPECT_EQ(file->owned_by_matrix_unit, (std::array<bool, 2>{false, false}));
    EXPECT_EQ(file->current, 0);
    EXPECT_EQ(file->filling, 0);
  }
}

TEST_P(SourceBanks, FlipsHandBackUnlessDisabledAndGoOnInEitherCase) { // MU 1.2
  rig.run_clean("ELWADD FlipSrcA=1");
  EXPECT_EQ(srca().owned_by_matrix_unit, (std::array<bool, 2>{false, true}));
  EXPECT_EQ(srca().current, 1);
  EXPECT_EQ(srcb().current, 0);
  rig.configure("CLR_DVALID_SrcB_Disable", 1);
  rig.run_clean("ELWADD FlipSrcB=1");
  EXPECT_EQ(srcb().owned_by_matrix_unit, (std::array<bool, 2>{true, true}));
  EXPECT_EQ(srcb().current, 1);
}

TEST_P(SourceBanks, FlippingAForeignBankIsReported) { // MU 1.2
  srca().owned_by_matrix_unit[0] = false;
  expect_fault("SETRWC FlipSrcA=1", FaultKind::NonContractual, "SETRWC");
  EXPECT_EQ(srca().current, 1);
  srcb().owned_by_matrix_unit[0] = false;
  expect_fault("CLEARDVALID FlipSrcB=1", FaultKind::NonContractual, "CLEARDVALID");
}

TEST_P(SourceBanks, WaitingForAForeignBankIsReportedAndGoesOn) { // MU 8
  const auto waits = [&](const std::string& instruction) {
    std::string found;
    for (const Fault& fault : rig.run(instruction)) {
      if (fault.kind == FaultKind::Hazard) found += fault.message.substr(0, 24) + ";";
    }
    return found;
  };
  const std::string a = "waits for a bank of SrcA;", b = "waits for a bank of SrcB;";
  srca().owned_by_matrix_unit[0] = srcb().owned_by_matrix_unit[0] = false;
  for (const char* both : {"MVMUL", "DOTPV", "GAPOOL Pool16x16=1", "GMPOOL Pool16x16=1", "ELWADD",
                           "ELWSUB", "ELWMUL", "CONV3S1", "MPOOL3S1", "APOOL3S2"})
    EXPECT_EQ(waits(both), a + b) << both;
  for (const char* only_a : {"MOVA2D", "SHIFTXA Direction=2"})
    EXPECT_EQ(waits(only_a), a) << only_a;
  for (const char* only_b : {"MOVB2D", "MOVB2A", "SHIFTXB", "TRNSPSRCB"})
    EXPECT_EQ(waits(only_b), b) << only_b;
  for (const char* none : {"MOVD2A", "MOVD2B", "MOVDBGA2D", "ZEROACC", "ZEROSRC", "INCRWC DstInc=0",
                           "GATESRCRST", "CLREXPHIST"})
    EXPECT_EQ(waits(none), "") << none;
  rig.run("MOVA2D SrcRow=40, DstRow=4");
  EXPECT_EQ(dst().cell[4][3], stored_bf16(cell_a(0, 40, 3))) << "executed as if it had come";
}

} // namespace
} // namespace lanewise::test
