// What the documents say of scalar registers, configuration writes and memory by register, fact by
// fact (core.md 8, 9).
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

class Scalar : public TileOnBothChips {
 protected:
  std::uint32_t& gpr(unsigned index, unsigned thread = 0) {
    return rig.machine().gpr_of(thread)[index];
  }
  std::uint32_t word(unsigned bank, unsigned index) {
    return rig.machine().config.shared_word(bank, index);
  }
  std::uint32_t l1(std::uint32_t address, unsigned bytes = 4) {
    return rig.state().l1.load(address, bytes);
  }
  void set_l1(std::uint32_t address, std::uint32_t value) {
    rig.state().l1.store(address, 4, value);
  }
};
LANEWISE_ON_BOTH_CHIPS(Scalar);

TEST_P(Scalar, SetdmaregWritesHalves) {
  gpr(3) = 0x11112222;
  // 0xABCD: the low 14 bits stand in one field, the upper two in the other.
  rig.run(0,
          "SETDMAREG PayloadSigSelSize=2, PayloadSigSel=11213, SetSignalsMode=0, "
          "ResultHalfReg=7");
  EXPECT_EQ(gpr(3), 0xABCD2222U);
}

TEST_P(Scalar, Arithmetic) {
  gpr(1) = 0xFFFF0003;
  gpr(2) = 0x00010005;
  rig.run(0,
          "ADDDMAREG ResultReg=10, RightReg=2, LeftReg=1\n"
          "SUBDMAREG ResultReg=11, RightReg=2, LeftReg=1\n"
          "MULDMAREG ResultReg=12, RightReg=2, LeftReg=1\n"
          "ADDDMAREG OpBIsConst=1, ResultReg=13, RightReg=63, LeftReg=1");
  EXPECT_EQ(gpr(10), 8U) << "modulo 2^32";
  EXPECT_EQ(gpr(11), 0xFFFDFFFEU) << "left less right";
  EXPECT_EQ(gpr(12), 15U) << "of the low 16 bits each";
  EXPECT_EQ(gpr(13), 0xFFFF0042U);
}

TEST_P(Scalar, ComparisonsAreUnsignedAndGiveOneBit) {
  gpr(1) = 0x80000000;
  gpr(2) = 1;
  constexpr std::uint32_t kCmp = 0x5D000000;
  for (std::uint32_t mode = 0; mode < 3; ++mode) {
    rig.tile.push(0, {kCmp | mode << 18 | (10 + mode) << 12 | 2 << 6 | 1, 1});
    rig.tile.step(0);
  }
  EXPECT_EQ(gpr(10), 1U) << "greater";
  EXPECT_EQ(gpr(11), 0U) << "less";
  EXPECT_EQ(gpr(12), 0U) << "equal";
}

TEST_P(Scalar, ThreadsHaveTheirOwnRegisters) {
  gpr(1, 1) = 7;
  rig.run(1, "ADDDMAREG OpBIsConst=1, ResultReg=1, RightReg=1, LeftReg=1");
  EXPECT_EQ(gpr(1, 1), 8U);
  EXPECT_EQ(gpr(1, 0), 0U);
}

TEST_P(Scalar, WrcfgWritesTheThreadsBank) {
  rig.set("CFG_STATE_ID_StateID", 1, 0);
  gpr(5) = 0x12345678;
  rig.run(0, "WRCFG InputReg=5, Is128Bit=0, CfgIndex=50");
  EXPECT_EQ(word(1, 50), 0x12345678U);
  EXPECT_EQ(word(0, 50), 0U);
}

TEST_P(Scalar, WrcfgOf128BitsRoundsBothIndicesDown) {
  for (unsigned i = 0; i < 4; ++i) gpr(8 + i) = 0x100 + i;
  rig.run(0, "WRCFG InputReg=10, Is128Bit=1, CfgIndex=51");
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(word(0, 48 + i), 0x100 + i);
}

TEST_P(Scalar, GlobalWordsAreInBothBanks) {
  const unsigned global = is_blackhole() ? 180 : 152;
  gpr(5) = 0x321;
  rig.run(0, fmt::format("WRCFG InputReg=5, Is128Bit=0, CfgIndex={}", global));
  EXPECT_EQ(word(0, global), 0x321U);
  EXPECT_EQ(word(1, global), 0x321U);
}

TEST_P(Scalar, RmwcibChangesTheBitsOfItsMask) {
  rig.machine().config.write_shared(50, 0xAABBCCDD, ~0U, 0);
  rig.run(0, "RMWCIB2 Mask=15, NewValue=65, Index4=50");
  EXPECT_EQ(word(0, 50), 0xAAB1CCDDU);
}

TEST_P(Scalar, RdcfgReadsBack) {
  rig.machine().config.write_shared(50, 0xAABBCCDD, ~0U, 0);
  rig.run(0, "RDCFG ResultReg=9, CfgIndex=50");
  EXPECT_EQ(gpr(9), 0xAABBCCDDU);
}

TEST_P(Scalar, Setc16IsTheThreadsOwn) {
  rig.run(2, "SETC16 CfgIndex=20, NewValue=4660");
  EXPECT_EQ(rig.machine().config.thread_word(2, 20), 0x1234U);
  EXPECT_EQ(rig.machine().config.thread_word(0, 20), 0U);
}

TEST_P(Scalar, CfgshiftmaskAddsARotatedScratch) {
  if (!is_blackhole()) GTEST_SKIP() << "Wormhole has none";
  rig.machine().config.write_shared(209 + 2, 0x00000F34, ~0U, 0); // SCRATCH_SEC2
  rig.machine().config.write_shared(50, 0x00000010, ~0U, 0);
  // Scratch of its own thread (3), 8 bits of it (width 7), rotated right by 28: left by 4; ADD,
  // nothing of the old value masked out.
  rig.tile.push(2, {0xB8000000U | 1U << 23 | 3U << 20 | 7U << 15 | 28U << 10 | 3U << 8 | 50, 1});
  ASSERT_TRUE(rig.tile.step(2));
  EXPECT_EQ(word(0, 50), 0x350U);
}

TEST_P(Scalar, LoadindCountsItsOffsetOn) {
  gpr(1) = 0x20000 / 16;
  gpr(2) = 0xFFFF0004; // the low half is the offset
  set_l1(0x20004, 0xCAFEF00D);
  gpr(9) = 0x11111111;
  // 16 bits; the offset is half-register 4; mode 3 adds 16.
  rig.tile.push(0, {0x49000000U | 2U << 22 | 4U << 14 | 3U << 12 | 9U << 6 | 1, 1});
  ASSERT_TRUE(rig.tile.step(0));
  EXPECT_EQ(gpr(9), 0x1111F00DU) << "the upper half stays";
  EXPECT_EQ(gpr(2), 0xFFFF0014U);
}

TEST_P(Scalar, StoreindOf128BitsRoundsTheAddressDown) {
  gpr(1) = 0x20000 / 16;
  gpr(2) = 4;
  for (unsigned i = 0; i < 4; ++i) gpr(8 + i) = 0x50 + i;
  rig.tile.push(0, {0x66800000U | 4U << 14 | 9U << 6 | 1, 1}); // size 0 in bits 22:21
  ASSERT_TRUE(rig.tile.step(0));
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(l1(0x20000 + 4 * i), 0x50 + i);
}

TEST_P(Scalar, AtincgetCountsInSoManyBitsAndGivesTheOldValue) {
  gpr(1) = 0x20000 / 16;
  gpr(9) = 3;
  set_l1(0x20008, 0xABCD000E);
  rig.run(0, "ATINCGET MemHierSel=0, IntWidth=3, Ofs=2, InOutReg=9, AddrReg=1");
  EXPECT_EQ(l1(0x20008), 0xABCD0001U) << "4 bits: 14 and 3 are 1";
  EXPECT_EQ(gpr(9), 0xABCD000EU);
}

TEST_P(Scalar, AtswapWritesTheHalvesThatItsMaskNames) {
  gpr(1) = 0x20000 / 16;
  gpr(8) = 0x11112222;
  gpr(9) = 0x33334444;
  rig.run(0, "ATSWAP MemHierSel=0, Mask=6, DataReg=8, AddrReg=1");
  EXPECT_EQ(l1(0x20000), 0x11110000U);
  EXPECT_EQ(l1(0x20004), 0x00004444U);
  EXPECT_EQ(gpr(8), 0x11112222U) << "nothing comes back";
}

TEST_P(Scalar, AtcasWaitsForAValue) {
  gpr(1) = 0x20000 / 16;
  set_l1(0x20000, 5);
  rig.run(0, "ATCAS MemHierSel=0, SetVal=9, CmpVal=4, Ofs=0, DataReg=0, AddrReg=1");
  EXPECT_EQ(rig.tile.wait(0).cause, tile::WaitCause::Memory);
  set_l1(0x20000, 4);
  EXPECT_TRUE(rig.tile.step(0));
  EXPECT_EQ(l1(0x20000), 9U);
}

TEST_P(Scalar, Reg2flopWritesThconOnWormhole) {
  if (is_blackhole()) GTEST_SKIP() << "not known there";
  gpr(4) = 0x77;
  rig.tile.push(0, {0x48000000U | 1U << 22 | 5U << 6 | 4, 1}); // 32 bits, word 52 + 5
  ASSERT_TRUE(rig.tile.step(0));
  EXPECT_EQ(word(0, 57), 0x77U);
}

} // namespace
} // namespace lanewise::test
