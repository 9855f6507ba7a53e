#include "chip/clock/timed_run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <optional>
#include <type_traits>
#include <utility>

#include "chip/clock/core_times.h"
#include "chip/clock/thread_issue.h"
#include "chip/clock/turn_order.h"
#include "chip/machine/host_arithmetic.h"

namespace lanewise::clock {

namespace {

using tile::FeederStep;

/// Puts `now` in place of what was there. Whether it differs, compared in one piece: after each
/// turn, of what rarely does.
template <class T>
bool replaces(T& before, const T& now) {
  static_assert(std::has_unique_object_representations_v<T>);
  if (std::memcmp(&before, &now, sizeof now) == 0) return false;
  before = now;
  return true;
}

} // namespace

class TimedTile::Run final : public tile::TileTime {
 public:
  Run(tile::Tile& tile, std::span<tile::ClockedFeeder* const> feeders, const TimedOptions& options)
      : tile_(tile),
        feeders_(feeders.begin(), feeders.end()),
        options_(options),
        threads_(tile, options.keeps_timeline),
        cores_(options.keeps_timeline || options.keeps_core_spans) {
    result_.watched.resize(options.watched.size());
    for (unsigned thread = 0; thread < kThreads; ++thread) turns_.add(thread);
    for (unsigned i = 0; i < tile::kMostFeeders; ++i) {
      ended_[i] = i >= feeders.size() || feeders[i] == nullptr;
      if (!ended_[i] || i < kThreads) turns_.add(kThreads + i);
      if (ended_[i] && i < kThreads) tile.rest_input(i);
    }
    tile_.time = this;
  }
  ~Run() override { tile_.time = nullptr; }

  Expected<void> run_until(std::uint64_t cycle) {
    auto done = take_turns_until(cycle);
    lanes_.reset();
    return done;
  }

  std::uint64_t next() {
    const auto agent = turns_.first();
    return agent && !result_.run.ran_out ? turns_.next(*agent) : kNever;
  }

  void wake_feeder(unsigned feeder) { turns_.set_next(kThreads + feeder, now_); }
  bool has_run_out() const { return result_.run.ran_out; }

  TimedResult finish() {
    end();
    return std::move(result_);
  }

  // ---------------------------------------------------------------- TileTime
  std::uint64_t cycle() const override { return now_; }

  bool has_room(unsigned core) override { return admits(core, Refusal::Room); }
  bool is_done(unsigned core) override { return admits(core, Refusal::Done); }
  bool is_done_with_registers(unsigned core) override { return admits(core, Refusal::Registers); }

  void touched_l1(std::uint32_t address, bool stores) override {
    threads_.touch_l1(address, stores, now_);
  }

  void pushed(unsigned core, const tile::Expansion& expansion) override {
    threads_.pushed(core, expansion.instructions);
    threads_.front(core).push(now_, expansion);
  }

  void stored_register(unsigned core) override { threads_.core_stored(core, now_); }

  void wrote_message(unsigned writer, unsigned reader) override {
    messages_[writer][reader].push_back(now_ + clock_params(tile_.arch()).message);
  }

  void took_message(unsigned writer, unsigned reader) override {
    if (!messages_[writer][reader].empty()) messages_[writer][reader].pop_front();
  }

  /// One that was there before the run has come.
  bool has_message(unsigned writer, unsigned reader) override {
    const auto& arrivals = messages_[writer][reader];
    return arrivals.empty() || is_past(arrivals.front());
  }

 private:
  Expected<void> take_turns_until(std::uint64_t cycle) {
    while (const auto agent = turns_.first()) {
      const std::uint64_t next = turns_.next(*agent);
      if (next >= cycle || result_.run.ran_out) break;
      now_ = next;
      if (is_over()) {
        result_.run.ran_out = true;
        break;
      }
      turns_.note_turn(*agent, ++turn_);
      if (*agent < kThreads) {
        act_thread(*agent);
      } else if (auto acted = act_core(*agent - kThreads); !acted) {
        return acted;
      }
      if (!options_.watched.empty()) note_watched();
    }
    return {};
  }

  /// Those that have been done for the first time now.
  void note_watched() {
    for (std::size_t i = 0; i < result_.watched.size(); ++i) {
      const Deed& deed = options_.watched[i];
      const tile::Thread& thread = tile_.state().thread[deed.agent.thread];
      const std::uint64_t done = deed.agent.is_core ? thread.actions : thread.executed;
      if (!result_.watched[i] && done > deed.ordinal) result_.watched[i] = now_;
    }
  }

  // ---------------------------------------------------------------- What a core waits for
  /// What keeps a core from what it wants to do: room for a word, or that all it has pushed is
  /// done, or what of it works on registers.
  enum class Refusal : std::uint8_t { None, Room, Done, Registers };

  /// Whether that is not so any more. Else core_retry_ is when to look again.
  bool admits(unsigned core, Refusal what) {
    const bool is_admitted = is_met(core, what);
    refused_[core] = is_admitted ? Refusal::None : what;
    return is_admitted;
  }

  bool is_met(unsigned core, Refusal what) {
    switch (what) {
      case Refusal::None: return true;
      case Refusal::Room: return has_room_now(core);
      case Refusal::Done: return !tile_.has_work(core) && is_past(threads_.idle_from(core));
      // Auto TTSync lets a core wait for instructions of the scalar and the configuration unit. It
      // cannot be for UNPACR and PACR: LLK changes the next tile's address while one is under way.
      case Refusal::Registers: return is_past(threads_.registers_idle_from(core));
    }
    return true;
  }

  bool has_room_now(unsigned core) {
    const std::uint64_t from = threads_.front(core).room_from().value_or(kNever);
    if (from <= now_) return true;
    core_retry_ = from;
    return false;
  }

  bool is_past(std::uint64_t cycle) {
    if (cycle <= now_) return true;
    core_retry_ = cycle;
    return false;
  }

  // ---------------------------------------------------------------- Whose turn it is
  /// Turns, whether the run is to stop: some milliseconds, and a fifth of a second where cores
  /// compute for long in each.
  static constexpr std::uint64_t kAskEvery = 1 << 10;
  bool asks_now() const { return turn_ % kAskEvery == kAskEvery - 1; }

  bool is_over() {
    constexpr std::uint64_t kTurnsOfStep = 64;
    const std::uint64_t most = options_.limits.most_steps;
    if (steps_ + threads_.executed() >= most) return true;
    if (!asks_now()) return false;
    lanes_.reset();
    return turn_ / kTurnsOfStep > most || (options_.limits.stop && options_.limits.stop());
  }

  /// An agent has acted: those go on whom that may concern. Who was woken by it, one bit each.
  News wake(unsigned agent) {
    News news = acted_by(agent);
    if (replaces(owners_, SourceClock::owners(tile_.state().machine))) news |= kBanks;
    if (replaces(semaphores_, tile_.state().sync.semaphore)) news |= kSemaphores;
    const News woken = turns_.tell(news, now_);
    if ((news & kRequests) != 0) wake_asked();
    return woken;
  }

  /// What is asked of the NoC leaves when it is asked, whatever else is under way.
  void wake_asked() {
    for (unsigned i = tile::kTileCores; i < tile::kMostFeeders; ++i) {
      if (ended_[i]) continue;
      const std::uint64_t asked = feeders_[i]->asked();
      if (std::exchange(asked_[i], asked) != asked) turns_.set_next(kThreads + i, now_);
    }
  }

  void act_thread(unsigned thread) {
    if (!lanes_ && !tile_.watch) lanes_.emplace();
    const auto when = threads_.attempt(thread, now_);
    if (when) {
      const auto cause = when->why == Why::Push ? tile::WaitCause::Input : tile_.wait(thread).cause;
      turns_.set_next(thread, when->cycle);
      return turns_.await(thread, news_for(cause, thread));
    }
    const bool is_alone = turns_.is_alone(now_);
    const std::uint64_t others = turns_.others();
    turns_.set_next(thread, std::max(threads_.free_from(thread), now_));
    const News woken = wake(thread);
    if (is_alone && woken == acted_by(kThreads + thread)) look_at_once(thread, others);
    if (threads_.ended_tiles() != result_.ends.size()) note_end();
  }

  /// The tile that ended last; one that several packers end together is one.
  void note_end() {
    TileEnd end{.cycle = threads_.last_end(), .until = threads_.figures()};
    end.until.core = cores_.of_cores();
    result_.ends.resize(threads_.ended_tiles(), end);
  }

  Expected<void> act_core(unsigned core) {
    if (ended_[core]) {
      turns_.set_next(kThreads + core, kNever);
      return no_fault();
    }
    if (still_waits(core)) return no_fault();
    lanes_.reset();
    const auto ready = feeders_[core]->ready(tile_);
    if (!ready) return Unexpected(ready.error());
    is_idle_[core] = *ready == tile::kNothingToDo;
    if (*ready > now_) {
      turns_.set_next(kThreads + core, *ready);
      return no_fault();
    }
    core_retry_ = kNever;
    if (core < kThreads) refused_[core] = Refusal::None;
    if (core < tile::kTileCores) tile_.forget_core_wait(core);
    feeders_[core]->at(now_);
    const auto step = feeders_[core]->step(tile_);
    if (!step) return Unexpected(step.error());
    if (*step == FeederStep::Waits) return rest(core);
    if (core < kThreads) refused_[core] = Refusal::None;
    ++steps_;
    if (const auto address = feeders_[core]->looks_at()) {
      cores_.begin_rest(core, now_, address);
    } else if (core < tile::kTileCores) {
      cores_.acted(core, *ready, now_, *feeders_[core]);
    }
    last_ = now_;
    if (*step == FeederStep::Ended) {
      ended_[core] = true;
      if (core < kThreads) tile_.rest_input(core);
      turns_.set_next(kThreads + core, kNever);
    }
    wake(kThreads + core);
    return no_fault();
  }

  /// Whether a core is still refused what it was refused when it tried last: to try again would
  /// change nothing. It has had its turn.
  bool still_waits(unsigned core) {
    if (core >= kThreads || refused_[core] == Refusal::None) return false;
    core_retry_ = kNever;
    if (is_met(core, refused_[core])) return false;
    turns_.set_next(kThreads + core, core_retry_);
    return true;
  }

  /// Its thread has woken a core, which would have the next turn. Most find what they found before
  /// that, which needs no turn of its own.
  void look_at_once(unsigned core, std::uint64_t others) {
    if (refused_[core] == Refusal::None || asks_now()) return;
    core_retry_ = kNever;
    if (is_met(core, refused_[core])) return;
    turns_.put_back(kThreads + core, ++turn_, core_retry_, others);
  }

  /// A core that waits has pushed what it could; that this is known may help its thread on. One
  /// that polls has no cause: it may wait for anything.
  Expected<void> rest(unsigned core) {
    turns_.set_next(kThreads + core, core_retry_);
    if (core < tile::kTileCores) cores_.begin_rest(core, now_, feeders_[core]->looks_at());
    if (core >= kThreads) {
      turns_.await(kThreads + core, kAnything);
      return no_fault();
    }
    turns_.await(kThreads + core, news_for(tile_.core_wait(core).cause, core));
    const bool is_news = !tile_.state().thread[core].input_rests;
    tile_.rest_input(core);
    if (is_news && turns_.next(core) == kNever) turns_.set_next(core, now_);
    return no_fault();
  }

  void end() {
    const std::vector<tile::Feeder*> feeders(feeders_.begin(), feeders_.end());
    tile::Ended done = ended_;
    for (unsigned i = 0; i < done.size(); ++i) done[i] = done[i] || is_idle_[i];
    if (!result_.run.ran_out) result_.run.blocked = tile::blocked_agents(tile_, feeders, done);
    result_.run.steps = steps_ + threads_.executed();
    result_.cycles = last_ + 1;
    threads_.report(result_);
    cores_.report(result_);
  }

  tile::Tile& tile_;
  std::vector<tile::ClockedFeeder*> feeders_;
  TimedOptions options_;
  ThreadIssue threads_;
  CoreTimes cores_;
  tile::Ended ended_{}, is_idle_{};

  std::uint64_t now_ = 0;
  /// While threads act, as in tile::run(): not each instruction changes the host's state and back.
  std::optional<HostArithmetic> lanes_;
  TurnOrder turns_;
  BankOwners owners_ = SourceClock::owners(tile_.state().machine);
  std::array<tile::Semaphore, tile::kSemaphores> semaphores_ = tile_.state().sync.semaphore;
  std::array<std::uint64_t, tile::kMostFeeders> asked_{}; ///< when it was woken last
  std::uint64_t turn_ = 0, steps_ = 0;                    ///< steps of cores
  std::uint64_t last_ = 0;                                ///< cycle of the last of them
  std::uint64_t core_retry_ = kNever;                     ///< when a core that waits can go on
  std::array<Refusal, kThreads> refused_{};               ///< in its last step
  /// Cycles from which messages are there, by writer and reader.
  std::array<std::array<std::deque<std::uint64_t>, tile::kMailboxCores>, tile::kMailboxCores>
      messages_;
  TimedResult result_;
};

TimedTile::TimedTile(tile::Tile& tile, std::span<tile::ClockedFeeder* const> feeders,
                     const TimedOptions& options)
    : run_(std::make_unique<Run>(tile, feeders, options)) {}
TimedTile::~TimedTile() = default;

Expected<void> TimedTile::run_until(std::uint64_t cycle) {
  return run_->run_until(cycle);
}
std::uint64_t TimedTile::next() const {
  return run_->next();
}
void TimedTile::wake(unsigned feeder) {
  run_->wake_feeder(feeder);
}
bool TimedTile::has_run_out() const {
  return run_->has_run_out();
}
TimedResult TimedTile::finish() {
  return run_->finish();
}

Expected<TimedResult> run_in_time(tile::Tile& tile, std::span<tile::ClockedFeeder* const> feeders,
                                  const TimedOptions& options) {
  TimedTile run(tile, feeders, options);
  if (auto done = run.run_until(kNever); !done) return Unexpected(done.error());
  return run.finish();
}

} // namespace lanewise::clock
