// Programs of random words, in every state: nothing crashes. effects_test.cpp looks at what single
// words do.
#include "machine/machine_fixture.h"
#include "machine/random_state.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kWords = 200'000;
class RandomWords : public ::testing::TestWithParam<Arch> {};
LANEWISE_ON_BOTH_CHIPS(RandomWords);

TEST_P(RandomWords, WholeProgramsNeverFail) { // front end, REPLAY, static and runtime faults
  constexpr std::size_t kProgramWords = 200;
  RandomMachine random(GetParam(), 3);
  Machine machine(GetParam());
  for (std::size_t i = 0; i < fuzz_words(kWords); i += kProgramWords) {
    Program program;
    for (std::uint32_t line = 1; line <= kProgramWords; ++line) {
      std::uint32_t word = random.one_in(10) ? random.bits() : random.word();
      if (random.one_in(20)) word = 0x04000000 | (random.bits() & 0x7FFFF);
      if (random.one_in(50)) {
        // Short loops: both templates, also of REPLAYs and of MOPs.
        program.mop.push_back({program.words.size(), static_cast<std::uint8_t>(random.bits() % 9),
                               random.one_in(2) ? random.bits() % 5 : random.word(), line});
        word = (random.one_in(4) ? 0x03000000U : 0x01000000U) | (random.bits() & 0x87FFFF);
      }
      program.words.push_back({word, line});
    }
    for (const Fault& fault : machine.run(program)) {
      ASSERT_LE(fault.line, kProgramWords);
      ASSERT_FALSE(fault.message.empty());
    }
  }
}

} // namespace
} // namespace lanewise::test
