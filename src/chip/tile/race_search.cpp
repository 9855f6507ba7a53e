#include "chip/tile/race_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace lanewise::tile {

namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

bool conflict(const Touch& one, const Touch& other) {
  return one.agent != other.agent && (one.writes || other.writes) && (one.bits & other.bits) != 0;
}

/// Where the other run has each touch of the reference: kNever where it did not come to it.
std::vector<std::size_t> places_in(const std::vector<Touch>& reference,
                                   const std::vector<Touch>& other) {
  using Key = std::pair<std::pair<Agent, bool>, std::uint64_t>;
  const auto key = [](const Touch& touch) {
    return Key{{touch.agent, touch.writes}, touch.ordinal};
  };
  std::map<Key, std::size_t> known;
  for (std::size_t i = 0; i < other.size(); ++i) known.emplace(key(other[i]), i);
  std::vector<std::size_t> places;
  places.reserve(reference.size());
  for (const Touch& touch : reference) {
    const auto found = known.find(key(touch));
    places.push_back(found == known.end() ? kNever : found->second);
  }
  return places;
}

/// The first touch that comes before `later` in the reference and behind it in the other run.
std::optional<std::size_t> overtaken(const std::vector<Touch>& touches,
                                     const std::vector<std::size_t>& places, std::size_t later) {
  for (std::size_t i = 0; i < later; ++i) {
    if (places[i] > places[later] && conflict(touches[i], touches[later])) return i;
  }
  return std::nullopt;
}

/// The first pair of one place. Only a touch that some earlier one of another thread has passed is
/// looked at closely, so that long lists without a race take one look each.
std::optional<std::pair<std::size_t, std::size_t>> first_pair(
    const std::vector<Touch>& touches, const std::vector<std::size_t>& places) {
  std::map<Agent, std::array<std::size_t, 2>> furthest; // of those that read, and that write
  for (std::size_t j = 0; j < touches.size(); ++j) {
    bool is_passed = false;
    for (const auto& [agent, place] : furthest) {
      if (agent == touches[j].agent) continue;
      const std::size_t limit = touches[j].writes ? std::max(place[0], place[1]) : place[1];
      is_passed = is_passed || (limit > places[j] && places[j] != kNever);
    }
    if (is_passed) {
      if (const auto i = overtaken(touches, places, j)) return std::pair{*i, j};
    }
    std::size_t& own = furthest[touches[j].agent][touches[j].writes ? 1 : 0];
    own = std::max(own, places[j]);
  }
  return std::nullopt;
}

} // namespace

std::optional<Race> first_race(const AccessLog& reference, const AccessLog& other) {
  std::optional<Race> first;
  for (const auto& [id, touches] : reference.touches()) {
    const auto theirs = other.touches().find(id);
    if (theirs == other.touches().end()) continue;
    const auto pair = first_pair(touches, places_in(touches, theirs->second));
    if (!pair) continue;
    const Race race{id, touches[pair->first], touches[pair->second]};
    if (!first || race.second.step < first->second.step) first = race;
  }
  return first;
}

} // namespace lanewise::tile
