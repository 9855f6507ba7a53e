// Programs most of whose words find_unprogrammed() passes by, against the search on the clock,
// which looks at each and executes all.
#include "chip/isa/encoding.h"
#include "chip/timing/hazards/unprogrammed.h"
#include "chip/timing/word_facts.h"
#include "machine/random_state.h"
#include "timing/hazard_cases.h"

namespace lanewise::test {
namespace {

using isa::Op;

class PassedWords : public ::testing::TestWithParam<Arch> {
 protected:
  RandomMachine random_{GetParam(), 21};

  /// Any word of the Vector Unit that `is(facts, op)` holds of.
  template <class Is>
  std::uint32_t word_that(Is&& is) {
    for (;;) {
      const std::uint32_t word = random_.word();
      const isa::Row* const row = isa::decode(GetParam(), word).row;
      if (row != nullptr && is(timing::known_word_facts(GetParam(), word), row->op)) return word;
    }
  }

  std::uint32_t next_word() {
    const auto of_registers = [](const timing::WordFacts& facts, Op) {
      return facts.is_of_registers && !facts.decides_by_values;
    };
    const auto of_flags = [](const timing::WordFacts& facts, Op) {
      return facts.is_of_registers && facts.decides_by_values;
    };
    const auto accesses = [](const timing::WordFacts&, Op op) {
      return op == Op::SFPLOAD || op == Op::SFPSTORE;
    };
    const auto other = [](const timing::WordFacts&, Op op) { return op != Op::SFPLOADMACRO; };
    switch (random_.bits() % 16) {
      case 0: return word_that(of_flags);
      case 1:
      case 2: return word_that(accesses);
      case 3: return random_.one_in(4) ? word_that(other) : word_that(accesses);
      default: return word_that(of_registers);
    }
  }

  /// Most registers get a value first; then flags decide nothing behind a place.
  Program program() {
    Program program;
    const auto add = [&](std::uint32_t word) {
      program.words.push_back({word, static_cast<std::uint32_t>(program.words.size() + 1)});
    };
    for (std::uint32_t vd = 0; vd < kWritableLRegs; ++vd) {
      if (!random_.one_in(6))
        add(*isa::encode(GetParam(), Op::SFPLOADI, {{"VD", vd}, {"Imm16", random_.bits()}}));
    }
    constexpr unsigned kWords = 60;
    for (unsigned i = 0; i < kWords; ++i) add(next_word());
    return program;
  }
};
LANEWISE_ON_BOTH_CHIPS(PassedWords);

TEST_P(PassedWords, UseWhatTheSearchOnTheClockFinds) {
  const std::size_t programs = fuzz_words(60'000) / 100;
  std::size_t found = 0;
  for (std::size_t i = 0; i < programs && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Program words = program();
    const MachineState start = random_.one_in(2) ? random_.state() : MachineState(GetParam());
    FrontEnd front_end(GetParam());
    const MicroProgram prepared = front_end.expand(words);
    timing::Programmed programmed;
    programmed.knows_dst = !random_.one_in(4);
    const auto expected =
        timing::find_unprogrammed(timing::schedule(start, prepared), prepared, start, programmed);
    EXPECT_EQ(each_fault(timing::find_unprogrammed(prepared, start, programmed)),
              each_fault(expected));
    found += expected.size();
  }
  EXPECT_GT(found, programs);
}

} // namespace
} // namespace lanewise::test
