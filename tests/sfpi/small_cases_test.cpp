// The small kernels of the SFPI reference, 2.6: no more words than listed there, the instructions
// that the row is about, and the same bits as interpreted. Row 26, of Grayskull, is in
// grayskull_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chip/isa/encoding.h"
#include "project.h"
#include "run/oracle/kernel_check.h"
#include "sfpi/chosen_entry.h"
#include "source/compiler/compiler.h"

namespace lanewise::sfpi {
namespace {

using isa::Op;

constexpr Arch kBh = Arch::Blackhole;
constexpr Arch kWh = Arch::Wormhole;

class SmallCase {
 public:
  SmallCase(Arch arch, const std::string& name, bool replay = false, int epoch = kDefaultEpoch,
            compiler::CompiledAs compiled = compiler::CompiledAs::Lanewise)
      : arch_(arch) {
    KernelSource source;
    source.file = in_project("tests/sfpi/kernels/small_cases.cpp");
    source.entry = "case_" + name;
    source.epoch = epoch;
    auto recording = record_entry(arch, source);
    if (!recording) {
      ADD_FAILURE() << to_string(recording.error());
      return;
    }
    compiler::Options options;
    options.replay = replay;
    options.fold = false; // most are about numbers that are known
    options.compiled = compiled;
    compiled_ = compiler::compile(*recording, options);
    if (!compiled_.ok) return;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const auto check =
          oracle::check_kernel(compiler::combined(*recording, options), compiled_.program, seed);
      EXPECT_TRUE(check.ok()) << source.entry << ": " << check.difference;
    }
  }

  std::size_t words() const { return compiled_.program.words.size(); }
  const compiler::Compiled& compiled() const { return compiled_; }

  /// The instructions of that kind, in order.
  std::vector<isa::Decoded> all(Op op) const {
    std::vector<isa::Decoded> found;
    for (const ProgramWord& each : compiled_.program.words) {
      const isa::Decoded decoded = isa::decode(arch_, each.word);
      if (decoded.row->op == op) found.push_back(decoded);
    }
    return found;
  }
  std::size_t count(Op op) const { return all(op).size(); }
  bool has(Op op, std::string_view field, std::uint32_t value) const {
    const auto found = all(op);
    return std::any_of(found.begin(), found.end(),
                       [&](const isa::Decoded& d) { return d[field] == value; });
  }

 private:
  Arch arch_;
  compiler::Compiled compiled_;
};

/// `listed`: words of the row, loads and stores included.
void expect_at_most(Arch arch, const std::string& name, std::size_t listed,
                    int epoch = kDefaultEpoch) {
  const SmallCase small(arch, name, false, epoch);
  EXPECT_LE(small.words(), listed) << arch_params(arch).names.id << " case_" << name;
  EXPECT_GT(small.words(), 0U) << arch_params(arch).names.id << " case_" << name;
}

// Old gold is Wormhole's; Blackhole, which waits by itself, needs the NOPs less.
TEST(SmallCases, NoMoreWordsThanListed) {
  struct Row {
    const char* name;
    std::size_t wormhole, blackhole;
    int epoch = kDefaultEpoch;
  };
  // Later releases do not fold SFPLZ, and make x <= 0 a difference.
  constexpr int kOld = 761;
  for (const Row& row : {Row{"1", 5, 4},
                         Row{"2", 4, 3},
                         Row{"3", 6, 5},
                         Row{"4", 8, 7},
                         Row{"5", 9, 9},
                         Row{"6", 8, 8},
                         Row{"7", 5, 5},
                         Row{"8", 5, 4},
                         Row{"9", 4, 4},
                         Row{"10", 7, 7},
                         Row{"11_negative", 4, 4},
                         Row{"11_not_negative", 4, 4},
                         Row{"12_zero", 5, 5, kOld},
                         Row{"12_not_zero", 5, 5, kOld},
                         Row{"13", 6, 6},
                         Row{"14", 11, 11},
                         Row{"15", 10, 10},
                         Row{"16", 24, 24},
                         Row{"17", 7, 7, kOld},
                         Row{"18", 5, 5},
                         Row{"19", 6, 6},
                         Row{"20", 7, 7},
                         Row{"21_one", 5, 5},
                         Row{"21_both", 7, 7},
                         Row{"22", 6, 6},
                         Row{"23", 6, 5},
                         Row{"28", 7, 7},
                         Row{"32", 15, 12},
                         Row{"33", 17, 17}}) {
    expect_at_most(kWh, row.name, row.wormhole, row.epoch);
    expect_at_most(kBh, row.name, row.blackhole, row.epoch);
  }
}

TEST(SmallCases, ProductUsedTwiceIsNotFused) {
  EXPECT_EQ(SmallCase(kWh, "4").count(Op::SFPMAD), 0U);
}

TEST(SmallCases, ProductIsNotFusedAcrossAChangeOfLanes) {
  EXPECT_EQ(SmallCase(kWh, "5").count(Op::SFPMUL), 1U);
  EXPECT_EQ(SmallCase(kWh, "5").count(Op::SFPADD), 1U);
  EXPECT_EQ(SmallCase(kWh, "6").count(Op::SFPMAD), 1U);
}

TEST(SmallCases, FactorThatIsStillNeededTakesNoImmediate) {
  EXPECT_EQ(SmallCase(kWh, "7").count(Op::SFPMULI), 0U);
}

TEST(SmallCases, ComparisonWithZeroComesFromTheOperationBefore) {
  for (Arch arch : kArchs) {
    EXPECT_TRUE(SmallCase(arch, "9").has(Op::SFPIADD, "Mod1", 1));
    EXPECT_EQ(SmallCase(arch, "9").count(Op::SFPSETCC), 0U);
    EXPECT_TRUE(SmallCase(arch, "11_negative").has(Op::SFPEXEXP, "Mod1", 2));
    EXPECT_TRUE(SmallCase(arch, "11_not_negative").has(Op::SFPEXEXP, "Mod1", 10));
    EXPECT_TRUE(SmallCase(arch, "12_zero", false, 761).has(Op::SFPLZ, "Mod1", 10));
    EXPECT_TRUE(SmallCase(arch, "12_not_zero", false, 761).has(Op::SFPLZ, "Mod1", 2));
  }
}

TEST(SmallCases, ComparisonsOfAConjunctionNarrowOneAfterTheOther) {
  const SmallCase small(kWh, "10");
  EXPECT_TRUE(small.has(Op::SFPIADD, "Mod1", 1));  // a - 5 < 0
  EXPECT_TRUE(small.has(Op::SFPIADD, "Mod1", 5));  // b - 6
  EXPECT_TRUE(small.has(Op::SFPSETCC, "Mod1", 6)); // == 0
}

TEST(SmallCases, NestedPredicatesThatEndTogetherNeedNoStack) {
  const SmallCase small(kWh, "13");
  EXPECT_EQ(small.count(Op::SFPPUSHC) + small.count(Op::SFPPOPC), 0U);
  EXPECT_EQ(small.count(Op::SFPENCC), 1U);
  EXPECT_EQ(small.all(Op::SFPIADD).size(), 2U);
}

TEST(SmallCases, StackStaysWhereTheOuterPredicateGoesOn) {
  EXPECT_EQ(SmallCase(kWh, "14").count(Op::SFPPUSHC), 1U);
  EXPECT_EQ(SmallCase(kWh, "14").count(Op::SFPPOPC), 1U);
  const SmallCase with_else(kWh, "15");
  EXPECT_EQ(with_else.count(Op::SFPPUSHC), 1U);
  EXPECT_EQ(with_else.count(Op::SFPCOMPC), 1U);
  EXPECT_EQ(with_else.count(Op::SFPPOPC), 1U);
  EXPECT_EQ(with_else.count(Op::SFPENCC), 1U);
}

TEST(SmallCases, EachFurtherElseIfCostsComplementAndPush) {
  const SmallCase small(kWh, "16");
  EXPECT_EQ(small.count(Op::SFPCOMPC), 4U);
  EXPECT_LE(small.count(Op::SFPPUSHC), 4U);
  EXPECT_EQ(small.count(Op::SFPENCC), 1U);
}

TEST(SmallCases, DisjunctionIsAComplementOfAConjunction) {
  const SmallCase small(kWh, "17", false, 738);
  std::vector<std::uint32_t> modes;
  for (const isa::Decoded& each : small.all(Op::SFPSETCC)) modes.push_back(each["Mod1"]);
  EXPECT_EQ(modes, (std::vector<std::uint32_t>{6, 4, 2}));
  EXPECT_EQ(small.count(Op::SFPCOMPC), 1U);
}

/// Up to 7.78, and where lreg_pressure says so, a literal that fits becomes an immediate.
TEST(SmallCases, ImmediateBeforeMadUntil778) {
  for (Arch arch : kArchs) {
    for (const int epoch : {738, 778}) {
      EXPECT_EQ(SmallCase(arch, "immediates", false, epoch).count(Op::SFPMULI), 1U);
      EXPECT_EQ(SmallCase(arch, "pressure", false, epoch).count(Op::SFPMULI), 2U);
    }
    EXPECT_EQ(SmallCase(arch, "immediates", false, 779).count(Op::SFPMAD), 1U);
    EXPECT_EQ(SmallCase(arch, "pressure", false, 779).count(Op::SFPMULI), 1U);
    EXPECT_EQ(SmallCase(arch, "pressure", false, 779).count(Op::SFPMAD), 1U);
  }
}

constexpr auto kShipped = compiler::CompiledAs::Shipped, kLanewise = compiler::CompiledAs::Lanewise;

SmallCase as_compiled(Arch arch, const std::string& name, int epoch, compiler::CompiledAs by) {
  return SmallCase(arch, name, false, epoch, by);
}

// The vendor's table of patterns (rvtt.gc, from 7.67 on) makes each product and sum with a literal
// in FP16b a SFPMULI or SFPADDI, also where that copies the other operand.
TEST(SmallCases, LiteralIsAnImmediateInKernelsAsTheyShipFrom767To778) {
  for (Arch arch : kArchs) {
    for (const int epoch : {767, 778}) {
      for (const char* const name : {"7", "shared_factor"}) {
        const SmallCase made = as_compiled(arch, name, epoch, kShipped);
        EXPECT_EQ(made.count(Op::SFPMULI), 1U) << name;
        EXPECT_EQ(made.count(Op::SFPMOV), 1U) << name << ": the factor has another use";
      }
      EXPECT_EQ(as_compiled(arch, "shared_factor", epoch, kLanewise).count(Op::SFPMULI), 0U);
    }
    for (const int epoch : {738, 766, 779}) {
      EXPECT_EQ(as_compiled(arch, "7", epoch, kShipped).count(Op::SFPMULI), 0U);
      EXPECT_EQ(as_compiled(arch, "shared_factor", epoch, kShipped).count(Op::SFPMULI), 0U);
    }
  }
}

// x - literal is x + -literal, and what negates the literal is a mode of SFPADD, not of SFPADDI.
TEST(SmallCases, SubtractedLiteralHasARegisterInKernelsAsTheyShip) {
  const SmallCase made = as_compiled(kBh, "shared_bias", 769, kShipped);
  EXPECT_EQ(made.count(Op::SFPADDI) + made.count(Op::SFPMOV), 0U);
  ASSERT_EQ(made.all(Op::SFPADD).size(), 1U);
  EXPECT_EQ(made.all(Op::SFPADD).front()["Mod1"], 2U);
}

// The compiler's own table of instructions (rvtt-insn.def) has SFPADDI with mode 0 alone.
TEST(SmallCases, ShippedKernelsNegateBeforeAnImmediateSum) {
  for (Arch arch : kArchs) {
    const SmallCase made = as_compiled(arch, "from_literal", 769, kShipped);
    ASSERT_EQ(made.all(Op::SFPMOV).size(), 1U);
    EXPECT_EQ(made.all(Op::SFPMOV).front()["Mod1"], 1U);
    ASSERT_EQ(made.all(Op::SFPADDI).size(), 1U);
    EXPECT_EQ(made.all(Op::SFPADDI).front()["Mod1"], 0U);
  }
  for (const int epoch : {766, 779}) {
    EXPECT_EQ(as_compiled(kBh, "from_literal", epoch, kShipped).count(Op::SFPADDI), 0U);
    EXPECT_EQ(as_compiled(kBh, "from_literal_alone", epoch, kShipped).count(Op::SFPADDI), 0U);
    EXPECT_EQ(as_compiled(kBh, "from_literal_alone", epoch, kLanewise).count(Op::SFPADDI), 1U);
  }
}

// Blackhole makes the same NaN of whichever operand (VU 3.1), Wormhole does not (VU 3.2).
TEST(SmallCases, InfinityIsAnImmediateOnBlackhole) {
  EXPECT_EQ(SmallCase(kBh, "infinity").count(Op::SFPMULI), 1U);
  EXPECT_EQ(SmallCase(kWh, "infinity").count(Op::SFPMULI), 0U);
}

// Under a condition, the vendor's compiler writes into a variable only what the statement before
// makes (gimple-rvtt-live.cc): log1p_tile and erfc_tile of silicon have these moves.
TEST(SmallCases, ShippedKernelsMoveWhatIsNotMadeJustBefore) {
  for (Arch arch : kArchs) {
    for (const int epoch : {738, 769, 780}) {
      const auto moves = [&](compiler::CompiledAs by) {
        return as_compiled(arch, "two_variables", epoch, by).count(Op::SFPMOV);
      };
      EXPECT_EQ(moves(kShipped), moves(kLanewise) + 2);
    }
  }
}

// tt-metal issue 47984, 7.63: before, no SFPADDI is for a variable under a condition.
TEST(SmallCases, ImmediateSumForAVariableSince763) {
  EXPECT_EQ(as_compiled(kBh, "own_sum", 762, kShipped).count(Op::SFPADDI), 0U);
  EXPECT_EQ(as_compiled(kBh, "own_sum", 763, kShipped).count(Op::SFPADDI), 1U);
  EXPECT_EQ(as_compiled(kBh, "own_sum", 763, kShipped).count(Op::SFPMOV), 0U);
  const SmallCase made = as_compiled(kBh, "sum_for_variable", 769, kShipped);
  EXPECT_EQ(made.count(Op::SFPMUL), 1U);
  EXPECT_EQ(made.count(Op::SFPMOV), 1U) << "the product goes to the variable first";
  EXPECT_EQ(made.count(Op::SFPADDI), 1U);
}

// power_binary_tile of silicon, compiled by 7.69, takes a cycle more for each of its seven sums
// than with the code of 7.4's goldens.
TEST(SmallCases, SumForAVariableIsTestedApartAt769) {
  const auto tests = [](int epoch, compiler::CompiledAs by) {
    return as_compiled(kBh, "counted_down", epoch, by).count(Op::SFPSETCC);
  };
  EXPECT_EQ(tests(769, kShipped), 1U);
  EXPECT_EQ(tests(769, kLanewise), 0U);
  for (const int epoch : {738, 767, 770}) EXPECT_EQ(tests(epoch, kShipped), 0U);
}

// tt-metal issues 45648 (7.55) and 39709 (7.61): operations that overwrite an operand.
TEST(SmallCases, OperationsInPlaceForVariablesByRelease) {
  const auto moves = [](const char* name, int epoch) {
    return as_compiled(kBh, name, epoch, kShipped).count(Op::SFPMOV);
  };
  EXPECT_EQ(moves("exponent_for_variable", 754), 2U);
  EXPECT_EQ(moves("exponent_for_variable", 755), 1U);
  EXPECT_EQ(moves("shift_for_variable", 760), 2U);
  EXPECT_EQ(moves("shift_for_variable", 761), 1U);
}

TEST(SmallCases, NineLiveVectorsAreAnError) {
  for (Arch arch : kArchs) {
    const SmallCase small(arch, "25");
    ASSERT_FALSE(small.compiled().ok);
    ASSERT_EQ(small.compiled().diagnostics.size(), 1U);
    const Fault& fault = small.compiled().diagnostics.front();
    EXPECT_EQ(fault.kind, FaultKind::BadInput);
    EXPECT_NE(fault.message.find("9 vectors"), std::string::npos) << fault.message;
    EXPECT_NE(fault.line, 0U);
  }
}

TEST(SmallCases, RepetitionIsReplayed) {
  for (Arch arch : kArchs) {
    EXPECT_LE(SmallCase(arch, "24_four", true).words(), 7U);    // 3 words recorded, 3 replays
    EXPECT_LE(SmallCase(arch, "24_twelve", true).words(), 12U); // 6 words recorded, 5 replays
    EXPECT_EQ(SmallCase(arch, "24_twelve", true).compiled().executed, 36U);
  }
}

TEST(SmallCases, NegatedFactorGoesIntoTheConstant) {
  EXPECT_TRUE(SmallCase(kBh, "27").has(Op::SFPMULI, "Imm16", 0xC000));
  expect_at_most(kBh, "27", 3);
}

TEST(SmallCases, EqualityOfFloats) {
  EXPECT_EQ(SmallCase(kBh, "28").count(Op::SFPLE), 2U);
  EXPECT_TRUE(SmallCase(kWh, "28").has(Op::SFPIADD, "Mod1", 6)); // row 29
}

TEST(SmallCases, NestedPredicateInsideAnIfWithElse) {
  const SmallCase small(kBh, "30");
  EXPECT_LE(small.words(), 13U);
  EXPECT_EQ(small.count(Op::SFPPUSHC), 1U);
  EXPECT_EQ(small.count(Op::SFPGT), 2U);
}

// The vendor's compiler leaves one SFPENCC.
TEST(SmallCases, EmptyBlockIsNothing) {
  for (Arch arch : kArchs) EXPECT_LE(SmallCase(arch, "31").words(), 1U);
}

TEST(SmallCases, FactorsThatConstantRegistersHold) {
  const SmallCase small(kWh, "32");
  EXPECT_EQ(small.count(Op::SFPMULI), 1U);
  EXPECT_EQ(small.count(Op::SFPMUL), 5U);
  EXPECT_EQ(small.count(Op::SFPLOADI), 3U);
}

TEST(SmallCases, IntegersAreLoadedInOneWordWherePossible) {
  EXPECT_EQ(SmallCase(kBh, "33").count(Op::SFPLOADI), 9U);
}

TEST(SmallCases, SignMagnitudeOfAnInteger) {
  const SmallCase blackhole(kBh, "34", false, 771);
  EXPECT_LE(blackhole.words(), 3U);
  EXPECT_TRUE(blackhole.has(Op::SFPCAST, "Mod1", 3));
  EXPECT_LE(SmallCase(kWh, "34", false, 771).words(), 6U);
}

// The constant was loaded in the lanes of the first arm only.
TEST(SmallCases, ConstantOfBothArmsIsLoadedInTheLanesOfEach) {
  for (Arch arch : kArchs) EXPECT_TRUE(SmallCase(arch, "constant_in_both_arms").compiled().ok);
}

// What LReg[0] held before the kernel cannot outlive a table there: an error, not another value.
TEST(SmallCases, LRegThatATableTakesIsAnError) {
  for (Arch arch : kArchs) {
    const SmallCase small(arch, "lreg_behind_a_table");
    ASSERT_FALSE(small.compiled().ok);
    EXPECT_NE(small.compiled().diagnostics.front().message.find("LReg[0]"), std::string::npos);
  }
}

} // namespace
} // namespace lanewise::sfpi
