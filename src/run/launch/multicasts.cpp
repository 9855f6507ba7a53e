#include "run/launch/multicasts.h"

#include <fmt/format.h>

#include "base/source_line.h"
#include "run/launch/noc_waits.h"

namespace lanewise::launch {

namespace {

using noc::Location;
using noc::NocEvent;
using noc::Transaction;

constexpr std::string_view kMulticastRule = "programs 11";

} // namespace

void Multicasts::see(const NocEvent& event) {
  if (event.kind != NocEvent::Kind::Asked) return;
  const Transaction& t = *event.transaction;
  Last& last = last_[t.core][t.noc];
  const bool is_many = t.destination.memory == Location::Memory::Many;
  if (last.linked && t.kind != Transaction::Kind::Read &&
      !(is_many && t.receivers == last.linked->receivers))
    found_.add(t.core, t.line, FaultKind::UndefinedBehavior,
               fmt::format("asks for {} while the multicast of {} is linked to a next one: on "
                           "silicon, the NoC waits for that and stands still",
                           transaction_text(t), line_text(last.linked->line)),
               fmt::format("send the last of linked multicasts, that of {}, with linked = false "
                           "first",
                           line_text(last.linked->line)),
               kMulticastRule, mend_at(Mend::Kind::NoLink, t.core, last.linked->line));
  if (t.kind == Transaction::Kind::Read) return;
  if (is_atomic(t) && t.is_posted && (is_many || !record_.takes_posted_atomics))
    found_.add(t.core, t.line, FaultKind::UndefinedBehavior,
               fmt::format("asks for {} without an answer, with which the NoC may hang on silicon",
                           transaction_text(t)),
               "let it have an answer (posted = false): functions of tt-metal always do",
               kMulticastRule);
  last.line = t.line;
  last.receivers = is_many ? t.answers() : 0;
  last.is_increment = is_atomic(t);
  last.linked.reset();
  if (is_many && t.is_linked) last.linked = t;
}

void Multicasts::expect(unsigned core, unsigned noc, std::uint32_t answers) {
  if (core >= last_.size() || noc >= kNocs) return;
  Last& last = last_[core][noc];
  if (last.receivers != 0 && last.receivers != answers)
    found_.add(
        core, last.line, FaultKind::UndefinedBehavior,
        fmt::format("sends to {} cores and counts {} answers: {}", last.receivers, answers,
                    answers > last.receivers
                        ? "its barrier waits for ever"
                        : "its barrier ends before all of them have it, or never"),
        fmt::format("count {}, the cores that receive, the sender {}", last.receivers,
                    last.is_increment ? "not among them" : "among them only with _loopback_src"),
        kMulticastRule, mend_at(Mend::Kind::CountReceivers, core, last.line));
  last.receivers = 0;
}

void Multicasts::end(unsigned core) {
  for (const Last& last : last_[core]) {
    if (!last.linked) continue;
    found_.add(core, last.line, FaultKind::UndefinedBehavior,
               "the kernel ends, and its last multicast is linked to a next one: the NoC keeps its "
               "way for that",
               "send the last of linked multicasts with linked = false", kMulticastRule,
               mend_at(Mend::Kind::NoLink, core, last.line));
  }
}

} // namespace lanewise::launch
