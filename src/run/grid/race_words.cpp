// Words by which cores go, for who looks for races: who has heard of what by them.
#include <algorithm>

#include "run/grid/races.h"

namespace lanewise::grid {

namespace {

using launch::Note;
using noc::Transaction;

constexpr std::size_t kMostSignals = 8, kMostHeard = 64;

} // namespace

bool Races::hear_word(std::size_t core, const Note& note) {
  const std::uint64_t address = note.source.address;
  Walker& who = walker(core, note.core);
  if (const auto word = words_.find({l1_of(core), address}); word != words_.end()) {
    const bool is_wait = (note.flags & (Note::kIsExact | Note::kIsAtLeast)) != 0;
    if (is_wait) {
      word->second.tell(who, note.value, note.what);
    } else {
      word->second.tell(who);
    }
    const Stamp then = who.tell();
    if ((note.flags & Note::kIsExact) != 0) {
      Access look{.how = How::Load};
      look.risc = static_cast<std::uint8_t>(note.core);
      look.is_word = true;
      look.core = static_cast<std::uint16_t>(core);
      look.line = note.line;
      look.bytes = kWordBytes;
      look.address = address;
      look.asker = then.own;
      look.step = then.step;
      word->second.await_exactly({.look = look, .value = note.what});
    }
    auto& heard = cores_[core].heard;
    for (const Signal& signal : word->second.signals) {
      const bool is_known = std::ranges::any_of(heard, [&](const Signal& each) {
        return each.raised.core == signal.raised.core &&
               each.raised.number == signal.raised.number && each.hearer == then.own;
      });
      if (is_known) continue;
      if (heard.size() == kMostHeard) heard.pop_front();
      heard.push_back(signal);
      heard.back().hearer = then.own;
      heard.back().step = then.step;
    }
    return true;
  }
  // Part of something longer that has come.
  const auto accesses = accesses_.find(l1_of(core));
  const Accesses::Cell* const cell =
      accesses == accesses_.end() ? nullptr : accesses->second.at(address);
  if (cell == nullptr) return true;
  for (const Access& last : cell->changes) {
    if (!comes_by_noc(last.how)) continue;
    who.raise(last.counter, last.time);
    who.raise(last.way, last.way_time);
    who.raise(last.asker, last.step);
  }
  return true;
}

void Races::raise(Word& word, const Open& open, const Access& access, const Memory& where) {
  const Word::Raise raise{
      .stamp = open.stamp, .way = access.way, .way_time = access.way_time, .by = open.by};
  if (open.kind == Transaction::Kind::Increment) {
    for (const Word::ExactWait& wait : word.exact_waits())
      if (!open.stamp.knows(wait.look.asker, wait.look.step)) tell_passed(where, wait, access);
    word.add(raise);
  } else {
    word.set(raise);
  }
  std::erase_if(word.signals, [&](const Signal& each) {
    return each.raised.core == access.core && each.raised.line == access.line;
  });
  if (word.signals.size() == kMostSignals) word.signals.erase(word.signals.begin());
  word.signals.push_back({.raised = access, .stamp = open.stamp});
}

} // namespace lanewise::grid
