#include "binary/paths/program_graph.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace lanewise::paths {

namespace {

/// Calls within calls that are followed; a function that goes on calling itself ends there.
constexpr std::size_t kDeepestCall = 32;
/// Positions that a search for the next pushes sees: calls within calls make many of few blocks.
constexpr std::size_t kMostReached = 4096;

} // namespace

Chain way_to(const std::vector<Reached>& reached, std::size_t last) {
  Chain chain;
  for (std::size_t i = last; i != kSearchStart; i = reached[i].from)
    chain.push_back(reached[i].position);
  std::ranges::reverse(chain);
  return chain;
}

ProgramGraph::ProgramGraph(std::span<const elf::Function> functions) : functions_(functions) {
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    codes_.push_back(graph_of(functions[i]));
    by_address_[functions[i].symbol.address] = i;
  }
  find_returns();
}

std::optional<std::uint32_t> ProgramGraph::callee(Place place) const {
  const Block& at = block(place);
  const auto found = at.callee ? by_address_.find(*at.callee) : by_address_.end();
  return found == by_address_.end() ? std::nullopt : std::optional(found->second);
}

bool ProgramGraph::add_returns(std::uint32_t to, const std::set<Place>& places) {
  const std::size_t before = returns_[to].size();
  returns_[to].insert(places.begin(), places.end());
  return returns_[to].size() != before;
}

/// A function that is jumped to at the end of another one returns to the other one's callers.
void ProgramGraph::find_returns() {
  returns_.resize(functions_.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t function = 0; function < codes_.size(); ++function) {
      for (graph::Node node = 0; node < codes_[function].blocks.size(); ++node) {
        const auto to = callee({function, node});
        if (!to) continue;
        std::set<Place> places = returns_[function];
        if (block({function, node}).calls) {
          places.clear();
          for (const graph::Node next : codes_[function].graph.successors(node))
            places.insert({function, next});
        }
        changed = add_returns(*to, places) || changed;
      }
    }
  }
}

std::vector<WordPlace> ProgramGraph::pushes(Place place) const {
  std::vector<WordPlace> words;
  for (std::uint32_t i = block(place).first; i < block(place).end; ++i) {
    if (word({place.function, i}).pushes()) words.push_back({place.function, i});
  }
  return words;
}

std::vector<Position> ProgramGraph::next(const Position& from) const {
  const Block& at = block(from.place);
  const auto into = callee(from.place);
  std::vector<Position> positions;
  if (at.calls || at.leaving == Leaving::TailJump) {
    if (!into || from.returns.size() >= kDeepestCall) return {};
    positions.push_back({{*into, 0}, from.returns});
    if (at.calls) {
      for (const graph::Node next : codes_[from.place.function].graph.successors(from.place.block))
        positions.back().returns.push_back({from.place.function, next});
    }
    return positions;
  }
  if (at.leaving == Leaving::Return) {
    if (from.returns.empty()) {
      for (const Place to : returns_[from.place.function]) positions.push_back({to});
      return positions;
    }
    positions.push_back({from.returns.back(), from.returns});
    positions.back().returns.pop_back();
    return positions;
  }
  for (const graph::Node next : codes_[from.place.function].graph.successors(from.place.block))
    positions.push_back({{from.place.function, next}, from.returns});
  return positions;
}

std::vector<Chain> ProgramGraph::to_next_pushes(const Position& from) const {
  std::vector<Reached> reached;
  std::set<Position> seen;
  std::vector<Chain> chains;
  const auto reach = [&](const Position& position, std::size_t by) {
    if (reached.size() < kMostReached && seen.insert(position).second)
      reached.push_back({position, by});
  };
  for (const Position& each : next(from)) reach(each, kSearchStart);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (!pushes(reached[i].position.place).empty()) {
      chains.push_back(way_to(reached, i));
      continue;
    }
    const Position at = reached[i].position;
    for (const Position& each : next(at)) reach(each, i);
  }
  return chains;
}

std::optional<Place> ProgramGraph::caller(std::uint32_t function) const {
  for (std::uint32_t from = 0; from < codes_.size(); ++from) {
    for (graph::Node node = 0; node < codes_[from].blocks.size(); ++node) {
      if (callee({from, node}) == function) return Place{from, node};
    }
  }
  return std::nullopt;
}

} // namespace lanewise::paths
