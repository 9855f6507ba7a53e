// chip/timing/word_facts.h against what chip/isa/ says of each fact alone.
#include "chip/timing/word_facts.h"

#include <gtest/gtest.h>

#include "chip/isa/interlock.h"
#include "chip/machine/executor.h"
#include "chip/timing/access.h"
#include "chip/timing/matrix_clock.h"
#include "machine/machine_fixture.h"
#include "machine/random_state.h"

namespace lanewise::test {

using timing::known_word_facts;
using timing::WordFacts;

namespace {

void expect_facts_of(Arch arch, const WordFacts& facts, std::uint32_t word) {
  const isa::Effects effects(arch, word);
  MicroOp op;
  op.word = word;
  EXPECT_EQ(facts.form, isa::form_of(arch, word));
  EXPECT_EQ(facts.is_vector, timing::is_vector(arch, op));
  EXPECT_EQ(facts.is_matrix, timing::is_matrix(arch, op));
  EXPECT_EQ(facts.sub_unit, timing::sub_unit_of(arch, op));
  EXPECT_EQ(facts.reads, isa::lregs_read(arch, word, false));
  EXPECT_EQ(facts.writes, isa::lregs_written(arch, word, false));
  EXPECT_EQ(facts.believed_reads, isa::believed_reads(arch, word));
  EXPECT_EQ(facts.believed_writes, isa::believed_writes(arch, word));
  EXPECT_EQ(facts.first_cycle_reads, isa::first_cycle_reads(arch, word));
  EXPECT_EQ(facts.is_template_write, isa::is_template_write(arch, word));
  EXPECT_EQ(facts.is_mad_class, isa::is_mad_class(arch, word));
  EXPECT_EQ(facts.takes_two_cycles, isa::takes_two_cycles(arch, word));
  EXPECT_EQ(facts.holds_unit, isa::holds_unit(arch, word));
  EXPECT_EQ(facts.depends_on_random_numbers, effects.depends_on_random_numbers());
  EXPECT_EQ(facts.lane_scope, effects.lane_scope());
  EXPECT_EQ(facts.movement, effects.movement());
  EXPECT_EQ(facts.result, effects.result());
  EXPECT_EQ(facts.written_half, effects.written_half());
}

class WordFactsOnBothChips : public ::testing::TestWithParam<Arch> {};
LANEWISE_ON_BOTH_CHIPS(WordFactsOnBothChips);

// More words than are remembered, each asked for again.
TEST_P(WordFactsOnBothChips, AreWhatEachQuestionGives) {
  RandomMachine random(GetParam(), 5);
  constexpr unsigned kWords = 40'000;
  for (unsigned i = 0; i < kWords && !HasFailure(); ++i) {
    const std::uint32_t word = i % 4 == 0 ? random.bits() : random.word();
    SCOPED_TRACE(testing::Message() << std::hex << word);
    expect_facts_of(GetParam(), known_word_facts(GetParam(), word), word);
    expect_facts_of(GetParam(), known_word_facts(GetParam(), word), word);
    const std::uint32_t same_form = random.of_same_form(word);
    expect_facts_of(GetParam(), known_word_facts(GetParam(), same_form), same_form);
  }
}

/// A state as `from`, but for what LRegs hold that can be written, and Dst.
MachineState with_other_values(RandomMachine& random, const MachineState& from) {
  MachineState state = from;
  for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg) {
    for (std::uint32_t& lane : state.vector.lreg[lreg]) lane = random.value();
  }
  for (auto& row : state.dst.cell) row[random.bits() % std::size(row)] ^= 1;
  return state;
}

/// Whether everything agrees that find_unprogrammed() looks at, beside what has been written.
bool same_beside_values(const MachineState& a, const MachineState& b) {
  return a.vector.flags == b.vector.flags && a.vector.use_flags == b.vector.use_flags &&
         a.vector.active == b.vector.active && a.vector.lane_config == b.vector.lane_config &&
         a.rwc == b.rwc && a.config == b.config && a.gpr == b.gpr;
}

/// Whether LRegs, flags, their stack and what steps by itself are all that may differ.
bool same_beside_registers(MachineState a, const MachineState& b) {
  VectorState& v = a.vector;
  const VectorState& w = b.vector;
  v.flags = w.flags;
  v.use_flags = w.use_flags;
  v.stack = w.stack;
  std::memcpy(v.prng, w.prng, sizeof v.prng);
  a.faults = b.faults;
  return same_beside_lregs(a, b);
}

TEST_P(WordFactsOnBothChips, SayWhatComesOfValues) {
  RandomMachine random(GetParam(), 6);
  constexpr unsigned kWords = 10'000, kWordsPerState = 50; // a state takes longer than a word
  unsigned of_registers = 0, decide = 0;
  MachineState start(GetParam());
  for (unsigned i = 0; i < kWords && !HasFailure(); ++i) {
    if (i % kWordsPerState == 0) start = random.state();
    const auto op = decode_micro_op(GetParam(), random.word(), 1);
    if (!op || op->op == isa::Op::SFPLOADMACRO) continue;
    const WordFacts facts = known_word_facts(GetParam(), op->word);
    SCOPED_TRACE(testing::Message() << std::hex << op->word);
    MachineState one = start, other = with_other_values(random, start);
    execute(one, {&*op, 1});
    execute(other, {&*op, 1});
    if (facts.is_of_registers) {
      ++of_registers;
      EXPECT_TRUE(same_beside_registers(one, start));
    }
    if (facts.decides_by_values) {
      ++decide;
    } else {
      EXPECT_TRUE(same_beside_values(one, other));
    }
  }
  EXPECT_GT(of_registers, kWords / 4);
  EXPECT_LT(decide, kWords / 4);
}

} // namespace
} // namespace lanewise::test
