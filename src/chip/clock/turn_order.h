// Whose turn it is in a tile in time: of those who can act, the one that can act first; of those in
// the same cycle, the one that has not acted for longer. And whom it concerns that somebody has
// acted: who cannot act waits for news.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "chip/clock/cycle.h"
#include "chip/tile/run.h"
#include "chip/tile/tile.h"
#include "chip/tile/wait.h"

namespace lanewise::clock {

/// Threads, then feeders.
inline constexpr unsigned kAgents = kThreads + tile::kMostFeeders;

/// What has happened that somebody may wait for, one bit each: an agent has acted, banks have
/// changed hands, a semaphore has another value.
using News = std::uint32_t;
constexpr News acted_by(unsigned agent) {
  return 1U << agent;
}
inline constexpr News kBanks = 1U << kAgents;
inline constexpr News kSemaphores = kBanks << 1;
inline constexpr News kAnything = ~News{0};
/// A core that moves data has acted: it may have asked for something.
inline constexpr News kRequests =
    acted_by(kThreads + tile::kBrisc) | acted_by(kThreads + tile::kNcrisc);

/// What may end a wait of a thread or of a core with that number.
News news_for(tile::WaitCause cause, unsigned number);

class TurnOrder {
 public:
  /// Takes part from cycle 0 on; where two have never acted, those come first that were added
  /// first. All others never act.
  void add(unsigned agent) {
    others_ = 0;
    place_[agent] = count_;
    entries_[count_++] = {.next = 0, .acted = 0, .awaited = 0, .agent = agent};
  }

  /// Whose turn it is; nothing: nobody can act.
  std::optional<unsigned> first() {
    if (entries_[first_].next >= others_) find_first();
    const Entry& first = entries_[first_];
    return first.next == kNever ? std::nullopt : std::optional(first.agent);
  }

  /// Whether nobody but the one whose turn it is can act up to that cycle.
  bool is_alone(std::uint64_t cycle) const { return others_ > cycle; }

  std::uint64_t next(unsigned agent) const { return entries_[place_[agent]].next; }
  void set_next(unsigned agent, std::uint64_t cycle) {
    const unsigned place = place_[agent];
    entries_[place].next = cycle;
    if (place != first_) others_ = std::min(others_, cycle);
  }
  /// The agent acts, in that turn of all.
  void note_turn(unsigned agent, std::uint64_t turn) { entries_[place_[agent]].acted = turn; }
  /// Before others are told of something: what put_back() needs.
  std::uint64_t others() const { return others_; }
  /// Somebody who was the only one to be woken has had that turn, and acts in that cycle; `others`
  /// is from before.
  void put_back(unsigned agent, std::uint64_t turn, std::uint64_t cycle, std::uint64_t others) {
    Entry& entry = entries_[place_[agent]];
    entry.acted = turn;
    entry.next = cycle;
    others_ = std::min(others, cycle);
  }
  /// What may change it that an agent cannot act.
  void await(unsigned agent, News news) { entries_[place_[agent]].awaited = news; }

  /// In that cycle there is news: those can act again whom it may concern. Who they are, one bit
  /// each as acted_by() has it.
  News tell(News news, std::uint64_t cycle) {
    News woken = 0;
    for (unsigned i = 0; i < count_; ++i) {
      Entry& each = entries_[i];
      if (each.next != kNever || (each.awaited & news) == 0) continue;
      each.next = cycle;
      woken |= acted_by(each.agent);
    }
    if (woken != 0) others_ = std::min(others_, cycle);
    return woken;
  }

 private:
  struct Entry {
    std::uint64_t next = kNever; ///< when it acts
    std::uint64_t acted = 0;     ///< in which turn it has acted last
    News awaited = 0;
    unsigned agent = 0;
  };

  /// Finds who is first, and from when on another one can act.
  void find_first() {
    unsigned first = 0;
    for (unsigned i = 1; i < count_; ++i) {
      const Entry &each = entries_[i], &best = entries_[first];
      // Without branches: who comes next is different each time.
      const unsigned is_before = static_cast<unsigned>(each.next < best.next) |
                                 (static_cast<unsigned>(each.next == best.next) &
                                  static_cast<unsigned>(each.acted < best.acted));
      first = is_before != 0 ? i : first;
    }
    others_ = kNever;
    for (unsigned i = 0; i < count_; ++i)
      others_ = std::min(others_, i == first ? kNever : entries_[i].next);
    first_ = first;
  }

  unsigned count_ = 0;
  std::array<Entry, kAgents + 1> entries_{}; ///< of those that take part, in order
  std::array<unsigned, kAgents> place_ = all_at(kAgents);
  /// Whose turn it was last. As long as it can act before all others, nobody has to be looked for.
  unsigned first_ = 0;
  std::uint64_t others_ = 0; ///< none of the others can act before this cycle

  /// Who does not take part has a place behind all others.
  static constexpr std::array<unsigned, kAgents> all_at(unsigned place) {
    std::array<unsigned, kAgents> all{};
    all.fill(place);
    return all;
  }
};

} // namespace lanewise::clock
