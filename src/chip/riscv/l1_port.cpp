#include "chip/riscv/l1_port.h"

#include <algorithm>

namespace lanewise::riscv {

double Turns::free_from(double from, double cycles) const {
  if (taken_.empty() || taken_.back().end <= from) return from;
  auto span =
      std::ranges::partition_point(taken_, [from](const Span& each) { return each.end <= from; });
  for (; span != taken_.end() && span->first < from + cycles; ++span) from = span->end;
  return from;
}

double Turns::take(double from, double cycles) {
  const double first = free_from(from, cycles);
  const Span span{.first = first, .end = first + cycles};
  if (taken_.empty() || taken_.back().first < first) {
    taken_.push_back(span);
  } else {
    taken_.insert(std::ranges::partition_point(
                      taken_, [first](const Span& each) { return each.first < first; }),
                  span);
  }
  while (taken_.front().end + kRemembered < taken_.back().end) taken_.pop_front();
  return first;
}

} // namespace lanewise::riscv
