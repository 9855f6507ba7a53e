#include "run/grid/outpost.h"

#include <algorithm>

#include "run/section/section.h"

namespace lanewise::grid {

bool Outpost::exchange(noc::Noc& noc, bool is_busy,
                       const std::function<void(const launch::L1Range&)>& arrived) {
  post_.requests = 0;
  std::size_t data_used = 0, receivers_used = 0;
  while (const noc::Transaction* const sent = noc.first_sent()) {
    if (!add_request(post_, data_used, receivers_used, *sent)) break;
    noc.take_sent();
  }
  post_.posted = is_busy ? Posted::Busy : Posted::Stuck;
  give_turn(post_.turn, 1);
  if (!wait()) return false;
  post_.notes = 0;
  for (std::uint32_t i = 0; i < post_.arrivals; ++i) {
    const Arrival& arrival = post_.arrival[i];
    arrived({.address = arrival.address, .bytes = arrival.bytes, .changes = true});
  }
  for (std::uint32_t i = 0; i < post_.answers; ++i)
    noc.arrive(post_.answer[i].number, post_.answer[i].old);
  return post_.verdict == Verdict::GoOn;
}

/// For its turn. False: all is to end.
bool Outpost::wait() const {
  constexpr std::chrono::milliseconds kPatience{500};
  while (!wait_for_turn(post_.turn, 0, kPatience))
    if (section::sections_are_to_stop()) return false;
  return true;
}

void Outpost::tell(std::span<const launch::Note> notes) {
  for (const launch::Note& note : notes) {
    if (post_.notes == Post::kNotes) {
      post_.requests = 0;
      post_.posted = Posted::Notes;
      give_turn(post_.turn, 1);
      if (!wait()) return;
      post_.notes = 0;
    }
    post_.note[post_.notes++] = note;
  }
}

void Outpost::end() {
  post_.requests = 0;
  post_.posted = Posted::Ended;
  give_turn(post_.turn, 1);
}

} // namespace lanewise::grid
