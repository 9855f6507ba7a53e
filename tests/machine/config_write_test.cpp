// Configuration written by instructions: SETC16, RMWCIB, SETDMAREG + WRCFG, the two banks (ISA
// BackendConfiguration).
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

using isa::ConfigField;

class ConfigWrite : public OnBothChips {
 protected:
  std::uint32_t get(ConfigField field) { return rig.state().config.get(field); }
  bool blackhole() const { return GetParam() == Arch::Blackhole; }
  /// Exactly one fault: a word that the chip does not have.
  void expect_out_of_range(const std::string& instruction) {
    const auto faults = rig.run("SFPNOP\n" + instruction);
    ASSERT_EQ(faults.size(), 1U) << instruction;
    EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
    EXPECT_EQ(faults[0].line, 2U);
    EXPECT_FALSE(faults[0].lane);
  }
};
LANEWISE_ON_BOTH_CHIPS(ConfigWrite);

TEST_P(ConfigWrite, Setc16WritesAThreadWord) { // VU C21: MATH_Offset is word 1
  rig.run_clean("SETC16 1, 0x0ABC");
  EXPECT_EQ(get(ConfigField::DEST_TARGET_REG_CFG_MATH_Offset), 0xABCU);
  EXPECT_EQ(rig.state().config.get(ConfigField::DEST_TARGET_REG_CFG_MATH_Offset, 0), 0U)
      << "of its own thread";
}

TEST_P(ConfigWrite, Setc16WritesAddrModSections) { // MU 2.1, 3.2
  const ArchParams& chip = arch_params(GetParam());
  rig.run_clean(fmt::format("SETC16 {}, {}\nSETC16 {}, {}", chip.config.addr_mod_dst_word + 1, 6,
                            chip.config.addr_mod_ab_word + chip.config.addr_mod_ab_stride,
                            3 | 5 << 8));
  rig.run_clean("SFPLOAD L8, ZERO, 1, 0");
  EXPECT_EQ(rig.rwc(), (Rwc{.dst = 6, .srca = 3, .srcb = 5}));
}

TEST_P(ConfigWrite, RmwcibChangesMaskedBitsOfOneByte) { // ISA RMWCIB
  // SFPU_Fp32_enabled: word 1, bit 30 = bit 6 of byte 3. REG1_SrcB: word 1, [24:21].
  rig.run_clean("RMWCIB3 0x41, 0xFF, 1");
  EXPECT_EQ(get(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled), 1U);
  EXPECT_EQ(get(ConfigField::ALU_ACC_CTRL_INT8_math_enabled), 0U) << "not in the mask";
  EXPECT_EQ(get(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB), 8U) << "bit 24 is its top bit";
  rig.run_clean("RMWCIB2 0xE0, 0xA0, 1"); // bits 23:21 = 101
  EXPECT_EQ(get(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB), 13U);
  rig.run_clean("RMWCIB3 0x40, 0, 1");
  EXPECT_EQ(get(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled), 0U);
  EXPECT_EQ(get(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB), 13U);
  // SrcB_val: word 0, [8:5], in bytes 0 and 1.
  rig.run_clean("RMWCIB0 0xE0, 0xE0, 0\nRMWCIB1 0x03, 0x02, 0");
  EXPECT_EQ(get(ConfigField::ALU_FORMAT_SPEC_REG_SrcB_val), 7U);
  EXPECT_EQ(get(ConfigField::ALU_FORMAT_SPEC_REG_SrcB_override), 1U);
}

TEST_P(ConfigWrite, SetdmaregWritesHalves) { // ISA SETDMAREG, immediate form: 16 bits in [23:8]
  rig.run_clean(
      "SETDMAREG 3, 0x1234, 0, 8\nSETDMAREG 0, 0x2BCD, 0, 9"); // low and high half of register 4
  EXPECT_EQ(rig.state().gpr[4], 0x2BCDD234U);
  rig.run_clean("SETDMAREG 0, 0, 0, 8");
  EXPECT_EQ(rig.state().gpr[4], 0x2BCD0000U);
}

TEST_P(ConfigWrite, SetdmaregOfSignalsIsRefused) {
  const auto faults = rig.run("SETDMAREG 0, 0, 1, 8");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::Unsupported);
  EXPECT_EQ(faults[0].instruction, "SETDMAREG");
}

TEST_P(ConfigWrite, WrcfgWritesOneWord) {               // ISA WRCFG
  rig.run_clean("SETDMAREG 1, 0, 0, 9\nWRCFG 4, 0, 1"); // 4000 0000: SFPU_Fp32_enabled
  EXPECT_EQ(get(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled), 1U);
}

TEST_P(ConfigWrite, WrcfgWritesFourAlignedWords) {
  for (unsigned i = 0; i < 4; ++i) rig.state().gpr[8 + i] = i == 1 ? 0x40000000U : i == 2 ? 1U : 0U;
  rig.run_clean("WRCFG 10, 1, 3"); // registers 8..11 to words 0..3
  EXPECT_EQ(get(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled), 1U);
  EXPECT_EQ(get(ConfigField::ALU_ACC_CTRL_Zero_Flag_disabled_src), 1U);
}

TEST_P(ConfigWrite, BanksFollowCfgStateId) { // two banks; CFG_STATE_ID of the thread selects
  rig.run_clean("RMWCIB3 0x40, 0x40, 1");
  rig.run_clean("SETC16 0, 1");
  EXPECT_EQ(get(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled), 0U) << "the other bank is untouched";
  rig.run_clean("RMWCIB2 0xE0, 0x20, 1");
  EXPECT_EQ(get(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB), 1U);
  rig.run_clean("SETC16 0, 0");
  EXPECT_EQ(get(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled), 1U);
  EXPECT_EQ(get(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB), 0U);
}

TEST_P(ConfigWrite, SettingsByNameReachBothBanks) {
  rig.run_clean(".cfg ALU_FORMAT_SPEC_REG1_SrcB 5\nSETC16 0, 1");
  EXPECT_EQ(get(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB), 5U);
}

TEST_P(ConfigWrite, SeedIsGlobalAndSeeds) { // VU 3.8: word 186 on Blackhole, 164 on Wormhole
  const unsigned word = blackhole() ? 186 : 164;
  rig.run_clean(
      fmt::format("SETC16 0, 1\nSETDMAREG 0, 1, 0, 0\nSETDMAREG 0, 0, 0, 1\nWRCFG 0, 0, {}", word));
  EXPECT_EQ(rig.prng()[31], 0x044666AAU);
  EXPECT_EQ(rig.prng()[0], 0x8B9E613DU);
  rig.run_clean("SETC16 0, 0");
  EXPECT_EQ(get(ConfigField::PRNG_SEED_Seed_Val), 1U) << "one copy for both banks";
  rig.run_clean(fmt::format("RMWCIB0 0xFF, 0, {}", word));
  EXPECT_EQ(rig.prng()[31], 0x02233355U);
}

TEST_P(ConfigWrite, DestBaseIsReportedWhereItIsWritten) { // VU C17
  const auto faults = rig.run("SFPNOP\nRMWCIB0 0xFF, 4, 6");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::NonContractual);
  EXPECT_EQ(faults[0].instruction, "RMWCIB0");
  EXPECT_EQ(faults[0].line, 2U);
  rig.run_clean("RMWCIB0 0xFF, 0, 6");
}

TEST_P(ConfigWrite, WordsThatTheChipLacks) { // ISA BackendConfiguration: sizes of the two spaces
  const unsigned shared = blackhole() ? 224 : 188;
  const unsigned thread = blackhole() ? 68 : 57;
  expect_out_of_range(fmt::format("RMWCIB0 0xFF, 1, {}", shared));
  expect_out_of_range(fmt::format("WRCFG 0, 0, {}", shared));
  expect_out_of_range("WRCFG 0, 0, 2047");
  expect_out_of_range(fmt::format("SETC16 {}, 1", thread));
  rig.run_clean(fmt::format("RMWCIB0 0xFF, 1, {}\nSETC16 {}, 1", shared - 1, thread - 1));
}

TEST_P(ConfigWrite, NamesAndValuesAreChecked) {
  const auto unknown = rig.machine().set_config("NO_SUCH_FIELD", 1);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, FaultKind::BadInput);
  const auto wide = rig.machine().set_config("ALU_FORMAT_SPEC_REG1_SrcB", 16);
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().kind, FaultKind::BadInput);
  EXPECT_TRUE(rig.machine().set_config("ALU_FORMAT_SPEC_REG1_SrcB", 15));
}

} // namespace
} // namespace lanewise::test
