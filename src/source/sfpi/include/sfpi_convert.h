// Library: conversions between number formats, and rounding.
#pragma once

#include "sfpi_fields.h"
#include "sfpi_predicate.h"

namespace sfpi {

namespace impl_ {

// SFPSTOCHRND's field (VU C45).
inline constexpr int kNearest = 0, kStochastic = 1, kTowardsZero = 2;

/// The rounding mode as the field has it. What is no mode is taken as each epoch does: as
/// stochastic by 5.0, which asks for 0 only, as nearest up to 7.46, and as a mistake since 7.47.
inline int rounding_mode(Rounding mode) {
  const int value = mode.value();
  if (kEpoch == 500) return value == kNearest ? kNearest : kStochastic;
  if (value == kNearest || value == kStochastic) return value;
  if (value == kTowardsZero && Chip::round_to_zero) return value;
  if (since(47)) {
    lanewise_sfpi::fail("this chip has no such rounding mode",
                        "use RoundMode::Nearest or RoundMode::Stochastic; Blackhole has "
                        "RoundMode::Zero");
  }
  return kNearest;
}
inline int rounding_field(Rounding mode) {
  return rounding_mode(mode) << 8;
}

inline sfpu_t round_float(const vFloat& v, unsigned conversion, Rounding mode) {
  return lanewise_sfpi::unary(lanewise_sfpi::kSfpStochRnd, conversion, v.get(),
                              rounding_field(mode));
}

/// A sign-magnitude integer, divided by 2^descale, as 8 bits.
template <class D>
inline vUInt descale(const vVal& v, const D& amount, unsigned conversion, Rounding mode) {
  if constexpr (side<D> == Side::IntScalar) {
    const std::int32_t imm =
        checked_field(bits_of(amount), 5, "a conversion divides by 2^0 to 2^31");
    return vUInt(lanewise_sfpi::unary(lanewise_sfpi::kSfpStochRnd,
                                      conversion | SFPSTOCHRND_MOD1_IMM8, v.get(),
                                      rounding_field(mode) | imm));
  } else {
    return vUInt(
        lanewise_sfpi::Instruction(lanewise_sfpi::kSfpStochRnd, conversion, rounding_field(mode))
            .vc(v.get())
            .vb(bits<vUInt>(amount)));
  }
}

/// SFPCAST knows two modes. Up to 7.46, all but 0 is stochastic.
inline vFloat cast_smag_to_float(const vVal& v, Rounding mode) {
  if (since(47) && mode.value() != kNearest && mode.value() != kStochastic) {
    lanewise_sfpi::fail("integers become floats rounded to nearest or stochastically",
                        "use RoundMode::Nearest or RoundMode::Stochastic");
  }
  const unsigned mod =
      mode.value() == kNearest ? SFPCAST_MOD1_INT32_TO_FP32_RNE : SFPCAST_MOD1_INT32_TO_FP32_RNS;
  return vFloat(lanewise_sfpi::unary(lanewise_sfpi::kSfpCast, mod, v.get()));
}

/// Negates the negative numbers below the sign: this way and back are the same.
inline sfpu_t negate_below_sign(sfpu_t value) {
  vInt v(value);
  Predicate predicate;
  predicate.if_(v < 0);
  v = setsgn(v, 0); // in two steps, so that both write into the variable
  v = 0 - v;
  return v.get();
}

/// Sign-magnitude from two's complement. The constant is SFPCAST_MOD1_INT32_TO_SM32.
inline sfpu_t int_to_smag_bits(sfpu_t value) {
  if (Chip::int_sm_converts) return negate_below_sign(value);
  return lanewise_sfpi::unary(lanewise_sfpi::kSfpCast, 3, value);
}
/// Two's complement from sign-magnitude. Blackhole's SFPCAST 2 does not do it (VU C35).
inline sfpu_t smag_to_int_bits(sfpu_t value) {
  return negate_below_sign(value);
}

} // namespace impl_

/// A float from a *sign-magnitude* integer, whatever the argument's type says.
inline vFloat int32_to_float(const vInt& v, impl_::Rounding mode = RoundMode::Stochastic) {
  return impl_::cast_smag_to_float(v, mode);
}
template <class V, std::enable_if_t<std::is_base_of_v<vSMag, V>, int> = 0>
inline vFloat int32_to_float(const V& v, impl_::Rounding mode = RoundMode::Stochastic) {
  return impl_::cast_smag_to_float(v, mode);
}
/// Its name in the first developer reference.
template <class V>
inline vFloat int_to_float(const V& v, impl_::Rounding mode = RoundMode::Stochastic) {
  return int32_to_float(v, mode);
}

// A float rounded to another format; integers are clamped, signed ones in sign-magnitude form. The
// 16-bit floats stay fp32 numbers, rounded.

inline vUInt float_to_fp16a(const vFloat& v, impl_::Rounding mode = RoundMode::Stochastic) {
  return vUInt(impl_::round_float(v, SFPSTOCHRND_MOD1_FP32_TO_FP16A, mode));
}
inline vUInt float_to_fp16b(const vFloat& v, impl_::Rounding mode = RoundMode::Stochastic) {
  return vUInt(impl_::round_float(v, SFPSTOCHRND_MOD1_FP32_TO_FP16B, mode));
}
inline vUInt float_to_uint8(const vFloat& v, impl_::Rounding mode = RoundMode::Stochastic) {
  return vUInt(impl_::round_float(v, SFPSTOCHRND_MOD1_FP32_TO_UINT8, mode));
}
inline vUInt float_to_int8(const vFloat& v, impl_::Rounding mode = RoundMode::Stochastic) {
  return vUInt(impl_::round_float(v, SFPSTOCHRND_MOD1_FP32_TO_INT8, mode));
}
inline vUInt float_to_uint16(const vFloat& v, impl_::Rounding mode = RoundMode::Stochastic) {
  return vUInt(impl_::round_float(v, SFPSTOCHRND_MOD1_FP32_TO_UINT16, mode));
}
inline vUInt float_to_int16(const vFloat& v, impl_::Rounding mode = RoundMode::Stochastic) {
  return vUInt(impl_::round_float(v, SFPSTOCHRND_MOD1_FP32_TO_INT16, mode));
}

/// 8 bits of a sign-magnitude integer divided by 2^descale; `descale` is 0..31 or a vector.
template <class D>
inline vUInt int32_to_uint8(const vInt& v, const D& descale,
                            impl_::Rounding mode = RoundMode::Stochastic) {
  return impl_::descale(v, descale, SFPSTOCHRND_MOD1_INT32_TO_UINT8, mode);
}
template <class D>
inline vUInt int32_to_int8(const vInt& v, const D& descale,
                           impl_::Rounding mode = RoundMode::Stochastic) {
  return impl_::descale(v, descale, SFPSTOCHRND_MOD1_INT32_TO_INT8, mode);
}

namespace impl_ {

/// SFPSTOCHRND's conversion of a float to T, -1 if it has none.
template <class T>
constexpr int conversion_to() {
  if (std::is_same_v<T, vFloat16a>) return SFPSTOCHRND_MOD1_FP32_TO_FP16A;
  if (std::is_same_v<T, vFloat16b>) return SFPSTOCHRND_MOD1_FP32_TO_FP16B;
  if (std::is_same_v<T, vSMag16>) return SFPSTOCHRND_MOD1_FP32_TO_INT16;
  if (std::is_same_v<T, vUInt16>) return SFPSTOCHRND_MOD1_FP32_TO_UINT16;
  if (std::is_same_v<T, vSMag8>) return SFPSTOCHRND_MOD1_FP32_TO_INT8;
  if (std::is_same_v<T, vUInt8>) return SFPSTOCHRND_MOD1_FP32_TO_UINT8;
  return -1;
}

} // namespace impl_

/// The number of `v` in the format of T.
template <class T, class V, impl_::if_vector<V> = 0>
inline T convert(const V& v, impl_::Rounding mode = RoundMode::Stochastic) {
  if constexpr (std::is_same_v<T, V>) {
    return v;
  } else if constexpr (std::is_base_of_v<vFloat, V>) {
    constexpr int kConversion = impl_::conversion_to<T>();
    static_assert(kConversion >= 0,
                  "convert: a float becomes vFloat16a, vFloat16b, vUInt16, vUInt8, vSMag16 or "
                  "vSMag8");
    return T(impl_::round_float(v, static_cast<unsigned>(kConversion), mode));
  } else if constexpr (std::is_same_v<T, vInt> && std::is_base_of_v<vMag, V>) {
    return vInt(v.get());
  } else if constexpr (std::is_base_of_v<vMag, V>) {
    return convert<T>(vSMag(v.get()), mode);
  } else if constexpr (std::is_same_v<T, vSMag> && std::is_base_of_v<vInt, V>) {
    return vSMag(impl_::int_to_smag_bits(v.get()));
  } else if constexpr (std::is_same_v<T, vInt> && std::is_base_of_v<vSMag, V>) {
    return vInt(impl_::smag_to_int_bits(v.get()));
  } else if constexpr (std::is_base_of_v<vInt, V>) {
    return convert<T>(vSMag(impl_::int_to_smag_bits(v.get())), mode);
  } else {
    static_assert(std::is_base_of_v<vFloat, T> && std::is_base_of_v<vSMag, V>,
                  "convert: there is no conversion between these two types");
    return convert<T>(impl_::cast_smag_to_float(v, mode), mode);
  }
}

} // namespace sfpi
