// The multiply-add of every level and both chips, in every form that a kernel can take
// (chip/machine/kernels/mad.h), against the step-by-step one: by kinds of operands, each of which
// brings a form to where it must hand over.
#include <bit>
#include <random>

#include "chip/machine/executor.h"
#include "chip/machine/kernel_entry.h"
#include "chip/machine/simd_level.h"
#include "chip/semantics/fma.h"
#include "machine/machine_fixture.h"
#include "machine/random_state.h"

namespace lanewise::test {
namespace {

using semantics::kSign;
constexpr std::uint32_t kOneBits = semantics::kOne;

/// Triples of each kind, per chip, level and program.
const std::size_t kTriples = fuzz_words(300'000);

using Triple = std::array<std::uint32_t, 3>;

class Triples {
 public:
  explicit Triples(std::uint32_t seed) : random_(seed), biased_(seed) {}

  static constexpr unsigned kKinds = 9;
  Triple next(unsigned kind) {
    switch (kind) {
      case 0: return {bits(), bits(), bits()};
      case 1: return {near(32), near(32), near(32)};
      case 2: return {near(6) & simple(), near(6) & simple(), near(6) & simple()};
      case 3: return cancelling(near(20), near(20));
      case 4: return cancelling(near(20) & simple(), near(20) & simple());
      case 5: return biased_.triple();
      case 6: return horner(127);
      case 7: return horner(240 + bits() % 8); // up to where three times the addend is infinite
      default: return horner(1 + bits() % 64);
    }
  }

 private:
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }

  /// A number of either sign with an exponent of at most `octaves`.
  std::uint32_t near(std::uint32_t octaves) {
    return (bits() & (kSign | semantics::kMantissaMask)) |
           (127 - octaves + bits() % (2 * octaves + 1)) << 23;
  }

  /// What leaves a mantissa of few bits: its head, its tail or both ends.
  std::uint32_t simple() {
    const std::uint32_t tail = (1U << bits() % 24) - 1, head = ~((1U << bits() % 24) - 1);
    const std::uint32_t kept = bits() % 3 == 0 ? tail : bits() % 2 == 0 ? head : tail | head;
    return kept | ~semantics::kMantissaMask;
  }

  /// An addend that is -x * y but for a few units, or twice or half of that, or its negative.
  Triple cancelling(std::uint32_t x, std::uint32_t y) {
    const float product = std::bit_cast<float>(x) * std::bit_cast<float>(y);
    std::uint32_t z = (std::bit_cast<std::uint32_t>(product) ^ kSign) + bits() % 33 - 16;
    if (bits() % 2 == 0) z += (bits() % 3 - 1) << 23;
    if (bits() % 4 == 0) z ^= kSign;
    return {x, y, z};
  }

  /// An addend with that exponent or a close one, and a product between a 500th and 16 times of it.
  Triple horner(std::uint32_t exponent) {
    const std::uint32_t x = near(20) & simple();
    const std::uint32_t product = exponent + bits() % 13;
    const std::uint32_t y = with_exponent(product + 127 - (x >> 23 & 255));
    return {x, y, with_exponent(exponent + 8)};
  }

  std::uint32_t with_exponent(std::uint32_t exponent) {
    return (bits() & ~semantics::kExponentMask) | (exponent << 23 & semantics::kExponentMask);
  }

  std::mt19937 random_;
  BiasedFloats biased_;
};

using Registers = std::uint32_t[kLRegs][kLanes];

void put(Registers& lreg, unsigned lane, const Triple& triple) {
  for (unsigned reg = 0; reg < 3; ++reg) lreg[reg][lane] = triple[reg];
}

class MultiplyAdd : public ::testing::TestWithParam<Arch> {
 protected:
  void TearDown() override { set_simd_level(usual_); }

  Expected<Program> assemble(std::string_view line) {
    return assembly::assemble(GetParam(), line, "mad.tt");
  }

  ::testing::AssertionResult is_exact(const Registers& lreg, unsigned lane) {
    const std::uint32_t x = lreg[0][lane], y = lreg[1][lane], z = lreg[2][lane];
    const std::uint32_t expected = semantics::fma_exact(GetParam(), x, y, z);
    if (lreg[3][lane] == expected) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << fmt::format("{}: {:08X} * {:08X} + {:08X} = {:08X}, not {:08X}",
                          simd_level_name(simd_level()), x, y, z, expected, lreg[3][lane]);
  }

  /// At every level, executes `line`, which reads x, y and z from LReg[0..2] and leaves its result
  /// in LReg[3], where `settle(triple)` has made operands that the instruction can have. LReg[3]
  /// holds operand `in_place` before.
  template <class Settle>
  void expect_exact(std::string_view line, Settle&& settle, unsigned in_place = 2) {
    const Expected<Program> program = assemble(line);
    ASSERT_TRUE(program.has_value()) << to_string(program.error());
    for (const SimdLevel level : available_simd_levels()) {
      set_simd_level(level);
      Machine machine(GetParam());
      const MicroProgram prepared = machine.prepare(*program);
      auto& lreg = machine.state().vector.lreg;
      std::fill_n(lreg[11], kLanes, kMinusOneBits);
      const auto run = [&] {
        std::copy_n(lreg[in_place], kLanes, lreg[3]);
        machine.execute(prepared);
      };
      Triples triples(static_cast<std::uint32_t>(level) + 1);
      for (std::size_t i = 0; i < kTriples / 2 * Triples::kKinds; i += kLanes) {
        // A kind for all lanes, or for each its own.
        const auto round = static_cast<unsigned>(i / kLanes);
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          const unsigned kind = round % 8 == 0 ? lane : round / 8;
          put(lreg, lane, settle(triples.next(kind % Triples::kKinds)));
        }
        run();
        for (unsigned lane = 0; lane < kLanes; ++lane) ASSERT_TRUE(is_exact(lreg, lane)) << line;
      }
      // One lane decides alone whether a form is sure of all.
      const Triple tame = settle({kOneBits, kOneBits, kOneBits});
      for (unsigned lane = 0; lane < kLanes; ++lane) put(lreg, lane, tame);
      for (std::size_t i = 0; i < kTriples / 2 * Triples::kKinds; ++i) {
        const auto lane = static_cast<unsigned>(i % kLanes);
        put(lreg, lane, settle(triples.next(static_cast<unsigned>(i / kLanes % Triples::kKinds))));
        run();
        ASSERT_TRUE(is_exact(lreg, lane)) << line;
        put(lreg, lane, tame);
      }
    }
  }

 private:
  const SimdLevel usual_ = simd_level();
};
LANEWISE_ON_BOTH_CHIPS(MultiplyAdd);

TEST_P(MultiplyAdd, OfAnyOperands) { // VU 3.1, 3.2
  expect_exact("SFPMAD L0, L1, L2, L3, 0", [](Triple t) { return t; });
}

// Every triple of numbers at which a case of the datapath begins or ends.
TEST_P(MultiplyAdd, OfEdges) {
  constexpr std::array<std::uint32_t, 20> kEdges{
      0,          1,          0x007FFFFF, 0x00800000, 0x00800001, 0x00FFFFFF, 0x01000000,
      0x1F800000, 0x3F000000, 0x3F7FFFFF, kOneBits,   0x3F800001, 0x40000000, 0x5F7FFFFF,
      0x7E800000, 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FFFFFFF};
  const auto edge = [&](std::size_t i) {
    return kEdges[i / 2 % kEdges.size()] | (i % 2 == 0 ? 0 : kSign);
  };
  const Expected<Program> program = assemble("SFPMAD L0, L1, L2, L3, 0");
  ASSERT_TRUE(program.has_value());
  constexpr std::size_t kCount = 2 * kEdges.size();
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    Machine machine(GetParam());
    const MicroProgram prepared = machine.prepare(*program);
    auto& lreg = machine.state().vector.lreg;
    for (std::size_t first = 0; first < kCount * kCount * kCount; first += kLanes) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const std::size_t i = first + lane;
        put(lreg, lane, {edge(i / kCount / kCount), edge(i / kCount), edge(i)});
      }
      machine.execute(prepared);
      for (unsigned lane = 0; lane < kLanes; ++lane) ASSERT_TRUE(is_exact(lreg, lane));
    }
  }
}

TEST_P(MultiplyAdd, OfOne) {
  expect_exact("SFPADD L10, L1, L2, L3, 0", [](Triple t) { return Triple{kOneBits, t[1], t[2]}; });
}

TEST_P(MultiplyAdd, OfMinusOne) { // LReg[11] (VU C2)
  expect_exact("SFPMAD L11, L1, L2, L3, 0", [](Triple t) {
    return Triple{kMinusOneBits, t[1], t[2]};
  });
}

TEST_P(MultiplyAdd, WithoutAddend) {
  expect_exact("SFPMUL L0, L1, L9, L3, 0", [](Triple t) { return Triple{t[0], t[1], 0}; });
}

TEST_P(MultiplyAdd, OfImmediate) {
  constexpr std::uint32_t kImmediate = 0xBFE00000; // -1.75
  expect_exact("SFPADDI bf16(-1.75), L3, 0", [](Triple t) {
    return Triple{kOneBits, kImmediate, t[2]};
  });
  expect_exact(
      "SFPMULI bf16(-1.75), L3, 0",
      [](Triple t) {
        return Triple{kImmediate, t[1], 0};
      },
      1);
}

// LReg[12] is what a program chooses: no unit, or not in all lanes.
TEST_P(MultiplyAdd, OfAConstant) {
  MachineState state(GetParam());
  const Expected<Program> program = assemble("SFPMAD L12, L1, L2, L3, 0");
  ASSERT_TRUE(program.has_value());
  auto& lreg = state.vector.lreg;
  Triples triples(9);
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    const Expected<MicroOp> op = decode_micro_op(GetParam(), program->words[0].word, 0);
    ASSERT_TRUE(op.has_value());
    for (unsigned other = 0; other <= kLanes; ++other) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const Triple triple = triples.next(6);
        lreg[12][lane] = lane == other ? triple[0] : lane % 2 == 0 ? kOneBits : kMinusOneBits;
        lreg[1][lane] = triple[1];
        lreg[2][lane] = triple[2];
      }
      execute(state, {&*op, 1});
      for (unsigned lane = 0; lane < kLanes; ++lane)
        ASSERT_EQ(lreg[3][lane],
                  semantics::fma_exact(GetParam(), lreg[12][lane], lreg[1][lane], lreg[2][lane]));
    }
  }
}

} // namespace
} // namespace lanewise::test
