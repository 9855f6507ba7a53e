#include "chip/clock/front_end.h"

#include <algorithm>

namespace lanewise::clock {

void FrontEnd::push(std::uint64_t cycle, const tile::Expansion& expansion) {
  while (!taken_.empty() && taken_.front() <= cycle) taken_.pop_front();
  replays_ += expansion.replays;
  words_.push_back({.pushed = cycle,
                    .instructions = expansion.instructions,
                    .is_mop = expansion.is_mop,
                    .gaps = replays_ / chip_.replays_a_gap});
  replays_ %= chip_.replays_a_gap;
  expand();
}

std::optional<std::uint64_t> FrontEnd::room_from() const {
  // Words that stand in front of the expanders. One that is being expanded has left.
  const bool has_begun = !words_.empty() && words_.front().done > 0;
  const std::size_t untaken = words_.size() - (has_begun ? 1 : 0);
  if (untaken >= chip_.pushed_words) return std::nullopt;
  // As many of those that are taken in later may still be there.
  const std::size_t allowed = chip_.pushed_words - untaken;
  if (taken_.size() < allowed) return 0;
  return taken_[taken_.size() - allowed];
}

void FrontEnd::issue(std::uint64_t cycle) {
  arrivals_.pop_front();
  gate_free_ = cycle;
  expand();
}

void FrontEnd::take_in(const Word& word) {
  if (after_mop_ && !word.is_mop) free_ += chip_.after_mop;
  free_ = std::max(free_, word.pushed + chip_.push_latency);
  taken_.push_back(free_);
}

/// As many gaps cut a word into one piece more.
void FrontEnd::lose_at_gap(Word& word) {
  if (word.lost == word.gaps) return;
  if (word.done < word.instructions * (word.lost + 1) / (word.gaps + 1)) return;
  ++word.lost;
  ++free_;
}

/// Puts out what there is room for behind the expanders. An instruction that has to wait for room
/// comes out when the gate has let one pass.
void FrontEnd::expand() {
  while (!words_.empty()) {
    Word& word = words_.front();
    const bool needs_room = word.instructions > 0;
    if (needs_room && arrivals_.size() >= chip_.expanded) return;
    if (word.done == 0) take_in(word);
    if (needs_room) {
      // A full queue has let the expanders wait until the last issue.
      if (arrivals_.size() + 1 == chip_.expanded && gate_free_ > 0)
        free_ = std::max(free_, gate_free_);
      arrivals_.push_back(free_ + chip_.gate_latency);
      ++word.done;
    }
    ++free_;
    lose_at_gap(word);
    if (word.done < word.instructions) continue;
    after_mop_ = word.is_mop;
    words_.pop_front();
  }
}

} // namespace lanewise::clock
