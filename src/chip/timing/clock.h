// The clock: follows a program from cycle to cycle and notes what happens in each. schedule() lets
// it run; chip/timing/hazards/late_runs.h stops it, copies it, and holds copies against each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "chip/timing/clocked_state.h"
#include "chip/timing/macro_unit.h"
#include "chip/timing/matrix_clock.h"
#include "chip/timing/program_facts.h"
#include "chip/timing/schedule.h"
#include "chip/timing/sequence.h"
#include "chip/timing/supply.h"

namespace lanewise::timing {

/// The cycles of a program, one after the other. A copy goes on from the same cycle.
class Clock {
 public:
  Clock(const MachineState& start, const MicroProgram& program, const ScheduleOptions& options);

  /// All cycles.
  Schedule run();

  /// Until the front end has sent everything before operation `op`; no further.
  void advance_to(std::size_t op);
  /// Until nothing is left to do.
  void run_out();

  /// The core pauses before a word that has not been pushed.
  void pause_before(std::uint32_t word, std::uint32_t cycles) { options_.pauses[word] = cycles; }

  /// Keeps all values that registers, Dst and sources hold, although no schedule needs them: the
  /// plain way, which tests compare with.
  void keep_values() { values_end_ = ProgramFacts::kNever; }
  bool has_values() const { return state_.has_values(); }

  /// Drops what has been noted so far and is not needed to go on, so that a copy costs little.
  void forget();

  /// Whether both do the same from here on, each in its own cycles: `same_data` also looks at what
  /// registers and Dst hold, without which no configuration may be computed from now on. Both have
  /// sent the same instructions of a program whose words the core pushes in a cycle each; no pause
  /// is left.
  bool goes_on_like(const Clock& other, bool same_data) const;

  /// What has been noted, without what is forgotten; and how many events there were with it.
  const std::vector<Event>& events() const { return result_.events; }
  const std::vector<ConfigurationCheck>& checks() const { return checks_; }
  std::size_t all_events() const { return forgotten_events_ + result_.events.size(); }
  std::uint64_t cycle() const { return cycle_; }

 private:
  bool finished() const;

  void tick();
  void step();
  Issue& issue_of(std::uint32_t op) { return result_.issues[op - forgotten_issues_]; }
  bool keeps_pace_with(const Clock& other) const;
  bool follows_vector() const { return last_cycle_ && *last_cycle_ + 1 == cycle_; }

  /// The instruction that enters the Vector Unit in this cycle: one that has waited in it, or the
  /// next of the program. Sets other_ where the front end sends one elsewhere.
  std::optional<std::uint32_t> vector_instruction();

  /// Lets the front end send its next instruction, if it is there and its unit takes it.
  void issue_next(bool occupied, std::optional<std::uint32_t>& entering);

  std::uint32_t word_of(std::size_t op) const;

  void begin_issue(std::uint32_t index);

  /// The reason of most of the cycles since `expected`.
  StallCause cause_of_gap(std::uint64_t expected) const;

  /// Why an instruction cannot enter the Vector Unit in this cycle (VU 5.2 to 5.4).
  StallCause stall(std::uint32_t index);

  /// The events of this cycle, which are the last.
  std::span<Event> events_of_cycle() { return std::span(result_.events).subspan(first_of_cycle_); }
  Event& add_event(std::uint32_t issue, const MicroOp& op, isa::SubUnit sub_unit);

  void take_due();

  void execute_vector(std::uint32_t index);

  /// The load gets a slot for its address; sixteen are more than can be pending (delays are at most
  /// 7).
  void start_macro(Event& event);

  void execute_other(std::uint32_t index);

  /// Registers, latency and Dst rows of an event, as far as they depend on the state.
  void note_scheduled(Event& event, const ScheduledFacts& facts);
  void note_vector(Event& event, const OpFacts& facts);
  void note_access(Event& event);

  /// Executes the events of the cycle, or what is left of them where no values are needed.
  void execute_cycle();

  /// Whether what registers and memories hold decides nothing any more.
  bool values_are_needless();

  void finish();

  Arch arch_;
  const MicroProgram& program_;
  ScheduleOptions options_;
  std::shared_ptr<const ProgramFacts> facts_; ///< copies share it
  std::size_t values_end_;                    ///< the first operation that needs no values
  ClockedState state_;
  MacroUnit macros_;
  MatrixClock matrix_;
  FrontEndClock supply_;
  Schedule result_;
  std::size_t forgotten_events_ = 0, forgotten_issues_ = 0;

  std::uint64_t cycle_ = 0;
  std::size_t next_ = 0;                          ///< the front end's next instruction
  std::optional<FrontEndClock::Arrival> arrival_; ///< its arrival, once known
  std::optional<std::uint32_t> waiting_;          ///< stalled inside the Vector Unit
  std::optional<std::uint32_t> other_;            ///< sent to another unit in this cycle
  std::optional<std::uint32_t> executing_;        ///< of the Vector Unit, in this cycle
  std::optional<std::uint32_t> last_vector_;      ///< the last regular instruction that executed
  std::optional<std::uint64_t> last_cycle_;       ///< its cycle
  bool wait_vector_ = false; ///< a STALLWAIT blocks the front end until the Vector Unit is idle
  bool wait_matrix_ = false; ///< until the Matrix Unit is
  bool stall_wait_blocked_ = false;          ///< and has done so
  StallCause gate_stall_ = StallCause::None; ///< what holds the next instruction in the front end
  std::uint64_t busy_until_ = 0;             ///< the Vector Unit's last result
  std::size_t first_of_cycle_ = 0;           ///< event
  std::vector<ConfigurationCheck> checks_;
  std::optional<std::uint64_t> last_digest_; ///< of the last check
  unsigned address_slot_ = 0;
  bool configuration_touched_ = true; ///< since the last check
  bool configures_ = false;           ///< an event of this cycle may change it
};

} // namespace lanewise::timing
