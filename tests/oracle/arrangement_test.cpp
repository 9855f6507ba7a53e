// Hoisting, joined rows and scheduling change no bit: kernels of random rows against their
// interpretation, and over every BF16 number with and without these passes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "chip/isa/disassembler.h"
#include "chip/machine/executor.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/machine/kernel_entry.h"
#include "machine/machine_fixture.h"
#include "number/formats/format.h"
#include "run/oracle/kernel_check.h"
#include "run/oracle/kernel_writer.h"
#include "run/oracle/random_expression.h"
#include "source/compiler/compiler.h"
#include "source/compiler/cost.h"

namespace lanewise::oracle {
namespace {

using compiler::Compiled;
using compiler::Options;
using compiler::Recording;
using compiler::Relation;
using isa::Op;
using Value = KernelWriter::Value;

Options source_order() {
  Options options;
  options.hoist = options.rows = options.schedule = false;
  return options;
}

/// The operations of one row, chosen once: every row is the same.
class RandomRow {
 public:
  explicit RandomRow(std::uint64_t seed) : seed_(seed) {}

  void write(KernelWriter& k, Value shared) const {
    Dice dice(seed_);
    std::vector<Value> values{k.load(address(dice)), shared};
    const unsigned operations = 2 + dice.below(7);
    for (unsigned i = 0; i < operations; ++i) write_one(k, dice, values);
    const unsigned stores = 1 + dice.below(2);
    for (unsigned i = 0; i < stores; ++i) k.store(any(dice, values), address(dice));
  }

 private:
  static std::int32_t address(Dice& dice) {
    return static_cast<std::int32_t>(dice.one_in(4) ? 64 * dice.below(3) + dice.below(4) : 0);
  }
  static Value any(Dice& dice, const std::vector<Value>& values) {
    // Seldom the oldest, so that few are alive at once.
    const std::size_t last = values.size() - 1;
    return dice.one_in(4) ? values[dice.below(static_cast<unsigned>(values.size()))] : values[last];
  }
  static Value constant(KernelWriter& k, Dice& dice) {
    constexpr float kNumbers[] = {0.5F, 1.5F, -3.0F, 0.0001234F};
    return k.constant(kNumbers[dice.below(4)]);
  }

  static void write_one(KernelWriter& k, Dice& dice, std::vector<Value>& values) {
    const Value a = any(dice, values), b = any(dice, values);
    switch (dice.below(9)) {
      case 0: return values.push_back(k.mad(a, b, constant(k, dice)));
      case 1: return values.push_back(k.mul(a, constant(k, dice)));
      case 2: return values.push_back(k.add(a, b));
      case 3: return values.push_back(k.sub(constant(k, dice), a));
      case 4: return values.push_back(k.unary(Op::SFPABS, 1, a));
      case 5: return values.push_back(k.load(address(dice)));
      case 6: return k.store(a, address(dice));
      case 7: return values.push_back(exchanged(k, a, constant(k, dice)));
      default: return values.push_back(chosen(k, dice, a));
    }
  }
  static Value exchanged(KernelWriter& k, Value a, Value b) {
    return k.result(k.two_address(Op::SFPSWAP, 1, a, b), 0);
  }
  /// v_if (a < 0) { y = a * 1.5 }, y = a before.
  static Value chosen(KernelWriter& k, Dice& dice, Value a) {
    const std::uint32_t declared = k.context();
    k.begin_if(k.compare(a, Relation::LT, k.constant(0.0F)));
    const Value made = k.assign(a, k.mul(a, constant(k, dice)), declared);
    k.end_if();
    return made;
  }

  std::uint64_t seed_;
};

Recording rows_of(Arch arch, std::uint64_t seed, unsigned rows) {
  KernelWriter k(arch);
  const Value shared = k.constant(0.75F); // kept over all rows
  const RandomRow row(seed);
  for (unsigned i = 0; i < rows; ++i) {
    row.write(k, shared);
    k.advance(2);
  }
  return k.take();
}

std::string listing(Arch arch, const Program& program) {
  std::string text;
  for (const ProgramWord& word : program.words) text += isa::disassemble(arch, word.word) + "\n";
  return text;
}

double cycles(Arch arch, const Compiled& compiled) {
  std::vector<compiler::ReplayWord> words;
  for (const ProgramWord& each : compiled.program.words) words.push_back({.word = each});
  return compiler::cycles_of(arch, words, compiler::Pushes::TakeTime);
}

class Arrangements : public ::testing::TestWithParam<Arch> {
 protected:
  static constexpr std::uint64_t kKernels = 400;
};
LANEWISE_ON_BOTH_CHIPS(Arrangements);

TEST_P(Arrangements, RandomRowsDoWhatTheyMean) {
  unsigned faster = 0;
  for (std::uint64_t seed = 0; seed < kKernels; ++seed) {
    const Recording kernel = rows_of(GetParam(), seed, 3 + static_cast<unsigned>(seed % 7));
    const Compiled plain = compiler::compile(kernel, source_order());
    const Compiled arranged = compiler::compile(kernel, {});
    ASSERT_EQ(plain.ok, arranged.ok) << "seed " << seed;
    if (!plain.ok) continue;
    const KernelCheck check = check_kernel(compiler::combined(kernel, {}), arranged.program, seed);
    ASSERT_TRUE(check.ok()) << "seed " << seed << ": " << check.difference << "\n"
                            << listing(GetParam(), arranged.program);
    ASSERT_LE(cycles(GetParam(), arranged), cycles(GetParam(), plain)) << "seed " << seed;
    faster += cycles(GetParam(), arranged) < cycles(GetParam(), plain) ? 1 : 0;
  }
  EXPECT_GT(faster, kKernels / 2) << "or nothing is arranged";
}

/// Dst full of every BF16 number, 16384 at a time, and the kernel on all of its tiles.
Dst on_every_tile(Arch arch, const Program& program, unsigned part) {
  constexpr std::uint32_t kBf16Code = 5;
  constexpr unsigned kTileRows = 64;
  MachineState state(arch);
  state.config.set(isa::ConfigField::ALU_FORMAT_SPEC_REG1_SrcB, kBf16Code);
  std::uint32_t bits = part * kDstRows * kDstColumns;
  for (unsigned row = 0; row < kDstRows; ++row) {
    for (unsigned column = 0; column < kDstColumns; ++column)
      state.dst.cell[row][column] =
          static_cast<std::uint16_t>(formats::from_value_bits(formats::Format::BF16, bits++));
    if (row % 4 == 0) state.dst.set_valid_group(row, 0xF);
  }
  FrontEnd front_end(arch);
  const MicroProgram prepared = front_end.expand(program);
  for (unsigned first = 0; first < kDstRows; first += kTileRows) {
    state.rwc = {};
    state.rwc.dst = first;
    enter_kernel(state);
    execute(state, prepared.ops);
  }
  return state.dst;
}

void expect_same_on_every_number(Arch arch, const Recording& kernel) {
  const Compiled plain = compiler::compile(kernel, source_order());
  const Compiled arranged = compiler::compile(kernel, {});
  ASSERT_TRUE(plain.ok && arranged.ok);
  EXPECT_LT(cycles(arch, arranged), cycles(arch, plain));
  constexpr unsigned kParts = 65536 / (kDstRows * kDstColumns);
  for (unsigned part = 0; part < kParts; ++part) {
    const Dst expected = on_every_tile(arch, plain.program, part);
    const Dst found = on_every_tile(arch, arranged.program, part);
    ASSERT_EQ(std::memcmp(expected.cell, found.cell, sizeof expected.cell), 0)
        << "part " << part << "\n"
        << listing(arch, arranged.program);
  }
}

TEST_P(Arrangements, PolynomialOnEveryNumber) {
  KernelWriter k(GetParam());
  for (unsigned row = 0; row < 32; ++row) {
    const Value x = k.load(0);
    Value p = k.mad(k.constant(0.0058F), x, k.constant(-0.0662F));
    for (const float each : {0.281F, -0.488F, 0.0307F, 0.999F}) p = k.mad(p, x, k.constant(each));
    k.store(p, 0);
    k.advance(2);
  }
  expect_same_on_every_number(GetParam(), k.take());
}

TEST_P(Arrangements, PredicatesOnEveryNumber) {
  KernelWriter k(GetParam());
  for (unsigned row = 0; row < 32; ++row) {
    const Value x = k.load(0);
    const Value y = k.mul(x, k.constant(1.2345F));
    const std::uint32_t declared = k.context();
    k.begin_if(k.compare(y, Relation::LT, k.constant(0.3F)));
    const Value z = k.assign(y, k.mad(y, k.constant(0.3F), k.constant(1.2345F)), declared);
    k.end_if();
    k.store(k.mul(z, z), 0);
    k.advance(2);
  }
  expect_same_on_every_number(GetParam(), k.take());
}

// Straight lines of accesses to a few rows of Dst, where the order of accesses is all that counts.
TEST(Arrangement, AccessesToTheSameRows) {
  EXPECT_TRUE(
      rc::check("loads and stores keep their order where they meet", [](std::uint64_t seed) {
        for (const Arch arch : kArchs) {
          Dice dice(seed);
          KernelWriter k(arch);
          Value last = k.load(0);
          for (unsigned i = 0; i < 12; ++i) {
            const auto address = static_cast<std::int32_t>(dice.below(5));
            constexpr unsigned kModes[] = {0, 0, 2, 3, 4};
            const unsigned mode = kModes[dice.below(5)];
            if (dice.one_in(2))
              last = k.mad(k.load(address, mode), last, last);
            else
              k.store(dice.one_in(2) ? last : k.load(address, mode), address, mode);
          }
          const Recording kernel = k.take();
          const Compiled arranged = compiler::compile(kernel, {});
          RC_ASSERT(arranged.ok);
          RC_ASSERT(
              check_kernel(compiler::combined(kernel, {}), arranged.program, seed).difference ==
              "");
        }
      }));
}

} // namespace
} // namespace lanewise::oracle
