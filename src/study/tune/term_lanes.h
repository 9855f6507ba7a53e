// What chip/semantics/lanes.h says of lane types, for terms: lane semantics then give expressions.
// Included before any of them is used with a term.
#pragma once

#include "chip/semantics/convert.h"
#include "chip/semantics/dst_format.h"
#include "study/tune/terms.h"

namespace lanewise::tune {

/// A term whose shifts to the right keep the sign.
struct SignedTerm {
  Term term;
  explicit SignedTerm(Term of) : term(of) {}
  explicit operator Term() const { return term; }
};
inline SignedTerm operator>>(SignedTerm a, int n) {
  return SignedTerm(shift_right_with_sign(a.term, static_cast<std::uint32_t>(n)));
}

} // namespace lanewise::tune

// Specialisations of what lies in another room.

template <>
struct lanewise::semantics::detail::Views<lanewise::tune::Term, false> {
  using Signed = tune::SignedTerm;
  using Mask = tune::TruthTerm;
};

template <>
inline constexpr bool lanewise::semantics::detail::in_xmm<lanewise::tune::Term> =
    false; // whatever its size is

template <>
inline auto lanewise::semantics::equal<lanewise::tune::Term>(tune::Term a, tune::Term b)
    -> tune::TruthTerm {
  return equals(a, b);
}
template <>
inline auto lanewise::semantics::not_equal<lanewise::tune::Term>(tune::Term a, tune::Term b)
    -> tune::TruthTerm {
  return ~equals(a, b);
}
template <>
inline auto lanewise::semantics::greater_signed<lanewise::tune::Term>(tune::Term a, tune::Term b)
    -> tune::TruthTerm {
  return less_signed(b, a);
}
template <>
inline auto lanewise::semantics::greater_unsigned<lanewise::tune::Term>(tune::Term a, tune::Term b)
    -> tune::TruthTerm {
  return less_unsigned(b, a);
}
template <>
inline auto lanewise::semantics::at_most_unsigned<lanewise::tune::Term>(tune::Term a, tune::Term b)
    -> tune::TruthTerm {
  return ~less_unsigned(b, a);
}
template <>
inline auto lanewise::semantics::any_common_bit<lanewise::tune::Term>(tune::Term a, tune::Term b)
    -> tune::TruthTerm {
  return ~equals(a & b, 0);
}
template <>
inline auto lanewise::semantics::sign_extended<lanewise::tune::Term>(tune::Term a) -> tune::Term {
  return shift_right_with_sign(a, 31);
}
template <>
inline auto lanewise::semantics::negative<lanewise::tune::Term>(tune::Term a) -> tune::TruthTerm {
  return less_signed(a, 0);
}
template <>
inline auto lanewise::semantics::select<lanewise::tune::Term>(tune::TruthTerm mask, tune::Term a,
                                                              tune::Term b) -> tune::Term {
  return choose(mask, a, b);
}
template <>
inline auto lanewise::semantics::keep_where<lanewise::tune::Term>(tune::TruthTerm mask,
                                                                  tune::Term value) -> tune::Term {
  return choose(mask, value, 0);
}
template <>
inline auto lanewise::semantics::shift_right_signed<lanewise::tune::Term>(tune::Term a,
                                                                          tune::Term n)
    -> tune::Term {
  return shift_right_with_sign(a, n);
}

/// By halves: where the upper half of what is left is 0, the lower one moves up.
template <>
inline auto lanewise::semantics::leading_zeros<lanewise::tune::Term>(tune::Term x) -> tune::Term {
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
inline auto lanewise::semantics::float_of_int<lanewise::tune::Term>(tune::Term x) -> tune::Term {
  const tune::Term zeros = leading_zeros(x);
  const tune::Term normal = x << (zeros & 31);
  const tune::Term kept = normal >> 8, dropped = normal & 0xFF;
  const tune::Term half_up = ((dropped + 0x7F + (kept & 1)) >> 8) & 1;
  // The hidden one of `kept` adds 1 to the exponent.
  const tune::Term result = ((tune::Term(kBias + 30) - zeros) << 23) + kept + half_up;
  return choose(equals(x, 0), tune::Term(0), result);
}
