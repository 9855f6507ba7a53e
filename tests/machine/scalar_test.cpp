// Arithmetic on scalar registers, and configuration read, shifted and masked (core.md 8, 9).
#include "chip/isa/effects.h"
#include "chip/machine/matrix/control.h"
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class Scalar : public OnBothChips {
 protected:
  std::uint32_t result(std::string_view text, std::uint32_t left, std::uint32_t right = 0) {
    rig.state().gpr[1] = left;
    rig.state().gpr[2] = right;
    rig.run_clean(text);
    return rig.state().gpr[3];
  }
};
LANEWISE_ON_BOTH_CHIPS(Scalar);
class ScalarOnBlackhole : public OnBlackhole {};

TEST_P(Scalar, AddsSubtractsAndMultiplies) {
  const auto on = [](std::string_view name) {
    return fmt::format("{} LeftReg=1, RightReg=2, ResultReg=3", name);
  };
  EXPECT_EQ(result(on("ADDDMAREG"), 0xFFFFFFFF, 3), 2U) << "modulo 2^32";
  EXPECT_EQ(result(on("SUBDMAREG"), 2, 3), 0xFFFFFFFFU);
  EXPECT_EQ(result(on("MULDMAREG"), 0x1FFFF, 0x20003), 0xFFFFU * 3) << "the low 16 bits of each";
}

TEST_P(Scalar, TakesAConstantInPlaceOfARegister) {
  EXPECT_EQ(result("ADDDMAREG OpBIsConst=1, LeftReg=1, RightReg=63, ResultReg=3", 100), 163U);
}

TEST_P(Scalar, CombinesShiftsAndCompares) { // modes in the order of the documents
  const auto on = [](std::string_view name, unsigned mode) {
    return fmt::format("{} Mode={}, LeftReg=1, RightReg=2, ResultReg=3", name, mode);
  };
  EXPECT_EQ(result(on("BITWOPDMAREG", 0), 12, 10), 8U);
  EXPECT_EQ(result(on("BITWOPDMAREG", 1), 12, 10), 14U);
  EXPECT_EQ(result(on("BITWOPDMAREG", 2), 12, 10), 6U);
  EXPECT_EQ(result(on("SHIFTDMAREG", 0), 3, 33), 6U) << "the low 5 bits of the amount";
  EXPECT_EQ(result(on("SHIFTDMAREG", 1), 0x80000000, 31), 1U) << "zeros come in";
  EXPECT_EQ(result(on("CMPDMAREG", 0), 0x80000000, 1), 1U) << "without signs";
  EXPECT_EQ(result(on("CMPDMAREG", 1), 0x80000000, 1), 0U);
  EXPECT_EQ(result(on("CMPDMAREG", 2), 5, 5), 1U);
}

TEST_P(Scalar, AModeWithoutMeaningChangesNothing) {
  rig.state().gpr[3] = 77;
  EXPECT_FALSE(rig.run("CMPDMAREG Mode=3, LeftReg=1, RightReg=2, ResultReg=3").empty());
  EXPECT_EQ(rig.state().gpr[3], 77U);
}

TEST_P(Scalar, ReadsAConfigurationWord) {
  rig.state().config.write_shared(1, 0x12345678, ~0U, kMathThread);
  rig.run("RDCFG ResultReg=7, CfgIndex=1");
  EXPECT_EQ(rig.state().gpr[7], 0x12345678U);
}

// core.md Q4: nobody says whether hardware keeps them. Word 2 has one field, in bit 0.
TEST_P(Scalar, BitsOfNoFieldAreReportedWhereTheyAreRead) {
  rig.run_clean("RDCFG ResultReg=7, CfgIndex=2");
  rig.state().config.write_shared(2, 1, ~0U, kMathThread);
  rig.run_clean("RDCFG ResultReg=7, CfgIndex=2");
  rig.state().config.write_shared(2, 0x80000001, ~0U, kMathThread);
  const auto faults = rig.run("RDCFG ResultReg=7, CfgIndex=2");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].rule, "core.md Q4");
  EXPECT_TRUE(leaves_results_valid(faults[0].kind));
  // All four words of a descriptor have a meaning (core.md 12.8).
  for (const char* field : {"THCON_SEC0_REG0_TileDescriptor", "THCON_SEC1_REG0_TileDescriptor"}) {
    const unsigned first =
        isa::config_place(*isa::find_config_field(GetParam(), field)).word_of(GetParam());
    for (unsigned word = first; word < first + 4; ++word) {
      rig.state().config.write_shared(word, ~0U, ~0U, kMathThread);
      rig.run_clean(fmt::format("RDCFG ResultReg=7, CfgIndex={}", word));
    }
  }
}

TEST_P(Scalar, StateResetClearsTheBankOnly) { // core.md 9
  ConfigState& config = rig.state().config;
  config.set(isa::ConfigField::ALU_FORMAT_SPEC_REG0_SrcA, 5);
  config.set(isa::ConfigField::DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 9); // of one copy
  rig.run_clean("WRCFG InputReg=0, CfgIndex=4");
  EXPECT_EQ(config.get(isa::ConfigField::ALU_FORMAT_SPEC_REG0_SrcA), 0U);
  EXPECT_EQ(config.get(isa::ConfigField::DEST_TARGET_REG_CFG_PACK_SEC0_Offset), 9U);
}

TEST_F(ScalarOnBlackhole, AddsAScratchWordToAnAddress) { // what LLK uses it for
  ConfigState& config = rig.state().config;
  config.set(isa::ConfigField::SCRATCH_SEC1_val, 0x40);
  config.write_shared(76, 0x1000, ~0U, kMathThread);
  rig.run_clean(
      "CFGSHIFTMASK DisableMaskOnOldVal=1, Operation=3, MaskWidth=31, RightCshiftAmt=0, "
      "ScratchSel=3, CfgIndex=76");
  EXPECT_EQ(config.shared_word(0, 76), 0x1040U) << "3: the scratch word of the own thread";
}

TEST_F(ScalarOnBlackhole, ReplacesTheMaskedAndRotatedBits) {
  ConfigState& config = rig.state().config;
  config.set(isa::ConfigField::SCRATCH_SEC0_val, 0xFFFF5);
  config.write_shared(76, 0xFFFFFFFF, ~0U, kMathThread);
  // Four bits of the scratch word, 28 to the right around: to bits 7 to 4.
  rig.run_clean(
      "CFGSHIFTMASK Operation=0, MaskWidth=3, RightCshiftAmt=28, ScratchSel=0, "
      "CfgIndex=76");
  EXPECT_EQ(config.shared_word(0, 76), 0xFFFFFF5FU);
}

TEST_P(Scalar, EachThreadHasItsOwnRegistersAndCounters) {
  MachineState& s = rig.state();
  s.gpr[5] = 1;
  s.rwc.dst = 16;
  s.act_for(2);
  EXPECT_EQ(s.gpr[5], 0U);
  EXPECT_EQ(s.rwc.dst, 0U);
  s.gpr[5] = 2;
  s.config.set(isa::ConfigField::DEST_TARGET_REG_CFG_MATH_Offset, 32, 2);
  EXPECT_EQ(s.config.dst_settings().offset, 32U) << "derived for the thread";
  EXPECT_EQ(s.gpr_of(kMathThread)[5], 1U);
  s.act_for(kMathThread);
  EXPECT_EQ(s.gpr[5], 1U);
  EXPECT_EQ(s.gpr_of(2)[5], 2U);
  EXPECT_EQ(s.rwc.dst, 16U);
  EXPECT_EQ(s.config.dst_settings().offset, 0U);
}

/// What an instruction is reported to wait for if no bank is the Matrix Unit's.
NeededSources reported_waits(Rig& rig, isa::Op op) {
  MachineState& s = rig.state();
  s.srca.owned_by_matrix_unit = s.srcb.owned_by_matrix_unit = {};
  const auto word = isa::encode(s.config.arch(), op, {});
  const auto micro_op = decode_micro_op(s.config.arch(), *word, 1);
  s.faults.clear();
  execute(s, std::span(&*micro_op, 1));
  NeededSources waits;
  for (const RuntimeFaultRecord& record : s.faults.records()) {
    waits.srca |= record.what == RuntimeFault::WaitsForSrcA;
    waits.srcb |= record.what == RuntimeFault::WaitsForSrcB;
  }
  return waits;
}

TEST_P(Scalar, NeededSourcesAreThoseThatInstructionsWaitFor) {
  for (const isa::Row& row : isa::rows()) {
    if (!includes(row.chips, GetParam()) || row.unit != isa::Unit::Matrix ||
        isa::executor_of(row.op) != isa::Executor::Machine)
      continue;
    const NeededSources found = reported_waits(rig, row.op), said = needed_sources(row.op);
    EXPECT_EQ(found.srca, said.srca) << row.mnemonic;
    EXPECT_EQ(found.srcb, said.srcb) << row.mnemonic;
  }
}

} // namespace
} // namespace lanewise::test
