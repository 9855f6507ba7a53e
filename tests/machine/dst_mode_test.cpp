// Mod0 of SFPLOAD and SFPSTORE on both chips (VU 3.4, C21..C24), and SFPLOADI.
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class DstMode16 : public OnBothChips {
 protected:
  bool blackhole() const { return GetParam() == Arch::Blackhole; }

  /// Lane 0 of a load of one 16-bit cell, into a register that held DEADBEEF.
  std::uint32_t load_16(std::uint16_t cell, std::string_view mode) {
    rig.state().dst.cell[0][0] = cell;
    rig.set_lreg(0, 0xDEADBEEF);
    rig.run_clean(fmt::format("SFPLOAD L0, {}, 3, 0", mode));
    return rig.lreg(0)[0];
  }
  /// The same of a 32-bit datum in storage order.
  std::uint32_t load_32(std::uint32_t datum, std::string_view mode) {
    rig.state().dst.store_32(0, 0, datum);
    rig.run_clean(fmt::format("SFPLOAD L0, {}, 3, 0", mode));
    return rig.lreg(0)[0];
  }
  /// The cell that a store leaves; the low half of a pair must stay untouched.
  std::uint16_t store_16(std::uint32_t value, std::string_view mode) {
    rig.state().dst.cell[8][0] = 0x5555;
    rig.set_lreg(0, value);
    rig.run_clean(fmt::format("SFPSTORE L0, {}, 3, 0", mode));
    EXPECT_EQ(rig.state().dst.cell[8][0], 0x5555) << mode << " writes 16 bits";
    return rig.state().dst.cell[0][0];
  }
  std::uint32_t store_32(std::uint32_t value, std::string_view mode) {
    rig.set_lreg(0, value);
    rig.run_clean(fmt::format("SFPSTORE L0, {}, 3, 0", mode));
    return rig.state().dst.load_32(0, 0);
  }
};
LANEWISE_ON_BOTH_CHIPS(DstMode16);

TEST_P(DstMode16, LoadsOf16Bits) { // VU 3.4
  EXPECT_EQ(load_16(0x8001, "FP16"), 0x80000000U | 113U << 23);
  EXPECT_EQ(load_16(0xC07F, "BF16"), 0xBFC00000U);
  EXPECT_EQ(load_16(0xFFE0, "INT8"), blackhole() ? 0x800000FFU : 0x8000007FU) << "8 or 7 bits";
  EXPECT_EQ(load_16(0xABCD, "UINT16"), 0x0000ABCDU);
  EXPECT_EQ(load_16(0xABCD, "HI16"), 0xABCD0000U);
  EXPECT_EQ(load_16(0xABCD, "INT16"), 0x80002BCDU);
  EXPECT_EQ(load_16(0xABCD, "LO16"), 0x0000ABCDU);
  EXPECT_EQ(load_16(0xABCD, "ZERO"), 0U);
  EXPECT_EQ(load_16(0xABCD, "LO16_ONLY"), 0xDEADABCDU);
  EXPECT_EQ(load_16(0xABCD, "HI16_ONLY"), 0xABCDBEEFU);
  EXPECT_EQ(load_16(0xFFFF, "INT8_COMP"), blackhole() ? 0x800003FFU : 0xFFFFFC01U) << "-1023";
  EXPECT_EQ(load_16(0x8010, "INT8_COMP"), blackhole() ? 0x80000000U : 0U) << "-0";
}

TEST_P(DstMode16, LoadsOf32Bits) {              // VU 3.4: storage is S M7 E8 M16
  constexpr std::uint32_t kStored = 0x807F0001; // 1 0000000 01111111 | 0001
  for (const char* mode : {"FP32", "INT32", "INT32_ALL"})
    EXPECT_EQ(load_32(kStored, mode), 0xBF800001U) << mode;
  EXPECT_EQ(load_32(0x00000001, "FP32"), 1U) << "denormals are not flushed";
  EXPECT_EQ(load_32(kStored, "INT32_SM"), blackhole() ? 0xBF800001U : 0U - 0x3F800001U);
  EXPECT_EQ(load_32(0x80000000, "INT32_SM"), blackhole() ? 0x80000000U : 0U) << "-0";
}

TEST_P(DstMode16, StoresOf16Bits) { // VU 3.4
  EXPECT_EQ(store_16(0x3F800000, "FP16"), 15);
  EXPECT_EQ(store_16(0x7FC00000, "FP16"), 0x7FFF) << "NaN is all ones (VU C24)";
  EXPECT_EQ(store_16(0xBFC0FFFF, "BF16"), 0xC07F) << "truncated";
  EXPECT_EQ(store_16(0x807FFFFF, "BF16"), 0x8000) << "denormals are flushed";
  EXPECT_EQ(store_16(0x7F800001, "BF16"), 0x00FF) << "a NaN can become Inf";
  EXPECT_EQ(store_16(0x80000005, "INT8"), 0x80B0);
  EXPECT_EQ(store_16(0xFFFFFFFB, "INT8_COMP"), blackhole() ? 0xFF70 : 0x80B0)
      << "-5 in two's complement";
  EXPECT_EQ(store_16(0x80012345, "INT16"), 0xA345);
  EXPECT_EQ(store_16(0x12345678, "UINT16"), 0x5678);
  EXPECT_EQ(store_16(0x12345678, "LO16_ONLY"), 0x5678);
  EXPECT_EQ(store_16(0x12345678, "HI16_ONLY"), 0x1234);
  EXPECT_EQ(store_16(0x12345678, "ZERO"), 0);
}

TEST_P(DstMode16, StoresOf32Bits) { // VU 3.4, C23
  for (const char* mode : {"INT32", "INT32_ALL"})
    EXPECT_EQ(store_32(0xBF800001, mode), 0x807F0001U) << mode;
  EXPECT_EQ(store_32(0x00000005, "INT32"), 5U) << "integers are not flushed";
  EXPECT_EQ(store_32(0x12345678, "HI16"), 0x12345678U) << "32 bits, not shuffled";
  EXPECT_EQ(store_32(0x12345678, "LO16"), 0x56781234U) << "rotated by 16";
  EXPECT_EQ(store_32(0xBF800001, "FP32"), 0x807F0001U);
  // -2 in two's complement is 80000002 in sign-magnitude; unconverted, FFFF's exponent and mantissa
  // trade places.
  EXPECT_EQ(store_32(0xFFFFFFFE, "INT32_SM"), blackhole() ? 0xFFFFFFFEU : 0x80000002U);
  EXPECT_EQ(store_32(0x80000000, "INT32_SM"), 0x80000000U) << "-2^31 becomes -0";
}

TEST_P(DstMode16,
       StoreOfFp32FlushesDenormals) { // VU 3.4; on Wormhole as the conformance vectors have it (Q9)
  EXPECT_EQ(store_32(0x80000005, "FP32"), 0x80000000U);
  EXPECT_EQ(store_32(0x007FFFFF, "FP32"), 0U);
  EXPECT_EQ(store_32(0x00800000, "FP32"), 0x00010000U);
}

TEST_P(DstMode16, Halves) { // VU C23: the counterpart of splitting a word over two 16-bit rows
  rig.set_lreg(0, 0x12345678);
  rig.run_clean(R"(
    SFPSTORE L0, HI16_ONLY, 3, 0
    SFPSTORE L0, LO16_ONLY, 3, 4
    SFPLOAD L1, HI16, 3, 0
    SFPLOAD L1, LO16_ONLY, 3, 4
    SFPLOAD L2, LO16, 3, 4
    SFPLOAD L2, HI16_ONLY, 3, 0
  )");
  EXPECT_EQ(rig.lreg(1), all(0x12345678));
  EXPECT_EQ(rig.lreg(2), all(0x12345678));
}

TEST_P(DstMode16, Fp16InfinityIsPerColumn) { // VU C39, 3.4
  std::fill_n(&rig.state().dst.cell[0][0], 64, std::uint16_t{0x7FFF});
  rig.set_lane_config_of(0x0F, lane_config::kEnableFp16aInf);
  rig.run_clean("SFPLOAD L0, FP16, 3, 0");
  EXPECT_EQ(rig.lreg(0), blend(0x0F0F0F0FU, 0x7F800000, (143U << 23) | 0x7FE000U));
}

// ---------------------------------------------------------------- SRCB (VU C21)

/// What SRCB means for a cell: "BF16" or "FP16" or "FP32".
class Srcb : public OnBothChips {
 protected:
  std::string resolved() {
    rig.state().dst.reset();
    rig.state().dst.cell[0][0] = 0x0041; // BF16 41 << 7 = exponent 65; FP16 exponent 1, mantissa 2
    rig.state().dst.cell[8][0] = 0x1234;
    rig.run_clean("SFPLOAD L0, SRCB, 3, 0");
    switch (rig.lreg(0)[0]) {
      case 0x41U << 23: return "BF16";
      case 113U << 23 | 2U << 13: return "FP16";
      case 0x41U << 23 | 0x1234: return "FP32";
      default: return "neither";
    }
  }
  static std::string format_of(unsigned code) {
    for (unsigned bf16 : {0, 4, 5, 6, 7, 8, 9, 15}) {
      if (code == bf16) return "BF16";
    }
    return "FP16";
  }
};
LANEWISE_ON_BOTH_CHIPS(Srcb);

TEST_P(Srcb, FormatCodes) {
  for (unsigned code = 0; code < 16; ++code) {
    rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", code);
    EXPECT_EQ(resolved(), format_of(code)) << code;
  }
}

TEST_P(Srcb, OverrideValueNeedsItsSwitch) {
  rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", 1);
  rig.configure("ALU_FORMAT_SPEC_REG_SrcB_val", 5);
  EXPECT_EQ(resolved(), "FP16");
  rig.configure("ALU_FORMAT_SPEC_REG_SrcB_override", 1);
  EXPECT_EQ(resolved(), "BF16");
  rig.configure("ALU_FORMAT_SPEC_REG_SrcB_val", 10);
  rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", 5);
  EXPECT_EQ(resolved(), "FP16");
}

TEST_P(Srcb, Fp32GoesBeforeEverything) {
  rig.configure("ALU_ACC_CTRL_SFPU_Fp32_enabled", 1);
  rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", 1);
  EXPECT_EQ(resolved(), "FP32");
}

TEST_P(Srcb, ThreadOverrideOfBlackhole) { // VU C21: SFPU_DEST_FMT, before the rest except FP32
  if (GetParam() == Arch::Wormhole) {
    EXPECT_FALSE(rig.machine().set_config("SFPU_DEST_FMT_Enable", 1));
    return;
  }
  rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", 1);
  rig.configure("ALU_FORMAT_SPEC_REG_SrcB_override", 1);
  rig.configure("ALU_FORMAT_SPEC_REG_SrcB_val", 1);
  rig.configure("SFPU_DEST_FMT_Base", 5);
  EXPECT_EQ(resolved(), "FP16") << "not enabled";
  rig.configure("SFPU_DEST_FMT_Enable", 1);
  EXPECT_EQ(resolved(), "BF16");
  rig.configure("ALU_ACC_CTRL_SFPU_Fp32_enabled", 1);
  EXPECT_EQ(resolved(), "FP32");
}

TEST_P(Srcb, StoresResolveAlike) {
  rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", 5);
  rig.run_clean("SFPSTORE L10, SRCB, 3, 0");
  EXPECT_EQ(rig.state().dst.cell[0][0], 0x007F);
  rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", 1);
  rig.run_clean("SFPSTORE L10, SRCB, 3, 0");
  EXPECT_EQ(rig.state().dst.cell[0][0], 15);
  rig.configure("ALU_ACC_CTRL_SFPU_Fp32_enabled", 1);
  rig.run_clean("SFPSTORE L10, SRCB, 3, 0");
  EXPECT_EQ(rig.state().dst.load_32(0, 0), 0x007F0000U);
  if (GetParam() == Arch::Blackhole) { // small integers are lost, INT32 must be asked for (VU C21)
    rig.set_lreg(0, 5);
    rig.run_clean("SFPSTORE L0, SRCB, 3, 0");
    EXPECT_EQ(rig.state().dst.load_32(0, 0), 0U);
  }
}

// ---------------------------------------------------------------- SFPLOADI

class LoadImmediate : public OnBothChips {};
LANEWISE_ON_BOTH_CHIPS(LoadImmediate);

TEST_P(LoadImmediate, Modes) { // seed 000, 3.27; VU 3.4
  const auto loadi = [&](std::string_view operands) {
    rig.set_lreg(1, 0xDEADBEEF);
    rig.run_clean(fmt::format("SFPLOADI L1, {}", operands));
    return rig.lreg(1);
  };
  EXPECT_EQ(loadi("FLOATB, 0x3FC0"), all(0x3FC00000));
  EXPECT_EQ(loadi("FLOATA, 0"), all(0x38000000));
  EXPECT_EQ(loadi("FLOATA, 0xBC00"), all(0xBF800000));
  EXPECT_EQ(loadi("USHORT, 0x8001"), all(0x00008001));
  EXPECT_EQ(loadi("SHORT, 0x8001"), all(0xFFFF8001));
  EXPECT_EQ(loadi("UPPER, 0x1234"), all(0x1234BEEF));
  EXPECT_EQ(loadi("LOWER, 0x1234"), all(0xDEAD1234));
}

TEST_P(LoadImmediate, OtherModesAreUndefined) { // VU section 6
  for (unsigned mode : {3, 5, 6, 7, 9, 11, 12, 13, 14, 15}) {
    const auto faults = rig.run(fmt::format("SFPLOADI L1, {}, 0x1234", mode));
    ASSERT_EQ(faults.size(), 1U) << mode;
    EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
    EXPECT_EQ(rig.lreg(1), all(0)) << "left out";
  }
}

} // namespace
} // namespace lanewise::test
