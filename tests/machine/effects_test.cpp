// chip/isa/effects.h against the machine: random words of every opcode of the table, in random
// states. What has changed must be among what the instruction may write, and what it does not read
// must not matter.
#include "chip/isa/effects.h"
#include "chip/isa/disassembler.h"

#include <functional>
#include <span>

#include "chip/isa/config.h"
#include "chip/isa/fields.h"
#include "machine/machine_fixture.h"
#include "machine/random_state.h"

namespace lanewise::test {
namespace {

namespace part = isa::part;

constexpr std::size_t kWordsOfARow = 300;
constexpr std::size_t kRows = 1000; ///< more than the table has, for LANEWISE_FUZZ_WORDS

/// What the front end expands before anything is executed.
bool is_expanded(const isa::Row& row) {
  return row.op == isa::Op::MOP || row.op == isa::Op::MOP_CFG || row.op == isa::Op::REPLAY;
}

/// Executes a word if it can be; false if the decoder has refused it.
bool execute_word(MachineState& state, std::uint32_t word) {
  const auto op = decode_micro_op(state.config.arch(), word, 1);
  if (!op) return false;
  state.faults.clear();
  execute(state, std::span(&*op, 1));
  return true;
}

bool same_vector_config(const VectorState& a, const VectorState& b) {
  return a.lane_config == b.lane_config &&
         a.macro.instruction_template == b.macro.instruction_template &&
         a.macro.sequence == b.macro.sequence && a.macro.misc == b.macro.misc;
}

bool same_contents(const SourceFile& a, const SourceFile& b) {
  return std::memcmp(a.cell, b.cell, sizeof a.cell) == 0;
}

bool same_banks(const SourceFile& a, const SourceFile& b) {
  return a.format == b.format && a.current == b.current && a.filling == b.filling &&
         a.owned_by_matrix_unit == b.owned_by_matrix_unit;
}

bool same_config(const ConfigState& a, const ConfigState& b) {
  return a == b;
}

/// The parts, of namespace isa::part, in which two states differ.
unsigned different_parts(const MachineState& a, const MachineState& b) {
  unsigned parts = 0;
  const auto compare = [&](unsigned part, bool same) { parts |= same ? 0 : part; };
  compare(part::kDst, std::memcmp(a.dst.cell, b.dst.cell, sizeof a.dst.cell) == 0 &&
                          a.dst.valid_bits == b.dst.valid_bits);
  compare(part::kCounters, a.rwc == b.rwc);
  compare(part::kConfig, same_config(a.config, b.config));
  compare(part::kVectorConfig, same_vector_config(a.vector, b.vector));
  compare(part::kLatch, std::memcmp(a.vector.shuffle_latch, b.vector.shuffle_latch,
                                    sizeof a.vector.shuffle_latch) == 0);
  compare(part::kSources, same_contents(a.srca, b.srca) && same_contents(a.srcb, b.srcb));
  compare(part::kBanks, same_banks(a.srca, b.srca) && same_banks(a.srcb, b.srcb));
  compare(part::kShiftRow, a.last_srca_row == b.last_srca_row);
  compare(part::kScalar, a.gpr == b.gpr);
  return parts;
}

bool same_random_state(const MachineState& a, const MachineState& b) {
  return std::memcmp(a.vector.prng, b.vector.prng, sizeof a.vector.prng) == 0;
}

/// Gives one part of `state` what it is in `other`.
void take_part(MachineState& state, const MachineState& other, unsigned which) {
  switch (which) {
    case part::kDst: state.dst = other.dst; break;
    case part::kCounters: state.rwc = other.rwc; break;
    case part::kConfig: state.config = other.config; break;
    case part::kLatch:
      std::memcpy(state.vector.shuffle_latch, other.vector.shuffle_latch,
                  sizeof state.vector.shuffle_latch);
      break;
    case part::kSources:
      std::memcpy(state.srca.cell, other.srca.cell, sizeof state.srca.cell);
      std::memcpy(state.srcb.cell, other.srcb.cell, sizeof state.srcb.cell);
      break;
    case part::kShiftRow: state.last_srca_row = other.last_srca_row; break;
    case part::kScalar: state.gpr = other.gpr; break;
    case part::kPrngSeed:
      std::memcpy(state.vector.prng, other.vector.prng, sizeof state.vector.prng);
      break;
    default: ADD_FAILURE() << "no such part";
  }
}

/// Lanes in which some LReg differs.
std::uint32_t different_lanes(const MachineState& a, const MachineState& b) {
  std::uint32_t lanes = 0;
  for (unsigned reg = 0; reg < kLRegs; ++reg) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      lanes |= static_cast<std::uint32_t>(a.vector.lreg[reg][lane] != b.vector.lreg[reg][lane])
               << lane;
  }
  return lanes;
}

isa::LRegSet different_lregs(const MachineState& a, const MachineState& b) {
  isa::LRegSet set = 0;
  for (unsigned reg = 0; reg < kLRegs; ++reg) {
    if (std::memcmp(a.vector.lreg[reg], b.vector.lreg[reg], sizeof a.vector.lreg[reg]) != 0)
      set |= 1U << reg;
  }
  return set;
}

bool same_stack(const FlagStack& a, const FlagStack& b) {
  return a.entry == b.entry && a.at_depth == b.at_depth;
}

class EffectsOfWords : public ::testing::TestWithParam<Arch> {
 protected:
  /// STOREREG is executed for one address only.
  static std::uint32_t word_of(RandomMachine& random, const isa::Row& row) {
    const std::uint32_t word = random.word_of(row);
    if (row.op != isa::Op::STOREREG) return word;
    const isa::Field address = isa::field_place<"AddrLo", isa::Op::STOREREG>();
    const std::uint32_t place = isa::debug_address(
        GetParam(), isa::config_place(isa::ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE));
    return (word & ~address.mask()) | address.insert(place >> 2);
  }

  using Check = std::function<void(RandomMachine&, MachineState&, const isa::Effects&)>;

  /// Calls check(random, state, effects) with random words of each row of the table.
  void for_each_row(std::uint32_t seed, const Check& check) {
    constexpr std::size_t kWordsPerState = 16;
    RandomMachine random(GetParam(), seed);
    for (const isa::Row& row : isa::rows()) {
      if (!includes(row.chips, GetParam())) continue;
      MachineState state = random.state();
      const std::size_t count = fuzz_words(kWordsOfARow * kRows) / kRows;
      for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
        if (i % kWordsPerState == 0) state = random.state();
        const std::uint32_t word = word_of(random, row);
        check(random, state, isa::Effects(GetParam(), word));
        if (HasFailure())
          ADD_FAILURE() << isa::disassemble(GetParam(), word) << fmt::format("  {:08X}", word);
      }
    }
  }
};
LANEWISE_ON_BOTH_CHIPS(EffectsOfWords);

TEST_P(EffectsOfWords, TheMachineExecutesWhatTheTableSays) {
  RandomMachine random(GetParam(), 4);
  for (const isa::Row& row : isa::rows()) {
    if (!includes(row.chips, GetParam()) || is_expanded(row)) continue;
    bool decodes = false; // some forms are refused: SETDMAREG, STOREREG
    for (unsigned i = 0; i < 2000 && !decodes; ++i)
      decodes = decode_micro_op(GetParam(), word_of(random, row), 1).has_value();
    EXPECT_EQ(decodes, isa::executor_of(row.op) == isa::Executor::Machine) << row.mnemonic;
  }
}

TEST_P(EffectsOfWords, WhatChangesIsWritten) {
  for_each_row(5, [&](RandomMachine&, MachineState& state, const isa::Effects& effects) {
    const MachineState before = state;
    if (!execute_word(state, effects.decoded().word)) return;
    const VectorState &v = before.vector, &now = state.vector;

    const std::uint32_t enabled = v.enabled();
    const unsigned may_change =
        effects.parts_written() | (effects.is_template_write() ? part::kVectorConfig : 0);
    ASSERT_EQ(different_parts(before, state) & ~may_change, 0U) << "parts";
    ASSERT_EQ(different_lregs(before, state) & ~effects.lregs_written(), 0U) << "LRegs";
    if (effects.lane_scope() == isa::LaneScope::Enabled) {
      ASSERT_EQ(different_lanes(before, state) & ~enabled, 0U) << "lanes that are disabled";
    }
    const bool may_seed = (effects.parts_written() & part::kPrngSeed) != 0;
    if (!effects.steps_random_numbers() && !may_seed) {
      ASSERT_TRUE(same_random_state(before, state)) << "random numbers";
    }
    ASSERT_EQ(now.active, kAllLanes);
  });
}

TEST_P(EffectsOfWords, FlagsAndTheirStackChangeAsTheySay) {
  for_each_row(6, [&](RandomMachine&, MachineState& state, const isa::Effects& effects) {
    const VectorState v = state.vector;
    if (!execute_word(state, effects.decoded().word)) return;
    const VectorState& now = state.vector;
    const bool same_flags = v.flags == now.flags && v.use_flags == now.use_flags;
    // Flags count where they are used; another LaneConfig switches rows.
    const std::uint32_t before = v.flags | ~v.use_flags, after = now.flags | ~now.use_flags;
    switch (effects.lane_change()) {
      case isa::LaneChange::None: ASSERT_TRUE(same_flags) << "flags"; break;
      case isa::LaneChange::Narrower: ASSERT_EQ(after & ~before, 0U) << "new lanes"; break;
      case isa::LaneChange::Other: break;
    }
    switch (effects.stack_use()) {
      case isa::StackUse::None:
      case isa::StackUse::Look: ASSERT_TRUE(same_stack(v.stack, now.stack)) << "stack"; break;
      case isa::StackUse::Narrow:
        ASSERT_EQ(now.stack.top().flags & ~v.stack.top().flags, 0U) << "new lanes in the stack";
        [[fallthrough]];
      case isa::StackUse::Spoil:
      case isa::StackUse::Change: ASSERT_EQ(v.stack.at_depth, now.stack.at_depth); break;
      case isa::StackUse::Push:
        ASSERT_EQ(now.stack.empty_lanes() & ~v.stack.empty_lanes(), 0U);
        break;
      case isa::StackUse::Pop: ASSERT_EQ(now.stack.full_lanes() & ~v.stack.full_lanes(), 0U); break;
    }
  });
}

TEST_P(EffectsOfWords, RegistersThatAreNotReadDoNotMatter) {
  for_each_row(7, [&](RandomMachine& random, MachineState& state, const isa::Effects& effects) {
    MachineState other = state;
    for (unsigned reg = 0; reg < kLRegs; ++reg) {
      if ((effects.lregs_read() >> reg & 1U) != 0) continue;
      for (std::uint32_t& lane : other.vector.lreg[reg]) lane = random.value();
    }
    const MachineState before = state, other_before = other;
    if (!execute_word(state, effects.decoded().word)) return;
    execute_word(other, effects.decoded().word);
    ASSERT_TRUE(same_beside_lregs(state, other));
    for (unsigned reg = 0; reg < kLRegs; ++reg) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        // Either both have been written, with the same value, or neither.
        const std::uint32_t mine = state.vector.lreg[reg][lane], its = other.vector.lreg[reg][lane];
        ASSERT_TRUE(mine == its || (mine == before.vector.lreg[reg][lane] &&
                                    its == other_before.vector.lreg[reg][lane]))
            << "L" << reg << " lane " << lane;
      }
    }
  });
}

TEST_P(EffectsOfWords, PartsThatAreNotReadDoNotMatter) {
  // The banks of SrcA and SrcB, and what the Vector Unit is configured to, are checked by what they
  // select: their contents, and lanes.
  constexpr unsigned kParts[] = {part::kDst,     part::kCounters, part::kConfig, part::kLatch,
                                 part::kSources, part::kShiftRow, part::kScalar, part::kPrngSeed};
  for_each_row(8, [&](RandomMachine& random, MachineState& state, const isa::Effects& effects) {
    const unsigned which = kParts[random.bits() % std::size(kParts)];
    if ((effects.parts_read() & which) != 0) return;
    if (which == part::kPrngSeed && effects.depends_on_random_numbers()) return;
    MachineState other = state;
    take_part(other, random.state(), which);
    if (!execute_word(state, effects.decoded().word)) return;
    execute_word(other, effects.decoded().word);
    ASSERT_EQ(different_parts(state, other) & ~which, 0U) << "part " << which;
    ASSERT_EQ(different_lregs(state, other), 0U) << "part " << which;
    if (which != part::kPrngSeed) {
      ASSERT_TRUE(same_random_state(state, other)) << "part " << which;
    }
  });
}

} // namespace
} // namespace lanewise::test
