#include "run/launch/noc_waits.h"

namespace lanewise::launch {

using noc::Transaction;

bool is_write(const Transaction& t) {
  return t.kind == Transaction::Kind::Write || t.kind == Transaction::Kind::Inline;
}

bool is_atomic(const Transaction& t) {
  return t.kind == Transaction::Kind::Increment || t.kind == Transaction::Kind::Swap;
}

bool NocWait::covers(const Transaction& t) const {
  if (t.core != core || t.noc != noc) return false;
  switch (what) {
    case What::Reads: return t.kind == Transaction::Kind::Read;
    case What::Writes: return is_write(t) && !t.is_posted;
    case What::PostedWrites: return is_write(t) && t.is_posted;
    case What::Atomics: return is_atomic(t) && !t.is_posted;
    case What::PostedAtomics: return is_atomic(t) && t.is_posted;
    // What is outstanding has an answer to come; what is outgoing reads its data.
    case What::AllOfTag:
      return t.tag == tag && (have_left ? t.kind == Transaction::Kind::Write : !t.is_posted);
  }
  return false;
}

void NocWaits::ask(const Transaction& t) {
  Asked& asked = asked_[t.noc];
  if (t.kind == Transaction::Kind::Read) ++asked.reads;
  if (is_write(t)) ++(t.is_posted ? asked.posted : asked.writes);
  if (is_write(t) && !t.is_posted) asked.acks += t.answers();
  if (is_atomic(t) && t.is_posted) ++asked.posted_atomics;
  if (is_atomic(t) && !t.is_posted) asked.atomics += t.answers();
}

std::optional<NocWait> NocWaits::look(const noc::NocEvent& event) const {
  using What = NocWait::What;
  const Asked& asked = asked_[event.noc];
  const auto if_so = [&](bool is_so, What what, bool have_left = false, unsigned tag = 0) {
    return is_so ? std::optional<NocWait>({.what = what,
                                           .have_left = have_left,
                                           .core = event.core,
                                           .noc = event.noc,
                                           .tag = tag})
                 : std::nullopt;
  };
  if (event.status >= noc::kOutgoingOfTag)
    return if_so(event.value == 0, What::AllOfTag, true, event.status - noc::kOutgoingOfTag);
  if (event.status >= noc::kOutstandingOfTag)
    return if_so(event.value == 0, What::AllOfTag, false, event.status - noc::kOutstandingOfTag);
  switch (event.status) {
    case noc::kReadsAnswered: return if_so(event.value == asked.reads, What::Reads);
    case noc::kWritesAcked: return if_so(event.value == asked.acks, What::Writes);
    case noc::kWritesSent: return if_so(event.value == asked.writes, What::Writes, true);
    case noc::kPostedWritesSent:
      return if_so(event.value == asked.posted, What::PostedWrites, true);
    case noc::kAtomicsAnswered: return if_so(event.value == asked.atomics, What::Atomics);
    case noc::kPostedAtomicsSent:
      return if_so(event.value == asked.posted_atomics, What::PostedAtomics, true);
    default: return std::nullopt;
  }
}

} // namespace lanewise::launch
