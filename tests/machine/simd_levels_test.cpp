// The lane kernels of every x86-64 level that the processor has: the same results, bit for bit.
#include "machine/simd_level.h"

#include <span>

#include "machine/machine_fixture.h"
#include "machine/random_state.h"
#include "semantics/fma.h"

namespace lanewise::test {
namespace {

class SimdLevels : public ::testing::TestWithParam<Arch> {
 protected:
  void TearDown() override { set_simd_level(usual_); }

  std::vector<MicroOp> decode(const std::vector<std::uint32_t>& words) {
    std::vector<MicroOp> ops;
    for (std::uint32_t word : words) {
      if (const auto op = decode_micro_op(GetParam(), word, 0)) ops.push_back(*op);
    }
    return ops;
  }

 private:
  const SimdLevel usual_ = simd_level();
};
LANEWISE_ON_BOTH_CHIPS(SimdLevels);

TEST_P(SimdLevels, AgreeOnRandomPrograms) {
  constexpr std::size_t kProgramWords = 100;
  RandomMachine random(GetParam(), 1);
  for (std::size_t i = 0; i < fuzz_words(100'000); i += kProgramWords) {
    std::vector<std::uint32_t> words(kProgramWords);
    for (std::uint32_t& word : words) word = random.word();
    const MachineState start = random.state();
    set_simd_level(SimdLevel::Baseline);
    MachineState expected = start;
    execute(expected, decode(words));
    for (SimdLevel level : available_simd_levels()) {
      set_simd_level(level);
      MachineState state = start;
      execute(state, decode(words));
      if (same_beside_lregs(state, expected) && same_lregs(state, expected)) continue;
      // Find the word.
      MachineState a = start, b = start;
      for (std::uint32_t word : words) {
        set_simd_level(SimdLevel::Baseline);
        execute(a, decode({word}));
        set_simd_level(level);
        execute(b, decode({word}));
        if (same_beside_lregs(a, b) && same_lregs(a, b)) continue;
        FAIL() << simd_level_name(level) << ": " << isa::disassemble(GetParam(), word);
      }
    }
  }
}

TEST_P(
    SimdLevels,
    MultiplyAddIsExact) { // VU 3.1, 3.2: what is computed in vectors equals the step-by-step form
  constexpr unsigned kTriples = 2'000'000;
  for (SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    const std::vector<MicroOp> mad = decode({0x84012030}); // SFPMAD L1, L2, L0, L3, 0
    ASSERT_EQ(mad.size(), 1U);
    MachineState state(GetParam());
    BiasedFloats random(7);
    auto& lreg = state.vector.lreg;
    for (unsigned i = 0; i < kTriples; i += kLanes) {
      // A third of the rounds has no special values, so that no lane needs care.
      const bool moderate = i % 3 == 0;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const auto triple =
            moderate ? std::array{random.moderate(), random.moderate(), random.moderate()}
                     : random.triple();
        lreg[1][lane] = triple[0], lreg[2][lane] = triple[1], lreg[0][lane] = triple[2];
      }
      execute(state, mad);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t expected =
            GetParam() == Arch::Blackhole
                ? semantics::fma_exact<Arch::Blackhole>(lreg[1][lane], lreg[2][lane], lreg[0][lane])
                : semantics::fma_exact<Arch::Wormhole>(lreg[1][lane], lreg[2][lane], lreg[0][lane]);
        ASSERT_EQ(lreg[3][lane], expected)
            << simd_level_name(level)
            << fmt::format(": {:08X} * {:08X} + {:08X}", lreg[1][lane], lreg[2][lane],
                           lreg[0][lane]);
      }
    }
  }
}

TEST(SimdLevel, BaselineIsAlwaysThere) {
  const auto levels = available_simd_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front(), SimdLevel::Baseline);
}

} // namespace
} // namespace lanewise::test
