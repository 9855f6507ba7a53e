// Short forms of expressions: negate bits, literals as operands, common subexpressions. Each is
// held against the recording as it was written, on random machines with every kind of number.
#include <algorithm>

#include "chip/isa/encoding.h"
#include "compiler/code_fixture.h"
#include "machine/machine_fixture.h"
#include "run/oracle/kernel_check.h"
#include "run/oracle/kernel_writer.h"
#include "source/compiler/combine.h"
#include "source/compiler/compiler.h"
#include "source/compiler/cse.h"
#include "source/compiler/dead_code.h"
#include "source/compiler/select.h"

namespace lanewise::compiler {
namespace {

using namespace test;
using oracle::KernelWriter;

constexpr std::uint64_t kSeeds = 200; // of 32 lanes each

class Expressions : public ::testing::TestWithParam<Arch> {
 protected:
  bool is_blackhole() const { return GetParam() == Arch::Blackhole; }
  Value integer(std::int32_t number) { return k.constant(static_cast<std::uint32_t>(number)); }
  Value negative(Value value) { return k.unary(Op::SFPMOV, 1, value); }
  Value swapped(unsigned mod, Value vc, Value vd, unsigned result) {
    return k.result(k.instruction(Op::SFPSWAP, mod, 0, {{2, vc}, {3, vd}}), result);
  }

  /// Compiles what was written; checks that no bit has changed.
  std::vector<Op> compiled(const Options& options = {}) {
    const Recording kernel = k.take();
    const Compiled result = compile(kernel, options);
    EXPECT_TRUE(result.ok);
    words_.clear();
    std::vector<Op> found;
    for (const ProgramWord& each : result.program.words) {
      words_.push_back(each.word);
      found.push_back(isa::decode(GetParam(), each.word).row->op);
    }
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const oracle::KernelCheck check = oracle::check_kernel(kernel, result.program, seed);
      EXPECT_TRUE(check.ok()) << "seed " << seed << ": " << check.difference;
      if (!check.ok()) break;
    }
    k = KernelWriter(GetParam());
    return found;
  }
  /// The words of the compiled program with that opcode.
  std::vector<std::uint32_t> words_of(std::uint32_t opcode) const {
    std::vector<std::uint32_t> found;
    std::ranges::copy_if(words_, std::back_inserter(found),
                         [&](std::uint32_t word) { return word >> 24 == opcode; });
    return found;
  }
  Code selected() {
    Recording recording = k.take();
    combine(recording);
    remove_dead_code(recording);
    k = KernelWriter(GetParam());
    return select(recording, ConstantLoads::Once);
  }
  static std::size_t count(const std::vector<Op>& ops, Op op) {
    return static_cast<std::size_t>(std::ranges::count(ops, op));
  }

  KernelWriter k{GetParam()};
  std::vector<std::uint32_t> words_;
};
LANEWISE_ON_BOTH_CHIPS(Expressions);

// ---------------------------------------------------------------- negate bits

TEST_P(Expressions, NegatedOperandsAreModesOfSfpmad) {
  // SFPMAD: VA [19:16], VB [15:12], VC [11:8], VD [7:4], NEGATE_VA 1, NEGATE_VC 2 (VU 2, 3.1).
  struct Case {
    bool first, second, addend;
    std::uint32_t mod;
  };
  for (const Case& c :
       {Case{true, false, false, 1}, Case{false, true, false, 1}, Case{true, true, false, 0},
        Case{false, false, true, 2}, Case{true, false, true, 3}, Case{true, true, true, 2}}) {
    const auto a = k.load(0), b = k.load(2), addend = k.load(4);
    k.store(k.mad(c.first ? negative(a) : a, c.second ? negative(b) : b,
                  c.addend ? negative(addend) : addend),
            6);
    const std::vector<Op> ops = compiled();
    if (!is_blackhole()) continue;
    EXPECT_EQ(count(ops, Op::SFPMOV), 0U);
    EXPECT_EQ(words_of(0x84), std::vector{0x84001200U | c.mod});
  }
}

TEST_P(Expressions, NegatedFactorIsAModeOfSfpmul) {
  const auto a = k.load(0), b = k.load(2);
  k.store(k.mul(negative(a), b), 4);
  const std::vector<Op> ops = compiled();
  EXPECT_EQ(count(ops, Op::SFPMOV), is_blackhole() ? 0U : 1U);
  if (is_blackhole()) {
    EXPECT_EQ(words_of(0x86), std::vector{0x86001901U}); // VC = L9
  }
}

TEST_P(Expressions, NegatedProductGoesIntoASum) {
  const auto a = k.load(0), b = k.load(2), c = k.load(4);
  k.store(k.add(k.mul(negative(a), b), c), 6);
  const Code code = selected();
  const auto mad = std::ranges::find(code.instrs, Op::SFPMAD, &Instr::op);
  ASSERT_NE(mad, code.instrs.end());
  EXPECT_EQ(mad->mod, is_blackhole() ? 1 : 0);
}

TEST_P(Expressions, LiteralMinusXIsAnImmediate) {
  k.store(k.sub(k.constant(2.0F), k.load(0)), 2);
  const std::vector<Op> ops = compiled();
  EXPECT_EQ(count(ops, Op::SFPADDI), is_blackhole() ? 1U : 0U);
  if (is_blackhole()) {
    EXPECT_EQ(words_of(0x75), std::vector{0x75400002U}); // Imm16 [23:8] = 4000, NEGATE_VC
  }
}

// ---------------------------------------------------------------- literals

TEST_P(Expressions, LiteralOnTheLeftIsAnImmediate) {
  for (const Relation relation :
       {Relation::LT, Relation::LE, Relation::EQ, Relation::NE, Relation::GE, Relation::GT}) {
    const auto a = k.load(0, 4);
    k.begin_if(k.compare(integer(7), relation, a, NumberType::Int));
    k.store(a, 2, 4);
    k.end_if();
    EXPECT_EQ(count(compiled(), Op::SFPLOADI), 0U) << static_cast<int>(relation);
  }
}

TEST_P(Expressions, FloatsKeepTheirOrderWhereItShows) {
  for (const Relation relation :
       {Relation::LT, Relation::LE, Relation::EQ, Relation::NE, Relation::GE, Relation::GT}) {
    const auto a = k.load(0);
    k.begin_if(k.compare(k.constant(0.0F), relation, a));
    k.store(a, 2);
    k.end_if();
    compiled();
  }
}

TEST_P(Expressions, FactorOnTheLeftIsAnImmediate) {
  k.store(k.mul(k.constant(2.0F), k.load(0)), 2);
  const std::vector<Op> ops = compiled();
  EXPECT_EQ(count(ops, Op::SFPMULI), 1U);
  EXPECT_EQ(count(ops, Op::SFPLOADI), 0U);
}

TEST_P(Expressions, ConstantRegistersAreOperandsOfSfpswap) {
  // SFPSWAP: VC [11:8], VD [7:4], VEC_MIN_MAX 1: VD gets the smaller, VC the larger.
  const auto a = k.load(0);
  k.store(swapped(1, a, k.constant(0.0F), 0), 2); // max(a, 0): L9 as VD
  const std::vector<Op> ops = compiled();
  EXPECT_EQ(count(ops, Op::SFPMOV) + count(ops, Op::SFPLOADI), 0U);
  EXPECT_EQ(words_of(0x92), std::vector{0x92000091U});
  const auto b = k.load(0);
  k.store(swapped(1, k.constant(1.0F), b, 1), 2); // min(b, 1): L10 as VC
  compiled();
  EXPECT_EQ(words_of(0x92), std::vector{0x92000A01U});
}

TEST_P(Expressions, BothResultsOfAnExchangeNeedRegisters) {
  const auto a = k.load(0);
  const auto both = k.instruction(Op::SFPSWAP, 1, 0, {{2, a}, {3, k.constant(0.0F)}});
  k.store(k.result(both, 0), 2);
  k.store(k.result(both, 1), 4);
  EXPECT_EQ(count(compiled(), Op::SFPMOV), 1U);
}

TEST_P(Expressions, ProgrammableConstantsAreNoVd) {
  // As VD, LReg[12] would select a macro template (VU C13): the operands change places.
  k.store(swapped(1, k.load(0), k.const_register(12), 0), 2);
  EXPECT_EQ(count(compiled(), Op::SFPMOV), 0U);
  EXPECT_EQ(words_of(0x92), std::vector{0x92000C09U}); // VC = L12, VD = L0, VEC_MAX_MIN
  k.store(swapped(1, k.const_register(12), k.load(0), 1), 2);
  EXPECT_EQ(count(compiled(), Op::SFPMOV), 0U);
  k.store(swapped(3, k.load(0), k.const_register(12), 0), 2); // by rows: only these two
  EXPECT_EQ(count(compiled(), Op::SFPMOV), 1U);
}

TEST_P(Expressions, LiteralsNearAConstantRegisterAreOneInstruction) {
  k.store(k.constant(0x3F800042U), 0, 4); // 1.0 and 0x42
  EXPECT_EQ(compiled(), (std::vector<Op>{Op::SFPIADD, Op::SFPSTORE}));
  EXPECT_EQ(words_of(0x79), std::vector{0x79042A05U}); // Imm12 [23:12], VC = L10, VD = L0
  k.store(k.constant(0x3F805542U), 0, 4);              // too far
  EXPECT_EQ(compiled(), (std::vector<Op>{Op::SFPLOADI, Op::SFPLOADI, Op::SFPSTORE}));
}

TEST_P(Expressions, LiteralsNearAnotherThatLivesAreOneInstruction) {
  const auto a = k.load(0, 4);
  const auto first = k.constant(0x12345678U), second = k.constant(0x12345600U);
  const auto sum = k.two_address(Op::SFPXOR, 0, first, a);
  const auto other = k.two_address(Op::SFPXOR, 0, second, sum);
  k.store(k.two_address(Op::SFPXOR, 0, first, other), 2, 4);
  const std::vector<Op> ops = compiled();
  EXPECT_EQ(count(ops, Op::SFPLOADI), 2U);
  EXPECT_EQ(count(ops, Op::SFPIADD), 1U);
}

TEST_P(Expressions, LiteralsOfOtherLanesAreLoadedAnew) {
  const auto a = k.load(0, 4);
  const auto first = k.constant(0x12345678U);
  k.begin_if(k.compare(a, Relation::LT, integer(0), NumberType::Int));
  k.store(k.two_address(Op::SFPXOR, 0, k.two_address(Op::SFPXOR, 0, first, a), first), 2, 4);
  k.begin_else();
  k.store(k.two_address(Op::SFPXOR, 0, k.constant(0x12345600U), a), 2, 4);
  k.end_if();
  compiled();
}

TEST_P(Expressions, EqualityOverwritesWhatEnds) {
  const auto a = k.load(0), b = k.load(2);
  k.begin_if(k.compare(a, Relation::NE, k.constant(1.0F)));
  k.store(b, 4);
  k.end_if();
  EXPECT_EQ(count(compiled(), Op::SFPMOV), 0U);
}

TEST_P(Expressions, PowerOfTwoIsAShiftWhereTheExponentLives) {
  const auto n = k.unary(Op::SFPSTOCHRND, 2, k.load(0)); // uint8
  const auto one = k.const_register(10);
  k.store(k.two_address(Op::SFPSETEXP, 0, one, n), 2);
  k.store(n, 4, 4);
  const std::vector<Op> ops = compiled();
  EXPECT_EQ(count(ops, Op::SFPSHFT), is_blackhole() ? 1U : 0U);
  EXPECT_EQ(count(ops, Op::SFPMOV), is_blackhole() ? 0U : 1U);
  const auto any = k.load(0, 4); // 32 bits: not only the exponent would be shifted
  k.store(k.two_address(Op::SFPSETEXP, 0, k.const_register(10), any), 2);
  k.store(any, 4, 4);
  EXPECT_EQ(count(compiled(), Op::SFPSHFT), 0U);
}

TEST_P(Expressions, TablesLeaveTheirInputAlone) {
  // SFPLUTFP32 with three entries of FP16: the result is where LReg[7] says.
  const auto x = k.load(6);
  const auto value = k.instruction(Op::SFPLUTFP32, 10, 0,
                                   {{0, k.load(0)}, {1, k.load(2)}, {2, k.load(4)}, {3, x}});
  k.store(k.add(value, x), 8);
  EXPECT_EQ(count(compiled(), Op::SFPMOV), 0U);
}

// ---------------------------------------------------------------- common subexpressions

TEST_P(Expressions, WhatIsComputedTwiceIsComputedOnce) {
  const auto a = k.load(0), b = k.load(2);
  const auto half = k.mul(a, k.constant(-0.5F));
  const auto same = k.mul(k.constant(-0.5F), a); // factors commute
  k.store(k.mul(k.mul(half, b), same), 4);
  k.store(a, 6);
  EXPECT_EQ(count(compiled(), Op::SFPMUL), 3U);
}

TEST_P(Expressions, WithoutThePassItIsComputedTwice) {
  const auto a = k.load(0), b = k.load(2);
  k.store(k.mul(k.mul(a, b), k.mul(a, b)), 4);
  k.store(k.mul(a, a), 6);
  Options off;
  off.cse = false;
  EXPECT_EQ(count(compiled(off), Op::SFPMUL), 4U);
}

/// Whether the pass finds anything.
bool merges(Recording recording) {
  return merge_common(recording);
}

TEST_P(Expressions, AValueServesFewerLanesButNotMore) {
  const auto write = [&](bool first_outside) {
    const auto a = k.load(0), b = k.load(2);
    if (first_outside) k.store(k.mul(a, b), 4);
    k.begin_if(k.compare(a, Relation::LT, integer(0)));
    k.store(k.mul(a, b), 6);
    k.end_if();
    if (!first_outside) k.store(k.mul(a, b), 4);
    Recording recording = k.take();
    k = KernelWriter(GetParam());
    return merges(std::move(recording));
  };
  EXPECT_TRUE(write(true));
  EXPECT_FALSE(write(false));
}

TEST_P(Expressions, TheOtherBranchIsOtherLanes) {
  const auto a = k.load(0), b = k.load(2);
  k.begin_if(k.compare(a, Relation::LT, integer(0)));
  k.store(k.mul(a, b), 6);
  k.begin_else();
  k.store(k.mul(a, b), 6);
  k.end_if();
  EXPECT_FALSE(merges(k.take()));
}

TEST_P(Expressions, RandomNumbersAndLoadsAreMadeAnew) {
  const auto a = k.load(0);
  k.store(k.unary(Op::SFPSTOCHRND, 1, a), 2);
  k.store(k.unary(Op::SFPSTOCHRND, 1, k.load(0)), 4);
  EXPECT_FALSE(merges(k.take()));
}

TEST_P(Expressions, WordsOfTheAuthorEndWhatIsKnown) {
  const auto a = k.load(0), b = k.load(2);
  k.store(k.mul(a, b), 4);
  k.raw(0x8A00300AU); // SFPENCC 3, 10
  k.store(k.mul(a, b), 6);
  EXPECT_FALSE(merges(k.take()));
}

TEST_P(Expressions, ConstantRegistersAreWhatTheyWere) {
  const auto write = [&](bool changes) {
    const auto a = k.load(0);
    k.store(k.mul(a, k.const_register(12)), 2);
    if (changes) k.write_const(12, a);
    k.store(k.mul(a, k.const_register(12)), 4);
    Recording recording = k.take();
    k = KernelWriter(GetParam());
    return merges(std::move(recording));
  };
  EXPECT_TRUE(write(false));
  EXPECT_FALSE(write(true));
}

TEST_P(Expressions, SumsOnWormholeKeepTheirOrder) {
  // Which of two NaNs is the product decides the sign of the result (VU 3.2).
  const auto a = k.load(0), b = k.load(2);
  k.store(k.add(a, b), 4);
  k.store(k.add(b, a), 6);
  EXPECT_FALSE(merges(k.take()));
}

} // namespace
} // namespace lanewise::compiler
