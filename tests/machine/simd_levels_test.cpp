// The lane kernels of every x86-64 level that the processor has: the same results, bit for bit.
#include "chip/isa/disassembler.h"
#include "chip/machine/simd_level.h"

#include <span>

#include "machine/machine_fixture.h"
#include "machine/random_state.h"

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

TEST(SimdLevel, BaselineIsAlwaysThere) {
  const auto levels = available_simd_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front(), SimdLevel::Baseline);
}

} // namespace
} // namespace lanewise::test
