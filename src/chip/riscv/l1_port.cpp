#include "chip/riscv/l1_port.h"

#include <algorithm>

namespace lanewise::riscv {

double Turns::free_from(double from, double cycles) const {
  for (const Span& span : taken_) {
    if (span.end <= from) continue;
    if (span.first >= from + cycles) break;
    from = span.end;
  }
  return from;
}

double Turns::take(double from, double cycles) {
  const double first = free_from(from, cycles);
  const auto behind =
      std::ranges::find_if(taken_, [first](const Span& span) { return span.first >= first; });
  taken_.insert(behind, {.first = first, .end = first + cycles});
  while (taken_.front().end + kRemembered < taken_.back().end) taken_.pop_front();
  return first;
}

} // namespace lanewise::riscv
