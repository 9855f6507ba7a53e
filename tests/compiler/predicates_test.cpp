// The flag stack and the flags: passes "cc" and "flags" (SFPI 2.2).
#include "compiler/code_fixture.h"
#include "source/compiler/cc.h"
#include "source/compiler/epoch.h"
#include "source/compiler/fold_flags.h"

namespace lanewise::compiler {
namespace {

using namespace test;

constexpr Arch kChip = Arch::Blackhole;

std::vector<Op> simplified(std::vector<Instr> instrs) {
  Code made = code(kChip, std::move(instrs));
  simplify_predicates(made);
  return ops(made);
}
std::vector<Op> list(std::initializer_list<Op> ops) {
  return ops;
}

const Instr kTest = test_lanes(v(0), 0);
const Instr kStore = store(v(1));

// ---------------------------------------------------------------- cc

TEST(Predicates, OutermostPairBecomesEnable) {
  Code made = code(kChip, {push(), kTest, kStore, pop()});
  simplify_predicates(made);
  EXPECT_EQ(ops(made), list({Op::SFPSETCC, Op::SFPSTORE, Op::SFPENCC}));
  EXPECT_EQ(made.instrs.back().imm, 3); // both, and every lane
  EXPECT_EQ(made.instrs.back().mod, 10);
}

TEST(Predicates, PairThatEndsWithItsEnclosingPairGoes) {
  EXPECT_EQ(simplified({push(), kTest, push(), kTest, kStore, pop(), pop()}),
            list({Op::SFPSETCC, Op::SFPSETCC, Op::SFPSTORE, Op::SFPENCC}));
}

TEST(Predicates, PairWithMoreBehindStays) {
  EXPECT_EQ(simplified({push(), kTest, push(), kTest, kStore, pop(), kStore, pop()}),
            list({Op::SFPSETCC, Op::SFPPUSHC, Op::SFPSETCC, Op::SFPSTORE, Op::SFPPOPC, Op::SFPSTORE,
                  Op::SFPENCC}));
}

TEST(Predicates, PairThatAComplementNeedsStays) {
  EXPECT_EQ(simplified({push(), kTest, push(), kTest, kStore, complement(), kStore, pop(), pop()}),
            list({Op::SFPSETCC, Op::SFPPUSHC, Op::SFPSETCC, Op::SFPSTORE, Op::SFPCOMPC,
                  Op::SFPSTORE, Op::SFPPOPC, Op::SFPENCC}));
}

TEST(Predicates, ComplementAtTheVeryEndGoes) {
  EXPECT_EQ(simplified({push(), kTest, push(), kTest, kStore, complement(), pop(), pop()}),
            list({Op::SFPSETCC, Op::SFPSETCC, Op::SFPSTORE, Op::SFPENCC}));
}

TEST(Predicates, PairsAroundNothingGo) {
  EXPECT_TRUE(simplified({push(), push(), pop(), pop()}).empty());
}

TEST(Predicates, RawFlagsKeepTheStack) {
  const std::uint32_t raw_test = encode(kChip, test_lanes(l(0), 0));
  // Inside: whatever it does ends with the pair. Before: some lanes are off already.
  EXPECT_EQ(simplified({push(), raw(raw_test), kStore, pop()}).front(), Op::SFPPUSHC);
  const auto behind = simplified({raw(raw_test), push(), kTest, kStore, pop()});
  EXPECT_EQ(behind.back(), Op::SFPPOPC);
}

TEST(Predicates, RawEnableBringsAllLanesBack) {
  const std::uint32_t raw_test = encode(kChip, test_lanes(l(0), 0));
  const std::uint32_t enable = encode(kChip, instr(Op::SFPENCC, 10, {.imm = 3}));
  EXPECT_EQ(simplified({raw(raw_test), raw(enable), push(), kTest, kStore, pop()}).back(),
            Op::SFPENCC);
}

// ---------------------------------------------------------------- flags

Code folded(std::vector<Instr> instrs, int epoch = kNewestEpoch) {
  Code made = code(kChip, std::move(instrs));
  fold_flags(made, epoch, false);
  return made;
}

TEST(Flags, SignOfASumIsItsOwnFlag) {
  const Code below = folded({add_immediate(v(0), v(1), -5), push(), test_lanes(v(0), 0), pop()});
  EXPECT_EQ(ops(below), list({Op::SFPPUSHC, Op::SFPIADD, Op::SFPPOPC}));
  EXPECT_EQ(below.instrs[1].mod, 1);
  const Code not_below = folded({add_immediate(v(0), v(1), -5), test_lanes(v(0), 4)});
  EXPECT_EQ(not_below.instrs[0].mod, 9);
}

TEST(Flags, SignOfAnExponentIsItsOwnFlag) {
  const Instr exponent = instr(Op::SFPEXEXP, 0, {.vd = v(0), .vc = v(1)});
  EXPECT_EQ(folded({exponent, test_lanes(v(0), 0)}).instrs[0].mod, 2);
  EXPECT_EQ(folded({exponent, test_lanes(v(0), 4)}).instrs[0].mod, 10);
}

TEST(Flags, LeadingZerosKnowWhetherTheirOperandIsZero) {
  const Instr zeros = instr(Op::SFPLZ, 0, {.vd = v(0), .vc = v(1)});
  constexpr int kLast = 761;
  EXPECT_EQ(folded({zeros, test_lanes(v(1), 2)}, kLast).instrs[0].mod, 2);
  EXPECT_EQ(folded({zeros, test_lanes(v(1), 6)}, kLast).instrs[0].mod, 10);
  EXPECT_EQ(folded({zeros, test_lanes(v(1), 0)}, kLast).instrs.size(), 2U); // the sign: no
  EXPECT_EQ(folded({zeros, test_lanes(v(1), 2)}, kLast + 1).instrs.size(), 2U);
}

TEST(Flags, SumWhoseZeroIsTestedHasNoFlag) {
  EXPECT_EQ(folded({add_immediate(v(0), v(1), -5), test_lanes(v(0), 6)}).instrs.size(), 2U);
}

TEST(Flags, ResultThatOthersNeedIsMadeInAllLanes) {
  // Between the sum and its test, lanes are switched off.
  const std::vector<Instr> kernel{add_immediate(v(0), v(1), -5), test_lanes(v(2), 6),
                                  test_lanes(v(0), 0)};
  EXPECT_EQ(folded(kernel).instrs.size(), 2U);
  std::vector<Instr> used_later = kernel;
  used_later.push_back(store(v(0)));
  EXPECT_EQ(folded(used_later).instrs.size(), 4U);
}

TEST(Flags, OperandsAndResultMustStayTheSame) {
  EXPECT_EQ(folded({add_immediate(v(0), v(1), -5), store(v(0)), test_lanes(v(0), 0)}).instrs.size(),
            3U);
  EXPECT_EQ(folded({add_immediate(v(0), v(1), -5), load(v(1)), test_lanes(v(0), 0)}).instrs.size(),
            3U);
  EXPECT_EQ(
      folded({add_immediate(v(0), v(1), -5), complement(), test_lanes(v(0), 0)}).instrs.size(), 3U);
}

} // namespace
} // namespace lanewise::compiler
