// Passes on recordings, and what they are selected to: "combine", "dce", "select" (SFPI 2.2, 2.4).
#include <algorithm>
#include <bit>

#include "compiler/code_fixture.h"
#include "machine/machine_fixture.h"
#include "run/oracle/kernel_writer.h"
#include "source/compiler/combine.h"
#include "source/compiler/dead_code.h"
#include "source/compiler/select.h"

namespace lanewise::compiler {
namespace {

using namespace test;
using oracle::KernelWriter;

std::size_t count(const Recording& recording, Kind kind) {
  return static_cast<std::size_t>(
      std::count_if(recording.nodes.begin(), recording.nodes.end(),
                    [&](const Node& node) { return !node.dead && node.kind == kind; }));
}

class Passes : public ::testing::TestWithParam<Arch> {
 protected:
  bool is_blackhole() const { return GetParam() == Arch::Blackhole; }

  Recording combined() {
    Recording recording = k.take();
    combine(recording);
    remove_dead_code(recording);
    return recording;
  }
  Code selected() { return select(combined(), ConstantLoads::Once); }
  Value integer(std::int32_t number) { return k.constant(static_cast<std::uint32_t>(number)); }

  KernelWriter k{GetParam()};
};
LANEWISE_ON_BOTH_CHIPS(Passes);

// ---------------------------------------------------------------- combine

TEST_P(Passes, ProductWithOneUseBecomesAMultiplyAdd) {
  const auto a = k.load(0), b = k.load(2), c = k.load(4);
  k.store(k.add(c, k.mul(a, b)), 6);
  const Recording recording = combined();
  EXPECT_EQ(count(recording, Kind::FloatMad), 1U);
  EXPECT_EQ(count(recording, Kind::FloatMul), 0U);
}

TEST_P(Passes, ProductWithTwoUsesStays) {
  const auto a = k.load(0), b = k.load(2);
  const auto product = k.mul(a, b);
  k.store(k.add(product, a), 4);
  k.store(product, 6);
  EXPECT_EQ(count(combined(), Kind::FloatMad), 0U);
}

TEST_P(Passes,
       ASharedLiteralKeepsItsSign) { // -a * 3 may become a * -3, unless 3 is wanted elsewhere
  const auto a = k.load(0), three = k.constant(3.0F);
  k.store(k.mul(k.unary(Op::SFPMOV, 1, a), three), 4);
  k.store(k.add(a, three), 6);
  const Recording recording = combined();
  const Node& literal = recording.nodes[three];
  EXPECT_EQ(literal.kind, Kind::Constant);
  EXPECT_EQ(literal.imm, 0x40400000);
  EXPECT_EQ(count(recording, Kind::Constant), 1U);
}

TEST_P(Passes, ProductFromBeforeAPredicateStays) {
  const auto a = k.load(0), b = k.load(2);
  const auto product = k.mul(a, b);
  k.begin_if(k.compare(a, Relation::LT, integer(0)));
  k.store(k.add(product, a), 4);
  k.end_if();
  EXPECT_EQ(count(combined(), Kind::FloatMad), 0U);
}

TEST_P(Passes, DifferenceWithAProductNeedsNegateBits) {
  const auto a = k.load(0), b = k.load(2), c = k.load(4);
  k.store(k.sub(c, k.mul(a, b)), 6);
  EXPECT_EQ(count(combined(), Kind::FloatMad), is_blackhole() ? 1U : 0U);
}

TEST_P(Passes, NegationGoesIntoAConstant) {
  const auto minus_two = k.unary(Op::SFPMOV, 1, k.constant(2.0F));
  k.store(k.mul(k.load(0), minus_two), 2);
  const Code code = selected();
  EXPECT_EQ(ops(code), (std::vector<Op>{Op::SFPLOAD, Op::SFPMULI, Op::SFPSTORE}));
  EXPECT_EQ(code.instrs[1].imm, 0xC000);
}

// ---------------------------------------------------------------- dce

TEST_P(Passes, ValuesWithoutUseGo) {
  k.mul(k.load(0), k.load(2));
  EXPECT_TRUE(selected().instrs.empty());
}

TEST_P(Passes, PredicateAroundNothingGoes) {
  const auto a = k.load(0);
  k.begin_if(k.compare(a, Relation::LT, integer(0)));
  k.mul(a, a);
  k.else_if(k.compare(a, Relation::EQ, integer(0)));
  k.begin_else();
  k.end_if(2);
  k.store(a, 2);
  EXPECT_EQ(ops(selected()), (std::vector<Op>{Op::SFPLOAD, Op::SFPSTORE}));
}

TEST_P(Passes, OnlyTheEmptyEndOfAChainGoes) {
  const auto a = k.load(0);
  k.begin_if(k.compare(a, Relation::LT, integer(0)));
  k.else_if(k.compare(a, Relation::EQ, integer(0)));
  k.store(a, 2);
  k.else_if(k.compare(a, Relation::EQ, integer(1), NumberType::Int));
  k.begin_else();
  k.end_if(3);
  const Recording recording = combined();
  EXPECT_EQ(count(recording, Kind::ElseIf), 1U); // the first part decides where the second is
  EXPECT_EQ(count(recording, Kind::Else), 0U);
  for (const Node& node : recording.nodes) {
    if (node.kind == Kind::EndIf) {
      EXPECT_EQ(node.imm, 2);
    }
  }
}

TEST_P(Passes, RandomNumbersAreDrawnEvenIfNobodyLooks) {
  // SFPSTOCHRND steps the PRNG in every mode (VU C45).
  k.unary(Op::SFPSTOCHRND, 1, k.load(0));
  EXPECT_EQ(ops(selected()), (std::vector<Op>{Op::SFPLOAD, Op::SFPSTOCHRND}));
}

TEST_P(Passes, RotationStaysWhereALaterShiftShowsIt) {
  // Wormhole's latch behind SFPSHFT2 (VU C36).
  k.unary(Op::SFPSHFT2, 3, k.load(0));
  EXPECT_EQ(selected().instrs.empty(), is_blackhole());
}

// ---------------------------------------------------------------- select

TEST_P(Passes, AssignmentUnderAPredicateWritesTheVariable) {
  const auto a = k.load(0), b = k.load(2);
  const std::uint32_t declared = k.context();
  k.begin_if(k.compare(a, Relation::LT, integer(0)));
  const auto c = k.assign(a, k.mul(a, b), declared);
  k.end_if();
  k.store(c, 4);
  const Op test = is_blackhole() ? Op::SFPGT : Op::SFPSETCC;
  EXPECT_EQ(ops(selected()), (std::vector<Op>{Op::SFPLOAD, Op::SFPLOAD, Op::SFPPUSHC, test,
                                              Op::SFPMUL, Op::SFPPOPC, Op::SFPSTORE}));
}

TEST_P(Passes, OldValueThatIsStillNeededIsCopiedInAllLanes) {
  const auto a = k.load(0), b = k.load(2);
  const std::uint32_t declared = k.context();
  k.begin_if(k.compare(a, Relation::LT, integer(0)));
  const auto c = k.assign(a, k.mul(b, b), declared);
  k.end_if();
  k.store(c, 4);
  k.store(a, 6);
  const Code code = selected();
  const auto copy = std::find_if(code.instrs.begin(), code.instrs.end(),
                                 [](const Instr& each) { return each.op == Op::SFPMOV; });
  ASSERT_NE(copy, code.instrs.end());
  EXPECT_EQ(copy->mod, 2);
}

TEST_P(Passes, ConstantOfAVariableIsLoadedForAllItsLanes) {
  const auto a = k.load(0);
  const auto b = k.constant(3.0F);
  const std::uint32_t declared = k.context();
  k.begin_if(k.compare(a, Relation::LT, integer(0)));
  const auto c = k.assign(b, k.mul(a, a), declared);
  k.end_if();
  k.store(c, 4);
  const auto found = ops(selected());
  EXPECT_LT(std::find(found.begin(), found.end(), Op::SFPLOADI),
            std::find(found.begin(), found.end(), Op::SFPPUSHC));
}

TEST_P(Passes, ConstantOfARotationIsLoadedForAllItsLanes) {
  const auto a = k.load(0);
  const auto b = k.constant(3.0F);
  k.begin_if(k.compare(a, Relation::LT, integer(0)));
  k.store(k.unary(Op::SFPSHFT2, 3, b), 4);
  k.end_if();
  const auto found = ops(selected());
  EXPECT_LT(std::find(found.begin(), found.end(), Op::SFPLOADI),
            std::find(found.begin(), found.end(), Op::SFPPUSHC));
}

TEST_P(Passes, ImmediateOfASumIsNoNanOnWormhole) {
  // SFPADDI adds VD to the immediate, and on Wormhole the order shows in a NaN (VU 3.2); Blackhole
  // has one NaN (VU 3.1).
  k.store(k.add(k.load(0), k.constant(0xFFC00000U)), 2);
  k.store(k.add(k.load(0), k.constant(1.5F)), 4);
  const auto found = ops(selected());
  const int without = is_blackhole() ? 0 : 1;
  EXPECT_EQ(std::count(found.begin(), found.end(), Op::SFPADD), without);
  EXPECT_EQ(std::count(found.begin(), found.end(), Op::SFPADDI), 2 - without);
}

TEST_P(Passes, IntegerComparisonWithAConstantIsOneInstruction) {
  const auto a = k.load(0, 4);
  k.begin_if(k.compare(a, Relation::GT, integer(5), NumberType::Int)); // a >= 6
  k.store(a, 2, 4);
  k.end_if();
  const Code code = selected();
  EXPECT_EQ(code.instrs[2].op, Op::SFPIADD);
  EXPECT_EQ(code.instrs[2].imm, -6);
  EXPECT_EQ(code.instrs[2].mod, 9);
}

TEST_P(Passes, LoadsForOneTestWaitForItIfRegistersAreFew) {
  const auto a = k.load(0), b = k.load(2);
  k.begin_if(
      k.both(k.compare(a, Relation::LT, integer(0)), k.compare(b, Relation::LT, integer(0))));
  k.store(k.constant(1.0F), 4);
  k.end_if();
  const Code code = select(combined(), ConstantLoads::Anew);
  const Op test = is_blackhole() ? Op::SFPGT : Op::SFPSETCC;
  EXPECT_EQ(ops(code), (std::vector<Op>{Op::SFPPUSHC, Op::SFPLOAD, test, Op::SFPLOAD, test,
                                        Op::SFPSTORE, Op::SFPPOPC}));
}

TEST_P(Passes, IndirectLutNamesItsResultInTheLastLReg) {
  // SFPLUTFP32 with three entries of FP16 writes the LReg that LReg[7] names (VU C44).
  const auto value = k.instruction(
      Op::SFPLUTFP32, 10, 0, {{0, k.load(0)}, {1, k.load(2)}, {2, k.load(4)}, {3, k.load(6)}});
  k.store(value, 8);
  const Code code = selected();
  const auto lut = std::find_if(code.instrs.begin(), code.instrs.end(),
                                [](const Instr& each) { return each.op == Op::SFPLUTFP32; });
  ASSERT_NE(lut, code.instrs.end());
  EXPECT_EQ(lut->vd, l(7)); // itself: nothing that is wanted later is destroyed
  EXPECT_EQ(lut->pins.back().lreg, 7);
  EXPECT_TRUE(lut->pins.back().written);
}

} // namespace
} // namespace lanewise::compiler
