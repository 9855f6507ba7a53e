// Random programs with macros: the sequence that executes without a clock gives what the clock
// gives, and macros that keep their distance do what the same instructions do one after the other.
#include <algorithm>
#include <limits>

#include "chip/isa/replay.h"
#include "chip/machine/trace.h"
#include "chip/timing/hazards/late_runs.h"
#include "machine/random_state.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using timing::ClockedState;
using timing::Event;
using timing::HazardModel;
using timing::Issue;
using timing::Schedule;
using timing::ScheduleOptions;

/// Programs of each kind: one for 400 random words that other tests run.
const std::size_t kPrograms = fuzz_words(1500 * 400) / 400;

/// Opcodes of words that a sub-unit can execute, on Blackhole.
std::vector<std::uint8_t> opcodes_of(isa::SubUnit sub_unit) {
  std::vector<std::uint8_t> opcodes;
  for (const isa::Row& row : isa::rows()) {
    if (row.sub_unit == sub_unit && includes(row.chips, Arch::Blackhole))
      opcodes.push_back(row.opcode);
  }
  return opcodes;
}

const std::vector<std::uint8_t> kSimple = opcodes_of(isa::SubUnit::Simple);
const std::vector<std::uint8_t> kMad = opcodes_of(isa::SubUnit::Mad);
const std::vector<std::uint8_t> kRound = opcodes_of(isa::SubUnit::Round);

class RandomMacros : public ::testing::TestWithParam<Arch> {
 protected:
  /// A random state whose macros mostly schedule something legal.
  MachineState state() {
    MachineState s = random.state();
    LoadMacroConfig& macro = s.vector.macro;
    const auto pick = [&](const auto& opcodes) {
      return static_cast<std::uint32_t>(opcodes[random.bits() % std::size(opcodes)]) << 24 |
             (random.bits() & 0xFFFFFF);
    };
    const std::uint32_t templates[] = {pick(kSimple), pick(kMad), pick(kRound),
                                       0x72000000 | (random.bits() & 0xFFFFFF)};
    const bool columns_differ = random.one_in(6);
    for (unsigned i = 0; i < 4; ++i) {
      if (!columns_differ)
        macro.instruction_template[i].fill(random.one_in(12) ? random.bits() : templates[i]);
      for (unsigned column = 0; column < kColumns; ++column) {
        if (column == 0 || columns_differ)
          macro.sequence[i][column] = sequence();
        else
          macro.sequence[i][column] = macro.sequence[i][0];
      }
    }
    const std::uint32_t misc = random.bits() & (random.one_in(2) ? 0xFF : 0xFFF);
    macro.misc.fill(misc);
    return s;
  }

  std::uint32_t sequence() {
    std::uint32_t bytes = 0;
    for (unsigned i = 0; i < 4; ++i) {
      std::uint32_t byte = (random.bits() & 0xC0) | (random.bits() % (random.one_in(3) ? 8 : 4))
                                                        << 3;
      byte |= random.one_in(3) ? random.bits() % 8 : 4 + i;
      if (random.one_in(4)) byte = 0;
      bytes |= byte << (8 * i);
    }
    return bytes;
  }

  Program program() {
    Program p;
    const unsigned macros = 1 + random.bits() % 4;
    for (std::uint32_t line = 1; line <= 25; ++line) {
      std::uint32_t word = random.word();
      if (random.bits() % 6 < macros) word = 0x93000000 | (random.bits() & 0xFFFFFF);
      if (random.one_in(5)) word = 0x38000000 | (random.bits() & 0x3FFFF); // INCRWC
      if (random.one_in(8)) word = 0x8F000000;                             // SFPNOP
      p.words.push_back({word, line});
    }
    return p;
  }

  /// The same with what the clock looks at beside macros: waits for both units, rows of Dst that
  /// the Matrix Unit writes, and configuration of what is computed.
  Program program_that_waits() {
    constexpr std::uint32_t kMatrix[] = {0x28000000, 0x12000000,
                                         0x26000000}; // ELWADD, MOVA2D, MVMUL
    Program p = program();
    for (ProgramWord& each : p.words) {
      const WaitFor unit = random.one_in(2) ? WaitFor::VectorUnit : WaitFor::MatrixUnit;
      if (random.one_in(8)) each.word = 0xA2FF8000 | 1U << wait_condition(GetParam(), unit);
      if (random.one_in(8)) each.word = kMatrix[random.bits() % 3] | (random.bits() & 0x38);
      if (random.one_in(12)) each.word = 0x91000000 | (4 + random.bits() % 5) << 4; // SFPCONFIG
      if (random.one_in(8)) each.word = 0x71000000 | (random.bits() & 0x3FFF);      // SFPLOADI L0
    }
    return p;
  }

  RandomMachine random{GetParam(), 20};
};

LANEWISE_ON_BOTH_CHIPS(RandomMacros);

/// The state that the clock leaves.
MachineState clocked(const MachineState& start, const Schedule& schedule, HazardModel model) {
  ClockedState machine(start, model);
  const std::vector<Event>& events = schedule.events;
  for (std::size_t first = 0; first < events.size();) {
    std::size_t last = first;
    while (last < events.size() && events[last].cycle == events[first].cycle) ++last;
    machine.step(events[first].cycle, std::span(events).subspan(first, last - first));
    first = last;
  }
  machine.settle(std::numeric_limits<std::uint64_t>::max());
  return machine.state();
}

/// Faults aside, which may come in another order.
void expect_same(MachineState a, MachineState b) {
  a.faults.clear();
  b.faults.clear();
  for (unsigned reg = 0; reg < kLRegs; ++reg) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      ASSERT_EQ(a.vector.lreg[reg][lane], b.vector.lreg[reg][lane])
          << "L" << reg << " lane " << lane;
  }
  ASSERT_EQ(a.vector.flags, b.vector.flags);
  ASSERT_TRUE(same_beside_lregs(a, b)) << fmt::format("{}", fmt::join(changes_between(a, b), ", "));
}

/// Whether two results meet in a register, of which no source says which one stays (VU Q5).
bool results_collide(const Schedule& schedule) {
  const std::vector<Event>& events = schedule.events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (std::size_t j = i + 1; j < events.size() && events[j].cycle <= events[i].cycle + 1; ++j) {
      const bool meet = events[i].cycle == events[j].cycle || events[i].latency == 2;
      if (meet && (events[i].writes & events[j].writes) != 0) return true;
    }
  }
  return false;
}

TEST_P(RandomMacros, SequenceGivesWhatTheClockGives) { // VU 5.1: reads at the start of the cycle
  unsigned compared = 0;
  for (unsigned i = 0; i < kPrograms; ++i) {
    const MachineState start = state();
    const ScheduleOptions options{
        .model = random.one_in(2) ? HazardModel::Hardware : HazardModel::Documented,
        .push_interval = 1.0,
        .auto_stall = !random.one_in(3),
        .wormhole_swap_stalls = !random.one_in(3),
        .empty_byte_cancels = random.one_in(3)};
    FrontEnd front_end(GetParam());
    const MicroProgram micro = front_end.expand(program());
    const Schedule schedule = timing::schedule(start, micro, options);
    if (!schedule.has_macros || results_collide(schedule)) continue;
    ++compared;
    MachineState executed = start;
    execute(executed, schedule.ops(micro));
    SCOPED_TRACE(fmt::format("program {}", i));
    ASSERT_FALSE(executed.clock.schedule_is_stale);
    ASSERT_NO_FATAL_FAILURE(expect_same(clocked(start, schedule, options.model), executed));
  }
  EXPECT_GT(compared, kPrograms / 20);
}

// Random words compute configuration, meet in registers and end anywhere: nothing of that may
// matter.
TEST_P(RandomMacros, ALatePushGivesWhatTheWholeScheduleGives) { // chip/timing/hazards/late_runs.h
  unsigned unchanged = 0, changed = 0;
  for (unsigned i = 0; i < kPrograms / 4 && !HasFailure(); ++i) {
    const MachineState start = state();
    const HazardModel model = random.one_in(2) ? HazardModel::Hardware : HazardModel::Documented;
    FrontEnd front_end(GetParam());
    const MicroProgram micro =
        front_end.expand(random.one_in(3) ? program() : program_that_waits());
    timing::LateRuns runs(start, micro, model);
    std::optional<std::uint32_t> before;
    for (std::uint32_t op = 0; op < micro.ops.size() && !HasFailure(); ++op) {
      const std::uint32_t word = micro.supply[op].word;
      if (std::exchange(before, word) == word || !random.one_in(3)) continue;
      const std::uint32_t pause = 1 + random.bits() % 10;
      MachineState whole = start;
      const ScheduleOptions options{.model = model, .pauses = {{word, pause}}};
      execute(whole, timing::schedule(start, micro, options).ops(micro));
      const auto late = runs.late({.word = word, .op = op, .pause = pause});
      ++(late ? changed : unchanged);
      SCOPED_TRACE(fmt::format("program {}, word {} late by {}", i, word, pause));
      expect_same(late ? *late : runs.usual(), whole);
    }
  }
  EXPECT_GT(unchanged, 0U);
  EXPECT_GT(changed, 0U);
}

TEST_P(RandomMacros, DocumentedModelIsProgramOrderWithoutMacros) { // chip/timing/schedule.h
  for (unsigned i = 0; i < kPrograms / 5; ++i) {
    const MachineState start = random.state();
    Program plain = program();
    std::erase_if(plain.words, [](ProgramWord word) { return word.word >> 24 == 0x93; });
    FrontEnd front_end(GetParam());
    const MicroProgram micro = front_end.expand(plain);
    const Schedule schedule = timing::schedule(start, micro);
    MachineState in_order = start;
    execute(in_order, micro.ops);
    ASSERT_NO_FATAL_FAILURE(
        expect_same(clocked(start, schedule, HazardModel::Documented), in_order));
  }
}

void expect_same_issue(const Issue& a, const Issue& b) {
  EXPECT_EQ(std::tie(a.op, a.slot, a.before, a.before_cause),
            std::tie(b.op, b.slot, b.before, b.before_cause));
  EXPECT_EQ(std::tie(a.inside, a.inside_cause, a.discarded),
            std::tie(b.inside, b.inside_cause, b.discarded));
}

void expect_same_event(const Event& a, const Event& b) {
  EXPECT_EQ(std::tie(a.cycle, a.issue, a.op.word, a.sub_unit, a.scheduled, a.latency),
            std::tie(b.cycle, b.issue, b.op.word, b.sub_unit, b.scheduled, b.latency));
  EXPECT_EQ(std::tie(a.reads, a.writes, a.dst_row, a.dst_odd, a.dst_wide, a.operations),
            std::tie(b.reads, b.writes, b.dst_row, b.dst_odd, b.dst_wide, b.operations));
}

/// Whether a REPLAY at its end would take in a word that follows.
bool records_what_follows(const Program& program) {
  isa::RecordedWords recorded;
  for (const ProgramWord& word : program.words) recorded.records(word.word);
  return recorded.missing() > 0;
}

// A program without macros is scheduled without keeping results back (Results::Immediate). The same
// program with an SFPLOADMACRO behind it is not, and what comes before that is the same.
TEST_P(RandomMacros, ResultsThatDoNotWaitChangeNoSchedule) {
  for (unsigned i = 0; i < kPrograms / 5 && !HasFailure(); ++i) {
    const MachineState start = random.state();
    Program plain = program();
    std::erase_if(plain.words, [](ProgramWord word) { return word.word >> 24 == 0x93; });
    if (records_what_follows(plain)) continue;
    Program with_macro = plain;
    with_macro.words.push_back({0x93000000, 99});
    const MicroProgram micro = FrontEnd(GetParam()).expand(plain);
    const Schedule found = timing::schedule(start, micro);
    const Schedule clocked = timing::schedule(start, FrontEnd(GetParam()).expand(with_macro));
    SCOPED_TRACE(fmt::format("program {}", i));
    ASSERT_FALSE(found.has_macros);
    ASSERT_TRUE(clocked.has_macros);
    ASSERT_EQ(found.issues.size() + 1, clocked.issues.size());
    for (std::size_t k = 0; k < found.issues.size(); ++k)
      expect_same_issue(found.issues[k], clocked.issues[k]);
    ASSERT_LE(found.events.size(), clocked.events.size());
    for (std::size_t k = 0; k < found.events.size(); ++k)
      expect_same_event(found.events[k], clocked.events[k]);
  }
}

/// A line of assembly for each sub-unit, whose operands are VC = VD = `reg`, so that SFPLOADMACRO
/// with that VD does the same.
std::string plain_line(RandomMachine& random, unsigned sub_unit, unsigned reg) {
  constexpr std::string_view kSimpleLines[] = {
      "SFPABS L{0}, L{0}, 0",     "SFPNOT L{0}, L{0}",          "SFPIADD 3, L{0}, L{0}, 5",
      "SFPSHFT 1, L{0}, L{0}, 1", "SFPSETSGN 1, L{0}, L{0}, 1", "SFPXOR L{0}, L{0}"};
  constexpr std::string_view kMadLines[] = {"SFPMAD L5, L6, L{0}, L{0}, 0",
                                            "SFPADDI 0x3f80, L{0}, 0", "SFPMULI 0x4040, L{0}, 0",
                                            "SFPADD L10, L6, L{0}, L{0}, 0"};
  constexpr std::string_view kRoundLines[] = {"SFPSTOCHRND 0, 0, L0, L{0}, L{0}, 1",
                                              "SFPSHFT2 0, L{0}, L{0}, 3"};
  const auto pick = [&](const auto& lines) {
    return fmt::format(fmt::runtime(lines[random.bits() % std::size(lines)]), reg);
  };
  if (sub_unit == 0) return pick(kSimpleLines);
  return sub_unit == 1 ? pick(kMadLines) : pick(kRoundLines);
}

TEST_P(RandomMacros,
       EqualTheUnrolledProgramAtADistance) { // issue: instruction counting, enough distance
  for (unsigned i = 0; i < 400; ++i) {
    ClockRig macro_rig(GetParam()), plain_rig(GetParam());
    const unsigned reg = random.bits() % 4;
    // Each sub-unit gets a delay of its own, two apart, so that two-cycle results are there.
    unsigned delays[] = {0, 2, 4, 6};
    std::shuffle(std::begin(delays), std::end(delays) - 1, std::minstd_rand(random.bits()));
    std::uint32_t bytes = 3U << 24 | delays[3] << 27;
    std::string plain = fmt::format("SFPLOAD L{}, INT32, 3, 0\n", reg);
    std::vector<std::pair<unsigned, std::string>> lines;
    for (unsigned unit = 0; unit < 3; ++unit) {
      const std::string line = plain_line(random, unit, reg);
      macro_rig.set_template(unit, line);
      bytes |= (4 + unit) << (8 * unit) | delays[unit] << (8 * unit + 3);
      lines.emplace_back(delays[unit], line);
    }
    std::sort(lines.begin(), lines.end());
    for (const auto& [delay, line] : lines) plain += line + "\nSFPNOP\n";
    plain += fmt::format("SFPSTORE L{}, INT32, 3, 0\n", reg);
    macro_rig.set_sequence(0, bytes);
    macro_rig.set_misc(4 |
                       (random.one_in(2) ? 0xF00U : 0U)); // INT32; counts instructions or cycles
    const MachineState data = random.state();
    for (ClockRig* rig : {&macro_rig, &plain_rig}) {
      std::copy_n(&data.vector.lreg[0][0], 8 * kLanes, &rig->vector().lreg[0][0]);
      rig->state().dst = data.dst;
    }
    const Schedule s = macro_rig.run_timed(
        fmt::format("SFPLOADMACRO 0, {}, INT32, 3, 0, 0\n.repeat 9\nSFPNOP\n.endr\n", reg));
    ASSERT_TRUE(s.records.empty());
    plain_rig.run_timed(plain);
    for (unsigned lreg = 0; lreg < 8; ++lreg)
      ASSERT_EQ(macro_rig.lreg(lreg), plain_rig.lreg(lreg)) << "L" << lreg << " after\n" << plain;
    ASSERT_EQ(
        std::memcmp(macro_rig.state().dst.cell, plain_rig.state().dst.cell, sizeof data.dst.cell),
        0)
        << plain;
  }
}

TEST_P(RandomMacros, AnythingAtAllIsScheduled) { // no crash, no hang, whatever the words are
  for (unsigned i = 0; i < kPrograms; ++i) {
    Program any;
    for (std::uint32_t line = 1; line <= 40; ++line) {
      std::uint32_t word = random.one_in(3) ? random.bits() : random.word();
      if (random.one_in(12)) word = 0x04000000 | (random.bits() & 0x7FFFF); // REPLAY
      any.words.push_back({word, line});
    }
    FrontEnd front_end(GetParam());
    const MicroProgram micro = front_end.expand(any);
    MachineState start = random.state();
    for (auto& columns : start.vector.macro.sequence)
      for (std::uint32_t& column : columns) column = random.bits();
    for (std::uint32_t& column : start.vector.macro.misc) column = random.bits() & 0xFFF;
    const Schedule schedule = timing::schedule(start, micro);
    ASSERT_EQ(schedule.issues.size(), micro.ops.size());
    for (std::size_t k = 1; k < schedule.issues.size(); ++k)
      ASSERT_GT(schedule.issues[k].slot, schedule.issues[k - 1].slot)
          << "one per cycle, in order (T1)";
    for (const timing::Issue& issue : schedule.issues) ASSERT_LE(issue.inside, 1U);
    execute(start, schedule.ops(micro));
  }
}

} // namespace
} // namespace lanewise::test
