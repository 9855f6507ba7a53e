#include "chip/riscv/l1_port.h"

#include <algorithm>

namespace lanewise::riscv {

double Turns::free_from(double from, double cycles) const {
  auto span =
      std::ranges::partition_point(taken_, [from](const Span& each) { return each.end <= from; });
  for (; span != taken_.end() && span->first < from + cycles; ++span) from = span->end;
  return from;
}

double Turns::take(double from, double cycles) {
  const double first = free_from(from, cycles);
  const auto behind = std::ranges::partition_point(
      taken_, [first](const Span& each) { return each.first < first; });
  taken_.insert(behind, {.first = first, .end = first + cycles});
  while (taken_.front().end + kRemembered < taken_.back().end) taken_.pop_front();
  return first;
}

} // namespace lanewise::riscv
