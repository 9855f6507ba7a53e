// Runs a tile until all is done or nobody can go on: who goes next is a schedule's choice.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/tile/access_log.h"
#include "chip/tile/feeder.h"
#include "chip/tile/tile.h"

namespace lanewise::tile {

/// In which order agents take their turns: the feeders, of the three threads and of what is beside
/// them, and the threads themselves.
enum class Order : std::uint8_t {
  RoundRobin,  ///< one instruction each
  Random,      ///< by a seed
  Adversarial, ///< one as long as it can go, then the next: the first in a permutation, by a seed
  /// Always the first of a permutation that can go, as if each were far faster than the next: the
  /// permutation number `seed` in lexicographic order, of as many as there are.
  Priority
};

/// As many orders as Order::Priority has where there are three feeders: 6!.
inline constexpr std::uint64_t kPriorities = 720;

/// "random", "adversarial" or "priority"; any other name is round robin.
Order order_named(std::string_view name);

/// An agent that is kept from going on: as long as somebody else can go, or until another one has
/// come far enough.
struct Delay {
  Agent agent;
  std::uint64_t before = 0; ///< as many instructions or actions it has done when it stops
  std::optional<Agent> until = std::nullopt;
  std::uint64_t until_done = 0; ///< as many the other one must have done

  friend bool operator==(const Delay&, const Delay&) = default;
};

struct ScheduleChoice {
  Order order = Order::RoundRobin;
  std::uint64_t seed = 0;
  std::optional<Delay> delay = std::nullopt;

  friend bool operator==(const ScheduleChoice&, const ScheduleChoice&) = default;
};

/// Somebody who can never go on.
struct Blocked {
  unsigned thread = 0; ///< or the number of the feeder
  bool is_feeder = false;
  Wait wait;          ///< of a thread
  std::string reason; ///< a sentence without a subject: "waits for semaphore 1 to be above 0"
};

/// At most as many feeders take part in a run.
inline constexpr std::size_t kMostFeeders = 8;

/// Which feeders have ended, by their numbers.
using Ended = std::array<bool, kMostFeeders>;

/// Who cannot go on, of threads and feeders: a thread that has work left, a feeder that has not
/// ended.
std::vector<Blocked> blocked_agents(const Tile& tile, std::span<Feeder* const> feeders,
                                    const Ended& ended);

struct RunResult {
  std::vector<Blocked> blocked; ///< not empty: a deadlock
  std::uint64_t steps = 0;
  bool ran_out = false; ///< of the steps that it may take
};

struct RunLimits {
  std::uint64_t most_steps = 200'000'000;
  std::function<bool()> stop = {}; ///< asked now and then; true: end as if the steps were used up
  /// Asked where nobody can go on; true: somebody who has put something off does it now.
  std::function<bool()> hurry = {};
  /// Asked where nobody can go on; true: somebody from outside may have written to L1 meanwhile.
  std::function<bool()> waits_outside = {};
  /// Called after so many turns, in which somebody may have gone on.
  std::function<void()> pause = {};
  std::uint64_t pause_every = 0;
};

/// Feeds thread i by feeders[i]; nullptr: nobody does. Feeders beyond the three act beside the
/// threads. Precondition: three feeders at least, kMostFeeders at most. Error: what a feeder failed
/// with.
Expected<RunResult> run(Tile& tile, std::span<Feeder* const> feeders,
                        const ScheduleChoice& choice = {}, const RunLimits& limits = {});
inline Expected<RunResult> run(Tile& tile, const std::array<Feeder*, kThreads>& feeders,
                               const ScheduleChoice& choice = {}, const RunLimits& limits = {}) {
  return run(tile, std::span<Feeder* const>(feeders), choice, limits);
}

} // namespace lanewise::tile
