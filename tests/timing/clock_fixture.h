// Short ways to a schedule, so that a test is a few lines of assembly and the cycles that must
// result.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "chip/timing/clocked_state.h"
#include "chip/timing/schedule.h"
#include "machine/machine_fixture.h"

namespace lanewise::test {

/// A machine with a clock.
class ClockRig : public Rig {
 public:
  using Rig::Rig;

  Program assemble(std::string_view source) const {
    Expected<Program> program = assembly::assemble(arch(), source, "test.tt");
    if (!program) {
      ADD_FAILURE() << to_string(program.error());
      return {};
    }
    return std::move(*program);
  }
  MicroProgram prepare(std::string_view source) { return machine().prepare(assemble(source)); }

  timing::Schedule schedule(std::string_view source, const timing::ScheduleOptions& options = {}) {
    return timing::schedule(state(), prepare(source), options);
  }

  /// Schedules and executes, values as the clock says.
  timing::Schedule run_timed(std::string_view source, const timing::ScheduleOptions& options = {}) {
    const MicroProgram program = prepare(source);
    timing::Schedule made = timing::schedule(state(), program, options);
    execute(state(), made.ops(program));
    EXPECT_FALSE(state().clock.schedule_is_stale);
    return made;
  }

  /// Runs a program without macros before the schedule under test.
  void prelude(std::string_view source) { run_clean(source); }

  /// Sequence[macro], in every column.
  void set_sequence(unsigned macro, std::uint32_t sequence) {
    vector().macro.sequence[macro].fill(sequence);
  }
  void set_misc(std::uint32_t misc) { vector().macro.misc.fill(misc); }
  /// InstructionTemplate[index] from a line of assembly, which must not be a template write itself.
  void set_template(unsigned index, std::string_view line) {
    const Expected<Program> program = assembly::assemble(arch(), line, "template.tt");
    ASSERT_TRUE(program.has_value()) << to_string(program.error());
    vector().macro.instruction_template[index].fill(program->words.front().word);
  }

 private:
  using Rig::run;
};

/// A byte of a sequence (VU 5.5).
struct Byte {
  unsigned selector = 0, delay = 0;
  bool macro_lreg = false, select = false;

  std::uint32_t value() const {
    return selector | delay << 3 | static_cast<unsigned>(macro_lreg) << 6 |
           static_cast<unsigned>(select) << 7;
  }
};

inline std::uint32_t sequence(Byte simple, Byte mad, Byte round, Byte store) {
  return simple.value() | mad.value() << 8 | round.value() << 16 | store.value() << 24;
}

/// The cycles in which the instructions execute.
inline std::vector<std::uint64_t> execute_cycles(const timing::Schedule& schedule) {
  std::vector<std::uint64_t> cycles;
  for (const timing::Issue& issue : schedule.issues) cycles.push_back(issue.executes());
  return cycles;
}

/// The cycles in which they leave the front end.
inline std::vector<std::uint64_t> slots(const timing::Schedule& schedule) {
  std::vector<std::uint64_t> cycles;
  for (const timing::Issue& issue : schedule.issues) cycles.push_back(issue.slot);
  return cycles;
}

/// What has been scheduled, as "MNEMONIC@cycle" in order.
inline std::vector<std::string> scheduled(const timing::Schedule& schedule) {
  std::vector<std::string> names;
  for (const timing::Event& event : schedule.events) {
    if (!event.scheduled) continue;
    const isa::Row* row = isa::decode(schedule.arch, event.op.word).row;
    names.push_back(fmt::format("{}@{}", row->mnemonic, event.cycle));
  }
  return names;
}

using Cycles = std::vector<std::uint64_t>;
using Names = std::vector<std::string>;

class ClockOnBothChips : public ::testing::TestWithParam<Arch> {
 protected:
  ClockRig rig{GetParam()};
};
class ClockOnBlackhole : public ::testing::Test {
 protected:
  ClockRig rig{Arch::Blackhole};
};
class ClockOnWormhole : public ::testing::Test {
 protected:
  ClockRig rig{Arch::Wormhole};
};

} // namespace lanewise::test
