#include "chip/tile/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace lanewise::tile {

namespace {

constexpr unsigned kAgents = 2 * kThreads; ///< feeders, then threads

/// Whose turn it is.
class Turns {
 public:
  explicit Turns(const ScheduleChoice& choice) : order_(choice.order), random_(choice.seed) {
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
      case Order::RoundRobin: place_ = (place_ + 1) % kAgents; return;
      case Order::Random: place_ = static_cast<unsigned>(random_() % kAgents); return;
      case Order::Adversarial:
        if (went) return;
        place_ = (place_ + 1) % kAgents;
        if (place_ == 0) std::ranges::shuffle(permutation_, random_);
        return;
      case Order::Priority: place_ = went ? 0 : (place_ + 1) % kAgents; return;
    }
  }

 private:
  Order order_;
  std::mt19937_64 random_;
  std::array<unsigned, kAgents> permutation_{};
  unsigned place_ = 0;
};

class Run {
 public:
  Run(Tile& tile, const std::array<Feeder*, kThreads>& feeders, const ScheduleChoice& choice,
      const RunLimits& limits)
      : tile_(tile), feeders_(feeders), turns_(choice), limits_(limits), delay_(choice.delay) {
    for (unsigned i = 0; i < kThreads; ++i) {
      ended_[i] = feeders[i] == nullptr;
      if (ended_[i]) tile.rest_input(i);
    }
  }

  Expected<RunResult> run() {
    constexpr std::uint64_t kAskEvery = 1 << 16;
    // Agents that could not go on since the last one did.
    unsigned stuck = 0;
    for (;;) {
      if (stuck == (1U << kAgents) - 1) {
        // A delay ends last: what hardware would not wait for goes before.
        if (!flip_early() && !end_delay() && !waits_outside()) break;
        stuck = 0;
      }
      if (result_.steps == limits_.most_steps ||
          (result_.steps % kAskEvery == kAskEvery - 1 && limits_.stop && limits_.stop())) {
        result_.ran_out = true;
        return result_;
      }
      const unsigned agent = turns_.agent();
      const auto went = step(agent);
      if (!went) return Unexpected(went.error());
      stuck = *went ? 0 : stuck | 1U << agent;
      result_.steps += *went ? 1 : 0;
      turns_.next(*went);
    }
    result_.blocked = blocked_agents(tile_, feeders_, ended_);
    return result_;
  }

 private:
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

  Expected<bool> step(unsigned agent) {
    if (is_delayed({.thread = agent % kThreads, .is_core = agent < kThreads})) return false;
    if (agent >= kThreads) {
      const unsigned thread = agent - kThreads;
      return !tile_.flips_early(thread) && tile_.step(thread);
    }
    if (ended_[agent]) return false;
    const auto step = feeders_[agent]->step(tile_);
    if (!step) return Unexpected(step.error());
    switch (*step) {
      case FeederStep::Went: return true;
      case FeederStep::Ended:
        ended_[agent] = true;
        tile_.rest_input(agent);
        return true;
      case FeederStep::Waits: break;
    }
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

  /// False if nobody from outside takes part, or nothing came from there for too long.
  bool waits_outside() const {
    if (!limits_.waits_outside) return false;
    for (unsigned thread = 0; thread < kThreads; ++thread)
      if (!ended_[thread] || tile_.has_work(thread)) return limits_.waits_outside();
    return false;
  }

  /// A feeder that waits has pushed what it could; that this is known may help its thread on.
  bool rest(unsigned core) {
    const bool is_news = !tile_.state().thread[core].input_rests;
    tile_.rest_input(core);
    return is_news;
  }

  Tile& tile_;
  const std::array<Feeder*, kThreads>& feeders_;
  Turns turns_;
  const RunLimits& limits_;
  std::optional<Delay> delay_;
  std::array<bool, kThreads> ended_{};
  RunResult result_;
};

} // namespace

std::vector<Blocked> blocked_agents(const Tile& tile, const std::array<Feeder*, kThreads>& feeders,
                                    const std::array<bool, kThreads>& ended) {
  std::vector<Blocked> blocked;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if (tile.has_work(thread)) {
      const Wait& wait = tile.wait(thread);
      blocked.push_back({.thread = thread,
                         .is_feeder = false,
                         .wait = wait,
                         .reason = fmt::format("waits for {}", wait_text(wait))});
    }
    if (!ended[thread]) {
      blocked.push_back({.thread = thread,
                         .is_feeder = true,
                         .wait = tile.core_wait(thread),
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

Expected<RunResult> run(Tile& tile, const std::array<Feeder*, kThreads>& feeders,
                        const ScheduleChoice& choice, const RunLimits& limits) {
  return Run(tile, feeders, choice, limits).run();
}

} // namespace lanewise::tile
