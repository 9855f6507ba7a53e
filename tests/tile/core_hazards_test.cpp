// What cores store, load and push goes different ways (core.md 3; ISA MemoryOrdering, AutoTTSync).
#include "chip/tile/core_hazards.h"

#include <optional>

#include "tile/core_addresses.h"
#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::uint32_t kMailboxOfT1 = kMailboxes + 0x2000;

class CoreHazard : public Datacopy {
 protected:
  void SetUp() override {
    Datacopy::SetUp();
    watch();
  }

  /// A new watch, of a chip that is told not to keep the order by itself.
  void watch() {
    hazards.emplace(rig.tile);
    rig.tile.watch = [this](const tile::Executed& each) { hazards->observe(each); };
    rig.tile.watch_core = [this](unsigned core, const tile::CoreAction& action) {
      hazards->act(core, action);
    };
    if (is_blackhole()) {
      for (unsigned thread : {0U, 1U}) rig.run(thread, "SETC16 56, 0\n");
    }
  }

  void store(std::uint32_t address, std::uint32_t value = 1, unsigned core = 0) {
    const auto done = rig.tile.store(core, address, 4, value, 0);
    ASSERT_TRUE(done.has_value() && *done);
  }
  void load(std::uint32_t address, unsigned core = 0) {
    const auto done = rig.tile.load(core, address, 4);
    ASSERT_TRUE(done.has_value() && done->has_value());
  }
  std::uint32_t word_of(std::string_view field) const {
    return kConfig +
           4 * isa::config_place(*isa::find_config_field(GetParam(), field)).word_of(GetParam());
  }
  /// STALLWAIT for the core's stores, or for something else.
  std::string wait(unsigned blocks, WaitFor what = WaitFor::CoreRequest) const {
    return fmt::format("STALLWAIT BlockMask={}, ConditionMask={}\n", blocks,
                       1U << wait_condition(GetParam(), what));
  }
  std::vector<std::string> found() const {
    std::vector<std::string> sentences;
    for (const Fault& fault : hazards->faults()) {
      EXPECT_EQ(fault.kind, FaultKind::Hazard);
      sentences.push_back(to_string(fault));
    }
    return sentences;
  }
  /// That one thing was found, about this instruction, with these words of its sentence.
  void expect_one(std::string_view instruction, std::string_view words) {
    const auto all = found();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_NE(all[0].find(instruction), std::string::npos) << all[0];
    EXPECT_NE(all[0].find(words), std::string::npos) << all[0];
  }
  void expect_none() { EXPECT_EQ(found(), std::vector<std::string>()); }

  std::optional<tile::CoreHazards> hazards;
};
LANEWISE_ON_BOTH_CHIPS(CoreHazard);

constexpr unsigned kBlockUnpack = 1U << 3, kBlockScalar = 1U << 5, kBlockConfig = 1U << 7;
constexpr const char* kUnpack = "UNPACR WhichUnpacker=0, Last=1\n";
constexpr const char* kReadsRegister5 = "ADDDMAREG ResultReg=6, RightReg=5, LeftReg=5\n";

TEST_P(CoreHazard, AnUnpackerMayNotSeeTheAddressThatItsCoreHasStored) {
  store(word_of("THCON_SEC0_REG3_Base_address"), kIn / 16 - 1);
  rig.run(0, kUnpack);
  expect_one("UNPACR", "T0: may not see what its core has stored");
}

TEST_P(CoreHazard, AWaitForTheCoresStoresIsEnough) {
  store(word_of("THCON_SEC0_REG3_Base_address"), kIn / 16 - 1);
  rig.run(0, wait(kBlockUnpack) + kUnpack);
  expect_none();
}

TEST_P(CoreHazard, AWaitThatHoldsAnotherUnitIsNot) {
  store(word_of("THCON_SEC0_REG3_Base_address"), kIn / 16 - 1);
  rig.run(0, wait(kBlockConfig) + kUnpack);
  expect_one("UNPACR", "core has stored");
}

TEST_P(CoreHazard, AWaitForSomethingElseIsNot) {
  store(word_of("THCON_SEC0_REG3_Base_address"), kIn / 16 - 1);
  rig.run(0, wait(kBlockUnpack, WaitFor::Unpacker0) + kUnpack);
  expect_one("UNPACR", "core has stored");
}

TEST_P(CoreHazard, AWaitThatIsPushedBeforeTheStoreIsNot) {
  rig.run(0, wait(kBlockUnpack));
  store(word_of("THCON_SEC0_REG3_Base_address"), kIn / 16 - 1);
  rig.run(0, kUnpack);
  expect_one("UNPACR", "core has stored");
}

TEST_P(CoreHazard, WhatTheUnitDoesNotLookAtMayBeLate) {
  store(word_of("THCON_SEC0_REG1_L1_Dest_addr")); // the packers'
  rig.run(0, kUnpack);
  expect_none();
}

TEST_P(CoreHazard, AStoreBehindThePushIsAnotherMatter) {
  rig.run(0, kUnpack);
  store(word_of("THCON_SEC0_REG3_Base_address"), kIn / 16 - 1);
  expect_none();
}

TEST_P(CoreHazard, AStoreIsDoneWhenTheCoreHasLoadedItBack) {
  store(kGprs + 4 * 5);
  store(kGprs + 4 * 6);
  load(kGprs + 4 * 6); // the later one: then both are done
  rig.run(0, kReadsRegister5);
  expect_none();
}

TEST_P(CoreHazard, ALoadOfAnEarlierStoreSaysNothingOfALaterOne) {
  store(kGprs + 4 * 6);
  store(kGprs + 4 * 5);
  load(kGprs + 4 * 6);
  rig.run(0, kReadsRegister5);
  expect_one("ADDDMAREG", "scalar register");
}

TEST_P(CoreHazard, ALoadBackIsBehindStoresToTheOtherRegion) {
  const std::uint32_t address = word_of("THCON_SEC0_REG3_Base_address");
  store(kGprs + 4 * 5);
  store(address, kIn / 16 - 1);
  load(address);
  rig.run(0, kReadsRegister5);
  expect_none();
  load(address);
  store(kGprs + 4 * 5); // which no load is behind
  rig.run(0, kReadsRegister5);
  expect_one("ADDDMAREG", "core has stored");
}

TEST_P(CoreHazard, CountersAndBanksHaveNoFormats) {
  store(word_of("ALU_FORMAT_SPEC_REG0_SrcA"));
  rig.run(0, "SETRWC Dst=1\n");
  expect_none();
  rig.run(0, "ZEROACC Mode=3\n");
  expect_one("ZEROACC", "core has stored");
}

TEST_P(CoreHazard, ARegisterThatGoesToConfigurationMayBeTheOldOne) {
  store(kGprs + 4 * 5);
  rig.run(0, "WRCFG InputReg=5, CfgIndex=90\n");
  expect_one("WRCFG", "core has stored");
}

TEST_P(CoreHazard, FourRegistersAreFour) {
  store(kGprs + 4 * 7);
  rig.run(0, "WRCFG InputReg=4, Is128Bit=1, CfgIndex=88\n");
  expect_one("WRCFG", "core has stored");
}

TEST_P(CoreHazard, AStoreIsTakenToBeDoneSomeTime) {
  for (const unsigned between : {30U, 31U, 32U, 33U}) {
    watch();
    store(kGprs + 4 * 5);
    for (unsigned i = 0; i < between; ++i) store(0x30000 + 4 * i);
    rig.run(0, kReadsRegister5); // the push counts
    EXPECT_EQ(found().size(), between < 32 ? 1U : 0U) << between;
  }
}

TEST_P(CoreHazard, AnotherRegisterIsNoMatter) {
  store(kGprs + 4 * 7);
  rig.run(0, kReadsRegister5);
  expect_none();
}

TEST_P(CoreHazard, TheCoreHasWaitedForItsThread) {
  store(kGprs + 4 * 5);
  load(kIdle);
  rig.run(0, kReadsRegister5);
  expect_none();
}

TEST_P(CoreHazard, AnotherCoreIsToldBeforeTheStoreIsDone) {
  for (const std::uint32_t tells : {kMailboxOfT1, kSemaphores}) {
    const std::uint32_t word = word_of("ALU_FORMAT_SPEC_REG0_SrcA");
    store(word, 0);
    store(tells, 0);
    rig.run(1, "ZEROACC Mode=3\n");
    expect_one("ZEROACC", "T1: may not see what another core has stored");
    watch();
    store(word, 0);
    load(word);
    store(tells, 0);
    rig.run(1, "ZEROACC Mode=3\n");
    expect_none();
  }
}

// A core's queue has four stores, so three behind a push drive it out.
TEST_P(CoreHazard, ALoadMayComeBeforeAnInstruction) {
  for (unsigned between = 0; between < 5; ++between) {
    watch();
    rig.run(0, "SETDMAREG 0, 7, 0, 10\n");
    for (unsigned i = 0; i < between; ++i) store(0x30000 + 4 * i);
    load(kGprs + 4 * 5);
    EXPECT_EQ(found().size(), between < 3 ? 1U : 0U) << between;
  }
  watch();
  rig.run(0, "SETDMAREG 0, 7, 0, 10\n");
  load(kIdle);
  load(kGprs + 4 * 5);
  expect_none();
  rig.run(0, "SETDMAREG 0, 7, 0, 10\n");
  load(kGprs + 4 * 6);
  expect_none();
}

// Blackhole keeps the order by itself, unless the thread wants something else (ISA AutoTTSync).
TEST_P(CoreHazard, BlackholeKeepsTheOrderOfWhatIsTracked) {
  if (!is_blackhole()) GTEST_SKIP() << "Wormhole has nothing of the kind";
  constexpr unsigned kConfigBit = 1, kRegisterBit = 4, kInstructionBit = 16;
  for (const unsigned tracks :
       {0U, kConfigBit, kRegisterBit, kInstructionBit, kRegisterBit | kInstructionBit,
        kConfigBit | kInstructionBit, kConfigBit | kRegisterBit | kInstructionBit}) {
    hazards.emplace(rig.tile);
    rig.run(0, fmt::format("SETC16 56, {}\n", tracks));
    const bool is_on = (tracks & kInstructionBit) != 0;
    store(kGprs + 4 * 5);
    rig.run(0, kReadsRegister5);
    EXPECT_EQ(found().size(), is_on && (tracks & kRegisterBit) != 0 ? 0U : 1U) << tracks;
    hazards.emplace(rig.tile);
    rig.run(0, fmt::format("SETC16 56, {}\n", tracks));
    store(word_of("THCON_SEC0_REG3_Base_address"), kIn / 16 - 1);
    rig.run(0, kUnpack);
    EXPECT_EQ(found().size(), is_on && (tracks & kConfigBit) != 0 ? 0U : 1U) << tracks;
  }
  hazards.emplace(rig.tile);
  store(kGprs + 4 * 5);
  rig.run(0, kReadsRegister5);
  expect_none();
}

} // namespace
} // namespace lanewise::test
