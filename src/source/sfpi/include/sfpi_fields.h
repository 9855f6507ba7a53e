// Library: fields of floats, signs, leading zeros, shifts.
#pragma once

#include "sfpi_operators.h"
#include "sfpi_predicate.h"

namespace sfpi {

// ------------------------------------------------------------------------------------ Reading

namespace impl_ {

/// For functions that came behind release 5.0 and count on lanes of 32 bits.
template <class T>
constexpr void require_later_library() {
  static_assert(available<Chip::later_library, sizeof(T)>,
                "this function came with SFPI 7, which does not know Grayskull");
}

} // namespace impl_

/// The exponent of a float, with or without its bias of 127.
inline vInt exexp(const vFloat& v, ExponentMode mode = ExponentMode::Unbiased) {
  const unsigned mod =
      mode == ExponentMode::Unbiased ? SFPEXEXP_MOD1_DEBIAS : SFPEXEXP_MOD1_NODEBIAS;
  return vInt(lanewise_sfpi::unary(lanewise_sfpi::kSfpExExp, mod, v.get()));
}
inline vInt exexp_nodebias(const vFloat& v) {
  return exexp(v, ExponentMode::Biased);
}

/// The mantissa of a float as an integer of 23 bits, or of 24 with the implicit one.
inline vMag exman(const vFloat& v, MantissaMode mode = MantissaMode::FractionOnly) {
  const unsigned mod = mode == MantissaMode::FractionOnly ? SFPEXMAN_MOD1_PAD9 : SFPEXMAN_MOD1_PAD8;
  return vMag(lanewise_sfpi::unary(lanewise_sfpi::kSfpExMan, mod, v.get()));
}
/// With the implicit one, below 8 bits of padding.
inline vInt exman8(const vFloat& v) {
  return exman(v, MantissaMode::WithUnitBit);
}
/// Without it, below 9 bits of padding.
inline vInt exman9(const vFloat& v) {
  return exman(v, MantissaMode::FractionOnly);
}

/// The sign bit as 0 or 1.
template <class V, impl_::if_vector<V> = 0>
inline vUInt exsgn(const V& v) {
  impl_::require_later_library<V>();
  return reinterpret<vUInt>(v) >> 31;
}

/// The number of leading zeros, of all 32 bits or of those below the sign.
template <class V, impl_::if_vector<V> = 0>
inline impl_::ZeroCount lz(const V& v, LZMode mode = LZMode::All) {
  const unsigned mod = mode == LZMode::All ? SFPLZ_MOD1_CC_NONE : SFPLZ_MOD1_NOSGN_CC_NONE;
  return impl_::ZeroCount(lanewise_sfpi::unary(lanewise_sfpi::kSfpLz, mod, v.get()));
}
template <class V, impl_::if_vector<V> = 0>
inline vInt lz_nosgn(const V& v) {
  return lz(v, LZMode::IgnoreSign);
}

// ----------------------------------------------------------------------------------- Replacing

namespace impl_ {

inline constexpr unsigned kFieldImmediate = 1; ///< SFPSETEXP, SFPSETMAN, SFPSETSGN: Mod1[0]

/// Immediates of `width` bits. What does not fit is a mistake, since nothing would tell of it.
inline std::int32_t checked_field(std::uint32_t value, unsigned width, const char* message) {
  if ((value >> width) != 0) {
    lanewise_sfpi::fail(message, "use a smaller number, or a vector that holds the field");
  }
  return static_cast<std::int32_t>(value);
}

/// The source of a field: an integer vector.
template <class T>
inline sfpu_t field_bits(const T& field) {
  static_assert(is_whole_vector(side<T>) || std::is_base_of_v<vSMag, T> ||
                    side<T> == Side::Register || side<T> == Side::Float,
                "a field comes from an integer or from a vector");
  return bits<vUInt>(field);
}

} // namespace impl_

/// The float with another exponent field: the low 8 bits of a number of up to 12, which is what the
/// instruction has room for, or of an integer vector.
template <class E>
inline vFloat setexp(const vFloat& v, const E& exponent) {
  if constexpr (impl_::side<E> == impl_::Side::IntScalar) {
    const std::int32_t imm =
        impl_::checked_field(impl_::bits_of(exponent), 12, "setexp takes a number of 12 bits");
    return vFloat(
        lanewise_sfpi::unary(lanewise_sfpi::kSfpSetExp, impl_::kFieldImmediate, v.get(), imm));
  } else {
    static_assert(impl_::side<E> != impl_::Side::Float,
                  "setexp takes the exponent as an integer; copyexp takes it from a float");
    return vFloat(lanewise_sfpi::two_address(lanewise_sfpi::kSfpSetExp, 0, v.get(),
                                             impl_::field_bits(exponent)));
  }
}
/// The float with the exponent field of another.
inline vFloat copyexp(const vFloat& v, const vFloat& exponent) {
  return vFloat(lanewise_sfpi::two_address(lanewise_sfpi::kSfpSetExp, SFPSETEXP_MOD1_CPY, v.get(),
                                           exponent.get()));
}
/// The float with `step` added to its exponent field, modulo 256; infinities and NaNs stay.
template <class T, impl_::if_integer<T> = 0>
inline vFloat addexp(const vFloat& v, T step) {
  const std::int32_t imm = impl_::int_of(step) & 0xFF;
  return vFloat(lanewise_sfpi::unary(lanewise_sfpi::kSfpDivP2, SFPSDIVP2_MOD1_ADD, v.get(), imm));
}

/// The float with another mantissa: the low 23 bits of a vector, or a number. A number of up to 12
/// bits becomes the top ones; a wider one is loaded and taken like a vector.
template <class M>
inline vFloat setman(const vFloat& v, const M& mantissa) {
  if constexpr (impl_::side<M> == impl_::Side::IntScalar) {
    constexpr std::uint32_t kWidest = 0xFFF;
    const std::uint32_t number = impl_::bits_of(mantissa);
    if constexpr (impl_::Chip::lane_bits < 32) {
      const std::int32_t field = impl_::int_of(mantissa);
      if (field < -2048 || field > 4095) {
        lanewise_sfpi::fail("setman takes a number of up to 12 bits, of which Grayskull uses 10",
                            "use a smaller number");
      }
      return vFloat(lanewise_sfpi::unary(lanewise_sfpi::kSfpSetMan, impl_::kFieldImmediate, v.get(),
                                         static_cast<std::int32_t>(number & kWidest)));
    }
    if (number > kWidest) {
      return vFloat(lanewise_sfpi::two_address(lanewise_sfpi::kSfpSetMan, 0, v.get(),
                                               lanewise_sfpi::constant(number)));
    }
    const auto imm = static_cast<std::int32_t>(number);
    return vFloat(
        lanewise_sfpi::unary(lanewise_sfpi::kSfpSetMan, impl_::kFieldImmediate, v.get(), imm));
  } else {
    return vFloat(lanewise_sfpi::two_address(lanewise_sfpi::kSfpSetMan, 0, v.get(),
                                             impl_::field_bits(mantissa)));
  }
}
template <class M>
inline vFloat copyman(const vFloat& v, const M& mantissa) {
  impl_::require_later_library<M>();
  return setman(v, vFloat(mantissa));
}

/// The vector with the sign bit of another.
template <class V, class S, impl_::if_vector<V> = 0>
inline auto copysgn(const V& v, const S& sign) {
  constexpr bool kToSMag = impl_::since(49) && impl_::is_whole_vector(impl_::side<V>);
  using R = std::conditional_t<kToSMag, vSMag, V>;
  return R(
      lanewise_sfpi::two_address(lanewise_sfpi::kSfpSetSgn, 0, v.get(), impl_::field_bits(sign)));
}
/// The vector with another sign bit: that of an integer's bit 0, or that of a vector.
template <class V, class S, impl_::if_vector<V> = 0>
inline auto setsgn(const V& v, const S& sign) {
  if constexpr (impl_::side<S> == impl_::Side::IntScalar) {
    constexpr bool kToSMag = impl_::since(49) && std::is_base_of_v<vUInt, V>;
    using R = std::conditional_t<kToSMag, vSMag, V>;
    const std::int32_t imm = impl_::int_of(sign) & 1;
    return R(lanewise_sfpi::unary(lanewise_sfpi::kSfpSetSgn, impl_::kFieldImmediate, v.get(), imm));
  } else {
    return copysgn(v, sign);
  }
}
/// The vector with bit 0 of another as its sign.
template <class V, class S, impl_::if_vector<V> = 0>
inline V setsgn2(const V& v, const S& sign) {
  impl_::require_later_library<V>();
  return V(copysgn(v, reinterpret<vUInt>(sign) << 31).get());
}

inline vFloat abs(const vFloat& v) {
  return vFloat(lanewise_sfpi::unary(lanewise_sfpi::kSfpAbs, SFPABS_MOD1_FLOAT, v.get()));
}
inline impl_::Magnitude abs(const vInt& v) {
  return impl_::Magnitude(lanewise_sfpi::unary(lanewise_sfpi::kSfpAbs, SFPABS_MOD1_INT, v.get()));
}
inline vMag abs(const vSMag& v) {
  return vMag(setsgn(v, 0).get());
}

/// in * 2^scale; the fast form is exact only where neither operand nor result is at the end of the
/// exponent's range.
template <class S>
inline vFloat ldexp(const vFloat& in, const S& scale, LdexpMode mode = LdexpMode::Correct) {
  if constexpr (impl_::side<S> == impl_::Side::IntScalar) {
    return addexp(in, scale);
  } else {
    const vInt exponent = scale;
    if (mode == LdexpMode::Fast) return setexp(in, exexp(in, ExponentMode::Biased) + exponent);
    return in * setexp(vFloat(0.0F), exponent + 127);
  }
}

// -------------------------------------------------------------------------------------- Shifts

namespace impl_ {

template <class V, class A>
inline V shift_either_way(const V& v, const A& amount, bool arithmetic) {
  if constexpr (side<A> == Side::IntScalar) {
    return V(shift_by_number(v.get(), int_of(amount), arithmetic));
  } else {
    return V(shift_by_vector(v.get(), bits<vInt>(amount), arithmetic));
  }
}

constexpr bool is_arithmetic(ShiftMode mode) {
  return mode != ShiftMode::Logical;
}

} // namespace impl_

/// Shifted left by `amount`, right where it is negative.
template <class A>
inline vUInt shft(const vUInt& v, const A& amount, ShiftMode mode = ShiftMode::Logical) {
  return impl_::shift_either_way(v, amount, impl_::is_arithmetic(mode));
}
template <class A>
inline vInt shft(const vInt& v, const A& amount, ShiftMode mode) {
  return impl_::shift_either_way(v, amount, impl_::is_arithmetic(mode));
}
/// Signed numbers are shifted arithmetically where the chip can; up to 7.58, Wormhole's
/// kernels get the logical shift of vUInt; since then they have to ask for it.
template <class A>
inline auto shft(const vInt& v, const A& amount) {
  if constexpr (impl_::Chip::arithmetic_shift && impl_::kEpoch != 500) {
    return impl_::shift_either_way(v, amount, true);
  } else {
    static_assert(impl_::available<!impl_::since(59), sizeof(A)>,
                  "this chip shifts logically only: say so with shft(v, amount, "
                  "ShiftMode::Logical), or shift a vUInt");
    return shft(vUInt(v), amount);
  }
}

} // namespace sfpi
