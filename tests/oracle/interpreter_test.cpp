// The interpreter against kernels small enough to compute by hand: values and predicates.
#include <algorithm>

#include "oracle/interpreter_bench.h"

namespace lanewise::oracle {
namespace {

class Interpreter : public OnEveryChip {};
LANEWISE_ON_BOTH_CHIPS(Interpreter);

// ---------------------------------------------------------------- Values

TEST_P(Interpreter, ArithmeticIsTheMachines) {
  const auto two = k.constant(2.0F), three = k.constant(3.0F), four = k.constant(4.0F);
  k.store(k.add(two, three), 0, kInt32);
  k.store(k.sub(two, three), 2, kInt32);
  k.store(k.mul(two, three), 4, kInt32);
  k.store(k.mad(two, three, four), 6, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(bits(5.0F)));
  EXPECT_EQ(bench.dst(2), all(bits(-1.0F)));
  EXPECT_EQ(bench.dst(4), all(bits(6.0F)));
  EXPECT_EQ(bench.dst(6), all(bits(10.0F)));
}

TEST_P(Interpreter, NegativeZeroAsTheChipHasIt) {
  const auto minus_zero = k.constant(-0.0F);
  k.store(k.add(minus_zero, minus_zero), 0, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(k.arch() == Arch::Blackhole ? 0x80000000U : 0U));
}

TEST(InterpreterOnBlackhole, MultiplyAddNegatesProductAndAddend) {
  Bench bench(Arch::Blackhole);
  KernelWriter& k = bench.write;
  const auto two = k.constant(2.0F), three = k.constant(3.0F), four = k.constant(4.0F);
  k.store(k.mad(two, three, four, 1), 0, kInt32);
  k.store(k.mad(two, three, four, 2), 2, kInt32);
  k.store(k.mad(two, three, four, 3), 4, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(bits(-2.0F)));
  EXPECT_EQ(bench.dst(2), all(bits(2.0F)));
  EXPECT_EQ(bench.dst(4), all(bits(-10.0F)));
}

TEST(InterpreterOnWormhole, MultiplyAddCannotNegate) {
  Bench bench(Arch::Wormhole);
  const auto two = bench.write.constant(2.0F);
  bench.write.line(4);
  bench.write.mad(two, two, two, 1);
  const auto faults = bench.run();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::Unsupported);
  EXPECT_EQ(faults[0].line, 4U);
}

TEST_P(Interpreter, OperandsOfTwoAddressInstructions) {
  const auto seven = integer(7), three = integer(3);
  k.store(k.two_address(Op::SFPIADD, 6, seven, three), 0, kInt32); // VC - VD
  k.store(k.two_address(Op::SFPAND, 0, seven, three), 2, kInt32);
  k.store(k.two_address(Op::SFPXOR, 0, seven, three), 4, kInt32);
  k.store(k.two_address(Op::SFPSHFT, 0, three, seven), 6, kInt32); // VD << VC
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(4));
  EXPECT_EQ(bench.dst(2), all(3));
  EXPECT_EQ(bench.dst(4), all(4));
  EXPECT_EQ(bench.dst(6), all(56));
}

TEST_P(Interpreter, FlagsOfAnInstructionAreNobodysBusiness) {
  const auto minus_one = integer(-1);
  k.instruction(Op::SFPIADD, 1, 0, {{2, minus_one}, {3, minus_one}}); // would set flags where < 0
  k.instruction(Op::SFPIADD, 9, 0, {{2, minus_one}});
  k.store(integer(5), 0, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(5));
}

TEST_P(Interpreter, LoadsAndCounters) {
  k.store(lane_number(), 0, kInt32);
  k.raw(Op::INCRWC, {{"DstInc", 2}});
  k.store(integer(9), 0, kInt32);
  k.store(k.load(-2, kInt32), 2, kInt32);
  bench.run_clean();
  const auto numbers = by_lane([](unsigned lane) { return lane; });
  EXPECT_EQ(bench.rig.rwc().dst, 2U);
  bench.rig.rwc().dst = 0;
  EXPECT_EQ(bench.dst(0), numbers);
  EXPECT_EQ(bench.dst(2), all(9));
  EXPECT_EQ(bench.dst(4), numbers);
}

TEST_P(Interpreter, SwapGivesBothResults) {
  const auto numbers = lane_number(), twelve = integer(12);
  const auto exchanged = k.instruction(Op::SFPSWAP, 0, 0, {{2, numbers}, {3, twelve}});
  const auto sorted = k.instruction(Op::SFPSWAP, 1, 0, {{2, numbers}, {3, twelve}});
  k.store(k.result(exchanged, 0), 0, kInt32);
  k.store(k.result(exchanged, 1), 2, kInt32);
  k.store(k.result(sorted, 0), 4, kInt32); // VC: the larger
  k.store(k.result(sorted, 1), 6, kInt32);
  k.store(numbers, 8, kInt32); // values never change
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(12));
  EXPECT_EQ(bench.dst(2), by_lane([](unsigned lane) { return lane; }));
  EXPECT_EQ(bench.dst(4), by_lane([](unsigned lane) { return std::max(lane, 12U); }));
  EXPECT_EQ(bench.dst(6), by_lane([](unsigned lane) { return std::min(lane, 12U); }));
  EXPECT_EQ(bench.dst(8), by_lane([](unsigned lane) { return lane; }));
}

TEST_P(Interpreter, TransposeMovesRows) {
  const auto numbers = lane_number();
  const auto hundred = k.instruction(Op::SFPIADD, 5, 100, {{2, numbers}});
  const auto transposed =
      k.instruction(Op::SFPTRANSP, 0, 0, {{0, numbers}, {1, hundred}, {2, numbers}, {3, hundred}});
  k.store(k.result(transposed, 2), 0, kInt32);
  bench.run_clean();
  // Row j of result 2 is row 2 of operand j.
  EXPECT_EQ(bench.dst(0),
            by_lane([](unsigned lane) { return 16 + lane % 8 + (lane / 8 % 2 == 1 ? 100 : 0); }));
}

TEST_P(Interpreter, LookUpTables) {
  // SFPLUT: slope in the high byte, intercept in the low one; 0x10 is 0.5, 0x00 is 1.0, 0xFF is 0.
  const auto x = k.constant(-1.5F);
  const auto unused = integer(0xFFFF);
  const auto table = integer(0x1000); // 0.5 * |x| + 1.0
  const auto y = k.instruction(Op::SFPLUT, 4, 0, {{0, unused}, {1, table}, {2, unused}, {3, x}});
  k.store(y, 0, kInt32);
  // SFPLUTFP32, three packed entries: slope 2.0 (4000), intercept 1.0 (3C00).
  const auto packed = integer(0x40003C00);
  const auto z =
      k.instruction(Op::SFPLUTFP32, 10, 0, {{0, unused}, {1, packed}, {2, unused}, {3, x}});
  k.store(z, 2, kInt32);
  // Six registers: 3.0 * |x| + 2.0.
  const auto slope = k.constant(3.0F), intercept = k.constant(2.0F);
  const auto w = k.instruction(
      Op::SFPLUTFP32, 0, 0, {{0, x}, {1, slope}, {2, x}, {3, x}, {4, x}, {5, intercept}, {6, x}});
  k.store(w, 4, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(bits(-1.75F)));
  EXPECT_EQ(bench.dst(2), all(bits(4.0F)));
  EXPECT_EQ(bench.dst(4), all(bits(6.5F)));
}

TEST_P(Interpreter, ProgrammableConstantKeepsTheValueThatWasRead) {
  k.write_const(12, integer(5));
  const auto before = k.const_register(12);
  k.write_const(12, integer(6));
  k.store(before, 0, kInt32);
  k.store(k.const_register(12), 2, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(5));
  EXPECT_EQ(bench.dst(2), all(6));
  EXPECT_EQ(bench.rig.lreg(12), all(6));
}

TEST_P(Interpreter, OperationsDoNotTouchRegisters) {
  for (unsigned lreg = 0; lreg < 8; ++lreg) bench.rig.set_lreg(lreg, 100 + lreg);
  const auto x = k.read_lreg(3);
  k.store(k.two_address(Op::SFPIADD, 4, x, x), 0, kInt32);
  k.begin_if(lane_below(16));
  k.write_lreg(5, integer(1));
  k.end_if();
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(206));
  EXPECT_EQ(bench.rig.lreg(3), all(103));
  EXPECT_EQ(bench.rig.lreg(5), blend(first_lanes(16), 1, 105));
  EXPECT_EQ(bench.rig.lreg(0), all(100));
}

TEST(InterpreterOnBlackhole, RandomNumbersStepTheMachinesGenerator) {
  Bench bench(Arch::Blackhole);
  KernelWriter& k = bench.write;
  bench.rig.set_prng(0);
  const auto prng = k.const_register(9); // SFPMOV names its special source by a register number
  k.store(k.unary(Op::SFPMOV, 8, prng), 0, kInt32);
  k.store(k.unary(Op::SFPMOV, 8, prng), 2, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(0));
  EXPECT_EQ(bench.dst(2), all(0x80000000U)); // VU 3.8
  EXPECT_EQ(bench.rig.prng(), all(0x40000000U));
}

// ---------------------------------------------------------------- Predicates

TEST_P(Interpreter, AssignmentUnderAPredicateMerges) {
  auto x = integer(1);
  const auto outside = k.context();
  k.begin_if(lane_below(10));
  x = k.assign(x, integer(2), outside);
  k.end_if();
  k.store(x, 0, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), blend(first_lanes(10), 2, 1));
}

TEST_P(Interpreter, ChainTakesEachLaneOnce) {
  auto x = integer(0);
  const auto outside = k.context();
  const auto numbers = lane_number();
  const auto below = [&](std::int32_t limit) {
    return k.compare(numbers, Relation::LT, integer(limit), NumberType::Int);
  };
  // What a v_elseif compares must have been computed in the lanes that are left for it.
  const auto below_8 = below(8), below_2 = below(2);
  k.begin_if(below(4));
  x = k.assign(x, integer(1), outside);
  k.else_if(below_8);
  x = k.assign(x, integer(2), outside);
  k.else_if(below_2); // taken by the first
  x = k.assign(x, integer(3), outside);
  k.begin_else();
  x = k.assign(x, integer(4), outside);
  k.end_if(3);
  k.store(x, 0, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), by_lane([](unsigned l) { return l < 4 ? 1 : l < 8 ? 2 : 4; }));
}

TEST_P(Interpreter, ElseTakesTheLanesThatNarrowingLost) {
  auto x = integer(0);
  const auto outside = k.context();
  k.begin_if(lane_below(16));
  k.narrow(lane_below(8));
  x = k.assign(x, integer(1), outside);
  k.begin_else(); // SFPCOMPC knows only what is enabled and what was pushed
  x = k.assign(x, integer(2), outside);
  k.end_if();
  k.store(x, 0, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), blend(first_lanes(8), 1, 2));
}

TEST_P(Interpreter, BlocksNestAndRestore) {
  auto x = integer(0);
  const auto outside = k.context();
  const auto increment = [&](std::int32_t step) {
    x = k.assign(x, k.instruction(Op::SFPIADD, 5, step, {{2, x}}), outside);
  };
  k.begin_block();
  k.narrow(lane_below(24));
  increment(1);
  k.begin_if(lane_below(12));
  increment(10);
  k.begin_if(k.negation(lane_below(4)));
  increment(100);
  k.begin_else();
  increment(200);
  k.end_if();
  k.end_if();
  increment(1000);
  k.end_block();
  increment(5);
  k.store(x, 0, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), by_lane([](unsigned l) {
              const unsigned inner = l < 4 ? 210 : l < 12 ? 110 : 0;
              return 5 + (l < 24 ? 1001 + inner : 0);
            }));
}

TEST_P(Interpreter, ConditionsCombine) {
  const auto low = lane_below(20), high = k.negation(lane_below(10));
  k.store(k.from_condition(k.both(low, high)), 0, kInt32);
  k.store(k.from_condition(k.either(k.negation(low), k.negation(high))), 2, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), by_lane([](unsigned l) { return l >= 10 && l < 20; }));
  EXPECT_EQ(bench.dst(2), by_lane([](unsigned l) { return l < 10 || l >= 20; }));
}

TEST_P(Interpreter, StoresLeaveDisabledLanesAlone) {
  k.store(integer(1), 0, kInt32);
  k.begin_if(lane_below(3));
  k.store(integer(2), 0, kInt32);
  k.end_if();
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), blend(first_lanes(3), 2, 1));
  EXPECT_EQ(bench.rig.vector().flags, kAllLanes);
}

} // namespace
} // namespace lanewise::oracle
