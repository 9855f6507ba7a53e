// The interpreter at its edges: raw words, lanes without a value, Print.
#include <string>

#include "oracle/interpreter_bench.h"

namespace lanewise::oracle {
namespace {

class InterpreterEffects : public OnEveryChip {};
LANEWISE_ON_BOTH_CHIPS(InterpreterEffects);

// ---------------------------------------------------------------- Raw words

TEST_P(InterpreterEffects, RawWordsRunOnTheRealRegisters) {
  k.raw(Op::SFPLOADI, {{"VD", 2}, {"Mod0", 2}, {"Imm16", 77}});
  k.store(integer(1), 0, kInt32); // leaves LReg[2] alone
  k.raw(Op::SFPIADD, {{"Imm12", 1}, {"VC", 2}, {"VD", 2}, {"Mod1", 5}});
  k.store(k.read_lreg(2), 2, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(2), all(78));
}

TEST_P(InterpreterEffects, RawWordsSeeAndChangeTheLanes) {
  k.begin_if(lane_below(8));
  k.raw(Op::SFPLOADI, {{"VD", 2}, {"Mod0", 2}, {"Imm16", 3}});
  // LReg[15] is 2 * lane: the flag of the enabled lanes where it is not 0.
  k.raw(Op::SFPSETCC, {{"VC", 15}, {"Mod1", 2}});
  k.store(integer(5), 0, kInt32);
  k.end_if();
  k.store(integer(6), 2, kInt32);
  bench.rig.set_lreg(2, 1);
  bench.run_clean();
  EXPECT_EQ(bench.rig.lreg(2), blend(first_lanes(8), 3, 1));
  EXPECT_EQ(bench.dst(0), blend(first_lanes(8) & ~1U, 5, 0));
  EXPECT_EQ(bench.dst(2), all(6));
}

TEST_P(InterpreterEffects, RawStackIsTheMachines) {
  k.raw(Op::SFPPUSHC, {});
  k.raw(Op::SFPSETCC, {{"VC", 15}, {"Mod1", 6}}); // lane 0
  k.store(integer(5), 0, kInt32);
  k.raw(Op::SFPCOMPC, {});
  k.store(integer(6), 0, kInt32);
  k.raw(Op::SFPPOPC, {});
  k.store(integer(7), 2, kInt32);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), blend(1, 5, 6));
  EXPECT_EQ(bench.dst(2), all(7));
}

TEST_P(InterpreterEffects, ReplayOverRawWords) {
  k.raw(Op::REPLAY, {{"Index", 4}, {"Count", 2}, {"Exec", 0}, {"Load", 1}});
  k.raw(Op::SFPIADD, {{"Imm12", 1}, {"VC", 0}, {"VD", 0}, {"Mod1", 5}});
  k.raw(Op::SFPIADD, {{"Imm12", 10}, {"VC", 1}, {"VD", 1}, {"Mod1", 5}});
  k.raw(Op::REPLAY, {{"Index", 4}, {"Count", 2}});
  k.store(k.read_lreg(0), 0, kInt32);
  k.raw(Op::REPLAY, {{"Index", 5}, {"Count", 1}});
  bench.rig.set_lreg(0, 0);
  bench.rig.set_lreg(1, 0);
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), all(1));
  EXPECT_EQ(bench.rig.lreg(1), all(20));
}

TEST_P(InterpreterEffects, ReplayThatAlsoExecutes) {
  k.raw(Op::REPLAY, {{"Index", 0}, {"Count", 1}, {"Exec", 1}, {"Load", 1}});
  k.raw(Op::INCRWC, {{"DstInc", 4}});
  bench.run_clean();
  EXPECT_EQ(bench.rig.rwc().dst, 4U);
}

TEST_P(InterpreterEffects, ReplayCannotRecordOperations) {
  k.line(3);
  k.raw(Op::REPLAY, {{"Index", 0}, {"Count", 2}, {"Load", 1}});
  k.raw(Op::SFPNOP, {});
  k.line(4);
  k.store(k.load(0), 2);
  const auto faults = bench.run();
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].kind, FaultKind::Unsupported);
  EXPECT_EQ(faults[0].line, 4U);
  EXPECT_NE(faults[0].message.find("the REPLAY of line 3"), std::string::npos);
}

TEST_P(InterpreterEffects, FaultsOfRawWordsHaveTheirLine) {
  k.line(12);
  k.raw(Op::SFPPOPC, {});
  const auto faults = bench.run();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].line, 12U);
  EXPECT_EQ(faults[0].file, "kernel.cpp");
}

// ---------------------------------------------------------------- Lanes without a value

TEST_P(InterpreterEffects, LaneThatWasNeverComputed) {
  const auto outside = k.context();
  auto x = k.undefined();
  const auto ones = k.add(k.constant(0.0F), k.constant(1.0F));
  k.line(12);
  k.begin_if(lane_below(3));
  k.line(13);
  x = k.assign(x, k.add(ones, ones), outside);
  k.end_if();
  k.line(15);
  k.store(x, 0);
  k.store(x, 2); // once per line
  const auto faults = bench.run();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
  EXPECT_EQ(faults[0].line, 15U);
  EXPECT_EQ(faults[0].lane, 3);
  EXPECT_EQ(faults[0].message,
            "stores to Dst, but lane 3 of this value was computed only where the v_if of line 12 "
            "held");
}

/// What was never computed stays so through copies, constants, constant registers and arms.
TEST_P(InterpreterEffects, LaneThatWasNeverCopied) {
  const auto outside = k.context();
  const auto x = k.load(0);
  const auto stored_line_faults = [&](auto&& make) {
    auto y = k.undefined();
    k.line(12);
    k.begin_if(lane_below(3));
    y = k.assign(y, make(), outside);
    k.end_if();
    return y;
  };
  const std::array values{
      stored_line_faults([&] { return x; }),
      stored_line_faults([&] { return k.constant(2.0F); }),
      stored_line_faults([&] { return k.const_register(10); }),
      stored_line_faults([&] { return k.read_lreg(2); }),
  };
  for (unsigned i = 0; i < values.size(); ++i) {
    k.line(20 + i);
    k.store(values[i], 0);
  }
  const auto faults = bench.run();
  ASSERT_EQ(faults.size(), values.size());
  for (unsigned i = 0; i < values.size(); ++i) {
    EXPECT_EQ(faults[i].kind, FaultKind::UndefinedBehavior);
    EXPECT_EQ(faults[i].line, 20 + i);
    EXPECT_EQ(faults[i].lane, 3);
  }
}

TEST_P(InterpreterEffects, ArmsAndNestedPredicatesTogether) {
  const auto outside = k.context();
  const auto x = k.load(0);
  auto y = k.undefined();
  k.begin_if(lane_below(3));
  y = k.assign(y, x, outside);
  k.begin_else();
  k.begin_if(lane_below(8));
  y = k.assign(y, x, outside);
  k.end_if();
  k.end_if();
  k.line(9);
  k.begin_if(lane_below(8));
  k.store(y, 0); // all of these have a value
  k.end_if();
  k.line(10);
  k.store(y, 0);
  const auto faults = bench.run();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].line, 10U);
  EXPECT_EQ(faults[0].lane, 8);
}

TEST_P(InterpreterEffects, ElementsOutsideOfDst) {
  const auto x = k.load(0);
  k.line(1);
  k.store(x, 1022, 2); // the last one of 16 bits
  k.line(2);
  k.store(x, 1024, 2);
  k.line(3);
  k.store(x, -10, 2);
  k.raw(Op::INCRWC, {{"DstInc", 10}});
  k.line(4);
  k.store(x, -10, 2);
  k.line(5);
  k.store(x, 1014, 2);
  k.raw(Op::SETRWC, {{"Dst", 1}});
  k.line(6);
  k.store(x, 512, kInt32); // 32-bit elements are half as many
  const auto faults = bench.run();
  std::vector<std::uint32_t> lines;
  for (const Fault& fault : faults) {
    EXPECT_EQ(fault.kind, FaultKind::NonContractual);
    lines.push_back(fault.line);
  }
  ASSERT_EQ(lines, (std::vector<std::uint32_t>{2, 3, 5, 6}));
  EXPECT_EQ(faults[0].message,
            "dst_reg[512] lies outside of Dst, which has elements 0 to 511; the address wraps, and "
            "this is element 0");
  EXPECT_NE(faults[1].message.find("dst_reg[-5]"), std::string::npos);
  EXPECT_NE(faults[1].message.find("this is element 507"), std::string::npos);
  EXPECT_NE(faults[2].message.find("5 elements on by the counter"), std::string::npos);
  EXPECT_NE(faults[3].message.find("elements 0 to 255 of 32 bits"), std::string::npos);
}

TEST_P(InterpreterEffects, CounterBehindTheEndOfDst) {
  const auto x = k.load(0);
  for (unsigned i = 0; i < 86; ++i) k.raw(Op::INCRWC, {{"DstInc", 12}}); // 1032
  k.line(7);
  k.store(x, 0, 2);
  const auto faults = bench.run();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].line, 7U);
  EXPECT_NE(faults[0].message.find("this is element 4"), std::string::npos) << faults[0].message;
}

TEST_P(InterpreterEffects, ACounterThatIsSetAnewIsWithinDst) {
  const auto x = k.load(0);
  for (unsigned i = 0; i < 86; ++i) k.raw(Op::INCRWC, {{"DstInc", 12}}); // 1032
  k.raw(Op::SETRWC, {{"DstVal", 8}, {"Dst", 1}});
  k.store(x, 0, 2);
  EXPECT_TRUE(bench.run().empty());
}

TEST_P(InterpreterEffects, OutermostPredicateIsToBlame) {
  auto x = k.undefined();
  k.line(2);
  k.begin_if(lane_below(20));
  k.line(3);
  k.begin_if(lane_below(10));
  x = k.add(k.constant(1.0F), k.constant(1.0F));
  k.end_if();
  k.line(5);
  k.print("inner", NumberType::Float, x);
  k.write_lreg(1, x);
  k.end_if();
  k.line(7);
  k.begin_if(k.compare(x, Relation::GT, k.constant(2.0F)));
  k.end_if();
  const auto faults = bench.run();
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].message,
            "writes LReg[1], but lane 10 of this value was computed only where the v_if of line 3 "
            "held");
  EXPECT_EQ(faults[1].line, 7U);
  EXPECT_EQ(faults[1].lane, 10);
}

TEST_P(InterpreterEffects, VariableWithoutValue) {
  k.line(1);
  auto x = k.undefined();
  const auto outside = k.context();
  k.line(2);
  x = k.assign(x, integer(1), outside);
  k.begin_if(lane_below(2));
  const auto y = k.undefined();
  k.end_if();
  k.store(x, 0, kInt32);
  bench.run_clean();
  (void)y;
}

TEST_P(InterpreterEffects, ElseOfALaneThatIsAskedFor) {
  k.line(1);
  k.begin_if(lane_below(4));
  k.line(2);
  k.begin_else();
  const auto x = k.load(0);
  k.end_if();
  k.line(4);
  k.write_const(12, x);
  const auto faults = bench.run();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].message,
            "sets LReg[12], but lane 0 of this value was computed only in the v_else of line 2");
}

TEST_P(InterpreterEffects, ProgrammableConstantTakesTheFirstRowOnly) {
  k.begin_if(lane_below(8));
  const auto x = k.load(0);
  k.end_if();
  k.write_const(12, x);
  bench.run_clean();
}

TEST_P(InterpreterEffects, MovedLanesBringTheirDefinedness) {
  const auto rotate = [&](KernelWriter::Value x) { return k.unary(Op::SFPSHFT2, 3, x); };
  k.line(1);
  k.begin_if(lane_below(4));
  const auto x = k.load(0);
  k.line(2);
  k.store(rotate(x), 2); // lane 0 comes from lane 7
  k.end_if();
  const auto faults = bench.run();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].lane, 0);
  EXPECT_EQ(faults[0].message,
            "stores to Dst, but lane 0 of this value was computed only where the v_if of line 1 "
            "held");
}

TEST_P(InterpreterEffects, ConditionThatOneSideSettles) {
  const auto numbers = lane_number();
  k.begin_if(lane_below(8));
  const auto x = k.instruction(Op::SFPIADD, 5, 0, {{2, numbers}});
  k.end_if();
  const auto in_x = k.compare(x, Relation::LT, integer(4), NumberType::Int);
  k.begin_if(k.both(lane_below(8), in_x)); // false in lane 8, whatever x is there
  k.store(integer(1), 0, kInt32);
  k.end_if();
  bench.run_clean();
  EXPECT_EQ(bench.dst(0), blend(first_lanes(4), 1, 0));
}

// ---------------------------------------------------------------- Print

TEST_P(InterpreterEffects, PrintShowsLanesAndPredicate) {
  std::vector<std::string> texts;
  std::vector<Printed> printed;
  bench.options.print = [&](const Printed& p) {
    printed.push_back(p);
    texts.push_back(to_text(p));
  };
  auto x = lane_number();
  k.line(8);
  k.begin_if(lane_below(10));
  k.print("numbers", NumberType::Int, x);
  const auto y = k.load(0);
  k.end_if();
  k.print("partly", NumberType::Float, y);
  bench.run_clean();
  ASSERT_EQ(printed.size(), 2U);
  EXPECT_EQ(printed[0].label, "numbers");
  EXPECT_EQ(printed[0].type, NumberType::Int);
  EXPECT_EQ(printed[0].enabled, first_lanes(10));
  EXPECT_EQ(printed[0].lanes[31], 31U);
  EXPECT_EQ(printed[0].site->line, 8U);
  EXPECT_EQ(printed[1].defined, first_lanes(10));
  EXPECT_EQ(texts[0],
            "numbers: vInt, line 8\n"
            "     0     1     2     3     4     5     6     7\n"
            "     8     9  (10)  (11)  (12)  (13)  (14)  (15)\n"
            "  (16)  (17)  (18)  (19)  (20)  (21)  (22)  (23)\n"
            "  (24)  (25)  (26)  (27)  (28)  (29)  (30)  (31)\n");
  EXPECT_EQ(texts[1],
            "partly: vFloat, line 8\n"
            "  0  0  0  0  0  0  0  0\n"
            "  0  0  -  -  -  -  -  -\n"
            "  -  -  -  -  -  -  -  -  in rows 2 to 3\n");
}

} // namespace
} // namespace lanewise::oracle
