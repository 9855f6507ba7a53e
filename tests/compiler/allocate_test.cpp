// Virtual registers to LRegs: passes "coalesce" and "allocate" (SFPI 2.2).
#include "source/compiler/allocate.h"

#include <algorithm>

#include "chip/isa/encoding.h"
#include "compiler/code_fixture.h"
#include "source/compiler/coalesce.h"
#include "source/compiler/walk.h"

namespace lanewise::compiler {
namespace {

using namespace test;

constexpr Arch kArch = Arch::Blackhole;

Instr lut(std::initializer_list<std::pair<unsigned, Reg>> operands, Reg vd) {
  Instr made = instr(Op::SFPLUT, 4, {.vd = vd});
  for (const auto& [lreg, reg] : operands)
    made.pins.push_back({.reg = reg, .lreg = static_cast<std::uint8_t>(lreg), .written = false});
  return made;
}
Instr transpose(std::initializer_list<Reg> rows) {
  Instr made = instr(Op::SFPTRANSP);
  std::uint8_t lreg = 0;
  for (const Reg reg : rows) made.pins.push_back({.reg = reg, .lreg = lreg++, .written = true});
  return made;
}
Instr read_lreg(unsigned lreg, Reg to) {
  Instr made = instr(Op::SFPNOP, 0, {.vd = to, .imm = static_cast<std::int32_t>(lreg)});
  made.kind = InstrKind::ReadLReg;
  return made;
}
Instr write_lreg(unsigned lreg, Reg from) {
  Instr made = instr(Op::SFPNOP, 0, {.vc = from, .imm = static_cast<std::int32_t>(lreg)});
  made.kind = InstrKind::WriteLReg;
  return made;
}

bool all_physical(const Code& code) {
  return std::none_of(code.instrs.begin(), code.instrs.end(), [](const Instr& each) {
    return each.va.is_virtual() || each.vb.is_virtual() || each.vc.is_virtual() ||
           each.vd.is_virtual();
  });
}
std::size_t moves(const Code& code) {
  const auto found = ops(code);
  return static_cast<std::size_t>(std::count(found.begin(), found.end(), Op::SFPMOV));
}

// ---------------------------------------------------------------- whole lives

TEST(Allocate, ResultTakesTheRegisterOfAnOperandThatDies) {
  const Allocation done =
      allocate(code(kArch, {load(v(0)), add_immediate(v(1), v(0), 1), store(v(1))}), true);
  ASSERT_TRUE(done.done);
  EXPECT_EQ(done.lregs_used, 1U);
}

/// Index registers move only with ENABLE_DEST_INDEX or its like (VU C33): they are not counted.
TEST(Allocate, ARawLoadUsesOneRegister) {
  Code code;
  Instr load;
  load.kind = InstrKind::Raw;
  load.word = *isa::encode(code.arch, Op::SFPLOAD, {{"VD", 0}, {"AddrMod", 3}});
  code.instrs.push_back(load);
  EXPECT_EQ(allocate(code, true).lregs_used, 1U);
}

TEST(Allocate, EightLivesFitAndNineDoNot) {
  const auto kernel = [](unsigned count) {
    std::vector<Instr> instrs;
    for (unsigned i = 0; i < count; ++i) instrs.push_back(load(v(i)));
    for (unsigned i = 0; i < count; ++i) instrs.push_back(store(v(i)));
    return code(kArch, instrs);
  };
  const Allocation eight = allocate(kernel(8), true);
  EXPECT_TRUE(eight.done);
  EXPECT_EQ(eight.lregs_used, 8U);
  const Allocation nine = allocate(kernel(9), true);
  ASSERT_FALSE(nine.done);
  EXPECT_EQ(highest_pressure(nine.code, true).live.size(), 9U);
}

TEST(Allocate, OperandsOfLutGoWhereItWantsThem) {
  const Allocation done =
      allocate(code(kArch, {load(v(0)), load(v(1)), load(v(2)), load(v(3)),
                            lut({{0, v(0)}, {1, v(1)}, {2, v(2)}, {3, v(3)}}, v(4)), store(v(4))}),
               true);
  ASSERT_TRUE(done.done);
  EXPECT_EQ(moves(done.code), 0U);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(done.code.instrs[i].vd, l(i));
}

TEST(Allocate, ValueThatIsWantedInTwoPlacesIsCopied) {
  const Allocation done = allocate(
      code(kArch,
           {load(v(0)), lut({{0, v(0)}, {1, v(0)}, {2, v(0)}, {3, v(0)}}, v(1)), store(v(1))}),
      true);
  ASSERT_TRUE(done.done);
  EXPECT_EQ(moves(done.code), 3U);
}

TEST(Allocate, HandedOverLRegIsUsedInPlace) {
  const Allocation done = allocate(
      code(kArch, {read_lreg(5, v(0)), add_immediate(v(0), v(0), 1), write_lreg(5, v(0))}), true);
  ASSERT_TRUE(done.done);
  ASSERT_EQ(done.code.instrs.size(), 1U);
  EXPECT_EQ(done.code.instrs[0].vd, l(5));
}

TEST(Allocate, LRegsOfRawWordsAreLeftAlone) {
  const std::uint32_t writes = encode(kArch, load(l(0))), reads = encode(kArch, store(l(0)));
  const Allocation done =
      allocate(code(kArch, {raw(writes), load(v(0)), store(v(0)), raw(reads)}), true);
  ASSERT_TRUE(done.done);
  EXPECT_NE(done.code.instrs[1].vd, l(0));
}

TEST(Allocate, WhatRawWordsLeaveIsForALaterKernel) {
  const Code kernel = code(kArch, {raw(encode(kArch, load(l(0)))), load(v(0)), store(v(0))});
  EXPECT_NE(allocate(kernel, true).code.instrs[1].vd, l(0));
  EXPECT_EQ(allocate(kernel, false).code.instrs[1].vd, l(0));
}

// In use is what is read and written back; before a raw word that writes the LReg it keeps nothing.
TEST(Allocate, AnLRegInUseIsFreeBeforeItIsWrittenAnew) {
  const std::uint32_t writes = encode(kArch, load(l(0))), reads = encode(kArch, store(l(0)));
  const Code kernel =
      code(kArch, {raw(writes), raw(reads), load(v(0)), store(v(0)), read_lreg(0, v(1)),
                   write_lreg(0, v(1)), raw(writes), raw(reads)});
  EXPECT_EQ(allocate(kernel, true).code.instrs[2].vd, l(0));
  const Code kept = code(kArch, {raw(writes), load(v(0)), store(v(0)), read_lreg(0, v(1)),
                                 write_lreg(0, v(1)), raw(reads)});
  EXPECT_NE(allocate(kept, true).code.instrs[1].vd, l(0)) << "it is read later";
}

TEST(Allocate, TransposeLosesTheUpperFour) {
  // Two values live across SFPTRANSP, which also permutes LReg[4..7].
  const Allocation done =
      allocate(code(kArch, {load(v(4)), load(v(0)), load(v(1)), load(v(2)), load(v(3)),
                            transpose({v(0), v(1), v(2), v(3)}), store(v(0)), store(v(4))}),
               true);
  EXPECT_FALSE(done.done);
  EXPECT_EQ(highest_pressure(done.code, true).live.size(), 5U);
}

// ---------------------------------------------------------------- walk

TEST(Walk, ValueInTheWayMovesAside) {
  // v(4) is the input of both, and lives on behind the first.
  const Code kernel = code(kArch, {load(v(0)), load(v(1)), load(v(2)), load(v(4)),
                                   lut({{0, v(0)}, {1, v(1)}, {2, v(2)}, {3, v(4)}}, v(5)),
                                   lut({{0, v(4)}, {1, v(5)}, {2, v(1)}, {3, v(0)}}, v(6)),
                                   store(v(6)), store(v(4)), store(v(5)), store(v(0))});
  const auto placed = place_by_walk(kernel, true);
  ASSERT_TRUE(placed.has_value());
  EXPECT_TRUE(all_physical(*placed));
}

TEST(Walk, ExchangeInACycleGoesThroughAFreeLReg) {
  const Code kernel = code(kArch, {load(v(0)), load(v(1)), transpose({v(0), v(1)}),
                                   transpose({v(1), v(0)}), store(v(0)), store(v(1))});
  const auto placed = place_by_walk(kernel, true);
  ASSERT_TRUE(placed.has_value());
  EXPECT_EQ(moves(*placed), 3U);
}

TEST(Walk, MovesAreForAllLanes) {
  const Code kernel = code(kArch, {load(v(0)), load(v(1)), transpose({v(0), v(1)}),
                                   transpose({v(1), v(0)}), store(v(0)), store(v(1))});
  const auto placed = place_by_walk(kernel, true);
  ASSERT_TRUE(placed.has_value());
  for (const Instr& each : placed->instrs) {
    if (each.op == Op::SFPMOV) {
      EXPECT_EQ(each.mod, 2);
    }
  }
}

TEST(Walk, NineLivesHaveNoWay) {
  std::vector<Instr> instrs;
  for (unsigned i = 0; i < 9; ++i) instrs.push_back(load(v(i)));
  for (unsigned i = 0; i < 9; ++i) instrs.push_back(store(v(i)));
  EXPECT_FALSE(place_by_walk(code(kArch, instrs), true).has_value());
}

// ---------------------------------------------------------------- coalesce

TEST(Coalesce, ResultGoesStraightIntoItsVariable) {
  Code kernel = code(kArch, {load(v(0)), test_lanes(v(0), 0), add_immediate(v(1), v(0), 1),
                             instr(Op::SFPMOV, 0, {.vd = v(0), .vc = v(1), .keeps_vd = true})});
  coalesce(kernel, false);
  ASSERT_EQ(kernel.instrs.size(), 3U);
  EXPECT_EQ(kernel.instrs[2].vd, v(0));
  EXPECT_TRUE(kernel.instrs[2].keeps_vd);
}

TEST(Coalesce, NotAcrossAChangeOfLanes) {
  Code kernel = code(kArch, {add_immediate(v(1), v(2), 1), test_lanes(v(3), 0),
                             instr(Op::SFPMOV, 0, {.vd = v(0), .vc = v(1), .keeps_vd = true})});
  coalesce(kernel, false);
  EXPECT_EQ(kernel.instrs.size(), 3U);
}

TEST(Coalesce, NotIfTheOldValueIsReadBefore) {
  Code kernel = code(kArch, {add_immediate(v(1), v(2), 1), store(v(0)),
                             instr(Op::SFPMOV, 0, {.vd = v(0), .vc = v(1), .keeps_vd = true})});
  coalesce(kernel, false);
  EXPECT_EQ(kernel.instrs.size(), 3U);
}

TEST(Coalesce, NotIfTheResultIsReadAgain) {
  Code kernel =
      code(kArch, {add_immediate(v(1), v(2), 1),
                   instr(Op::SFPMOV, 0, {.vd = v(0), .vc = v(1), .keeps_vd = true}), store(v(1))});
  coalesce(kernel, false);
  EXPECT_EQ(kernel.instrs.size(), 3U);
}

} // namespace
} // namespace lanewise::compiler
