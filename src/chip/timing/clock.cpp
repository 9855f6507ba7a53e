#include "chip/timing/clock.h"

#include <algorithm>
#include <utility>

#include "chip/machine/scheduled.h"
#include "chip/timing/access.h"
#include "chip/timing/same_future.h"
#include "chip/timing/vector_stall.h"

namespace lanewise::timing {

using isa::Op;
using isa::SubUnit;

namespace {

/// By one SFPLOADMACRO, where all columns are configured alike.
constexpr std::size_t kMostScheduled = 4;

bool is_config(const MicroOp& op) {
  return op.op == Op::SFPCONFIG;
}

/// Whether an SFPLOADMACRO may schedule an SFPCONFIG.
bool schedules_config(Arch arch, const LoadMacroConfig& config) {
  return std::ranges::any_of(config.instruction_template, [arch](const auto& columns) {
    return std::ranges::any_of(columns, [arch](std::uint32_t word) {
      const isa::Row* row = isa::decode(arch, word).row;
      return row != nullptr && row->op == Op::SFPCONFIG;
    });
  });
}

} // namespace

Clock::Clock(const MachineState& start, const MicroProgram& program, const ScheduleOptions& options)
    : arch_(start.config.arch()),
      program_(program),
      options_(options),
      facts_(std::make_shared<const ProgramFacts>(start, program)),
      values_end_(facts_->values_end()),
      state_(start, options.model, results_of(facts_->macros() != 0, options.model)),
      macros_(arch_, options.empty_byte_cancels),
      matrix_(arch_),
      supply_(program.computed) {}

Schedule Clock::run() {
  result_.arch = arch_;
  result_.issues.reserve(program_.ops.size());
  result_.events.reserve(program_.ops.size() + kMostScheduled * facts_->macros());
  run_out();
  for (const Pending& each : macros_.pending())
    result_.records.push_back(
        {MacroNote::LeftPending, cycle_, each.issue, each.issue, each.sub_unit});
  finish();
  return std::move(result_);
}

void Clock::advance_to(std::size_t op) {
  while (next_ < op) tick();
}

void Clock::run_out() {
  while (!finished()) tick();
}

void Clock::tick() {
  if (state_.has_values() && values_are_needless()) state_.drop_values();
  state_.settle(cycle_);
  step();
  ++cycle_;
}

void Clock::forget() {
  forgotten_events_ += result_.events.size();
  result_.events.clear();
  result_.records.clear();
  checks_.clear();
  if (result_.issues.empty()) return;
  const std::size_t last = forgotten_issues_ + result_.issues.size() - 1;
  const std::size_t kept = waiting_ ? *waiting_ : last;
  result_.issues.erase(
      result_.issues.begin(),
      result_.issues.begin() + static_cast<std::ptrdiff_t>(kept - forgotten_issues_));
  forgotten_issues_ = kept;
}

/// What neither the configuration nor values decide. As the core pushes a word per cycle it is
/// never behind the front end once that has taken a word, however late it was.
bool Clock::keeps_pace_with(const Clock& other) const {
  const auto left = [](const Clock& clock) {
    return std::max(clock.busy_until_, clock.cycle_) - clock.cycle_;
  };
  const bool follows = follows_vector();
  return next_ == other.next_ && arrival_.has_value() == other.arrival_.has_value() &&
         waiting_ == other.waiting_ && follows == other.follows_vector() &&
         (!follows || last_vector_ == other.last_vector_) && wait_vector_ == other.wait_vector_ &&
         wait_matrix_ == other.wait_matrix_ && left(*this) == left(other) &&
         address_slot_ == other.address_slot_ && last_digest_ == other.last_digest_ &&
         configuration_touched_ == other.configuration_touched_ &&
         macros_.pends_like(other.macros_) &&
         matrix_.holds_like(cycle_, other.matrix_, other.cycle_);
}

bool Clock::goes_on_like(const Clock& other, bool same_data) const {
  if (!keeps_pace_with(other)) return false;
  if (!same_data) return same_configuration(state_.state(), other.state_.state());
  return state_.holds_the_same(cycle_, other.state_, other.cycle_) &&
         same_future(state_.state(), other.state_.state());
}

bool Clock::finished() const {
  return next_ == program_.ops.size() && !waiting_ && !macros_.goes_on_alone();
}

/// Behind the last instruction that makes configuration of values, which reaches the configuration
/// in the cycle in which it executes. SFPLOADMACRO might still schedule such a one: then never, as
/// from here on templates come from the words of instructions only, of which none is SFPCONFIG.
bool Clock::values_are_needless() {
  if (next_ < values_end_ || waiting_) return false;
  const bool never = schedules_config(arch_, state_.state().vector.macro) ||
                     std::ranges::any_of(macros_.pending(), is_config, &Pending::op);
  if (never) values_end_ = ProgramFacts::kNever;
  return !never;
}

void Clock::step() {
  first_of_cycle_ = result_.events.size();
  const std::optional<std::uint32_t> vector_op = vector_instruction();
  take_due();
  const bool issued = vector_op.has_value();
  macros_.count(issued);
  if (issued) execute_vector(*vector_op);
  if (other_) execute_other(*other_);
  if (first_of_cycle_ != result_.events.size()) execute_cycle();
  if (std::exchange(configures_, false)) configuration_touched_ = true;
  executing_.reset();
  other_.reset();
}

void Clock::execute_cycle() {
  if (state_.has_values()) return state_.step(cycle_, events_of_cycle());
  // What a macro schedules leaves all that is followed alone.
  const auto execute = [&](std::uint32_t index, const Event& event) {
    state_.execute_remainder(event.op, (*facts_)[index].remainder);
  };
  const std::span<Event> events = events_of_cycle();
  if (executing_) execute(*executing_, events[events.size() - (other_ ? 2 : 1)]);
  if (other_) execute(*other_, events.back());
}

std::optional<std::uint32_t> Clock::vector_instruction() {
  std::optional<std::uint32_t> entering;
  const bool occupied = waiting_.has_value();
  if (waiting_ && stall(*waiting_) == StallCause::None) {
    entering = waiting_;
    waiting_.reset();
  } else if (waiting_) {
    ++issue_of(*waiting_).inside;
  }
  issue_next(occupied, entering);
  return entering;
}

void Clock::issue_next(bool occupied, std::optional<std::uint32_t>& entering) {
  if (next_ == program_.ops.size()) return;
  const MicroOp& op = program_.ops[next_];
  if (!arrival_) arrival_ = supply_.next(word_of(next_), options_);
  if (arrival_->cycle > cycle_) return;
  if ((wait_vector_ && (occupied || busy_until_ > cycle_)) ||
      (wait_matrix_ && matrix_.busy_until() > cycle_)) {
    stall_wait_blocked_ = true;
    return;
  }
  const OpFacts& facts = (*facts_)[next_];
  const bool vector = facts.word.is_vector, matrix = facts.word.is_matrix;
  if (vector && occupied) return;
  const auto index = static_cast<std::uint32_t>(next_);
  StallCause cause = StallCause::None;
  if (vector) cause = stall(index);
  if (matrix) cause = matrix_.stall(state_.state(), op, facts.matrix, cycle_);
  if (cause != StallCause::None && (matrix || !arch_params(arch_).vector.stalls_inside_unit)) {
    gate_stall_ = cause;
    return;
  }
  begin_issue(index);
  wait_vector_ = facts.waits_vector;
  wait_matrix_ = facts.waits_matrix;
  if (!vector) {
    other_ = index;
    return;
  }
  if (cause == StallCause::None) {
    entering = index;
    return;
  }
  Issue& issue = issue_of(index);
  issue.inside = 1;
  issue.inside_cause = cause;
  waiting_ = index;
}

std::uint32_t Clock::word_of(std::size_t op) const {
  return program_.supply.size() == program_.ops.size() ? program_.supply[op].word
                                                       : static_cast<std::uint32_t>(op);
}

void Clock::begin_issue(std::uint32_t index) {
  const std::uint64_t expected = result_.issues.empty() ? 0 : result_.issues.back().slot + 1;
  const StallCause cause = cycle_ > expected ? cause_of_gap(expected) : StallCause::None;
  Issue& issue = result_.issues.emplace_back();
  issue.op = index;
  issue.slot = cycle_;
  issue.before = static_cast<std::uint32_t>(cycle_ - expected);
  issue.before_cause = cause;
  supply_.issued(cycle_);
  arrival_.reset();
  stall_wait_blocked_ = false;
  gate_stall_ = StallCause::None;
  ++next_;
}

StallCause Clock::cause_of_gap(std::uint64_t expected) const {
  if (stall_wait_blocked_) return StallCause::Wait;
  if (gate_stall_ != StallCause::None) return gate_stall_;
  if (arrival_->cycle > expected) return arrival_->cause;
  return result_.issues.back().inside_cause;
}

StallCause Clock::stall(std::uint32_t index) {
  if (!follows_vector()) return StallCause::None;
  return vector_stall(arch_, (*facts_)[*last_vector_].word, program_.ops[index],
                      (*facts_)[index].word, state_.state().vector, options_);
}

Event& Clock::add_event(std::uint32_t issue, const MicroOp& op, SubUnit sub_unit) {
  Event& event = result_.events.emplace_back();
  event.cycle = cycle_;
  event.issue = issue;
  event.op = op;
  event.sub_unit = sub_unit;
  return event;
}

void Clock::take_due() {
  macros_.take_due([&](const Pending& each) {
    Event& event = add_event(each.issue, each.op, each.sub_unit);
    event.scheduled = true;
    note_scheduled(event, each.facts);
  });
}

void Clock::execute_vector(std::uint32_t index) {
  const OpFacts& facts = (*facts_)[index];
  const SubUnit sub_unit = facts.word.sub_unit;
  for (const Event& scheduled : events_of_cycle()) {
    if (scheduled.sub_unit != sub_unit || sub_unit == SubUnit::Load) continue;
    issue_of(index).discarded = true;
    result_.records.push_back({MacroNote::Discarded, cycle_, index, scheduled.issue, sub_unit});
    return;
  }
  last_vector_ = executing_ = index;
  last_cycle_ = cycle_;
  Event& event = add_event(index, program_.ops[index], sub_unit);
  if (event.op.op == Op::SFPLOADMACRO) start_macro(event);
  note_vector(event, facts);
}

void Clock::start_macro(Event& event) {
  result_.has_macros = true;
  address_slot_ = address_slot_ % (ClockState::kAddressSlots - 1) + 1;
  event.op.kernel = event.op.instruction;
  event.op.address_slot = static_cast<std::uint8_t>(address_slot_);
  const VectorState& vector = state_.state().vector;
  if (configuration_touched_) macros_.configuration_changed();
  macros_.schedule(event.op, vector.macro, event.issue, cycle_, address_slot_, result_.records);
  if (!configuration_touched_) return;
  last_digest_ = configuration_digest(vector);
  checks_.push_back({all_events() - 1, *last_digest_});
  configuration_touched_ = false;
}

void Clock::execute_other(std::uint32_t index) {
  const MicroOp& op = program_.ops[index];
  Event& event = add_event(index, op, SubUnit::None);
  const OpFacts& facts = (*facts_)[index];
  if (!facts.word.is_matrix) return;
  const MachineState& state = state_.state();
  matrix_.enter(state, op, facts.matrix, cycle_);
  if (facts.matrix.reads_block || facts.matrix.writes_block)
    event.dst_row = static_cast<std::int32_t>(dst_block(state, op) * kDstBlockRows);
  if (facts.matrix.computes)
    event.operations = static_cast<std::uint16_t>(useful_operations(state, op));
}

void Clock::note_scheduled(Event& event, const ScheduledFacts& facts) {
  const bool indices = state_.state().vector.switches.dest_index != 0;
  event.reads = indices ? reads_of(arch_, event.op, true, true) : facts.reads;
  event.writes = indices ? writes_of(arch_, event.op, true, true) : facts.writes;
  event.latency = facts.latency;
  configures_ = configures_ || facts.configures;
  note_access(event);
}

void Clock::note_vector(Event& event, const OpFacts& facts) {
  const VectorState& vector = state_.state().vector;
  if (!becomes_template(facts.word, vector)) {
    const bool indices = vector.switches.dest_index != 0;
    event.reads = indices ? reads_of(arch_, event.op, false, true) : facts.word.reads;
    event.writes = indices ? writes_of(arch_, event.op, false, true) : facts.word.writes;
    event.latency = facts.latency;
  }
  configures_ = configures_ || facts.configures;
  note_access(event);
}

void Clock::note_access(Event& event) {
  const DstPlace place = dst_place_of(state_.state(), event.op);
  event.dst_row = place.row;
  event.dst_odd = place.odd;
  event.dst_wide = place.wide;
  busy_until_ = std::max(busy_until_, event.cycle + event.latency);
}

void Clock::finish() {
  if (!result_.issues.empty()) result_.cycles = result_.issues.back().slot + 1;
  result_.drained = std::max({result_.cycles, busy_until_, matrix_.busy_until()});
  const bool as_written = !result_.has_macros && options_.model == HazardModel::Documented;
  if (!as_written) result_.sequence = make_sequence(result_.events, checks_, options_.model);
}

} // namespace lanewise::timing
