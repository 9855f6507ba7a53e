#include "chip/tile/core_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source_line.h"
#include "chip/tile/tile.h"

namespace lanewise::tile {

namespace {

using Kind = CoreAction::Kind;

/// A load that has given the same so often is one of somebody who waits.
constexpr std::size_t kSpinning = 4;

bool is_same_load(const CoreAction& a, const CoreAction& b) {
  return a.kind == Kind::Load && b.kind == Kind::Load && a.address == b.address &&
         a.bytes == b.bytes && a.line == b.line;
}

/// How often the load at `first` is repeated with the same answer.
std::size_t repeats(const std::vector<CoreAction>& actions, std::size_t first) {
  std::size_t last = first;
  while (last + 1 < actions.size() && is_same_load(actions[first], actions[last + 1]) &&
         actions[last + 1].value == actions[first].value)
    ++last;
  return last - first + 1;
}

bool has(const std::vector<std::uint32_t>& all, std::uint32_t value) {
  return std::ranges::find(all, value) != all.end();
}

} // namespace

bool is_clock(std::uint32_t address) {
  constexpr std::uint32_t kWallClock = 0xFFB121F0, kWallClockEnd = 0xFFB121FC;
  return address >= kWallClock && address < kWallClockEnd;
}

CoreScript::Place CoreScript::follow(const Link& link) const {
  if (link.node == kUnknown) return start_;
  for (const auto& [answer, place] : nodes_[link.node].next)
    if (answer == link.answer) return place;
  return kUnknown;
}

void CoreScript::set(const Link& link, Place place) {
  if (link.node == kUnknown) {
    start_ = place;
    return;
  }
  auto& next = nodes_[link.node].next;
  const auto found = std::ranges::find(next, link.answer, &std::pair<std::uint32_t, Place>::first);
  if (found != next.end()) {
    found->second = place;
  } else {
    next.emplace_back(link.answer, place);
  }
}

/// kUnknown: what stands there is something else.
CoreScript::Place CoreScript::place_for(const Link& link, const CoreAction& action) {
  const Place known = follow(link);
  if (known == kUnknown) {
    const auto made = static_cast<Place>(nodes_.size());
    nodes_.push_back({.action = action, .next = {}, .spins = {}});
    set(link, made);
    return made;
  }
  if (known == kEnd) return kUnknown;
  const CoreAction& there = nodes_[known].action;
  return there == action || is_same_load(there, action) ? known : kUnknown;
}

bool CoreScript::add(const CoreTrace& trace) {
  Link link;
  for (std::size_t i = 0; i < trace.actions.size(); ++i) {
    const CoreAction& action = trace.actions[i];
    const Place place = place_for(link, action);
    if (place == kUnknown) return false;
    if (action.kind != Kind::Load) {
      link = {.node = place, .answer = 0};
      continue;
    }
    const std::size_t count = repeats(trace.actions, i);
    Node& node = nodes_[place];
    const bool goes_on = i + count < trace.actions.size();
    const bool spins = has(node.spins, action.value) || count >= kSpinning;
    if (!spins) {
      link = {.node = place, .answer = is_clock(action.address) ? 0 : action.value};
      continue;
    }
    if (!has(node.spins, action.value)) {
      node.spins.push_back(action.value);
      std::erase_if(node.next, [&](const auto& each) { return each.first == action.value; });
    }
    i += count - 1;
    if (!goes_on) return true; // it waits for ever
    // What ends the wait is the next answer of the same load; if something else comes, the core has
    // counted.
    if (!is_same_load(action, trace.actions[i + 1])) return false;
  }
  if (trace.ended && follow(link) == kUnknown) set(link, kEnd);
  return true;
}

CoreScript::Place CoreScript::behind(Place place) const {
  return follow({.node = place, .answer = 0});
}

CoreScript::Place CoreScript::behind(Place place, std::uint32_t answer) const {
  const Node& node = nodes_[place];
  if (has(node.spins, answer)) return place;
  return follow({.node = place, .answer = is_clock(node.action.address) ? 0 : answer});
}

CoreScript CoreScript::with(const std::vector<Place>& places, const std::vector<CoreAction>& added,
                            bool behind) const {
  CoreScript result = *this;
  if (added.empty()) return result;
  for (const Place place : places) {
    // The added ones take the place of the first of the chain, so that whoever leads here is right.
    std::vector<Node> chain;
    Node own = result.nodes_[place];
    const auto next = own.next;
    if (behind) chain.push_back(own);
    for (const CoreAction& action : added) chain.push_back({action, {}, {}});
    if (!behind) chain.push_back(own);
    for (Node& node : chain) node.next.clear();
    Place here = place;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const bool is_last = i + 1 == chain.size();
      const auto following = static_cast<Place>(result.nodes_.size());
      chain[i].next = is_last ? next : decltype(next){{0, following}};
      result.nodes_[here] = chain[i];
      if (is_last) break;
      result.nodes_.emplace_back();
      here = following;
    }
  }
  return result;
}

std::vector<CoreScript::Place> CoreScript::same_as(Place place) const {
  std::vector<Place> all;
  for (Place each = 0; each < nodes_.size(); ++each)
    if (nodes_[each].action == nodes_[place].action) all.push_back(each);
  return all;
}

// ---------------------------------------------------------------- ScriptFeeder

Expected<FeederStep> ScriptFeeder::step(Tile& tile) {
  if (!started_) place_ = script_.start();
  started_ = true;
  if (place_ == CoreScript::kEnd) return FeederStep::Ended;
  if (place_ == CoreScript::kUnknown) return lost();
  const CoreScript::Place here = place_;
  const std::uint64_t before = tile.state().thread[core_].actions;
  auto step = act(tile);
  done_.insert(done_.end(), tile.state().thread[core_].actions - before, here);
  return step;
}

Expected<FeederStep> ScriptFeeder::act(Tile& tile) {
  const CoreAction& action = script_.action(place_);
  switch (action.kind) {
    case Kind::Load: return load(tile, action);
    case Kind::ConfigureMop:
      tile.configure_mop(core_, action.address, action.value, action.line);
      break;
    case Kind::Store: {
      const auto stored =
          tile.store(core_, action.address, action.bytes, action.value, action.line);
      if (!stored) return Unexpected(stored.error());
      if (!*stored) return waits(wait_text(tile.core_wait(core_)));
      break;
    }
    case Kind::Push: {
      const auto& thread = tile.state().thread[core_];
      const std::size_t before = thread.queue.size();
      if (!tile.push(core_, {action.value, action.line}))
        return waits(wait_text(tile.core_wait(core_)));
      pushed_by_.insert(pushed_by_.end(), thread.queue.size() - before, place_);
      break;
    }
  }
  return went(script_.behind(place_));
}

Expected<FeederStep> ScriptFeeder::load(Tile& tile, const CoreAction& action) {
  const auto value = tile.load(core_, action.address, action.bytes, action.line);
  if (!value) return Unexpected(value.error());
  if (!*value) return waits(wait_text(tile.core_wait(core_)));
  const CoreScript::Place next = script_.behind(place_, **value);
  if (next == place_)
    return waits(fmt::format("a change at address 0x{:08X}, where it finds {} again and again",
                             action.address, **value));
  if (next == CoreScript::kUnknown) return lost();
  return went(next);
}

FeederStep ScriptFeeder::went(CoreScript::Place next) {
  place_ = next;
  return FeederStep::Went;
}

FeederStep ScriptFeeder::waits(std::string reason) {
  reason_ = std::move(reason);
  return FeederStep::Waits;
}

Unexpected ScriptFeeder::lost() {
  is_lost_ = true;
  return bad_input("the core does something here that is not known");
}

std::string ScriptFeeder::waits_for() const {
  if (place_ >= CoreScript::kUnknown || !has_line(script_.action(place_).line)) return reason_;
  return fmt::format("{}: {}", line_text(script_.action(place_).line), reason_);
}

} // namespace lanewise::tile
