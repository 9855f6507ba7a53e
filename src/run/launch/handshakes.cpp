#include "run/launch/handshakes.h"

#include <algorithm>

namespace lanewise::launch {

using noc::Location;
using noc::NocEvent;

Handshakes::Handshakes(unsigned core, unsigned own, const std::vector<Mend>& mends, noc::Noc& noc)
    : core_(core), own_(own), noc_(noc) {
  for (const Mend& each : mends) {
    if (each.core != core) continue;
    if (each.kind == Mend::Kind::Raise) raises_.push_back({.mend = &each});
    if (each.kind == Mend::Kind::Await) awaits_.push_back({.mend = &each});
  }
}

bool Handshakes::come_to(std::uint32_t line) {
  for (Raise& each : raises_) each.is_due = each.is_due || each.mend->is_at(core_, line);
  for (Await& each : awaits_) {
    if (each.last_turn == turn_ || !each.mend->is_at(core_, line)) continue;
    each.last_turn = turn_;
    const Mend& mend = *each.mend;
    const std::uint64_t before = mend.begins ? each.turns : each.turns + 1;
    ++each.turns;
    // In as many turns of this line it is raised so often: of a part of them as large a part.
    const std::uint64_t least = (before * mend.raises + mend.turns - 1) / mend.turns;
    if (least != 0)
      words_.push_back(
          {.word = mend.address, .least = static_cast<std::uint32_t>(least), .line = line});
  }
  return !words_.empty();
}

bool Handshakes::is_at(std::uint32_t line) const {
  return std::ranges::any_of(
      raises_, [&](const Raise& each) { return each.is_due && each.mend->is_at(core_, line); });
}

void Handshakes::end_turn() {
  ++turn_;
  for (Raise& each : raises_) {
    if (!each.is_due) continue;
    each.is_due = false;
    for (const unsigned receiver : each.mend->receivers) {
      open_.insert(noc_.asked());
      Location word{.address = each.mend->address};
      if (receiver != own_) {
        word.memory = Location::Memory::OtherL1;
        word.bank = receiver;
      }
      noc_.increment(core_, each.mend->noc, word, 1, each.mend->line);
    }
  }
}

bool Handshakes::see(const NocEvent& event) {
  return event.kind == NocEvent::Kind::Landed && open_.erase(event.transaction->number) != 0;
}

} // namespace lanewise::launch
