#include "run/launch/added_barriers.h"

#include <algorithm>
#include <utility>

#include "run/launch/noc_waits.h"

namespace lanewise::launch {

using noc::NocEvent;
using noc::Transaction;

AddedBarriers::AddedBarriers(const std::vector<Mend>& all, Passed passed)
    : all_(all), passed_(std::move(passed)) {}

namespace {

Mend::Of of_transaction(const Transaction& t) {
  return is_atomic(t) ? Mend::Of::Atomics : is_write(t) ? Mend::Of::Writes : Mend::Of::Reads;
}

} // namespace

bool AddedBarriers::is_clear(const Mend& barrier) const {
  return open_[barrier.core][barrier.noc][static_cast<std::size_t>(barrier.of)] == 0;
}

void AddedBarriers::see(const NocEvent& event) {
  if (all_.empty() || event.transaction == nullptr) return;
  const Transaction& t = *event.transaction;
  const Mend::Of of = of_transaction(t);
  std::uint32_t& open = open_[t.core][t.noc][static_cast<std::size_t>(of)];
  if (event.kind == NocEvent::Kind::Asked) {
    ++open;
    const auto found = std::ranges::find_if(all_, [&t, of](const Mend& each) {
      return each.kind == Mend::Kind::Barrier && each.noc == t.noc && each.of == of &&
             each.is_at(t.core, t.line);
    });
    if (found != all_.end()) at_[t.core] = &*found;
  } else if (event.kind == NocEvent::Kind::Landed) {
    --open;
    if (at_[t.core] == nullptr || !is_clear(*at_[t.core])) return;
    passed_(*std::exchange(at_[t.core], nullptr));
  }
}

} // namespace lanewise::launch
