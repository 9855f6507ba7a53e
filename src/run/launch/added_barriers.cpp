#include "run/launch/added_barriers.h"

#include <algorithm>
#include <utility>

#include "run/launch/noc_waits.h"

namespace lanewise::launch {

using noc::NocEvent;
using noc::Transaction;

AddedBarriers::AddedBarriers(const std::vector<Mend>& all, Passed passed)
    : all_(all), passed_(std::move(passed)) {}

bool AddedBarriers::is_clear(const Mend& barrier) const {
  return open_[barrier.core][barrier.noc][barrier.is_atomic ? 1 : 0] == 0;
}

void AddedBarriers::see(const NocEvent& event) {
  if (all_.empty() || event.transaction == nullptr) return;
  const Transaction& t = *event.transaction;
  if (!is_write(t) && !is_atomic(t)) return;
  std::uint32_t& open = open_[t.core][t.noc][is_atomic(t) ? 1 : 0];
  if (event.kind == NocEvent::Kind::Asked) {
    ++open;
    const auto found = std::ranges::find_if(all_, [&t](const Mend& each) {
      return each.kind == Mend::Kind::Barrier && each.noc == t.noc &&
             each.is_atomic == is_atomic(t) && each.is_at(t.core, t.line);
    });
    if (found != all_.end()) at_[t.core] = &*found;
  } else if (event.kind == NocEvent::Kind::Landed) {
    --open;
    if (at_[t.core] == nullptr || !is_clear(*at_[t.core])) return;
    passed_(*std::exchange(at_[t.core], nullptr));
  }
}

} // namespace lanewise::launch
