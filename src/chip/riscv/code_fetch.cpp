#include "chip/riscv/code_fetch.h"

#include <algorithm>
#include <cmath>

namespace lanewise::riscv {

namespace {

constexpr double kWordsOfLine = CodeFetch::kLineBytes / 4.0;

} // namespace

CodeFetch::CodeFetch(const CoreCostParams& costs, unsigned core, L1Port& port)
    : costs_(costs),
      port_(port),
      interval_(costs.line_interval[core]),
      lines_(costs.code_cache_bytes[core] / kLineBytes, kNoLine) {}

bool CodeFetch::is_cached(std::uint32_t line) {
  const std::size_t ways = costs_.code_cache_ways;
  const std::size_t set = line % (lines_.size() / ways);
  const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(set * ways);
  const auto end = first + static_cast<std::ptrdiff_t>(ways);
  const auto found = std::find(first, end, line);
  const bool is_there = found != end;
  const auto place = is_there ? found : end - 1;
  std::rotate(first, place, place + 1);
  *first = line;
  return is_there;
}

std::uint64_t CodeFetch::next_line(std::uint32_t line, std::uint64_t now) {
  line_ = line;
  last_ = (last_ + 1) % costs_.lines_ahead;
  was_missed_ = !is_cached(line);
  if (was_missed_) {
    // entered_[last_] is still that of the line for which this one was asked ahead.
    const double asked = std::max(static_cast<double>(entered_[last_]), next_fetch_);
    next_fetch_ = asked + interval_;
    const double had = port_.reads.take(asked, 1);
    now = std::max(now, static_cast<std::uint64_t>(std::ceil(had + costs_.load_l1)));
  }
  entered_[last_] = now;
  return now;
}

/// Where the line has come from L1, so would the others.
unsigned CodeFetch::further_word() {
  if (!was_missed_) return 1;
  next_fetch_ += interval_ / kWordsOfLine;
  further_ += interval_ / kWordsOfLine;
  const auto cycles = std::max(1U, static_cast<unsigned>(further_));
  further_ = std::max(0.0, further_ - cycles);
  return cycles;
}

/// What comes behind it would have come from L1 so much earlier.
void CodeFetch::word_less() {
  if (was_missed_) next_fetch_ -= interval_ / kWordsOfLine;
}

void CodeFetch::restart(std::uint64_t now) {
  entered_.fill(now);
  line_ = kNoLine;
}

} // namespace lanewise::riscv
