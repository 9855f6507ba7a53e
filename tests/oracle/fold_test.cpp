// Pass "fold": what is known before the kernel runs, against the interpreter, which computes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "chip/isa/fields.h"
#include "machine/machine_fixture.h"
#include "run/oracle/kernel_check.h"
#include "run/oracle/kernel_writer.h"
#include "source/compiler/compiler.h"
#include "source/compiler/fold.h"
#include "source/compiler/known_values.h"

namespace lanewise::oracle {
namespace {

using compiler::Kind;
using compiler::kNone;
using compiler::NumberType;
using compiler::Recording;
using compiler::Relation;
using isa::Op;

/// Zeros, units, the ends of the integers, a denormal, numbers.
constexpr std::array<std::uint32_t, 8> kNumbers{0,          0x80000000, 0xBF800000, 0x40490FDB,
                                                0x00000001, 0xFFFFFFFB, 0x3F7FFFFF, 3};

std::size_t live(const Recording& recording, Kind kind) {
  return static_cast<std::size_t>(std::ranges::count_if(
      recording.nodes,
      [&](const compiler::Node& node) { return !node.dead && node.kind == kind; }));
}

class Fold : public ::testing::TestWithParam<Arch> {
 protected:
  /// `make` writes a value of two numbers; all pairs are stored, each to the same place.
  void compare(const std::function<Value(KernelWriter&, Value, Value)>& make) {
    for (const std::uint32_t left : kNumbers) {
      KernelWriter k(GetParam());
      std::int32_t address = 0;
      for (const std::uint32_t right : kNumbers) {
        constexpr unsigned kInt32 = 4;
        k.store(make(k, k.constant(left), k.constant(right)), address, kInt32);
        address += static_cast<std::int32_t>(arch_params(GetParam()).vector.dst_rows_per_access);
      }
      check(k.take());
    }
  }

  void check(const Recording& recording) {
    Recording known = compiler::combined(recording, {});
    found_ = compiler::fold_known(known);
    // What was folded, whether or not it is the better program.
    compiler::Options plain;
    plain.fold = false;
    plain.cse = false;
    plain.compiled = compiler::CompiledAs::Shipped;
    const auto folded = compiler::compile(known, plain);
    ASSERT_TRUE(folded.ok);
    words_ = folded.program.words.size();
    const auto same = check_kernel(compiler::combined(recording, {}), folded.program, 2);
    EXPECT_TRUE(same.ok()) << same.difference << '\n' << compiler::to_text(known);
    folded_ = std::move(known);
  }

  bool found_ = false;
  std::size_t words_ = 0;
  Recording folded_;
};
LANEWISE_ON_BOTH_CHIPS(Fold);

TEST_P(Fold, SumsAndProducts) {
  compare([](KernelWriter& k, Value a, Value b) { return k.add(a, b); });
  EXPECT_TRUE(found_);
  compare([](KernelWriter& k, Value a, Value b) { return k.sub(a, b); });
  compare([](KernelWriter& k, Value a, Value b) { return k.mul(a, b); });
  compare([](KernelWriter& k, Value a, Value b) { return k.mad(a, b, a); });
  EXPECT_EQ(live(folded_, Kind::FloatMad), 1U); // of a NaN
  if (!arch_params(GetParam()).vector.mad_negate_bits) return;
  for (const std::uint8_t mod : std::array<std::uint8_t, 3>{1, 2, 3})
    compare([mod](KernelWriter& k, Value a, Value b) { return k.mad(a, b, b, mod); });
}

TEST_P(Fold, IntegersAndBits) {
  for (const Op op : {Op::SFPAND, Op::SFPOR, Op::SFPXOR, Op::SFPSETEXP, Op::SFPSETMAN,
                      Op::SFPSETSGN, Op::SFPSHFT})
    compare([op](KernelWriter& k, Value a, Value b) { return k.two_address(op, 0, a, b); });
  EXPECT_EQ(live(folded_, Kind::Instruction), kNumbers.size()); // the stores are left
  for (const unsigned mod : {4, 6})
    compare(
        [mod](KernelWriter& k, Value a, Value b) { return k.two_address(Op::SFPIADD, mod, a, b); });
  compare([](KernelWriter& k, Value a, Value b) { return k.two_address(Op::SFPSETEXP, 2, a, b); });
  EXPECT_TRUE(found_);
}

TEST_P(Fold, OneOperand) {
  for (const Op op : {Op::SFPNOT, Op::SFPLZ, Op::SFPEXEXP})
    compare([op](KernelWriter& k, Value a, Value) { return k.unary(op, 0, a); });
  compare([](KernelWriter& k, Value a, Value) { return k.unary(Op::SFPEXEXP, 1, a); });
  compare([](KernelWriter& k, Value a, Value) { return k.unary(Op::SFPIADD, 5, a, -5); });
  for (const Op op : {Op::SFPSETEXP, Op::SFPSETMAN, Op::SFPSETSGN})
    compare([op](KernelWriter& k, Value a, Value) { return k.unary(op, 1, a, 1); });
  EXPECT_EQ(live(folded_, Kind::Instruction), kNumbers.size());
}

TEST_P(Fold, Comparisons) {
  for (const NumberType type : {NumberType::Float, NumberType::Int, NumberType::UInt}) {
    for (const Relation relation :
         {Relation::LT, Relation::LE, Relation::EQ, Relation::NE, Relation::GE, Relation::GT}) {
      compare([&](KernelWriter& k, Value a, Value b) {
        return k.from_condition(k.compare(a, relation, b, type));
      });
    }
  }
  EXPECT_EQ(live(folded_, Kind::Compare), kNumbers.size()); // nobody's, until "dce"
  EXPECT_EQ(live(folded_, Kind::FromCondition), 0U);
}

TEST_P(Fold, InfinitiesAndNansStay) {
  for (const std::uint32_t special : {0x7F800000U, 0xFFC00000U}) {
    KernelWriter k(GetParam());
    k.store(k.add(k.constant(special), k.constant(1.0F)), 0);
    check(k.take());
    EXPECT_FALSE(found_);
  }
  KernelWriter k(GetParam());
  k.store(k.mul(k.constant(0x7F7FFFFFU), k.constant(2.0F)), 0); // overflows
  check(k.take());
  EXPECT_FALSE(found_);
}

/// A chain of three arms of which each stores and assigns, with conditions on numbers.
Recording chain(Arch arch, std::uint32_t number, bool is_nested) {
  KernelWriter k(arch);
  const Value n = k.constant(number), a = k.load(0);
  Value x = k.load(2), y = x;
  if (is_nested) k.begin_if(k.compare(a, Relation::LT, k.constant(0U)));
  const std::uint32_t declared = 0;
  k.begin_if(k.compare(n, Relation::EQ, k.constant(1U), NumberType::Int));
  x = k.assign(x, k.add(a, a), declared);
  k.store(x, 4);
  k.else_if(k.compare(n, Relation::EQ, k.constant(2U), NumberType::Int));
  x = k.assign(x, k.mul(a, a), declared);
  y = k.assign(y, a, declared);
  k.store(x, 6);
  k.begin_else();
  y = k.assign(y, k.mul(x, a), declared);
  k.end_if(2);
  k.store(x, 8);
  if (is_nested) k.end_if();
  k.store(y, 10);
  k.store(x, 12);
  return k.take();
}

TEST_P(Fold, TheArmThatIsTakenReplacesTheChain) {
  for (const bool is_nested : {false, true}) {
    for (const std::uint32_t number : {1U, 2U, 3U}) {
      check(chain(GetParam(), number, is_nested));
      EXPECT_EQ(live(folded_, Kind::If), is_nested ? 1U : 0U) << number;
      EXPECT_EQ(live(folded_, Kind::ElseIf) + live(folded_, Kind::Else), 0U) << number;
      EXPECT_EQ(live(folded_, Kind::Assign) != 0, is_nested) << number;
    }
  }
}

TEST_P(Fold, WordsOfTheAuthorKeepThePredicateAroundThem) {
  KernelWriter k(GetParam());
  const Value a = k.load(0);
  k.begin_if(k.compare(k.constant(1U), Relation::EQ, k.constant(1U), NumberType::Int));
  k.raw(Op::SFPSETCC, {{"VC", 0}, {"Mod1", 2}}); // the EndIf brings the lanes back
  k.end_if();
  k.store(a, 2);
  check(k.take());
  EXPECT_EQ(live(folded_, Kind::If), 1U);
}

TEST_P(Fold, StoreThatMovesCountersStays) {
  KernelWriter k(GetParam());
  const Value a = k.load(0);
  k.begin_if(k.compare(k.constant(1U), Relation::EQ, k.constant(2U), NumberType::Int));
  k.store(a, 2, isa::kMode<Op::SFPSTORE, "INT32_ALL">);
  k.advance(2);
  k.end_if();
  k.store(a, 2);
  check(k.take());
  EXPECT_EQ(live(folded_, Kind::If), 1U);
}

TEST_P(Fold, RowsStepsInAnArmThatIsNotTakenCount) { // INCRWC asks no lane
  KernelWriter k(GetParam());
  const Value a = k.load(0);
  k.begin_if(k.compare(k.constant(1U), Relation::EQ, k.constant(2U), NumberType::Int));
  k.store(k.add(a, a), 0);
  k.advance(2);
  k.end_if();
  k.store(a, 2);
  check(k.take());
  EXPECT_EQ(live(folded_, Kind::If), 0U);
  EXPECT_EQ(words_, 3U); // SFPLOAD, INCRWC, SFPSTORE
}

TEST_P(Fold, HeadersOfTheLibraryAreAsTheyShip) {
  Recording recording = chain(GetParam(), 1, false);
  recording.is_shipped = true;
  const std::size_t shipped = compiler::compile(recording, {}).program.words.size();
  recording.is_shipped = false;
  EXPECT_LT(compiler::compile(recording, {}).program.words.size(), shipped);
}

} // namespace
} // namespace lanewise::oracle
