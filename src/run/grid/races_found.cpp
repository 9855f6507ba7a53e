// What of two accesses without an order is a race, and what is missing between them.
#include <algorithm>
#include <utility>

#include "run/grid/races.h"
#include "source/programs/layout.h"

namespace lanewise::grid {

namespace {

constexpr std::size_t kMostTold = 1 << 12; ///< pairs of accesses that are remembered

/// How words are looked at and raised: by that, cores tell each other something, and it is an order
/// instead of needing one.
bool is_signalling(const Access& a, const Access& b) {
  if (a.how == How::Incremented && b.how == How::Incremented) return true;
  const auto looks_at = [](const Access& look, const Access& raise) {
    const bool raises = comes_by_noc(raise.how) && raise.bytes <= kWordBytes;
    if (look.how == How::Load) return look.is_word && raises;
    if (look.how == How::TakenByWrite) return look.bytes <= kWordBytes && raises;
    return look.how == How::TakenByRead && look.bytes <= kLookBytes &&
           (raises || (raise.how == How::Store && raise.is_word));
  };
  return looks_at(a, b) || looks_at(b, a);
}

} // namespace

void Races::tell(const Memory& memory, const Accesses::Cell& cell, const Access& a,
                 const Access& b) {
  if (is_in_its_own(memory, a, b) || is_signalling(a, b)) return;
  Race race{.cause = Race::Cause::NotAwaited, .change = a, .other = b, .memory = memory};
  race.begin = std::max(a.address, b.address);
  race.end = std::min(a.address + a.bytes, b.address + b.bytes);
  // Of two that change something, the one that comes from elsewhere is the change.
  const auto is_elsewhere = [&](const Access& each) {
    return memory.is_dram || device_.cores[each.core] != memory.number;
  };
  if (changes(b.how) && !is_elsewhere(a) && is_elsewhere(b)) std::swap(race.change, race.other);
  if (!is_new(race)) return;
  explain(race, cell);
  add(std::move(race));
}

void Races::tell_passed(const Memory& memory, const Word::ExactWait& wait, const Access& access) {
  if (wait.look.core == access.core) return;
  Race race{.cause = Race::Cause::Passed, .change = access, .other = wait.look, .memory = memory};
  race.begin = wait.look.address;
  race.end = race.begin + kWordBytes;
  race.value = wait.value;
  if (is_new(race)) add(std::move(race));
}

bool Races::is_new(const Race& race) {
  const auto key = [](const Access& each) {
    return std::uint64_t{each.core} << 40 | std::uint64_t{each.risc} << 36 |
           std::uint64_t{static_cast<unsigned>(each.how)} << 32 | each.line;
  };
  return told_.size() < kMostTold && told_
                                         .insert({race.memory.is_dram ? 1U : 0U, race.memory.number,
                                                  key(race.change), key(race.other)})
                                         .second;
}

void Races::add(Race race) {
  const std::pair<std::uint16_t, std::uint16_t> pair{race.change.core, race.other.core};
  // The first thing that somebody does too early, or too late, is told.
  const auto known = std::ranges::find_if(found_, [&](const Race& each) {
    return each.cause == race.cause && is_alike(each.change, race.change) &&
           is_alike(each.other, race.other);
  });
  if (race.signal) {
    Race& one = known == found_.end() ? race : *known;
    const Access& raised = race.signal->raised;
    const auto is_its = [&](const Access& each) { return is_alike(each, raised); };
    if (std::ranges::none_of(one.signals, is_its)) one.signals.push_back(raised);
    one.is_relayed = one.is_relayed || raised.core != race.change.core;
  }
  if (known == found_.end()) {
    race.pairs.push_back(pair);
    if (found_.size() < device_.free_words.size())
      race.free_word = device_.free_words[found_.size()];
    found_.push_back(std::move(race));
  } else if (std::ranges::find(known->pairs, pair) == known->pairs.end()) {
    known->pairs.push_back(pair);
  }
}

/// Of transactions, the line counts: it is the one that is to be mended.
bool Races::is_alike(const Access& a, const Access& b) const {
  return a.risc == b.risc && device_.group[a.core] == device_.group[b.core] &&
         (!comes_by_noc(a.how) || a.line == b.line) && comes_by_noc(a.how) == comes_by_noc(b.how);
}

void Races::explain(Race& race, const Accesses::Cell& cell) const {
  using Cause = Race::Cause;
  const Access &change = race.change, &other = race.other;
  const bool is_of_words =
      change.how == How::Incremented || other.how == How::Incremented ||
      (!race.memory.is_dram && programs::is_semaphore(race.begin) && changes(other.how));
  if (is_of_words && changes(other.how)) {
    race.cause = Cause::LostUpdate;
    return;
  }
  const bool is_of_one_tile = change.core == other.core;
  if ((comes_by_noc(change.how) || is_of_one_tile) &&
      (comes_by_noc(other.how) || (is_of_one_tile && changes(other.how)))) {
    race.cause = Cause::TwoWriters;
    return;
  }
  const Stamp reader = walker(other.core, other.risc).now();
  if (comes_by_noc(change.how) && reader.knows(change.asker, change.step)) {
    // What it has heard behind the access is too late.
    bool is_late = false;
    for (const Signal& signal : cores_[other.core].heard) {
      if (!signal.stamp.knows(change.asker, change.step)) continue;
      is_late = signal.hearer == other.asker && signal.step >= other.step;
      if (is_late) continue;
      race.signal = signal;
      break;
    }
    if (race.signal || !is_late) {
      race.cause = Cause::Overtaken;
      return;
    }
  }
  // Who knows what was there before has waited for that, and is still at it.
  const auto was_heard = [&](const Access& earlier) {
    return earlier.core != other.core && knows(reader, earlier);
  };
  const bool is_used =
      std::ranges::any_of(cell.changes, was_heard) || (cell.before && was_heard(*cell.before));
  race.cause = is_used ? Cause::NotFree : Cause::NotAwaited;
}

bool Races::was_written(const Memory& memory, std::uint64_t begin, std::uint64_t bytes) const {
  const auto host = device_.written.find(memory);
  if (host != device_.written.end() && host->second.has_any(begin, begin + bytes)) return true;
  const auto accesses = accesses_.find(memory);
  return accesses != accesses_.end() && accesses->second.was_changed(begin, begin + bytes);
}

void Races::take_zeros(std::size_t core, const noc::Transaction& t) {
  const auto memory = memory_at(core, t.source);
  if (!memory || was_written(*memory, t.source.address, t.bytes)) return;
  const auto known = std::ranges::find_if(unwritten_, [&](const Unwritten& each) {
    return each.read.line == t.line && each.read.core == t.core &&
           device_.group[each.core] == device_.group[core] &&
           each.memory.is_dram == memory->is_dram;
  });
  if (known == unwritten_.end()) {
    unwritten_.push_back({.core = core, .read = t, .memory = *memory, .of = {core}});
  } else {
    known->of.insert(core);
  }
}

std::vector<Unwritten> Races::unwritten() const {
  std::vector<Unwritten> all = unwritten_;
  std::erase_if(all, [this](const Unwritten& each) {
    return was_written(each.memory, each.read.source.address, each.read.bytes);
  });
  return all;
}

} // namespace lanewise::grid
