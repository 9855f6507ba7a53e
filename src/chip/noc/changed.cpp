// What is asked for in another way than kernels do, to try what would become of it.
#include <utility>

#include "chip/noc/noc.h"

namespace lanewise::noc {

std::uint32_t Noc::count_answers(unsigned core, unsigned noc, std::uint32_t counted) {
  if (noc >= kNocs || core >= last_.size()) return counted;
  const Last& last = last_[core][noc];
  if (!is_changed(Change::CountReceivers, core, last.line)) return counted;
  niu_[noc].counted[last.is_atomic ? kAtomicsAnswered : kWritesAcked] += counted - last.answers;
  return last.answers;
}

/// What a core counts of a transaction beside the NIU, it finds there: at once of one that is asked
/// for in another way, and not at all of what comes in its place.
void Noc::recount(const Transaction& t, bool is_counted) {
  auto& counted = niu_[t.noc].counted;
  const auto add = [&](Status counter, std::uint32_t by) {
    counted[counter] += is_counted ? by : -by;
  };
  add(counter_of_sent(t), 1);
  if (const auto answers = counter_of_answers(t)) add(*answers, t.answers());
}

void Noc::increment(unsigned core, unsigned noc, const Location& word, std::uint32_t by,
                    std::uint32_t line) {
  constexpr unsigned kWriteChannel = 1, kWordBytes = 4, kResultAddress = 4;
  Transaction t{.kind = Transaction::Kind::Increment,
                .number = asked_,
                .core = core,
                .noc = noc,
                .line = line,
                .bytes = kWordBytes,
                .value = by,
                .channel = kWriteChannel,
                .result_address = kResultAddress};
  t.destination = word;
  recount(t, false);
  begin(std::move(t));
}

} // namespace lanewise::noc
