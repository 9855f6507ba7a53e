// What chip/semantics/lanes.h says of lane types, for terms: lane semantics then give expressions.
// Included before any of them is used with a term.
#pragma once

#include "chip/semantics/convert.h"
#include "chip/semantics/dst_format.h"
#include "study/tune/terms.h"

namespace lanewise::semantics {

namespace detail {

/// Shifts keep the sign.
struct SignedTerm {
  tune::Term term;
  explicit SignedTerm(tune::Term of) : term(of) {}
  explicit operator tune::Term() const { return term; }
};
inline SignedTerm operator>>(SignedTerm a, int n) {
  return SignedTerm(shift_right_with_sign(a.term, static_cast<Lane>(n)));
}

template <>
struct Views<tune::Term, false> {
  using Signed = SignedTerm;
  using Mask = tune::TruthTerm;
};

template <>
inline constexpr bool in_xmm<tune::Term> = false; // whatever its size is

} // namespace detail

template <>
inline tune::TruthTerm equal<tune::Term>(tune::Term a, tune::Term b) {
  return equals(a, b);
}
template <>
inline tune::TruthTerm not_equal<tune::Term>(tune::Term a, tune::Term b) {
  return ~equals(a, b);
}
template <>
inline tune::TruthTerm greater_signed<tune::Term>(tune::Term a, tune::Term b) {
  return less_signed(b, a);
}
template <>
inline tune::TruthTerm greater_unsigned<tune::Term>(tune::Term a, tune::Term b) {
  return less_unsigned(b, a);
}
template <>
inline tune::TruthTerm at_most_unsigned<tune::Term>(tune::Term a, tune::Term b) {
  return ~less_unsigned(b, a);
}
template <>
inline tune::TruthTerm any_common_bit<tune::Term>(tune::Term a, tune::Term b) {
  return ~equals(a & b, 0);
}
template <>
inline tune::Term sign_extended<tune::Term>(tune::Term a) {
  return shift_right_with_sign(a, 31);
}
template <>
inline tune::TruthTerm negative<tune::Term>(tune::Term a) {
  return less_signed(a, 0);
}
template <>
inline tune::Term select<tune::Term>(tune::TruthTerm mask, tune::Term a, tune::Term b) {
  return choose(mask, a, b);
}
template <>
inline tune::Term keep_where<tune::Term>(tune::TruthTerm mask, tune::Term value) {
  return choose(mask, value, 0);
}
template <>
inline tune::Term shift_right_signed<tune::Term>(tune::Term a, tune::Term n) {
  return shift_right_with_sign(a, n);
}

/// By halves: where the upper half of what is left is 0, the lower one moves up.
template <>
inline tune::Term leading_zeros<tune::Term>(tune::Term x) {
  tune::Term count = 0;
  for (unsigned width = 16; width != 0; width /= 2) {
    const tune::TruthTerm is_empty = equals(x >> (32 - width), 0);
    count = count + choose(is_empty, tune::Term(width), 0);
    x = choose(is_empty, x << width, x);
  }
  return count + choose(less_signed(x, 0), tune::Term(0), 1);
}

/// Of a number that is not negative: to nearest, ties to even.
template <>
inline tune::Term float_of_int<tune::Term>(tune::Term x) {
  const tune::Term zeros = leading_zeros(x);
  const tune::Term normal = x << (zeros & 31);
  const tune::Term kept = normal >> 8, dropped = normal & 0xFF;
  const tune::Term half_up = ((dropped + 0x7F + (kept & 1)) >> 8) & 1;
  // The hidden one of `kept` adds 1 to the exponent.
  const tune::Term result = ((tune::Term(kBias + 30) - zeros) << 23) + kept + half_up;
  return choose(equals(x, 0), tune::Term(0), result);
}

} // namespace lanewise::semantics
