#include "chip/timing/schedule.h"

#include <algorithm>

#include "chip/isa/encoding.h"
#include "chip/machine/bits.h"
#include "chip/machine/scheduled.h"
#include "chip/timing/access.h"
#include "chip/timing/clocked_state.h"
#include "chip/timing/macro_unit.h"
#include "chip/timing/matrix_clock.h"
#include "chip/timing/sequence.h"
#include "chip/timing/supply.h"
#include "chip/timing/vector_stall.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

namespace {

using isa::Op;
using isa::SubUnit;

/// Whether STALLWAIT waits for a unit to be idle.
bool waits_for(Arch arch, const MicroOp& op, WaitFor what) {
  return op.op == Op::STALLWAIT &&
         (isa::decode(arch, op.word)["ConditionMask"] >> wait_condition(arch, what) & 1) != 0;
}

/// One run of schedule(): the cycles of a program, one after the other.
class Clock {
 public:
  Clock(const MachineState& start, const MicroProgram& program, const ScheduleOptions& options)
      : arch_(start.config.arch()),
        program_(program),
        options_(options),
        state_(start, options.model, results_of(program, options.model)),
        macros_(arch_, options.empty_byte_cancels),
        matrix_(arch_),
        supply_(options_, program.computed) {}

  Schedule run() {
    result_.arch = arch_;
    result_.issues.reserve(program_.ops.size());
    result_.events.reserve(program_.ops.size());
    for (cycle_ = 0; !finished(); ++cycle_) {
      state_.settle(cycle_);
      step();
    }
    for (const Pending& each : macros_.pending())
      result_.records.push_back(
          {MacroNote::LeftPending, cycle_, each.issue, each.issue, each.sub_unit});
    finish();
    return std::move(result_);
  }

 private:
  bool finished() const {
    return next_ == program_.ops.size() && !waiting_ && !macros_.goes_on_alone();
  }

  void step() {
    events_.clear();
    const std::optional<std::uint32_t> vector_op = vector_instruction();
    take_due();
    const bool issued = vector_op.has_value();
    macros_.count(issued);
    if (issued) execute_vector(*vector_op);
    if (other_) execute_other(*other_);
    other_.reset();
    if (events_.empty()) return;
    for (Event& event : events_) note_access(event);
    state_.step(cycle_, events_);
    result_.events.insert(result_.events.end(), events_.begin(), events_.end());
  }

  /// The instruction that enters the Vector Unit in this cycle: one that has waited in it, or the
  /// next of the program. Sets other_ where the front end sends one elsewhere.
  std::optional<std::uint32_t> vector_instruction() {
    std::optional<std::uint32_t> entering;
    const bool occupied = waiting_.has_value();
    if (waiting_ && stall(*waiting_) == StallCause::None) {
      entering = waiting_;
      waiting_.reset();
    } else if (waiting_) {
      ++result_.issues[*waiting_].inside;
    }
    issue_next(occupied, entering);
    return entering;
  }

  /// Lets the front end send its next instruction, if it is there and its unit takes it.
  void issue_next(bool occupied, std::optional<std::uint32_t>& entering) {
    if (next_ == program_.ops.size()) return;
    const MicroOp& op = program_.ops[next_];
    if (!arrival_) arrival_ = supply_.next(word_of(next_));
    if (arrival_->cycle > cycle_) return;
    if ((wait_vector_ && (occupied || busy_until_ > cycle_)) ||
        (wait_matrix_ && matrix_.busy_until() > cycle_)) {
      stall_wait_blocked_ = true;
      return;
    }
    const WordFacts facts = facts_of(op.word);
    const bool vector = facts.is_vector, matrix = facts.is_matrix;
    if (vector && occupied) return;
    const auto index = static_cast<std::uint32_t>(next_);
    StallCause cause = StallCause::None;
    if (vector) cause = stall(index);
    if (matrix) cause = matrix_.stall(state_.state(), op, cycle_);
    if (cause != StallCause::None && (matrix || !arch_params(arch_).vector.stalls_inside_unit)) {
      gate_stall_ = cause;
      return;
    }
    begin_issue(index);
    wait_vector_ = waits_for(arch_, op, WaitFor::VectorUnit);
    wait_matrix_ = waits_for(arch_, op, WaitFor::MatrixUnit);
    if (!vector) {
      other_ = index;
      return;
    }
    if (cause == StallCause::None) {
      entering = index;
      return;
    }
    Issue& issue = result_.issues[index];
    issue.inside = 1;
    issue.inside_cause = cause;
    waiting_ = index;
  }

  WordFacts facts_of(std::uint32_t word) const { return known_word_facts(arch_, word); }

  std::uint32_t word_of(std::size_t op) const {
    return program_.supply.size() == program_.ops.size() ? program_.supply[op].word
                                                         : static_cast<std::uint32_t>(op);
  }

  void begin_issue(std::uint32_t index) {
    Issue issue{.op = index, .slot = cycle_, .execute = cycle_};
    const std::uint64_t expected = result_.issues.empty() ? 0 : result_.issues.back().slot + 1;
    issue.before = static_cast<std::uint32_t>(cycle_ - expected);
    if (issue.before > 0) issue.before_cause = cause_of_gap(expected);
    result_.issues.push_back(issue);
    supply_.issued(cycle_);
    arrival_.reset();
    stall_wait_blocked_ = false;
    gate_stall_ = StallCause::None;
    ++next_;
  }

  /// The reason of most of the cycles since `expected`.
  StallCause cause_of_gap(std::uint64_t expected) const {
    if (stall_wait_blocked_) return StallCause::Wait;
    if (gate_stall_ != StallCause::None) return gate_stall_;
    if (arrival_->cycle > expected) return arrival_->cause;
    return result_.issues.back().inside_cause;
  }

  /// Why an instruction cannot enter the Vector Unit in this cycle (VU 5.2 to 5.4).
  StallCause stall(std::uint32_t index) {
    if (!last_vector_ || *last_cycle_ + 1 != cycle_) return StallCause::None;
    const MicroOp& op = program_.ops[index];
    return vector_stall(arch_, facts_of(program_.ops[*last_vector_].word), op, facts_of(op.word),
                        state_.state().vector, options_);
  }

  void take_due() {
    for (Pending& each : macros_.take_due()) {
      Event event{.cycle = cycle_,
                  .issue = each.issue,
                  .op = each.op,
                  .sub_unit = each.sub_unit,
                  .scheduled = true};
      events_.push_back(event);
    }
  }

  void execute_vector(std::uint32_t index) {
    Issue& issue = result_.issues[index];
    issue.execute = cycle_;
    const MicroOp& op = program_.ops[index];
    const SubUnit sub_unit = facts_of(op.word).sub_unit;
    for (const Event& scheduled : events_) {
      if (scheduled.sub_unit != sub_unit || sub_unit == SubUnit::Load) continue;
      issue.discarded = true;
      result_.records.push_back({MacroNote::Discarded, cycle_, index, scheduled.issue, sub_unit});
      return;
    }
    last_vector_ = index;
    last_cycle_ = cycle_;
    Event event{.cycle = cycle_, .issue = index, .op = op, .sub_unit = sub_unit};
    if (op.op == Op::SFPLOADMACRO) {
      start_macro(event);
    }
    events_.push_back(event);
  }

  /// The load gets a slot for its address; sixteen are more than can be pending (delays are at most
  /// 7).
  void start_macro(Event& event) {
    result_.has_macros = true;
    address_slot_ = address_slot_ % (ClockState::kAddressSlots - 1) + 1;
    event.op.kernel = event.op.instruction;
    event.op.address_slot = static_cast<std::uint8_t>(address_slot_);
    const VectorState& vector = state_.state().vector;
    macros_.schedule(event.op, vector.macro, event.issue, cycle_, address_slot_, result_.records);
    const std::uint64_t digest = configuration_digest(vector);
    if (!checks_.empty() && checks_.back().digest == digest && !configuration_touched_) return;
    checks_.push_back({result_.events.size() + events_.size(), digest});
    configuration_touched_ = false;
  }

  void execute_other(std::uint32_t index) {
    const MicroOp& op = program_.ops[index];
    Event event{.cycle = cycle_, .issue = index, .op = op};
    if (facts_of(op.word).is_matrix) {
      matrix_.enter(state_.state(), op, cycle_);
      const auto read = dst_block_read(state_.state(), op);
      const auto block = read ? read : dst_block_written(state_.state(), op);
      if (block) event.dst_row = static_cast<std::int32_t>(*block * kDstBlockRows);
      event.operations = static_cast<std::uint16_t>(useful_operations(state_.state(), op));
    }
    events_.push_back(event);
  }

  /// Registers, latency and Dst rows of an event, as far as they depend on the state.
  void note_access(Event& event) {
    const MachineState& state = state_.state();
    if (event.sub_unit == SubUnit::None) return;
    const WordFacts facts = facts_of(event.op.word);
    if (event.op.op == Op::SFPCONFIG || facts.is_template_write) configuration_touched_ = true;
    if (event.scheduled || !becomes_template(facts, state.vector)) {
      note_registers(event, facts, state.vector.switches.dest_index != 0);
      event.latency = facts.takes_two_cycles || facts.is_mad_class ? 2 : 1;
    }
    event.dst_row = dst_row_of(state, event.op);
    event.dst_odd = is_odd_access(state, event.op);
    event.dst_wide = is_wide_access(state, event.op);
    busy_until_ = std::max(busy_until_, event.cycle + event.latency);
  }

  /// `indices`: whether index registers are tracked.
  void note_registers(Event& event, const WordFacts& facts, bool indices) const {
    const bool as_known = !event.scheduled && !indices;
    event.reads = as_known ? facts.reads : reads_of(arch_, event.op, event.scheduled, indices);
    event.writes = as_known ? facts.writes : writes_of(arch_, event.op, event.scheduled, indices);
  }

  void finish() {
    if (!result_.issues.empty()) result_.cycles = result_.issues.back().slot + 1;
    result_.drained = std::max({result_.cycles, busy_until_, matrix_.busy_until()});
    const bool as_written = !result_.has_macros && options_.model == HazardModel::Documented;
    result_.ops =
        as_written ? program_.ops : make_sequence(result_.events, checks_, options_.model);
  }

  Arch arch_;
  const MicroProgram& program_;
  ScheduleOptions options_;
  ClockedState state_;
  MacroUnit macros_;
  MatrixClock matrix_;
  FrontEndClock supply_;
  Schedule result_;

  std::uint64_t cycle_ = 0;
  std::size_t next_ = 0;                          ///< the front end's next instruction
  std::optional<FrontEndClock::Arrival> arrival_; ///< its arrival, once known
  std::optional<std::uint32_t> waiting_;          ///< stalled inside the Vector Unit
  std::optional<std::uint32_t> other_;            ///< sent to another unit in this cycle
  std::optional<std::uint32_t> last_vector_;      ///< the last regular instruction that executed
  std::optional<std::uint64_t> last_cycle_;       ///< its cycle
  bool wait_vector_ = false; ///< a STALLWAIT blocks the front end until the Vector Unit is idle
  bool wait_matrix_ = false; ///< until the Matrix Unit is
  bool stall_wait_blocked_ = false;          ///< and has done so
  StallCause gate_stall_ = StallCause::None; ///< what holds the next instruction in the front end
  std::uint64_t busy_until_ = 0;             ///< the Vector Unit's last result
  std::vector<Event> events_;                ///< of this cycle
  std::vector<ConfigurationCheck> checks_;
  unsigned address_slot_ = 0;
  bool configuration_touched_ = true;
};

} // namespace

std::string_view stall_cause_name(StallCause cause) {
  switch (cause) {
    case StallCause::None: return "no stall";
    case StallCause::Result: return "waits for a two-cycle result";
    case StallCause::Spurious: return "spurious stall";
    case StallCause::TwoCycles: return "unit held for two cycles";
    case StallCause::Recording: return "replay buffer records";
    case StallCause::Push: return "not pushed yet";
    case StallCause::Wait: return "STALLWAIT";
    case StallCause::DstBlock: return "Dst rows still being written";
    case StallCause::MatrixUnit: return "Matrix Unit busy with a move";
  }
  return {};
}

Schedule schedule(const MachineState& start, const MicroProgram& program,
                  const ScheduleOptions& options) {
  return Clock(start, program, options).run();
}

} // namespace lanewise::timing
