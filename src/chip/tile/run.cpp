#include "chip/tile/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "chip/machine/host_arithmetic.h"

namespace lanewise::tile {

namespace {

/// Whose turn it is.
class Turns {
 public:
  Turns(const ScheduleChoice& choice, std::size_t agents)
      : order_(choice.order), random_(choice.seed), permutation_(agents) {
    std::iota(permutation_.begin(), permutation_.end(), 0U);
    if (order_ == Order::Adversarial) std::ranges::shuffle(permutation_, random_);
    if (order_ == Order::Priority) {
      for (std::uint64_t i = choice.seed % kPriorities; i > 0; --i)
        std::ranges::next_permutation(permutation_);
    }
  }

  unsigned agent() const { return permutation_[place_]; }

  /// After the agent has gone on, or could not.
  void next(bool went) {
    switch (order_) {
      case Order::RoundRobin: place_ = following(); return;
      case Order::Random: place_ = random_() % permutation_.size(); return;
      case Order::Adversarial:
        if (went) return;
        place_ = following();
        if (place_ == 0) std::ranges::shuffle(permutation_, random_);
        return;
      case Order::Priority: place_ = went ? 0 : following(); return;
    }
  }

 private:
  std::size_t following() const { return place_ + 1 == permutation_.size() ? 0 : place_ + 1; }

  Order order_;
  std::mt19937_64 random_;
  std::vector<unsigned> permutation_;
  std::size_t place_ = 0;
};

class Run {
 public:
  Run(Tile& tile, std::span<Feeder* const> feeders, const ScheduleChoice& choice,
      const RunLimits& limits)
      : tile_(tile),
        feeders_(feeders),
        turns_(choice, feeders.size() + kThreads),
        limits_(limits),
        delay_(choice.delay) {
    for (unsigned i = 0; i < feeders.size(); ++i) {
      ended_[i] = feeders[i] == nullptr;
      if (ended_[i]) rest(i);
    }
  }

  Expected<RunResult> run() {
    constexpr std::uint64_t kAskEvery = 1 << 16;
    // Agents that could not go on since the last one did.
    unsigned stuck = 0;
    for (;;) {
      if (stuck == (1U << (feeders_.size() + kThreads)) - 1) {
        lanes_.reset();
        // A delay ends last: what hardware would not wait for goes before.
        if (!flip_early() && !end_delay() && !hurry() && !waits_outside()) break;
        stuck = 0;
      }
      if (result_.steps == limits_.most_steps ||
          (result_.steps % kAskEvery == kAskEvery - 1 && is_stopped())) {
        result_.ran_out = true;
        return result_;
      }
      if (limits_.pause && ++turns_since_pause_ == limits_.pause_every) {
        turns_since_pause_ = 0;
        lanes_.reset();
        limits_.pause();
      }
      const unsigned agent = turns_.agent();
      bool went = false;
      if (agent >= feeders_.size()) {
        went = step_thread(agent - static_cast<unsigned>(feeders_.size()));
      } else if (!ended_[agent]) {
        const auto step = step_feeder(agent);
        if (!step) return Unexpected(step.error());
        went = *step;
      }
      stuck = went ? 0 : stuck | 1U << agent;
      result_.steps += went ? 1 : 0;
      turns_.next(went);
    }
    // Who has nothing to do at the end needs nothing more.
    for (std::size_t i = 0; i < feeders_.size(); ++i) ended_[i] = ended_[i] || is_idle_[i];
    result_.blocked = blocked_agents(tile_, feeders_, ended_);
    return result_;
  }

 private:
  bool is_stopped() {
    lanes_.reset();
    return limits_.stop && limits_.stop();
  }

  std::uint64_t done_by(Agent agent) const {
    const Thread& thread = tile_.state().thread[agent.thread];
    return agent.is_core ? thread.actions : thread.executed;
  }

  bool is_delayed(Agent agent) {
    if (!delay_ || delay_->agent != agent || done_by(agent) != delay_->before) return false;
    if (!delay_->until || done_by(*delay_->until) < delay_->until_done) return true;
    end_delay();
    return false;
  }

  /// False if there is none.
  bool end_delay() { return std::exchange(delay_, std::nullopt).has_value(); }

  bool step_thread(unsigned thread) {
    if (is_delayed({.thread = thread, .is_core = false})) return false;
    if (tile_.flips_early(thread)) return false;
    if (!lanes_ && !tile_.watch) lanes_.emplace();
    return tile_.step(thread);
  }

  /// Precondition: it has not ended.
  Expected<bool> step_feeder(unsigned agent) {
    if (agent < kThreads && is_delayed({.thread = agent, .is_core = true})) return false;
    if (is_refused_[agent] && tile_.refuses_still(agent)) return false;
    lanes_.reset();
    const auto step = feeders_[agent]->step(tile_);
    if (!step) return Unexpected(step.error());
    is_refused_[agent] =
        *step == FeederStep::Waits && agent < kThreads && feeders_[agent]->waits_for_tile();
    switch (*step) {
      case FeederStep::Went: return true;
      case FeederStep::Ended:
        ended_[agent] = true;
        rest(agent);
        return true;
      case FeederStep::Idle: is_idle_[agent] = true; return false;
      case FeederStep::Waits: break;
    }
    is_idle_[agent] = false;
    return rest(agent);
  }

  /// Nobody will fill the bank that a thread is to hand back: it is handed back as it is. False if
  /// no thread is to do so.
  bool flip_early() {
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      if (is_delayed({.thread = thread})) continue;
      if (tile_.flips_early(thread) && tile_.step(thread)) return true;
    }
    return false;
  }

  bool hurry() const { return limits_.hurry && limits_.hurry(); }

  /// False if nobody from outside takes part, or nothing came from there for too long.
  bool waits_outside() {
    turns_since_pause_ = 0;
    if (!limits_.waits_outside) return false;
    for (unsigned i = 0; i < feeders_.size(); ++i)
      if (!(ended_[i] || is_idle_[i]) || (i < kThreads && tile_.has_work(i)))
        return limits_.waits_outside();
    return false;
  }

  /// A feeder that waits has pushed what it could; that this is known may help its thread on.
  bool rest(unsigned core) {
    if (core >= kThreads) return false;
    const bool is_news = !tile_.state().thread[core].input_rests;
    tile_.rest_input(core);
    return is_news;
  }

  Tile& tile_;
  std::span<Feeder* const> feeders_;
  Turns turns_;
  const RunLimits& limits_;
  std::optional<Delay> delay_;
  Ended ended_{}, is_idle_{};
  Ended is_refused_{}; ///< those whose last step the tile has refused
  std::uint64_t turns_since_pause_ = 0;
  RunResult result_;
  /// While threads take turns, so that not each of their instructions changes the host's state and
  /// back. Cores, and who is called or watches, have the usual one.
  std::optional<HostArithmetic> lanes_;
};

} // namespace

std::vector<Blocked> blocked_agents(const Tile& tile, std::span<Feeder* const> feeders,
                                    const Ended& ended) {
  std::vector<Blocked> blocked;
  for (unsigned thread = 0; thread < feeders.size(); ++thread) {
    if (thread < kThreads && tile.has_work(thread)) {
      const Wait& wait = tile.wait(thread);
      blocked.push_back({.thread = thread,
                         .is_feeder = false,
                         .wait = wait,
                         .reason = fmt::format("waits for {}", wait_text(wait))});
    }
    if (!ended[thread]) {
      blocked.push_back({.thread = thread,
                         .is_feeder = true,
                         .wait = thread < kTileCores ? tile.core_wait(thread) : Wait{},
                         .reason = fmt::format("waits for {}", feeders[thread]->waits_for())});
    }
  }
  return blocked;
}

Order order_named(std::string_view name) {
  if (name == "random") return Order::Random;
  if (name == "priority") return Order::Priority;
  return name == "adversarial" ? Order::Adversarial : Order::RoundRobin;
}

Expected<RunResult> run(Tile& tile, std::span<Feeder* const> feeders, const ScheduleChoice& choice,
                        const RunLimits& limits) {
  return Run(tile, feeders, choice, limits).run();
}

} // namespace lanewise::tile
