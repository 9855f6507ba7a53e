#include "chip/clock/thread_issue.h"

#include <algorithm>
#include <bit>

#include "chip/tile/source_banks.h"

namespace lanewise::clock {

namespace {

using isa::Unit;

Why why_of(tile::WaitCause cause) {
  using enum tile::WaitCause;
  switch (cause) {
    case SrcAToFill:
    case SrcBToFill:
    case SrcAFilled:
    case SrcBFilled: return Why::Banks;
    case Input: return Why::Push;
    case SemaphoreZero:
    case SemaphoreAtMax: return Why::Semaphore;
    case None:
    case Mutex:
    case Memory:
    case Stream:
    case EmptyMailbox:
    case FullMailbox:
    case ThreadIdle:
    case FullQueue: break;
  }
  return Why::Others;
}

Why reason_of(const tile::WaitGate::Latched& wait) {
  return wait.semaphores != 0 ? Why::Semaphore : Why::UnitsIdle;
}

} // namespace

ThreadIssue::ThreadIssue(tile::Tile& tile, bool keeps_timeline)
    : tile_(tile),
      keeps_timeline_(keeps_timeline),
      chip_(clock_params(tile.arch())),
      words_(tile.arch()),
      units_(tile.arch()),
      vector_(tile.arch()),
      matrix_(tile.arch()),
      threads_{Thread(tile.arch()), Thread(tile.arch()), Thread(tile.arch())} {
  if (keeps_timeline) units_.keep_stretches();
  for (unsigned thread = 0; thread < kThreads; ++thread)
    pushed(thread, tile.state().thread[thread].queue.size());
}

std::uint64_t ThreadIssue::idle_from(unsigned thread) const {
  const std::uint64_t matrix = units_.idle_from(thread, WaitFor::MatrixUnit);
  return std::max({units_.all_idle_from(thread), threads_[thread].free,
                   matrix == 0 ? 0 : matrix + chip_.core_sees_matrix});
}

void ThreadIssue::pushed(unsigned thread, std::size_t instructions) {
  const auto& queue = tile_.state().thread[thread].queue;
  const auto first = queue.end() - static_cast<std::ptrdiff_t>(instructions);
  threads_[thread].use_registers +=
      static_cast<std::size_t>(std::count_if(first, queue.end(), [this](const ProgramWord& each) {
        return words_[each.word].uses_registers;
      }));
}

std::uint64_t ThreadIssue::registers_idle_from(unsigned thread) const {
  if (threads_[thread].use_registers != 0) return kNever;
  return std::max(units_.idle_from(thread, WaitFor::ScalarMemory),
                  units_.idle_from(thread, WaitFor::ConfigurationUnit));
}

std::optional<When> ThreadIssue::attempt(unsigned thread, std::uint64_t now) {
  Thread& clock = threads_[thread];
  at_ = clock.is_behind ? clock.free : std::max(clock.free, now);
  const auto when = attempt_next(thread, now);
  if (when) {
    note_wait(clock, when->why, now);
    clock.is_behind = when->cycle == kNever && waits_in_unpacker(thread);
  } else if (clock.free >= now) {
    clock.is_behind = false;
  }
  return when;
}

/// Whether all that keeps the next instruction from being executed is the bank that it unpacks to.
bool ThreadIssue::waits_in_unpacker(unsigned thread) {
  const Thread& clock = threads_[thread];
  const auto& queue = tile_.state().thread[thread].queue;
  if (clock.why != Why::Banks || clock.gate || queue.empty()) return false;
  const isa::Row* const row = words_[queue.front().word].decoded.row;
  return row != nullptr && row->unit == Unit::Unpacker;
}

/// Of those that have been pushed, the next to issue; nullptr: there is none.
const ProgramWord* ThreadIssue::next_word(unsigned thread) const {
  const auto& queue = tile_.state().thread[thread].queue;
  const std::size_t ahead = threads_[thread].issued_ahead;
  if (ahead == 0) return queue.empty() ? nullptr : &queue.front();
  return queue.size() == ahead ? nullptr : &queue[ahead];
}

std::optional<When> ThreadIssue::attempt_next(unsigned thread, std::uint64_t now) {
  Thread& clock = threads_[thread];
  const ProgramWord* const next = next_word(thread);
  if (next == nullptr) return end_of_queue(thread);
  const ProgramWord word = *next;
  const KnownWord& known = words_[word.word];
  When when{at_};
  when.at_least(clock.front.arrival(), Why::FrontEnd);
  if (when.cycle > now) return when;
  const bool joins = known.joins_macros && (known.is_macro || clock.issued_ahead > 0);
  if (!joins && clock.issued_ahead > 0) return execute_ahead(thread);
  if (known.decoded.row != nullptr) {
    wait_for_gate(thread, known, when);
    if (when.cycle > now) return when;
    tile_.state().machine.act_for(thread);
    wait_for_unit(known, when);
    if (when.cycle > now) return when;
  }
  at_ = when.cycle;
  if (!joins) return execute(thread, known, word);
  ++clock.issued_ahead;
  enter_ahead(thread, known);
  issue(thread, known, word);
  return std::nullopt;
}

/// Nothing is there to issue. SFPLOADMACROs are executed once it is known what follows them.
std::optional<When> ThreadIssue::end_of_queue(unsigned thread) {
  if (threads_[thread].issued_ahead > 0 && tile_.state().thread[thread].input_rests)
    return execute_ahead(thread);
  return When{kNever, Why::Push};
}

/// Executes what has issued ahead, together, if the tile need not know first what follows.
std::optional<When> ThreadIssue::execute_ahead(unsigned thread) {
  Thread& clock = threads_[thread];
  const tile::Thread& state = tile_.state().thread[thread];
  const std::uint64_t before = state.executed;
  if (!tile_.step(thread)) return When{kNever, why_of(tile_.wait(thread).cause)};
  const std::uint64_t count = state.executed - before;
  executed_ += count;
  clock.issued_ahead -= std::min<std::uint64_t>(count, clock.issued_ahead);
  vector_.work_until(clock.free - 1 + state.macro_tail);
  units_.work_until(thread, WaitFor::VectorUnit, vector_.busy_until() + chip_.vector_drain);
  return std::nullopt;
}

// ---------------------------------------------------------------- Wait Gate

void ThreadIssue::wait_for_gate(unsigned thread, const KnownWord& known, When& when) {
  std::optional<Gate>& gate = threads_[thread].gate;
  if (!gate) return;
  const auto met = met_from(thread, *gate);
  if (met && *met + chip_.gate_lag <= when.cycle) return gate.reset();
  if (!tile::is_held(*known.decoded.row, gate->wait.blocked)) return;
  when.at_least(met ? *met + chip_.gate_lag : kNever, reason_of(gate->wait));
}

/// The cycle from which all conditions are met; nothing: not as things stand.
std::optional<std::uint64_t> ThreadIssue::met_from(unsigned thread, const Gate& gate) {
  tile::TileState& state = tile_.state();
  const tile::Wait unmet = tile::unmet(state, gate.wait);
  if (unmet.cause != tile::WaitCause::None) {
    state.thread[thread].wait = unmet;
    return std::nullopt;
  }
  std::uint64_t from = gate.since;
  const auto& conditions = arch_params(tile_.arch()).tile.wait_conditions;
  for (unsigned bit = 0; bit < conditions.size(); ++bit) {
    if ((gate.wait.conditions >> bit & 1U) != 0)
      from = std::max(from, condition_from(thread, conditions[bit]));
  }
  for (std::uint32_t left = gate.wait.semaphores; left != 0; left &= left - 1)
    from = std::max(from, semaphore_from_[static_cast<unsigned>(std::countr_zero(left))]);
  return from;
}

std::uint64_t ThreadIssue::condition_from(unsigned thread, WaitFor condition) const {
  switch (condition) {
    case WaitFor::SrcAToFill: return sources_.from(0, machine().srca.filling);
    case WaitFor::SrcBToFill: return sources_.from(1, machine().srcb.filling);
    case WaitFor::SrcAFilled: return sources_.from(0, machine().srca.current);
    case WaitFor::SrcBFilled: return sources_.from(1, machine().srcb.current);
    case WaitFor::CoreRequest: return core_done_[thread];
    case WaitFor::Nothing:
    case WaitFor::ScalarMemory:
    case WaitFor::Unpacker0:
    case WaitFor::Unpacker1:
    case WaitFor::Packer:
    case WaitFor::MatrixUnit:
    case WaitFor::Mover:
    case WaitFor::VectorUnit:
    case WaitFor::ConfigurationUnit: break;
  }
  return units_.idle_from(thread, condition);
}

// ---------------------------------------------------------------- Units

void ThreadIssue::wait_for_unit(const KnownWord& known, When& when) const {
  when.at_least(units_.free_from(known), Why::Unit);
  switch (known.decoded.row->unit) {
    case Unit::Vector: return wait_for_vector(known, when);
    case Unit::Matrix: return wait_for_matrix(known, when);
    case Unit::Unpacker: return wait_for_unpacker(known, when);
    case Unit::Packer: return wait_for_packers(known, when);
    case Unit::FrontEnd:
    case Unit::Scalar:
    case Unit::Sync:
    case Unit::Configuration:
    case Unit::Mover:
    case Unit::Miscellaneous: break;
  }
}

void ThreadIssue::wait_for_vector(const KnownWord& known, When& when) const {
  if (!known.op) return;
  when.at_least(vector_.earliest(*known.op, known.facts, machine().vector, when.cycle),
                Why::Vector);
}

void ThreadIssue::wait_for_matrix(const KnownWord& known, When& when) const {
  if (known.sources.srca) when.at_least(sources_.from(0, machine().srca.current), Why::Banks);
  if (known.sources.srcb) when.at_least(sources_.from(1, machine().srcb.current), Why::Banks);
  if (!known.op) return;
  std::uint64_t free = when.cycle;
  while (matrix_.stall(machine(), *known.op, known.matrix, free) != timing::StallCause::None)
    ++free;
  if (free != when.cycle) when.at_least(free + chip_.dst_lag, Why::DstRows);
  if (!vector_.stored()) return;
  const bool accesses_dst = known.matrix.reads_block || known.matrix.writes_block;
  if (accesses_dst) when.at_least(*vector_.stored() + chip_.dst_stored, Why::DstRows);
}

/// An instruction waits for its bank inside the unpacker, which takes some before it has done the
/// first.
void ThreadIssue::wait_for_unpacker(const KnownWord& known, When& when) const {
  when.at_least(units_.unpacker_takes_from(known.unpacker), Why::Queue);
}

/// One that flushes waits for those before it.
void ThreadIssue::wait_for_packers(const KnownWord& known, When& when) const {
  for (unsigned packer = 0; packer < tile_.state().packer.size(); ++packer) {
    when.at_least(
        known.flushes ? units_.packer_free_from(packer) : units_.packer_takes_from(packer),
        Why::Queue);
  }
}

// ---------------------------------------------------------------- Execution

/// Whether the Matrix Unit lacks a bank that the instruction needs.
bool ThreadIssue::lacks_source(const KnownWord& known) const {
  const auto lacks = [](const SourceFile& file) {
    return !file.owned_by_matrix_unit[file.current];
  };
  return (known.sources.srca && lacks(machine().srca)) ||
         (known.sources.srcb && lacks(machine().srcb));
}

std::optional<When> ThreadIssue::execute(unsigned thread, const KnownWord& known,
                                         const ProgramWord& word) {
  const isa::Row* const row = known.decoded.row;
  const BankOwners before = SourceClock::owners(machine());
  const bool moves_data =
      row != nullptr && (row->unit == Unit::Unpacker || row->unit == Unit::Packer);
  if (moves_data) traffic_ = tile_.state().traffic;
  // These look at counters and configuration as they are before the instruction, which is executed
  // if it has its banks.
  if (known.op && !lacks_source(known)) {
    if (row->unit == Unit::Matrix) matrix_.enter(machine(), *known.op, known.matrix, at_);
    if (row->unit == Unit::Vector) vector_.enter(*known.op, known.facts, machine().vector, at_);
  }
  if (!tile_.step(thread)) return When{kNever, why_of(tile_.wait(thread).cause)};
  ++executed_;
  threads_[thread].use_registers -= known.uses_registers ? 1 : 0;
  if (row != nullptr) {
    units_.occupy(known, at_);
    work(thread, known, before);
  }
  issue(thread, known, word);
  return std::nullopt;
}

/// An instruction of the Vector Unit that is executed later.
void ThreadIssue::enter_ahead(unsigned thread, const KnownWord& known) {
  units_.occupy(known, at_);
  if (!known.op || known.decoded.row->unit != Unit::Vector) return;
  vector_.enter(*known.op, known.facts, machine().vector, at_);
  units_.work_until(thread, WaitFor::VectorUnit, vector_.busy_until() + chip_.vector_drain);
  enter(WorkUnit::Vector, known);
}

// ---------------------------------------------------------------- Records

/// An instruction of the Matrix or the Vector Unit has entered it.
void ThreadIssue::enter(WorkUnit unit, const KnownWord& known) {
  ++(unit == WorkUnit::Matrix ? unit_time_.matrix : unit_time_.vector);
  if (keeps_timeline_) spans_.push_back({at_, at_ + known.occupies, unit});
}

/// From `now` on a thread waits for `why`.
void ThreadIssue::note_wait(Thread& clock, Why why, std::uint64_t now) {
  const std::uint64_t from = std::max(clock.looked, clock.free);
  const Why until_now = clock.why == Why::Nothing ? why : clock.why;
  if (now > from) {
    clock.waited[static_cast<unsigned>(until_now)] += now - from;
    clock.has_waited = true;
  }
  clock.looked = now;
  clock.why = why;
}

void ThreadIssue::issue(unsigned thread, const KnownWord& known, const ProgramWord& word) {
  Thread& clock = threads_[thread];
  note_wait(clock, Why::Nothing, at_);
  if (clock.has_waited) forget_beyond(clock, at_ - std::min(clock.free, at_));
  if (keeps_timeline_) {
    const auto longest = std::ranges::max_element(clock.waited);
    const auto why = static_cast<Why>(longest - clock.waited.begin());
    timeline_.push_back({.cycle = at_,
                         .waited = at_ - std::min(clock.free, at_),
                         .why = *longest == 0 ? Why::Nothing : why,
                         .thread = static_cast<std::uint8_t>(thread),
                         .word = word});
  }
  if (clock.has_waited) {
    for (unsigned why = 0; why < kWhys; ++why) clock.time.waited[why] += clock.waited[why];
    clock.waited = {};
    clock.has_waited = false;
  }
  clock.free = at_ + known.holds_thread;
  clock.time.issuing += known.holds_thread;
  clock.front.issue(at_);
  ++clock.time.issued;
  clock.time.last = at_;
}

} // namespace lanewise::clock
