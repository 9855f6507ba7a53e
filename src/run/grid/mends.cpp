// What races say is missing, and whether it is.
#include <algorithm>
#include <utility>

#include "base/source_line.h"
#include "run/grid/races.h"

namespace lanewise::grid {

namespace {

using launch::Mend;
using Kind = Mend::Kind;

constexpr std::uint64_t kPlaceOfDram = 64, kPlaceOfL1 = 16; ///< what places are multiples of

bool is_word_of_noc(const Access& access) {
  return access.how == How::Written && access.bytes <= kWordBytes;
}

void add_mend(std::vector<GroupMend>& all, std::size_t group, Mend mend) {
  const bool is_there = std::ranges::any_of(
      all, [&](const GroupMend& each) { return each.group == group && each.mend == mend; });
  if (!is_there) all.push_back({.group = group, .mend = std::move(mend)});
}

/// What says that an access is over, of those of the NoC.
std::optional<Mend::Of> awaited_of(How how) {
  switch (how) {
    case How::TakenByRead:
    case How::FilledByRead: return Mend::Of::Reads;
    case How::TakenByWrite:
    case How::Written: return Mend::Of::Writes;
    case How::Incremented: return Mend::Of::Atomics;
    default: return std::nullopt;
  }
}

} // namespace

std::uint64_t bytes_of_place(const Race& race) {
  const std::uint64_t unit = race.memory.is_dram ? kPlaceOfDram : kPlaceOfL1;
  const std::uint64_t bytes = std::max(race.change.bytes, race.other.bytes);
  return (bytes + unit - 1) / unit * unit;
}

Mend Races::mend_at(Kind kind, const Access& who) const {
  return {.kind = kind,
          .core = who.risc,
          .noc = who.noc,
          .line = who.line,
          .file = name_of(who.core, who.line)};
}

std::vector<GroupMend> Races::mends_of(const Race& race, Which which) const {
  using Cause = Race::Cause;
  if (which == Which::Second) {
    if (race.cause == Cause::Overtaken) return same_way(race);
    const bool has_first = race.cause != Cause::NotAwaited && race.cause != Cause::NotFree;
    return has_first ? handshake(race) : std::vector<GroupMend>{};
  }
  switch (race.cause) {
    case Cause::Overtaken: {
      Mend barrier = mend_at(Kind::Barrier, race.change);
      if (race.change.how == How::Incremented) barrier.of = Mend::Of::Atomics;
      return {{.group = device_.group[race.change.core], .mend = std::move(barrier)}};
    }
    case Cause::Passed:
      return {
          {.group = device_.group[race.other.core], .mend = mend_at(Kind::AtLeast, race.other)}};
    case Cause::LostUpdate: return added(race);
    case Cause::TwoWriters: return own_places(race);
    case Cause::NotAwaited:
    case Cause::NotFree: return handshake(race);
  }
  return {};
}

/// Data and the signals behind them by one NoC, channel and kind of packet, where the same kernel
/// sends both to the same core: of two NoCs, the kernel's own; of one receiver and many, many.
std::vector<GroupMend> Races::same_way(const Race& race) const {
  const Access& data = race.change;
  if (!race.signal || race.memory != l1_of(race.other.core) || data.core == race.other.core)
    return {};
  const std::size_t group = device_.group[data.core];
  const Access& told = race.signal->raised;
  const bool is_one_kernel =
      !race.is_relayed &&
      std::ranges::all_of(race.signals, [&](const Access& each) { return each.risc == data.risc; });
  if (!is_one_kernel || group >= device_.own_noc.size()) return {};
  Access way;
  way.is_many = data.is_many || told.is_many;
  way.noc = data.noc == told.noc ? data.noc
                                 : static_cast<std::uint8_t>(device_.own_noc[group][data.risc]);
  way.channel = data.is_many == way.is_many ? data.channel : told.channel;
  std::vector<GroupMend> all;
  const auto change = [&](const Access& who) {
    if (is_same_way(who, way)) return;
    Mend mend = mend_at(Kind::OtherWay, who);
    mend.noc = way.noc;
    mend.channel = way.channel;
    mend.is_many = way.is_many && !who.is_many;
    add_mend(all, group, std::move(mend));
  };
  change(data);
  std::ranges::for_each(race.signals, change);
  return all;
}

/// What stores to a word, or writes it, adds to it instead.
std::vector<GroupMend> Races::added(const Race& race) const {
  std::vector<GroupMend> all;
  for (const Access* const each : {&race.change, &race.other}) {
    const std::size_t group = device_.group[each->core];
    Mend mend = mend_at(Kind::Added, *each);
    if (is_word_of_noc(*each)) add_mend(all, group, mend);
    if (each->how != How::Store || !each->is_word || group >= device_.own_noc.size()) continue;
    mend.noc = device_.own_noc[group][each->risc];
    mend.address = race.begin / kWordBytes * kWordBytes;
    Mend barrier = mend;
    barrier.kind = Kind::Barrier;
    barrier.address = 0;
    barrier.of = Mend::Of::Atomics;
    add_mend(all, group, std::move(mend));
    add_mend(all, group, std::move(barrier));
  }
  return all;
}

/// Of those who write to one place all but the first a place of its own.
std::vector<GroupMend> Races::own_places(const Race& race) const {
  if (race.change.how != How::Written || race.other.how != How::Written) return {};
  std::set<std::pair<std::size_t, bool>> writers; // and whether it is as the other one
  const bool are_alike = is_alike(race.change, race.other);
  for (const auto& [first, second] : race.pairs) {
    writers.insert({first, false});
    writers.insert({second, !are_alike});
  }
  std::vector<GroupMend> all;
  std::uint64_t place = 0;
  for (const auto& [core, is_other] : writers) {
    Mend mend = mend_at(Kind::OwnPlace, is_other ? race.other : race.change);
    mend.noc = 0;
    mend.bytes = place;
    mend.only = core;
    if (place != 0) add_mend(all, device_.group[core], std::move(mend));
    place += bytes_of_place(race);
  }
  return all;
}

void Races::count_turn(const Access& access) {
  Turns& turns = turns_[{access.core, access.risc, access.line}];
  if (turns.step == access.step) return;
  turns.step = access.step;
  ++turns.count;
}

std::uint32_t Races::turns_of(std::size_t core, const Access& access) const {
  const auto found = turns_.find({core, access.risc, access.line});
  return found == turns_.end() ? 0 : found->second.count;
}

Ordered ordered(const Race& race) {
  using Cause = Race::Cause;
  const Access &change = race.change, &other = race.other;
  const bool is_other_first =
      race.cause == Cause::NotFree || race.cause == Cause::LostUpdate ||
      race.cause == Cause::Passed ||
      (race.cause == Cause::NotAwaited && changes(other.how) && !other.is_update);
  // Who frees what another one fills was not there before the first time.
  const bool is_of_rounds = race.cause == Cause::NotFree || race.cause == Cause::LostUpdate;
  return is_other_first ? Ordered{&other, &change, is_of_rounds} : Ordered{&change, &other, false};
}

/// Of a core that waits.
Races::Waits Races::waits_of(const Race& race, std::size_t core) const {
  const auto [first, second, is_of_rounds] = ordered(race);
  Waits waits{.turns = turns_of(core, *second)};
  for (const auto& [change, other] : race.pairs) {
    const bool is_change_first = first == &race.change;
    if ((is_change_first ? other : change) == core)
      waits.raises += turns_of(is_change_first ? change : other, *first);
  }
  waits.begins = is_of_rounds && waits.turns > 1;
  return waits;
}

Races::Waits Races::waits_of(const Race& race) const {
  return waits_of(race, ordered(race).second->core);
}

/// Behind what is to be first, its core raises a free semaphore of the other one, which waits for
/// it. Units cannot be held back.
std::vector<GroupMend> Races::handshake(const Race& race) const {
  const auto [first, second, is_of_rounds] = ordered(race);
  const auto is_of_unit = [](const Access& each) {
    return each.how == How::Unpack || each.how == How::Pack;
  };
  if (!race.free_word || is_of_unit(*first) || is_of_unit(*second)) return {};
  std::map<std::size_t, std::vector<unsigned>> receivers; // by who raises
  std::set<std::size_t> waiting;
  for (const auto& [change, other] : race.pairs) {
    const bool is_change_first = first == &race.change;
    const std::size_t to = is_change_first ? other : change;
    receivers[is_change_first ? change : other].push_back(device_.cores[to]);
    waiting.insert(to);
  }
  std::vector<GroupMend> all;
  for (const auto& [core, to] : receivers) {
    const std::size_t group = device_.group[core];
    if (group >= device_.own_noc.size()) return {};
    Mend raise = mend_at(Kind::Raise, *first);
    raise.noc = device_.own_noc[group][first->risc];
    raise.address = *race.free_word;
    raise.receivers = to;
    raise.only = core;
    if (const auto of = awaited_of(first->how)) {
      Mend barrier = mend_at(Kind::Barrier, *first);
      barrier.of = *of;
      barrier.only = core;
      add_mend(all, group, std::move(barrier));
    }
    add_mend(all, group, std::move(raise));
  }
  for (const std::size_t core : waiting) {
    const Waits waits = waits_of(race, core);
    if (waits.raises == 0 || waits.turns == 0) return {};
    Mend await = mend_at(Kind::Await, *second);
    await.noc = 0;
    await.address = *race.free_word;
    await.raises = waits.raises;
    await.turns = waits.turns;
    await.begins = waits.begins;
    await.only = core;
    add_mend(all, device_.group[core], std::move(await));
  }
  return all;
}

/// Of two runs: numbers of lines of other files are those of one.
bool Races::is_same(const Access& access, const Races& other, const Access& of_other) const {
  const std::string name = name_of(access.core, access.line);
  return access.how == of_other.how && access.risc == of_other.risc &&
         device_.group[access.core] == device_.group[of_other.core] &&
         name == other.name_of(of_other.core, of_other.line) &&
         (!name.empty() || access.line == of_other.line);
}

bool Races::has(const Races& other, const Race& of_other) const {
  return std::ranges::any_of(found_, [&](const Race& each) {
    return is_same(each.change, other, of_other.change) &&
           is_same(each.other, other, of_other.other);
  });
}

bool Races::are_new(const Races& tried) const {
  return std::ranges::any_of(tried.found_, [&](const Race& each) { return !has(tried, each); });
}

void Races::judge(const Races& tried, const Ending& ending, const Mends& with) {
  const auto has_all = [&](const std::vector<GroupMend>& all) {
    return !all.empty() && std::ranges::all_of(all, [&](const GroupMend& each) {
      return std::ranges::find(with[each.group], each.mend) != with[each.group].end();
    });
  };
  for (Race& race : found_) {
    const bool is_gone = !tried.has(*this, race);
    for (const Which which : {Which::First, Which::Second}) {
      const std::vector<GroupMend> mends = mends_of(race, which);
      const bool is_barrier = race.cause == Race::Cause::Overtaken && which == Which::First;
      if (!has_all(mends) || (is_barrier && !ending.is_done)) continue;
      const bool helps = is_gone && (is_barrier || ending.is_clean);
      Trial& trial = race.trial[static_cast<std::size_t>(which)];
      if (!launch::helps(trial))
        trial = !helps ? Trial::Fails : ending.is_alone ? Trial::HelpsAlone : Trial::Helps;
      if (helps && race.cause == Race::Cause::LostUpdate && which == Which::First) {
        const auto own = tried.own_increments_.find({race.other.core, race.other.line});
        if (race.other.line < kFirstPlace && own != tried.own_increments_.end())
          race.added = own->second;
      }
    }
  }
}

} // namespace lanewise::grid
