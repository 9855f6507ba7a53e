// A schedule is the same whether values are followed to the end or not
// (chip/timing/without_values.h).
#include "chip/timing/without_values.h"

#include <map>
#include <tuple>

#include "chip/machine/executor.h"
#include "chip/timing/access.h"
#include "chip/timing/clock.h"
#include "machine/random_state.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using timing::Clock;
using timing::Event;
using timing::HazardModel;
using timing::Issue;
using timing::MacroRecord;
using timing::Schedule;
using timing::ScheduleOptions;

const std::size_t kRandomPrograms = fuzz_words(1500 * 400) / 400;

class WithoutValues : public ::testing::TestWithParam<Arch> {
 protected:
  /// Words of every kind. What brings other words is left out.
  Program program(unsigned words) {
    Program p;
    for (std::uint32_t line = 1; line <= words; ++line) {
      std::uint32_t word = random.one_in(5) ? random.bits() : random.word();
      if (random.one_in(6)) word = 0x38000000 | (random.bits() & 0x3FFF);   // INCRWC
      if (random.one_in(8)) word = 0xB2000000 | (random.bits() & 0xFFFFFF); // SETC16
      p.words.push_back({word, line});
    }
    return p;
  }

  ClockRig rig{GetParam()};
  RandomMachine random{GetParam(), 31};
};
LANEWISE_ON_BOTH_CHIPS(WithoutValues);

/// All that a schedule looks at.
void expect_same_for_schedules(const MachineState& a, const MachineState& b) {
  EXPECT_EQ(a.rwc, b.rwc);
  EXPECT_EQ(a.config, b.config);
  EXPECT_EQ(a.gpr, b.gpr);
  EXPECT_EQ(a.clock.address, b.clock.address);
  EXPECT_EQ(a.vector.lane_config, b.vector.lane_config);
  EXPECT_EQ(a.vector.switches, b.vector.switches);
  EXPECT_EQ(a.vector.macro.instruction_template, b.vector.macro.instruction_template);
  EXPECT_EQ(a.vector.macro.sequence, b.vector.macro.sequence);
  EXPECT_EQ(a.vector.macro.misc, b.vector.macro.misc);
}

TEST_P(WithoutValues, TheRemainderChangesWhatTheInstructionDoes) {
  std::array<unsigned, 5> tried{};
  for (unsigned i = 0; i < kRandomPrograms && !HasFailure(); ++i) {
    const MachineState start = random.state();
    for (MicroOp op : FrontEnd(GetParam()).expand(program(20)).ops) {
      if (timing::configures_by_values(GetParam(), op, false)) continue;
      if (op.op == isa::Op::SFPLOADMACRO) { // as the clock executes its load
        op.kernel = op.instruction;
        op.address_slot = 3;
      }
      const timing::Remainder remainder = timing::remainder_of(GetParam(), op);
      ++tried.at(static_cast<std::size_t>(remainder));
      MachineState whole = start, rest = start;
      execute(whole, {&op, 1});
      timing::execute_remainder(rest, op, remainder);
      SCOPED_TRACE(fmt::format("{:08X}", op.word));
      expect_same_for_schedules(whole, rest);
    }
  }
  for (const unsigned each : tried) EXPECT_GT(each, 0U);
}

void expect_same_ops(const std::vector<MicroOp>& a, const std::vector<MicroOp>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(std::tie(a[i].kernel, a[i].instruction, a[i].word, a[i].line, a[i].immediate),
              std::tie(b[i].kernel, b[i].instruction, b[i].word, b[i].line, b[i].immediate));
    EXPECT_EQ(std::tie(a[i].lanes, a[i].va, a[i].vd, a[i].mod, a[i].address_slot),
              std::tie(b[i].lanes, b[i].va, b[i].vd, b[i].mod, b[i].address_slot));
  }
}

void expect_same_schedule(const Schedule& a, const Schedule& b) {
  ASSERT_EQ(a.issues.size(), b.issues.size());
  for (std::size_t i = 0; i < a.issues.size(); ++i) {
    const Issue &x = a.issues[i], &y = b.issues[i];
    EXPECT_EQ(std::tie(x.op, x.slot, x.before, x.before_cause, x.inside, x.inside_cause),
              std::tie(y.op, y.slot, y.before, y.before_cause, y.inside, y.inside_cause));
    EXPECT_EQ(x.discarded, y.discarded);
  }
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    const Event &x = a.events[i], &y = b.events[i];
    EXPECT_EQ(std::tie(x.cycle, x.issue, x.op.word, x.op.lanes, x.sub_unit, x.scheduled),
              std::tie(y.cycle, y.issue, y.op.word, y.op.lanes, y.sub_unit, y.scheduled));
    EXPECT_EQ(std::tie(x.latency, x.reads, x.writes, x.dst_row, x.dst_odd, x.dst_wide),
              std::tie(y.latency, y.reads, y.writes, y.dst_row, y.dst_odd, y.dst_wide));
    EXPECT_EQ(x.operations, y.operations);
  }
  ASSERT_EQ(a.records.size(), b.records.size());
  for (std::size_t i = 0; i < a.records.size(); ++i) {
    const MacroRecord &x = a.records[i], &y = b.records[i];
    EXPECT_EQ(std::tie(x.note, x.cycle, x.issue, x.other, x.sub_unit),
              std::tie(y.note, y.cycle, y.issue, y.other, y.sub_unit));
  }
  EXPECT_EQ(std::tie(a.cycles, a.drained, a.has_macros),
            std::tie(b.cycles, b.drained, b.has_macros));
  ASSERT_EQ(a.sequence.has_value(), b.sequence.has_value());
  if (a.sequence) expect_same_ops(*a.sequence, *b.sequence);
}

/// Schedules a program in both ways; whether values were dropped.
bool expect_same_with_values(const MachineState& start, const MicroProgram& program,
                             const ScheduleOptions& options = {}) {
  Clock clock(start, program, options), plain(start, program, options);
  plain.keep_values();
  expect_same_schedule(clock.run(), plain.run());
  EXPECT_TRUE(plain.has_values());
  return !clock.has_values();
}

// Random words wait, move counters and stack pointers, and make configuration of what they have
// computed, here up to some word of the program.
TEST_P(WithoutValues, RandomProgramsHaveTheSameSchedule) {
  unsigned dropped = 0, kept = 0;
  for (unsigned i = 0; i < kRandomPrograms && !HasFailure(); ++i) {
    MachineState start = random.state();
    for (auto& columns : start.vector.macro.sequence) columns.fill(random.bits());
    start.vector.macro.misc.fill(random.bits() & 0xFFF);
    Program p = program(40);
    const unsigned configures = random.bits() % 40, macros = random.bits() % 3;
    for (std::size_t k = 0; k < p.words.size(); ++k) {
      std::uint32_t& word = p.words[k].word;
      if (random.bits() % 8 < macros) word = 0x93000000 | (random.bits() & 0xFFFFFF);
      if (k < configures && random.one_in(6))
        word = 0x91000000 | (random.bits() % 16) << 4 | (random.bits() & 1);
      if (k >= configures && word >> 24 == 0x91) word = 0x8F000000;
    }
    const ScheduleOptions options{
        .model = random.one_in(2) ? HazardModel::Hardware : HazardModel::Documented,
        .auto_stall = !random.one_in(4)};
    SCOPED_TRACE(fmt::format("program {}", i));
    const MicroProgram micro = FrontEnd(GetParam()).expand(p);
    ++(expect_same_with_values(start, micro, options) ? dropped : kept);
  }
  EXPECT_GT(dropped, kRandomPrograms / 4);
  EXPECT_GT(kept, 0U);
}

TEST_P(WithoutValues, AProgramWithoutConfigurationNeedsNone) {
  EXPECT_TRUE(expect_same_with_values(
      rig.state(), rig.prepare("SFPLOAD L0, FP32, 3, 0\nSFPMAD L10, L10, L0, L0, 0\n"
                               "SFPSTORE L0, FP32, 3, 0\nINCRWC DstInc=2\n")));
}

// LReg[11..14] are values, not configuration.
TEST_P(WithoutValues, ConstantsAreNoConfiguration) {
  const MicroProgram program = rig.prepare("SFPLOADI L0, 0, 0x3F80\nSFPCONFIG 0, 11, 0\nSFPNOP\n");
  const Schedule schedule = timing::schedule(rig.state(), program);
  EXPECT_EQ(schedule.cycles, 3U);
  EXPECT_EQ(timing::ProgramFacts(rig.state(), program).values_end(), 0U);
}

// An immediate needs no LReg[0], but flags disable columns of SFPCONFIG (VU C37).
TEST_P(WithoutValues, FlagsDecideOnAnImmediate) {
  const auto values_end = [&](std::string_view source) {
    return timing::ProgramFacts(rig.state(), rig.prepare(source)).values_end();
  };
  EXPECT_EQ(values_end("SFPNOP\nSFPCONFIG 2, 15, 1\nSFPNOP\n"), 0U);
  EXPECT_EQ(values_end("SFPSETCC 0, L0, 0\nSFPCONFIG 2, 15, 1\nSFPNOP\n"), 2U);
  EXPECT_EQ(values_end("SFPNOP\nSFPCONFIG 0, 15, 0\nSFPNOP\n"), 2U);
  EXPECT_EQ(values_end("SFPNOP\nSFPCONFIG 2, 1, 1\nSFPNOP\n"), 2U) << "a template is LReg[0]";
}

// What a macro schedules may write the configuration of macros: a sequence, out of LReg[0].
TEST_P(WithoutValues, AScheduledConfigurationNeedsValues) {
  rig.set_sequence(0, sequence({4, 1}, {}, {}, {}));
  rig.set_template(0, "SFPCONFIG 0, 5, 0");
  const MicroProgram program = rig.prepare(
      "SFPLOADI L0, 2, 0x0304\nSFPLOADMACRO 0, 1, FP32, 3, 0, 0\nSFPNOP\nSFPNOP\nSFPNOP\n"
      "SFPLOADMACRO 1, 2, FP32, 3, 0, 0\nSFPNOP\nSFPNOP\n");
  EXPECT_FALSE(expect_same_with_values(rig.state(), program));
}

// What the configuration says for a macro is worked out once, and again when it has changed.
TEST_P(WithoutValues, AMacroFollowsItsConfiguration) {
  rig.set_template(0, "SFPABS L0, L0, 0");
  rig.set_template(1, "SFPNOT L0, L0");
  rig.set_sequence(0, sequence({4, 0}, {}, {}, {}));
  const Schedule schedule = rig.schedule(
      "SFPLOADI L0, 2, 0x0005\nSFPLOADMACRO 0, 1, FP32, 3, 0, 0\nSFPNOP\nSFPCONFIG 0, 4, 0\n"
      "SFPNOP\nSFPLOADMACRO 0, 1, FP32, 3, 0, 0\nSFPNOP\nSFPNOP\n");
  EXPECT_EQ(scheduled(schedule), (Names{"SFPABS@2", "SFPNOT@6"}));
}

TEST_P(WithoutValues, AMacroHasItsOwnOperandsAndLine) {
  rig.set_template(0, "SFPABS L0, L0, 0");
  rig.set_sequence(0, sequence({4, 0}, {}, {}, {3, 1}));
  const Schedule schedule = rig.schedule(
      "SFPLOADMACRO 0, 1, FP32, 3, 0, 0\nSFPLOADMACRO 0, 2, FP32, 3, 2, 0\n"
      "SFPLOADMACRO 0, 1, FP32, 3, 4, 0\nSFPNOP\nSFPNOP\n");
  std::map<std::uint32_t, std::int32_t> loaded; ///< row, by the SFPLOADMACRO
  std::vector<std::tuple<std::uint32_t, unsigned, unsigned>> found;
  for (const Event& each : schedule.events) {
    if (each.op.op == isa::Op::SFPLOADMACRO) loaded[each.issue] = each.dst_row;
    if (!each.scheduled) continue;
    found.emplace_back(each.op.line, each.op.vd, each.op.address_slot);
    if (timing::is_store(each.op)) {
      EXPECT_EQ(each.dst_row, loaded[each.issue]) << "VU C56";
    }
  }
  EXPECT_NE(loaded[0], loaded[1]);
  EXPECT_NE(loaded[0], loaded[2]);
  EXPECT_EQ(found,
            (decltype(found){{1, 1, 0}, {1, 1, 1}, {2, 2, 0}, {2, 2, 2}, {3, 1, 0}, {3, 1, 3}}));
}

} // namespace
} // namespace lanewise::test
