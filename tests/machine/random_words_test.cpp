// Properties of every instruction word, in every state: nothing crashes, and isa/def_use.h tells
// the truth.
#include <span>

#include "isa/def_use.h"
#include "machine/machine_fixture.h"
#include "machine/random_state.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kWords = 200'000;
constexpr std::size_t kWordsPerState = 16; ///< until a state is thrown away for a fresh one

/// Executes a word if it can be; false if the decoder has refused it.
bool execute_word(MachineState& state, std::uint32_t word) {
  const auto op = decode_micro_op(state.config.arch(), word, 1);
  if (!op) return false;
  state.faults.clear();
  execute(state, std::span(&*op, 1));
  return true;
}

/// Lanes that an instruction may write: all, for those that VU C6 exempts from the lane enables,
/// and SFPCONFIG.
std::uint32_t writable_lanes(const VectorState& v, Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  const bool all_lanes =
      (d.row->op == isa::Op::SFPMOV && (d["Mod1"] & 11) == 2) ||
      ((d.row->op == isa::Op::SFPLOAD || d.row->op == isa::Op::SFPLOADMACRO) && d["Mod0"] == 10) ||
      d.row->op == isa::Op::SFPCONFIG;
  return all_lanes ? kAllLanes : v.enabled();
}

class RandomWords : public ::testing::TestWithParam<Arch> {
 protected:
  /// Calls check(state, word) often, with states that the words before have already been at.
  template <class Check>
  void for_random_words(std::uint32_t seed, Check&& check) {
    RandomMachine random(GetParam(), seed);
    MachineState state = random.state();
    const std::size_t count = fuzz_words(kWords);
    for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
      if (i % kWordsPerState == 0) state = random.state();
      const std::uint32_t word = random.word();
      check(random, state, word);
      if (HasFailure())
        ADD_FAILURE() << isa::disassemble(GetParam(), word) << fmt::format("  {:08X}", word);
    }
  }
};
LANEWISE_ON_BOTH_CHIPS(RandomWords);

TEST_P(RandomWords, RegistersOutsideTheWrittenSetStay) {
  for_random_words(1, [&](RandomMachine&, MachineState& state, std::uint32_t word) {
    const VectorState before = state.vector;
    if (!execute_word(state, word)) return;
    const isa::LRegSet written = isa::lregs_written(GetParam(), word);
    ASSERT_EQ(written & ~0x78FFU, 0U) << "only LReg[0..7] and [11..14] can be written (VU C15)";
    std::uint32_t lanes = 0;
    for (unsigned reg = 0; reg < kLRegs; ++reg) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const bool changed = before.lreg[reg][lane] != state.vector.lreg[reg][lane];
        ASSERT_TRUE(!changed || (written >> reg & 1U) != 0) << "L" << reg << " lane " << lane;
        lanes |= static_cast<std::uint32_t>(changed) << lane;
      }
    }
    if (lanes != 0) {
      ASSERT_EQ(lanes & ~writable_lanes(before, GetParam(), word), 0U) << "disabled lanes (VU C6)";
    }
    ASSERT_EQ(state.vector.active, kAllLanes);
  });
}

TEST_P(RandomWords, RegistersOutsideTheReadSetDoNotMatter) {
  for_random_words(2, [&](RandomMachine& random, MachineState& state, std::uint32_t word) {
    MachineState other = state;
    const isa::LRegSet read = isa::lregs_read(GetParam(), word);
    for (unsigned reg = 0; reg < kLRegs; ++reg) {
      if ((read >> reg & 1U) != 0) continue;
      for (std::uint32_t& lane : other.vector.lreg[reg]) lane = random.value();
    }
    const VectorState before = state.vector, other_before = other.vector;
    if (!execute_word(state, word)) return;
    execute_word(other, word);
    ASSERT_TRUE(same_beside_lregs(state, other));
    for (unsigned reg = 0; reg < kLRegs; ++reg) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        // Either both have been written, with the same value, or neither.
        const std::uint32_t mine = state.vector.lreg[reg][lane], its = other.vector.lreg[reg][lane];
        ASSERT_TRUE(mine == its ||
                    (mine == before.lreg[reg][lane] && its == other_before.lreg[reg][lane]))
            << "L" << reg << " lane " << lane;
      }
    }
  });
}

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
