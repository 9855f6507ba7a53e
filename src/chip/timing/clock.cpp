#include "chip/timing/clock.h"

#include <algorithm>

#include "chip/isa/encoding.h"
#include "chip/machine/bits.h"
#include "chip/machine/scheduled.h"
#include "chip/timing/access.h"
#include "chip/timing/same_future.h"
#include "chip/timing/vector_stall.h"

namespace lanewise::timing {

using isa::Op;
using isa::SubUnit;

namespace {

/// Whether STALLWAIT waits for a unit to be idle.
bool stall_waits_for(Arch arch, const MicroOp& op, WaitFor what) {
  return op.op == Op::STALLWAIT &&
         (isa::decode(arch, op.word)["ConditionMask"] >> wait_condition(arch, what) & 1) != 0;
}

} // namespace

Schedule Clock::run() {
  result_.arch = arch_;
  result_.issues.reserve(program_.ops.size());
  result_.events.reserve(program_.ops.size());
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

void Clock::step() {
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
  wait_vector_ = stall_waits_for(arch_, op, WaitFor::VectorUnit);
  wait_matrix_ = stall_waits_for(arch_, op, WaitFor::MatrixUnit);
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

StallCause Clock::cause_of_gap(std::uint64_t expected) const {
  if (stall_wait_blocked_) return StallCause::Wait;
  if (gate_stall_ != StallCause::None) return gate_stall_;
  if (arrival_->cycle > expected) return arrival_->cause;
  return result_.issues.back().inside_cause;
}

StallCause Clock::stall(std::uint32_t index) {
  if (!follows_vector()) return StallCause::None;
  const MicroOp& op = program_.ops[index];
  return vector_stall(arch_, facts_of(program_.ops[*last_vector_].word), op, facts_of(op.word),
                      state_.state().vector, options_);
}

void Clock::take_due() {
  for (Pending& each : macros_.take_due()) {
    Event event{.cycle = cycle_,
                .issue = each.issue,
                .op = each.op,
                .sub_unit = each.sub_unit,
                .scheduled = true};
    events_.push_back(event);
  }
}

void Clock::execute_vector(std::uint32_t index) {
  Issue& issue = issue_of(index);
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

void Clock::start_macro(Event& event) {
  result_.has_macros = true;
  address_slot_ = address_slot_ % (ClockState::kAddressSlots - 1) + 1;
  event.op.kernel = event.op.instruction;
  event.op.address_slot = static_cast<std::uint8_t>(address_slot_);
  const VectorState& vector = state_.state().vector;
  macros_.schedule(event.op, vector.macro, event.issue, cycle_, address_slot_, result_.records);
  const std::uint64_t digest = configuration_digest(vector);
  if (last_digest_ == digest && !configuration_touched_) return;
  checks_.push_back({all_events() + events_.size(), digest});
  last_digest_ = digest;
  configuration_touched_ = false;
}

void Clock::execute_other(std::uint32_t index) {
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

void Clock::note_access(Event& event) {
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

void Clock::note_registers(Event& event, const WordFacts& facts, bool indices) const {
  const bool as_known = !event.scheduled && !indices;
  event.reads = as_known ? facts.reads : reads_of(arch_, event.op, event.scheduled, indices);
  event.writes = as_known ? facts.writes : writes_of(arch_, event.op, event.scheduled, indices);
}

void Clock::finish() {
  if (!result_.issues.empty()) result_.cycles = result_.issues.back().slot + 1;
  result_.drained = std::max({result_.cycles, busy_until_, matrix_.busy_until()});
  const bool as_written = !result_.has_macros && options_.model == HazardModel::Documented;
  result_.ops = as_written ? program_.ops : make_sequence(result_.events, checks_, options_.model);
}

} // namespace lanewise::timing
