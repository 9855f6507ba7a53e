// SFPNOPs where the hardware does not wait by itself: VU 5.3 for Blackhole, 5.4 for Wormhole.
#include "source/compiler/hazards.h"

#include "compiler/code_fixture.h"

namespace lanewise::compiler {
namespace {

using namespace test;

constexpr Arch kBh = Arch::Blackhole;
constexpr Arch kWh = Arch::Wormhole;

std::size_t nops(Arch arch, const Instr& first, const Instr& next) {
  Code pair = code(arch, {first, next});
  insert_nops(pair);
  return pair.instrs.size() - 2;
}

/// A multiply-add whose result goes to LReg[2].
Instr writer() {
  return mad(l(2), l(0), l(1), l(9));
}
Instr shuffle(unsigned mode) {
  return instr(Op::SFPSHFT2, mode, {.vd = l(2), .vc = l(1)});
}

// ---------------------------------------------------------------- Blackhole: the interlock

TEST(BlackholeHazards, InterlockSeesOrdinaryReaders) {
  EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPABS, 1, {.vd = l(3), .vc = l(2)})), 0U);
  EXPECT_EQ(nops(kBh, writer(), mad(l(3), l(2), l(2), l(2))), 0U);
  EXPECT_EQ(nops(kBh, writer(), store(l(2))), 0U);
}

TEST(BlackholeHazards, VbOfLogicIsMissed) {
  for (const Op op : {Op::SFPAND, Op::SFPOR}) {
    EXPECT_EQ(nops(kBh, writer(), instr(op, 1, {.vd = l(3), .vc = l(1), .vb = l(2)})), 1U);
    EXPECT_EQ(nops(kBh, writer(), instr(op, 1, {.vd = l(3), .vc = l(2), .vb = l(1)})), 0U);
    EXPECT_EQ(nops(kBh, writer(), instr(op, 0, {.vd = l(2), .vc = l(1), .reads_vd = true})), 0U);
  }
}

TEST(BlackholeHazards, VdOfIntegerAddIsMissed) {
  EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPIADD, 6, {.vd = l(2), .vc = l(1), .reads_vd = true})),
            1U);
  EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPIADD, 6, {.vd = l(1), .vc = l(2), .reads_vd = true})),
            0U);
  EXPECT_EQ(nops(kBh, writer(), add_immediate(l(3), l(2), 1)), 0U);
}

TEST(BlackholeHazards, VdOfShiftIsMissed) {
  EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSHFT, 1, {.vd = l(2), .reads_vd = true, .imm = 3})),
            1U);
  EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSHFT, 0, {.vd = l(1), .vc = l(2), .reads_vd = true})),
            0U);
  EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSHFT, 5, {.vd = l(3), .vc = l(2), .imm = 3})), 0U);
}

TEST(BlackholeHazards, SourceOfConfigIsMissed) {
  const Instr config = instr(Op::SFPCONFIG, 0, {.imm = 12});
  EXPECT_EQ(nops(kBh, mad(l(0), l(1), l(2), l(9)), config), 1U);
  EXPECT_EQ(nops(kBh, mad(l(1), l(1), l(2), l(9)), config), 0U);
}

TEST(BlackholeHazards, ComparingSwapReadsACycleTooEarly) {
  for (const bool is_vd : {false, true}) {
    const Operands operands{.vd = l(is_vd ? 2 : 3), .vc = l(is_vd ? 3 : 2), .reads_vd = true};
    EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSWAP, 1, operands)), 1U);
    EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSWAP, 0, operands)), 0U);
  }
  EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSWAP, 1, {.vd = l(3), .vc = l(4), .reads_vd = true})),
            0U);
}

TEST(BlackholeHazards, ShufflesAndBitwiseShiftsAreMissed) {
  for (const unsigned mode : {3U, 4U}) {
    EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSHFT2, mode, {.vd = l(3), .vc = l(2)})), 1U);
    EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSHFT2, mode, {.vd = l(3), .vc = l(4)})), 0U);
  }
  // In mode 6 the immediate is the shift and, in its low bits, the number of VB (VU C36).
  EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSHFT2, 6, {.vd = l(3), .imm = 2})), 1U);
  EXPECT_EQ(nops(kBh, writer(), instr(Op::SFPSHFT2, 6, {.vd = l(3), .imm = 1})), 0U);
}

TEST(BlackholeHazards, HardwareWaitsAfterSwapAndShuffle) {
  EXPECT_EQ(nops(kBh, shuffle(3), instr(Op::SFPABS, 1, {.vd = l(3), .vc = l(2)})), 0U);
  EXPECT_EQ(nops(kBh, instr(Op::SFPSWAP, 1, {.vd = l(2), .vc = l(3), .reads_vd = true}),
                 instr(Op::SFPABS, 1, {.vd = l(4), .vc = l(2)})),
            0U);
}

// ---------------------------------------------------------------- Wormhole: nobody waits

TEST(WormholeHazards, NextReaderOfAMultiplyAddMustWait) {
  EXPECT_EQ(nops(kWh, writer(), instr(Op::SFPABS, 1, {.vd = l(3), .vc = l(2)})), 1U);
  EXPECT_EQ(nops(kWh, writer(), store(l(2))), 1U);
  EXPECT_EQ(nops(kWh, writer(), test_lanes(l(2), 0)), 1U);
  EXPECT_EQ(nops(kWh, writer(), store(l(3))), 0U);
  EXPECT_EQ(
      nops(kWh, instr(Op::SFPMULI, 0, {.vd = l(2), .reads_vd = true, .imm = 0x4000}), store(l(2))),
      1U);
}

TEST(WormholeHazards, OneUnrelatedInstructionIsEnough) {
  Code three = code(kWh, {writer(), load(l(3)), store(l(2))});
  insert_nops(three);
  EXPECT_EQ(three.instrs.size(), 3U);
}

TEST(WormholeHazards, ResultOfOneCycleNeedsNothing) {
  EXPECT_EQ(nops(kWh, add_immediate(l(2), l(1), 1), store(l(2))), 0U);
}

TEST(WormholeHazards, AfterAShuffleTheResultPortIsBusy) {
  EXPECT_EQ(nops(kWh, shuffle(3), store(l(2))), 1U);
  EXPECT_EQ(nops(kWh, shuffle(4), instr(Op::SFPABS, 1, {.vd = l(4), .vc = l(5)})), 1U);
  EXPECT_EQ(nops(kWh, shuffle(4), load(l(4))), 0U);
  EXPECT_EQ(nops(kWh, instr(Op::SFPSHFT2, 6, {.vd = l(2), .imm = 1}), store(l(2))), 0U);
}

TEST(WormholeHazards, HardwareWaitsAfterSwap) {
  EXPECT_EQ(nops(kWh, instr(Op::SFPSWAP, 1, {.vd = l(2), .vc = l(3), .reads_vd = true}),
                 instr(Op::SFPABS, 1, {.vd = l(4), .vc = l(2)})),
            0U);
}

// ---------------------------------------------------------------- Both

TEST(Hazards, LateResultMustNotMeetTheNextOneInARegister) {
  for (const Arch arch : kArchs) EXPECT_EQ(nops(arch, writer(), load(l(2))), 1U);
}

TEST(Hazards, NopsAreNotDoubled) {
  EXPECT_EQ(nops(kWh, writer(), instr(Op::SFPNOP)), 0U);
}

TEST(Hazards, RawWordsAreLeftAlone) {
  const std::uint32_t first = encode(kWh, writer()), next = encode(kWh, store(l(2)));
  EXPECT_EQ(nops(kWh, raw(first), raw(next)), 0U);
  EXPECT_EQ(nops(kWh, writer(), raw(next)), 1U);
}

} // namespace
} // namespace lanewise::compiler
