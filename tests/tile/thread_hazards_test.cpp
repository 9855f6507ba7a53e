// Hazards within a thread, found by what it executes (core.md 6, 8, 9).
#include "chip/tile/thread_hazards.h"

#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

class ThreadHazard : public Datacopy {
 protected:
  /// What the programs lead to, a sentence each.
  std::vector<std::string> found_in(const std::array<std::string, 3>& texts) {
    tile::ThreadHazards hazards(GetParam());
    rig.tile.watch = [&](const tile::Executed& executed) { hazards.observe(executed); };
    EXPECT_TRUE(rig.run_all(texts).blocked.empty());
    std::vector<std::string> sentences;
    for (const Fault& fault : hazards.faults()) {
      EXPECT_EQ(fault.kind, FaultKind::Hazard);
      sentences.push_back(to_string(fault));
    }
    return sentences;
  }
  std::vector<std::string> found_in(const std::string& math) { return found_in({"", math, ""}); }

  /// STALLWAIT that holds the Sync Unit until a unit is idle.
  std::string wait_before_sync(WaitFor unit) const {
    const auto& conditions = arch_params(GetParam()).tile.wait_conditions;
    const auto bit = std::ranges::find(conditions, unit) - conditions.begin();
    return fmt::format("STALLWAIT BlockMask=2, ConditionMask={}\n", 1U << bit);
  }
};
LANEWISE_ON_BOTH_CHIPS(ThreadHazard);

TEST_P(ThreadHazard, APostWhileTheMatrixUnitWorksIsFound) {
  auto texts = programs(); // T1 posts behind MOVA2D, T2 takes behind PACR
  const auto found = found_in(texts);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0].find("SEMPOST"), std::string::npos) << found[0];
  EXPECT_NE(found[1].find("SEMGET"), std::string::npos) << found[1];
}

TEST_P(ThreadHazard, TheMendThatIsPrintedMendsIt) {
  auto texts = programs();
  texts[1].insert(texts[1].find("SEMPOST"), wait_before_sync(WaitFor::MatrixUnit));
  texts[2].insert(texts[2].find("SEMGET"), wait_before_sync(WaitFor::Packer));
  EXPECT_EQ(found_in(texts), std::vector<std::string>());
}

TEST_P(ThreadHazard, AWaitForAnotherUnitMendsNothing) {
  auto texts = programs();
  texts[1].insert(texts[1].find("SEMPOST"), wait_before_sync(WaitFor::VectorUnit));
  texts[2].insert(texts[2].find("SEMGET"), wait_before_sync(WaitFor::Packer));
  EXPECT_EQ(found_in(texts).size(), 1U);
}

/// T1 hands a bank back, does something else, waits for the next one, and writes it from Dst.
std::array<std::string, 3> moves_from_dst(Arch arch, char source, unsigned between,
                                          std::vector<WaitFor> waits) {
  std::uint32_t mask = 0;
  const auto& conditions = arch_params(arch).tile.wait_conditions;
  for (unsigned bit = 0; bit < conditions.size(); ++bit)
    if (std::ranges::find(waits, conditions[bit]) != waits.end()) mask |= 1U << bit;
  const std::string gives = fmt::format("SETDVALID FlipSrc{}=1\n", source);
  std::string math = fmt::format("SETRWC FlipSrc{}=1\n", source);
  for (unsigned i = 0; i < between; ++i) math += "NOP\n";
  math += fmt::format("STALLWAIT BlockMask=64, ConditionMask={}\n", mask);
  for (unsigned row : {0U, 4U}) math += fmt::format("MOVD2{} DstRow={}\n", source, row);
  return {gives + gives, math, ""};
}

// tt-metal 52252, 55106: the owner of a bank may be stale while the Matrix Unit still works.
TEST_P(ThreadHazard, AWaitForABankLooksAtTheOneBefore) {
  for (const char source : {'A', 'B'}) {
    const WaitFor filled = source == 'A' ? WaitFor::SrcAFilled : WaitFor::SrcBFilled;
    for (unsigned between = 0; between < 8; ++between) {
      const auto found = found_in(moves_from_dst(GetParam(), source, between, {filled}));
      EXPECT_EQ(found.size(), between < 5 ? 1U : 0U) << source << between;
      if (!found.empty()) {
        EXPECT_NE(found[0].find(fmt::format("MOVD2{}", source)), std::string::npos) << found[0];
        EXPECT_NE(found[0].find("wait for the Matrix Unit"), std::string::npos) << found[0];
      }
    }
    EXPECT_EQ(found_in(moves_from_dst(GetParam(), source, 0, {filled, WaitFor::MatrixUnit})),
              std::vector<std::string>());
  }
}

TEST_P(ThreadHazard, ARegisterIsReadBeforeItsValueHasCome) { // ISA LOADIND
  const std::string load = "LOADIND Size=1, OffsetHalfReg=0, ResultReg=5, AddrReg=1\n";
  const std::string use = "ADDDMAREG ResultReg=6, RightReg=5, LeftReg=5\n";
  EXPECT_EQ(found_in(load + use).size(), 1U);
  EXPECT_EQ(found_in(load + "FLUSHDMA ConditionMask=1\n" + use).size(), 0U);
  EXPECT_EQ(found_in(load + "STALLWAIT BlockMask=32, ConditionMask=1\n" + use).size(), 0U);
  EXPECT_EQ(found_in(load + "ADDDMAREG ResultReg=6, RightReg=7, LeftReg=7\n").size(), 0U);
}

// RDCFG takes 2 cycles or more, and no condition of STALLWAIT knows of it (ISA ConfigurationUnit).
TEST_P(ThreadHazard, AReadOfConfigurationIsLateForWhatComesRightBehind) {
  const std::string read = "RDCFG ResultReg=5, CfgIndex=0\n";
  const std::string use = "ADDDMAREG ResultReg=6, RightReg=5, LeftReg=5\n";
  const auto found = found_in(read + use);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("put a NOP in between"), std::string::npos) << found[0];
  EXPECT_EQ(found_in(read + "NOP\n" + use).size(), 0U);
  EXPECT_EQ(found_in(read + "ADDDMAREG ResultReg=6, RightReg=7, LeftReg=7\n").size(), 0U);
}

TEST_P(ThreadHazard, HalfARegisterIsSetBeforeTheRestHasCome) {
  const std::string set = "SETDMAREG 0, 0, 0, 11\n"; // the upper half of register 5
  EXPECT_EQ(found_in("RDCFG ResultReg=5, CfgIndex=0\n" + set).size(), 1U);
  EXPECT_EQ(found_in("LOADIND Size=1, OffsetHalfReg=0, ResultReg=5, AddrReg=1\n" + set).size(), 1U);
  EXPECT_EQ(found_in("RDCFG ResultReg=6, CfgIndex=0\n" + set).size(), 0U);
}

TEST_P(ThreadHazard, ConfigurationCountsFromTheSecondInstructionOn) { // ISA WRCFG
  const std::string write = "WRCFG InputReg=0, CfgIndex=0\n", use = "ZEROACC Mode=3, Imm10=0\n";
  EXPECT_EQ(found_in(write + use).size(), 1U);
  EXPECT_EQ(found_in(write + "NOP\n" + use).size(), 0U);
  EXPECT_EQ(found_in(write + "SETDMAREG 0, 0, 0, 0\n").size(), 0U) << "reads no configuration";
}

} // namespace
} // namespace lanewise::test
