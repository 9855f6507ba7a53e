#include "chip/clock/timed_run.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "chip/clock/front_end.h"
#include "chip/clock/source_clock.h"
#include "chip/clock/units.h"
#include "chip/clock/vector_clock.h"
#include "chip/clock/word_memo.h"
#include "chip/isa/clock_record.h"
#include "chip/tile/instruction.h"
#include "chip/timing/matrix_clock.h"

namespace lanewise::clock {

namespace {

using isa::Op;
using isa::Unit;
using tile::FeederStep;

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr unsigned kAgents = 2 * kThreads; ///< threads, then cores
constexpr std::uint8_t kMopOpcode = 0x01;

/// When an agent can act, and if not now, why.
struct When {
  std::uint64_t cycle = 0; ///< kNever: not before something else has happened
  Why why = Why::Nothing;

  /// The later of the two; `reason` where `other` is later.
  void at_least(std::uint64_t other, Why reason) {
    if (other <= cycle) return;
    cycle = other;
    why = reason;
  }
};

/// A wait that a thread has latched.
struct Gate {
  tile::WaitGate::Latched wait;
  std::uint64_t since = 0; ///< first cycle in which its conditions are looked at
};

struct ThreadClock {
  explicit ThreadClock(Arch arch) : front(arch) {}

  FrontEnd front;
  std::optional<Gate> gate;
  std::uint64_t free = 0;   ///< first cycle in which the thread can issue
  std::uint64_t looked = 0; ///< until where it is known what the thread has waited for
  Why why = Why::Nothing;   ///< what it waits for from there on
  std::array<std::uint64_t, kWhys> waited_for_this{};
  /// Instructions at the head of the queue that have issued in time and wait to be executed
  /// together with SFPLOADMACROs behind them.
  std::size_t issued_ahead = 0;
  ThreadTime time;
};

class TimedRun final : public tile::TileTime {
 public:
  TimedRun(tile::Tile& tile, const std::array<tile::ClockedFeeder*, kThreads>& feeders,
           const TimedOptions& options)
      : tile_(tile),
        feeders_(feeders),
        options_(options),
        chip_(clock_params(tile.arch())),
        words_(tile.arch()),
        units_(tile.arch()),
        vector_(tile.arch()),
        matrix_(tile.arch()),
        threads_{ThreadClock(tile.arch()), ThreadClock(tile.arch()), ThreadClock(tile.arch())} {
    for (unsigned i = 0; i < kThreads; ++i) {
      ended_[i] = feeders[i] == nullptr;
      if (ended_[i]) tile.rest_input(i);
    }
    tile_.time = this;
  }
  ~TimedRun() override { tile_.time = nullptr; }

  Expected<TimedResult> run() {
    while (const auto agent = next_agent()) {
      now_ = next_[*agent];
      if (is_over()) {
        result_.run.ran_out = true;
        break;
      }
      if (auto acted = act(*agent); !acted) return Unexpected(acted.error());
    }
    finish();
    return std::move(result_);
  }

  // ---------------------------------------------------------------- TileTime
  std::uint64_t cycle() const override { return now_; }

  bool has_room(unsigned core) override {
    const FrontEnd& front = threads_[core].front;
    if (front.has_room(now_)) return true;
    core_retry_ = std::max(front.room_from().value_or(kNever), now_ + 1);
    return false;
  }

  bool is_done(unsigned core) override {
    const std::uint64_t idle = std::max(units_.all_idle_from(core), threads_[core].free);
    if (idle <= now_) return true;
    core_retry_ = idle;
    return false;
  }

  void pushed(unsigned core, const ProgramWord& word, std::size_t instructions) override {
    threads_[core].front.push(now_, instructions, isa::opcode_of(word.word) == kMopOpcode);
  }

 private:
  // ---------------------------------------------------------------- Whose turn it is
  std::optional<unsigned> next_agent() {
    for (;;) {
      unsigned first = kAgents;
      for (unsigned each = 0; each < kAgents; ++each) {
        if (next_[each] == kNever) continue;
        if (first == kAgents || comes_before(each, first)) first = each;
      }
      if (first != kAgents) return first;
      // Nobody will fill a bank that a thread is to hand back: it is handed back as it is.
      if (!flip_early()) return std::nullopt;
    }
  }

  bool comes_before(unsigned a, unsigned b) const {
    if (next_[a] != next_[b]) return next_[a] < next_[b];
    return acted_[a] < acted_[b];
  }

  bool is_over() {
    constexpr std::uint64_t kAskEvery = 1 << 16;
    if (result_.run.steps >= options_.limits.most_steps) return true;
    if (++turns_ % kAskEvery != 0) return false;
    return turns_ / 64 > options_.limits.most_steps ||
           (options_.limits.stop && options_.limits.stop());
  }

  Expected<void> act(unsigned agent) {
    acted_[agent] = ++order_;
    if (agent >= kThreads) return act_core(agent - kThreads);
    act_thread(agent);
    return {};
  }

  /// Something has changed that others may wait for.
  void wake() {
    for (std::uint64_t& next : next_) {
      if (next == kNever) next = now_;
    }
  }

  // ---------------------------------------------------------------- Cores
  Expected<void> act_core(unsigned core) {
    const unsigned agent = kThreads + core;
    if (ended_[core]) {
      next_[agent] = kNever;
      return {};
    }
    const auto ready = feeders_[core]->ready(tile_);
    if (!ready) return Unexpected(ready.error());
    if (*ready > now_) {
      next_[agent] = *ready;
      return {};
    }
    core_retry_ = kNever;
    feeders_[core]->at(now_);
    const auto step = feeders_[core]->step(tile_);
    if (!step) return Unexpected(step.error());
    if (*step == FeederStep::Waits) {
      const bool is_news = !std::exchange(tile_.state().thread[core].input_rests, true);
      next_[agent] = core_retry_;
      if (is_news) wake_thread(core);
      return {};
    }
    ++result_.run.steps;
    last_ = std::max(last_, now_);
    if (*step == FeederStep::Ended) {
      ended_[core] = true;
      tile_.rest_input(core);
      next_[agent] = kNever;
    }
    wake();
    return {};
  }

  void wake_thread(unsigned thread) {
    if (next_[thread] == kNever) next_[thread] = now_;
  }

  // ---------------------------------------------------------------- Threads
  void act_thread(unsigned thread) {
    ThreadClock& clock = threads_[thread];
    const When when = attempt(thread);
    if (when.cycle == now_) return;
    note_wait(clock, when.why);
    next_[thread] = when.cycle;
  }

  /// Issues the next instruction of a thread if it can be issued now; else when it can. Of one that
  /// has issued, the cycle is now.
  When attempt(unsigned thread) {
    ThreadClock& clock = threads_[thread];
    const auto& queue = tile_.state().thread[thread].queue;
    if (clock.free > now_) return {clock.free, Why::Issue};
    if (queue.size() == clock.issued_ahead) return end_of_queue(thread);
    const ProgramWord word = queue[clock.issued_ahead];
    const KnownWord& known = words_[word.word];
    const std::uint64_t arrival = clock.front.arrival();
    if (arrival > now_) return {arrival, Why::FrontEnd};
    const bool is_macro = known.decoded.row != nullptr && known.decoded.row->op == Op::SFPLOADMACRO;
    const bool joins = known.joins_macros && (is_macro || clock.issued_ahead > 0);
    if (!joins && clock.issued_ahead > 0 && !execute_ahead(thread)) return {kNever, Why::Push};
    if (known.decoded.row == nullptr) return execute(thread, known, word);
    if (const When gate = passes_gate(thread, known); gate.cycle > now_) return gate;
    tile_.state().machine.act_for(thread);
    if (const When unit = enters_unit(thread, known); unit.cycle > now_) return unit;
    if (!joins) return execute(thread, known, word);
    ++clock.issued_ahead;
    enter_unit(thread, known);
    issue(thread, known, word);
    return {now_, Why::Nothing};
  }

  /// Nothing is there to issue. SFPLOADMACROs are executed once it is known what follows them.
  When end_of_queue(unsigned thread) {
    if (threads_[thread].issued_ahead > 0 && tile_.state().thread[thread].input_rests)
      execute_ahead(thread);
    return {kNever, Why::Push};
  }

  /// Executes what has issued ahead, together. False: the tile wants to know first what follows.
  bool execute_ahead(unsigned thread) {
    ThreadClock& clock = threads_[thread];
    const std::uint64_t before = tile_.state().thread[thread].executed;
    if (!tile_.step(thread)) return false;
    const std::uint64_t executed = tile_.state().thread[thread].executed - before;
    clock.issued_ahead -= std::min<std::uint64_t>(executed, clock.issued_ahead);
    vector_.work_until(clock.free - 1 + tile_.state().thread[thread].macro_tail);
    units_.work_until(thread, WaitFor::VectorUnit, vector_.busy_until());
    return clock.issued_ahead == 0;
  }

  // ---------------------------------------------------------------- Wait Gate
  When passes_gate(unsigned thread, const KnownWord& known) {
    std::optional<Gate>& gate = threads_[thread].gate;
    if (!gate) return {now_};
    const auto met = met_from(thread, *gate);
    if (met && *met + chip_.gate_lag <= now_) {
      gate.reset();
      return {now_};
    }
    if (!tile::is_held(*known.decoded.row, gate->wait.blocked)) return {now_};
    const Why why = reason_of(gate->wait);
    return {met ? *met + chip_.gate_lag : kNever, why};
  }

  static Why reason_of(const tile::WaitGate::Latched& wait) {
    return wait.semaphores != 0 ? Why::Semaphore : Why::UnitsIdle;
  }

  /// The cycle from which all conditions are met; nothing: not as things stand.
  std::optional<std::uint64_t> met_from(unsigned thread, const Gate& gate) {
    const tile::TileState& state = tile_.state();
    const tile::Wait unmet = tile::unmet(state, gate.wait);
    if (unmet.cause != tile::WaitCause::None) {
      tile_.state().thread[thread].wait = unmet;
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

  std::uint64_t condition_from(unsigned thread, WaitFor condition) const {
    const MachineState& machine = tile_.state().machine;
    switch (condition) {
      case WaitFor::SrcAToFill: return sources_.from(0, machine.srca.filling);
      case WaitFor::SrcBToFill: return sources_.from(1, machine.srcb.filling);
      case WaitFor::SrcAFilled: return sources_.from(0, machine.srca.current);
      case WaitFor::SrcBFilled: return sources_.from(1, machine.srcb.current);
      case WaitFor::Nothing:
      case WaitFor::ScalarMemory:
      case WaitFor::Unpacker0:
      case WaitFor::Unpacker1:
      case WaitFor::Packer:
      case WaitFor::MatrixUnit:
      case WaitFor::Mover:
      case WaitFor::CoreRequest:
      case WaitFor::VectorUnit:
      case WaitFor::ConfigurationUnit: break;
    }
    return units_.idle_from(thread, condition);
  }

  // ---------------------------------------------------------------- Units
  /// When the unit of an instruction takes it; kNever where only values say so.
  When enters_unit(unsigned thread, const KnownWord& known) {
    When when{now_};
    when.at_least(units_.free_from(known), Why::Unit);
    switch (known.decoded.row->unit) {
      case Unit::Vector: wait_for_vector(known, when); break;
      case Unit::Matrix: wait_for_matrix(known, when); break;
      case Unit::Unpacker: wait_for_unpacker(known, when); break;
      case Unit::Packer: wait_for_packers(when); break;
      case Unit::FrontEnd:
      case Unit::Scalar:
      case Unit::Sync:
      case Unit::Configuration:
      case Unit::Mover:
      case Unit::Miscellaneous: break;
    }
    if (when.cycle == now_ && tile_.flips_early(thread)) return {kNever, Why::Banks};
    return when;
  }

  void wait_for_vector(const KnownWord& known, When& when) const {
    if (known.op)
      when.at_least(
          vector_.earliest(*known.op, known.facts, tile_.state().machine.vector, when.cycle),
          Why::Vector);
  }

  void wait_for_matrix(const KnownWord& known, When& when) const {
    const MachineState& machine = tile_.state().machine;
    if (known.sources.srca || known.flips_srca)
      when.at_least(sources_.from(0, machine.srca.current), Why::Banks);
    if (known.sources.srcb || known.flips_srcb)
      when.at_least(sources_.from(1, machine.srcb.current), Why::Banks);
    if (!known.op) return;
    const std::uint64_t asked = when.cycle;
    std::uint64_t free = asked;
    while (matrix_.stall(machine, *known.op, free) != timing::StallCause::None) ++free;
    if (free != asked) when.at_least(free + chip_.dst_lag, Why::DstRows);
  }

  void wait_for_unpacker(const KnownWord& known, When& when) const {
    const unsigned unpacker = known.decoded["WhichUnpacker"];
    const SourceFile& file =
        unpacker == 0 ? tile_.state().machine.srca : tile_.state().machine.srcb;
    when.at_least(sources_.from(unpacker, file.filling), Why::Banks);
    if (known.decoded.row->op == Op::UNPACR)
      when.at_least(units_.unpacker_takes_from(unpacker), Why::Queue);
  }

  /// In half cycles, as Units keeps packers.
  void wait_for_packers(When& when) const {
    for (unsigned packer = 0; packer < 4; ++packer)
      when.at_least((units_.packer_takes_from(packer) + 1) / 2, Why::Queue);
  }

  // ---------------------------------------------------------------- Execution
  When execute(unsigned thread, const KnownWord& known, const ProgramWord& word) {
    const BankOwners before = SourceClock::owners(tile_.state().machine);
    const tile::Traffic traffic = tile_.state().traffic;
    // The clock of the Matrix Unit looks at counters as they are before the instruction.
    const MachineState& machine = tile_.state().machine;
    const bool is_matrix = known.op && known.decoded.row->unit == Unit::Matrix;
    timing::MatrixClock matrix = matrix_;
    if (is_matrix) matrix.enter(machine, *known.op, now_);
    const bool is_vector = known.op && known.decoded.row->unit == Unit::Vector;
    VectorClock vector = vector_;
    if (is_vector) vector.enter(*known.op, known.facts, machine.vector, now_);
    if (!tile_.step(thread)) return {kNever, why_of(tile_.wait(thread).cause)};
    ++result_.run.steps;
    if (known.decoded.row != nullptr) {
      if (is_matrix) matrix_ = matrix;
      if (is_vector) vector_ = vector;
      units_.occupy(known, now_);
      work(thread, known, traffic, before);
    }
    issue(thread, known, word);
    wake();
    return {now_, Why::Nothing};
  }

  static Why why_of(tile::WaitCause cause) {
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

  /// An instruction of the Vector Unit that is executed later.
  void enter_unit(unsigned thread, const KnownWord& known) {
    units_.occupy(known, now_);
    if (!known.op || known.decoded.row->unit != Unit::Vector) return;
    vector_.enter(*known.op, known.facts, tile_.state().machine.vector, now_);
    units_.work_until(thread, WaitFor::VectorUnit, vector_.busy_until());
    ++result_.units.vector;
  }

  /// What an executed instruction leaves under way.
  void work(unsigned thread, const KnownWord& known, const tile::Traffic& traffic,
            const BankOwners& before) {
    const BankOwners after = SourceClock::owners(tile_.state().machine);
    const auto until = [&](WaitFor unit, std::uint64_t cycle) {
      units_.work_until(thread, unit, cycle);
    };
    switch (known.decoded.row->unit) {
      case Unit::Matrix:
        ++result_.units.matrix;
        until(WaitFor::MatrixUnit, std::max(matrix_.busy_until(), now_ + 1));
        sources_.change(before, after, now_ + chip_.hand_back);
        break;
      case Unit::Vector:
        ++result_.units.vector;
        until(WaitFor::VectorUnit, vector_.busy_until());
        break;
      case Unit::Unpacker: unpack(thread, known, traffic, before, after); break;
      case Unit::Packer: pack(thread, traffic); break;
      case Unit::Miscellaneous: sources_.change(before, after, now_ + chip_.set_valid); break;
      case Unit::Sync: synchronise(thread, known); break;
      case Unit::Scalar:
        until(WaitFor::ScalarMemory, now_ + known.occupies + chip_.scalar_done - 1);
        break;
      case Unit::Configuration:
        until(WaitFor::ConfigurationUnit, now_ + known.occupies + chip_.config_done - 1);
        break;
      case Unit::FrontEnd:
      case Unit::Mover: break;
    }
  }

  void unpack(unsigned thread, const KnownWord& known, const tile::Traffic& traffic,
              const BankOwners& before, const BankOwners& after) {
    const unsigned unpacker = known.decoded["WhichUnpacker"];
    if (known.decoded.row->op != Op::UNPACR) {
      const std::uint64_t done = now_ + chip_.unpack_nop;
      units_.work_until(thread, unpacker == 0 ? WaitFor::Unpacker0 : WaitFor::Unpacker1, done);
      return sources_.change(before, after, done);
    }
    const UnpackWork asked =
        work_of(traffic.unpacker[unpacker], tile_.state().traffic.unpacker[unpacker]);
    sources_.change(before, after, units_.unpack(thread, unpacker, asked, now_));
  }

  void pack(unsigned thread, const tile::Traffic& traffic) {
    for (unsigned packer = 0; packer < traffic.packer.size(); ++packer) {
      const tile::Traffic::OfPacker& now = tile_.state().traffic.packer[packer];
      if (now.instructions != traffic.packer[packer].instructions)
        units_.pack(thread, packer, work_of(traffic.packer[packer], now), now_);
    }
  }

  void synchronise(unsigned thread, const KnownWord& known) {
    if (known.is_wait) {
      const tile::Instruction i{
          .thread = thread, .word = {.word = known.word, .line = 0}, .decoded = known.decoded};
      threads_[thread].gate = Gate{tile::wait_of(tile_.arch(), i), now_ + 1};
      return;
    }
    for (std::uint32_t left = known.decoded["SemaphoreMask"]; left != 0; left &= left - 1)
      semaphore_from_[static_cast<unsigned>(std::countr_zero(left)) % tile::kSemaphores] =
          now_ + chip_.post_latency;
  }

  /// Hardware does not wait for the bank that such an instruction hands back.
  bool flip_early() {
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      if (!tile_.flips_early(thread) || threads_[thread].front.arrived() == 0) continue;
      const ProgramWord word = tile_.state().thread[thread].queue.front();
      now_ = std::max(now_, threads_[thread].free);
      if (execute(thread, words_[word.word], word).cycle == now_) return true;
    }
    return false;
  }

  // ---------------------------------------------------------------- Records
  void note_wait(ThreadClock& clock, Why why) {
    count_wait(clock);
    clock.why = why;
  }

  void count_wait(ThreadClock& clock) {
    const std::uint64_t from = std::max(clock.looked, clock.free);
    if (now_ > from) clock.waited_for_this[static_cast<unsigned>(clock.why)] += now_ - from;
    clock.looked = now_;
  }

  void issue(unsigned thread, const KnownWord& known, const ProgramWord& word) {
    ThreadClock& clock = threads_[thread];
    count_wait(clock);
    const auto longest = std::ranges::max_element(clock.waited_for_this);
    if (options_.keeps_timeline)
      result_.timeline.push_back(
          {.cycle = now_,
           .waited = now_ - std::min(clock.free, now_),
           .why = *longest == 0 ? Why::Nothing
                                : static_cast<Why>(longest - clock.waited_for_this.begin()),
           .thread = static_cast<std::uint8_t>(thread),
           .word = word});
    for (unsigned why = 0; why < kWhys; ++why) clock.time.waited[why] += clock.waited_for_this[why];
    clock.waited_for_this = {};
    clock.why = Why::Nothing;
    clock.free = now_ + known.holds_thread;
    clock.front.issue(now_);
    ++clock.time.issued;
    clock.time.last = now_;
    last_ = std::max(last_, now_);
    next_[thread] = clock.free;
  }

  void finish() {
    const std::array<tile::Feeder*, kThreads> feeders{feeders_[0], feeders_[1], feeders_[2]};
    if (!result_.run.ran_out) result_.run.blocked = tile::blocked_agents(tile_, feeders, ended_);
    result_.cycles = last_ + 1;
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      result_.cycles = std::max(result_.cycles, units_.all_idle_from(thread));
      result_.thread[thread] = threads_[thread].time;
    }
    for (unsigned i = 0; i < 2; ++i) result_.units.unpacker[i] = units_.unpacker(i).worked();
    for (unsigned i = 0; i < 4; ++i) result_.units.packer[i] = units_.packer(i).worked() / 2;
  }

  tile::Tile& tile_;
  const std::array<tile::ClockedFeeder*, kThreads>& feeders_;
  const TimedOptions& options_;
  const ClockParams& chip_;
  WordMemo words_;
  Units units_;
  SourceClock sources_;
  VectorClock vector_;
  timing::MatrixClock matrix_;
  std::array<ThreadClock, kThreads> threads_;
  std::array<bool, kThreads> ended_{};

  std::uint64_t now_ = 0, last_ = 0;
  std::array<std::uint64_t, kAgents> next_{};  ///< when each agent acts
  std::array<std::uint64_t, kAgents> acted_{}; ///< when it has acted last, in turns
  std::uint64_t order_ = 0, turns_ = 0;
  std::uint64_t core_retry_ = kNever; ///< when a core that waits can go on
  std::array<std::uint64_t, tile::kSemaphores> semaphore_from_{}; ///< its value is seen
  TimedResult result_;
};

} // namespace

Expected<TimedResult> run_in_time(tile::Tile& tile,
                                  const std::array<tile::ClockedFeeder*, kThreads>& feeders,
                                  const TimedOptions& options) {
  return TimedRun(tile, feeders, options).run();
}

} // namespace lanewise::clock
