// RWCs: ADDR_MOD (MU 3.2), SETRWC and INCRWC (MU 7).
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class Counters : public OnBothChips {
 protected:
  void set_section(unsigned index, const AddrModSection& section) {
    rig.state().config.set_addr_mod(index, section);
  }
  /// Applies a section through an SFPLOAD without destination.
  void apply(unsigned field) { rig.run_clean(fmt::format("SFPLOAD L8, ZERO, {}, 0", field)); }
};
LANEWISE_ON_BOTH_CHIPS(Counters);
class CountersOnBlackhole : public OnBlackhole {};
class CountersOnWormhole : public OnWormhole {};

TEST_P(Counters,
       IncrementCarryReturnAndClear) { // MU 3.2: clear wins over carry return over increment
  rig.rwc() = {
      .dst = 100, .dst_cr = 40, .srca = 10, .srca_cr = 4, .srcb = 20, .srcb_cr = 8, .fidelity = 2};
  const Rwc start = rig.rwc();
  set_section(
      1, {.dst_increment = 8, .srca_increment = 3, .srcb_increment = 5, .fidelity_increment = 1});
  apply(1);
  EXPECT_EQ(rig.rwc().dst, 108U);
  EXPECT_EQ(rig.rwc().dst_cr, 40U) << "the copy stays";
  EXPECT_EQ(rig.rwc().srca, 13U);
  EXPECT_EQ(rig.rwc().srcb, 25U);
  EXPECT_EQ(rig.rwc().fidelity, 2U) << "SFPLOAD leaves the fidelity counter alone (VU C19)";

  rig.rwc() = start;
  set_section(1, {.dst_increment = 8,
                  .dst_cr = true,
                  .srca_increment = 3,
                  .srca_cr = true,
                  .srcb_increment = 5,
                  .srcb_cr = true});
  apply(1);
  EXPECT_EQ(rig.rwc(), (Rwc{.dst = 48,
                            .dst_cr = 48,
                            .srca = 7,
                            .srca_cr = 7,
                            .srcb = 13,
                            .srcb_cr = 13,
                            .fidelity = 2}));

  rig.rwc() = start;
  set_section(1, {.dst_increment = 8,
                  .dst_cr = true,
                  .dst_clear = true,
                  .srca_cr = true,
                  .srca_clear = true,
                  .srcb_clear = true,
                  .fidelity_clear = true});
  apply(1);
  EXPECT_EQ(rig.rwc(), Rwc{.fidelity = 2});

  rig.rwc() = start;
  set_section(1, {.dst_increment = 8, .dst_c_to_cr = true});
  apply(1);
  EXPECT_EQ(rig.rwc().dst, 108U);
  EXPECT_EQ(rig.rwc().dst_cr, 108U) << "counter to copy";

  rig.rwc() = start;
  set_section(1, {.dst_increment = 8, .dst_clear = true, .dst_c_to_cr = true});
  apply(1);
  EXPECT_EQ(rig.rwc().dst, 0U) << "clear comes first";
  EXPECT_EQ(rig.rwc().dst_cr, 0U);
}

TEST_P(Counters, WrapAtTheirWidths) { // MU 3.1: 10 and 6 bits; a two's complement step works
  rig.rwc() = {.dst = 1020, .srca = 60, .srcb = 63};
  set_section(1, {.dst_increment = 8, .srca_increment = 8, .srcb_increment = 1});
  apply(1);
  EXPECT_EQ(rig.rwc(), (Rwc{.dst = 4, .srca = 4, .srcb = 0}));
  set_section(1, {.dst_increment = 0x3FE});
  apply(1);
  EXPECT_EQ(rig.rwc().dst, 2U);
}

TEST_P(Counters, AppliedAfterTheAccess) { // MU 3.2
  rig.state().dst.cell[0][0] = 1;
  rig.state().dst.cell[0][1] = 2;
  set_section(1, {.dst_increment = 2});
  rig.run_clean("SFPLOAD L0, UINT16, 1, 0\nSFPLOAD L1, UINT16, 1, 0");
  EXPECT_EQ(rig.lreg(0)[0], 1U);
  EXPECT_EQ(rig.lreg(1)[0], 2U);
}

TEST_P(Counters, EightAccessesOfAFace) { // VU C16: steps of 2
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 16; ++column) {
      rig.state().dst.cell[row][column] = static_cast<std::uint16_t>(16 * row + column + 1);
    }
  }
  set_section(1, {.dst_increment = 2});
  rig.run_clean(
      ".repeat 8\nSFPLOAD L0, UINT16, 0, 0\nSFPIADD 1, L0, L0, 5\nSFPSTORE L0, UINT16, 1, "
      "0\n.endr");
  for (unsigned row = 0; row < 17; ++row) {
    for (unsigned column = 0; column < 16; ++column) {
      EXPECT_EQ(rig.state().dst.cell[row][column], row < 16 ? 16 * row + column + 2 : 0);
    }
  }
  EXPECT_EQ(rig.rwc().dst, 16U);
}

TEST_F(CountersOnBlackhole, EightSections) { // VU section 2, note 4: three bits are the index
  for (unsigned section = 0; section < 8; ++section) {
    rig.state().config.set_addr_mod(section, {.dst_increment = 10 + section});
  }
  for (unsigned section = 0; section < 8; ++section) {
    rig.rwc().dst = 0;
    rig.run_clean(fmt::format("SFPLOAD L8, ZERO, {}, 0", section));
    EXPECT_EQ(rig.rwc().dst, 10 + section);
  }
}

TEST_F(CountersOnWormhole, BaseAndBiasBitSelectTheUpperFour) { // MU 3.2
  for (unsigned section = 0; section < 8; ++section) {
    rig.state().config.set_addr_mod(section, {.dst_increment = 10 + section});
  }
  for (unsigned base = 0; base < 2; ++base) {
    for (unsigned bias = 0; bias < 2; ++bias) {
      rig.configure("ADDR_MOD_SET_Base", base);
      for (unsigned field = 0; field < 4; ++field) {
        rig.rwc() = {.bias = bias};
        rig.run_clean(fmt::format("SFPLOAD L8, ZERO, {}, 0", field));
        EXPECT_EQ(rig.rwc().dst, 10 + field + (base + bias != 0 ? 4 : 0)) << base << ' ' << bias;
        EXPECT_EQ(rig.rwc().bias, bias) << "BiasIncr 0 leaves it";
      }
    }
  }
}

TEST_F(CountersOnWormhole, BiasBitTogglesForTheNextInstruction) { // MU 3.2
  rig.state().config.set_addr_mod(0, {.dst_increment = 1, .bias_increment = 1});
  rig.state().config.set_addr_mod(4, {.dst_increment = 100, .bias_increment = 2});
  rig.run_clean("SFPLOAD L8, ZERO, 0, 0");
  EXPECT_EQ(rig.rwc().dst, 1U) << "the bit before the instruction selects";
  EXPECT_EQ(rig.rwc().bias, 1U);
  rig.run_clean("SFPLOAD L8, ZERO, 0, 0");
  EXPECT_EQ(rig.rwc().dst, 101U);
  EXPECT_EQ(rig.rwc().bias, 0U) << "BiasIncr & 3 != 0 toggles";
  rig.rwc().bias = 1;
  rig.state().config.set_addr_mod(4, {.bias_increment = 4});
  rig.run_clean("SFPLOAD L8, ZERO, 0, 0");
  EXPECT_EQ(rig.rwc().bias, 1U) << "only the two low bits count";
  rig.state().config.set_addr_mod(4, {.bias_increment = 1, .bias_clear = true});
  rig.run_clean("SFPLOAD L8, ZERO, 0, 0");
  EXPECT_EQ(rig.rwc().bias, 0U) << "clear wins";
}

// ---------------------------------------------------------------- SETRWC, INCRWC (MU 7)

TEST_P(Counters, SetrwcSetsCounterAndCopy) {
  rig.rwc() = {
      .dst = 100, .dst_cr = 40, .srca = 10, .srca_cr = 4, .srcb = 20, .srcb_cr = 8, .fidelity = 2};
  const Rwc start = rig.rwc();
  rig.run_clean("SETRWC DstVal=5, SrcAVal=6, SrcBVal=7");
  EXPECT_EQ(rig.rwc(), start) << "nothing is selected";
  rig.run_clean("SETRWC DstVal=5, SrcAVal=6, SrcBVal=7, Dst=1, SrcB=1, SrcA=1, Fidelity=1");
  EXPECT_EQ(rig.rwc(),
            (Rwc{.dst = 5, .dst_cr = 5, .srca = 6, .srca_cr = 6, .srcb = 7, .srcb_cr = 7}));
}

TEST_P(Counters, SetrwcAddsToTheCopy) {
  rig.rwc() = {.dst = 100, .dst_cr = 1020, .srca = 10, .srca_cr = 60, .srcb = 20, .srcb_cr = 63};
  rig.run_clean(
      "SETRWC DstVal=8, SrcAVal=6, SrcBVal=7, Dst=1, SrcB=1, SrcA=1, DstCr=1, SrcACr=1, SrcBCr=1");
  EXPECT_EQ(rig.rwc(),
            (Rwc{.dst = 4, .dst_cr = 4, .srca = 2, .srca_cr = 2, .srcb = 6, .srcb_cr = 6}));
}

TEST_P(Counters, SetrwcCounterToCopyNeedsNoMask) {
  rig.rwc() = {.dst = 100, .dst_cr = 40};
  rig.run_clean("SETRWC DstVal=8, DstCtoCr=1, DstCr=1");
  EXPECT_EQ(rig.rwc(), (Rwc{.dst = 108, .dst_cr = 108}));
}

TEST_P(Counters,
       SetrwcFlipsBanks) { // MU 1.2: the bank goes to the unpackers unless CLR_DVALID is disabled
  rig.run_clean("SETRWC FlipSrcA=1");
  const SourceFile &srca = rig.state().srca, &srcb = rig.state().srcb;
  EXPECT_EQ(srca.current, 1);
  EXPECT_EQ(srca.owned_by_matrix_unit, (std::array<bool, 2>{false, true}));
  EXPECT_EQ(srcb, SourceFile{});
  rig.configure("CLR_DVALID_SrcB_Disable", 1);
  rig.run_clean("SETRWC FlipSrcB=1");
  EXPECT_EQ(srcb.current, 1);
  EXPECT_EQ(srcb.owned_by_matrix_unit, (std::array<bool, 2>{true, true}));
}

TEST_P(Counters, IncrwcMovesAllThree) {
  rig.rwc() = {
      .dst = 1020, .dst_cr = 40, .srca = 60, .srca_cr = 4, .srcb = 20, .srcb_cr = 8, .fidelity = 2};
  rig.run_clean("INCRWC DstInc=8, SrcAInc=6, SrcBInc=7");
  EXPECT_EQ(rig.rwc(), (Rwc{.dst = 4,
                            .dst_cr = 40,
                            .srca = 2,
                            .srca_cr = 4,
                            .srcb = 27,
                            .srcb_cr = 8,
                            .fidelity = 2}));
  rig.run_clean("INCRWC DstInc=8, SrcAInc=6, SrcBInc=7, DstCr=1, SrcACr=1, SrcBCr=1");
  EXPECT_EQ(rig.rwc(), (Rwc{.dst = 48,
                            .dst_cr = 48,
                            .srca = 10,
                            .srca_cr = 10,
                            .srcb = 15,
                            .srcb_cr = 15,
                            .fidelity = 2}));
}

TEST(AddrModSection, PacksAndUnpacksEveryWord) { // MU 3.2, the table of bits
  for (std::uint32_t word = 0; word < 0x10000; ++word) {
    const auto bits = static_cast<std::uint16_t>(word);
    const AddrModWords words{
        .ab = bits, .dst = bits, .bias = static_cast<std::uint16_t>(bits & 0x1F)};
    const AddrModWords again = pack_addr_mod(unpack_addr_mod(words));
    ASSERT_EQ(again.ab, words.ab);
    ASSERT_EQ(again.dst, words.dst);
    ASSERT_EQ(again.bias, words.bias);
  }
  const AddrModSection s = unpack_addr_mod({.ab = 0x9F45, .dst = 0xB408, .bias = 0x13});
  EXPECT_EQ(s.srca_increment, 5U);
  EXPECT_TRUE(s.srca_cr);
  EXPECT_FALSE(s.srca_clear);
  EXPECT_EQ(s.srcb_increment, 0x1FU);
  EXPECT_FALSE(s.srcb_cr);
  EXPECT_TRUE(s.srcb_clear);
  EXPECT_EQ(s.dst_increment, 8U);
  EXPECT_TRUE(s.dst_cr);
  EXPECT_FALSE(s.dst_clear);
  EXPECT_TRUE(s.dst_c_to_cr);
  EXPECT_EQ(s.fidelity_increment, 1U);
  EXPECT_TRUE(s.fidelity_clear);
  EXPECT_EQ(s.bias_increment, 3U);
  EXPECT_TRUE(s.bias_clear);
}

} // namespace
} // namespace lanewise::test
