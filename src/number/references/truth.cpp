// Comparisons of enclosures, and what is decided by them.
#include "number/references/enclosure.h"

namespace lanewise::references {
namespace {

/// 1, 0 or open.
Enclosure truth_value(bool is_true, bool is_false, bool maybe_nan) {
  if (is_true) return maybe_nan ? Enclosure::between(0, 1) : Enclosure(1);
  return is_false ? Enclosure(0) : Enclosure::between(0, 1);
}

/// Whether every number of `a` is below every number of `b`.
bool all_below(const Enclosure& a, const Enclosure& b) {
  const bool touch_nowhere = a.high_open || b.low_open;
  return mpfr_less_p(a.high, b.low) != 0 || (touch_nowhere && mpfr_lessequal_p(a.high, b.low) != 0);
}

bool all_at_most(const Enclosure& a, const Enclosure& b) {
  return mpfr_lessequal_p(a.high, b.low) != 0;
}

} // namespace

Enclosure less(const Enclosure& a, const Enclosure& b) {
  if (a.is_nan || b.is_nan) return Enclosure(0);
  return truth_value(all_below(a, b), all_at_most(b, a), a.maybe_nan || b.maybe_nan);
}

Enclosure less_equal(const Enclosure& a, const Enclosure& b) {
  if (a.is_nan || b.is_nan) return Enclosure(0);
  return truth_value(all_at_most(a, b), all_below(b, a), a.maybe_nan || b.maybe_nan);
}

Enclosure equal(const Enclosure& a, const Enclosure& b) {
  if (a.is_nan || b.is_nan) return Enclosure(0);
  const bool is_same = all_at_most(a, b) && all_at_most(b, a);
  return truth_value(is_same, all_below(a, b) || all_below(b, a), a.maybe_nan || b.maybe_nan);
}

Enclosure truth(const Enclosure& a) {
  if (a.is_nan) return Enclosure(0);
  const Enclosure zero(0);
  const bool is_zero = a.low.is_zero() && a.high.is_zero();
  return truth_value(all_below(zero, a) || all_below(a, zero), is_zero, a.maybe_nan);
}

Enclosure logical_not(const Enclosure& a) {
  return Enclosure(1) - truth(a);
}

Enclosure choose(const Enclosure& condition, const Enclosure& a, const Enclosure& b) {
  const Enclosure t = truth(condition);
  if (t.is_point()) return t.low.is_zero() ? b : a;
  return hull(a, b);
}

} // namespace lanewise::references
