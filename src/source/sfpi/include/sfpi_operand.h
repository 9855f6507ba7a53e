// Which operands an operator takes, and the type of what comes out.
#pragma once

#include "sfpi_vector.h"

namespace sfpi::impl_ {

/// What an operand is to an operator.
enum class Side {
  None,        ///< nothing that SFPI knows
  Float,       ///< vFloat and its narrower types
  Int,         ///< vInt
  UInt,        ///< vUInt
  Mag,         ///< vMag and its narrower types: fits vInt as well as vUInt
  SMag,        ///< vSMag and its narrower types
  Register,    ///< an element of dst_reg or l_reg: becomes what the other operand is
  FloatScalar, ///< a C++ floating-point number, or a 16-bit scalar of SFPI
  IntScalar    ///< a C++ integer
};

template <class T>
constexpr Side side_of_type() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    if (std::is_floating_point_v<T>) return Side::FloatScalar;
    return is_integer<T> ? Side::IntScalar : Side::None;
  } else if constexpr (std::is_base_of_v<vVal, T>) {
    if (std::is_base_of_v<vFloat, T>) return Side::Float;
    if (std::is_base_of_v<vInt, T>) return Side::Int;
    if (std::is_base_of_v<vMag, T>) return Side::Mag;
    if (std::is_base_of_v<vUInt, T>) return Side::UInt;
    return std::is_base_of_v<vSMag, T> ? Side::SMag : Side::None;
  } else if constexpr (std::is_same_v<T, vDReg> || std::is_same_v<T, vLReg>) {
    return Side::Register;
  } else if constexpr (std::is_convertible_v<const T*, const s2vFloat16*>) {
    return Side::FloatScalar;
  }
  return Side::None;
}

template <class T>
inline constexpr Side side = side_of_type<T>();
template <unsigned number>
inline constexpr Side side<vConst<vFloat, number>> = Side::Float;
template <unsigned number>
inline constexpr Side side<vConst<vInt, number>> = Side::Int;
template <>
inline constexpr Side side<vCReg<vFloat>> = Side::Float;
template <>
inline constexpr Side side<vCReg<vInt>> = Side::Int;
template <>
inline constexpr Side side<vCReg<vUInt>> = Side::UInt;
template <>
inline constexpr Side side<vConstOfWormhole<vFloat>> = Side::Float;
template <>
inline constexpr Side side<vConstOfWormhole<vInt>> = Side::Int;

constexpr bool is_scalar(Side s) {
  return s == Side::FloatScalar || s == Side::IntScalar;
}
constexpr bool is_whole_vector(Side s) {
  return s == Side::Int || s == Side::UInt || s == Side::Mag;
}

/// What two operands have in common: Float, Int, UInt or None. Mixed integers are unsigned.
constexpr Side common_side(Side a, Side b) {
  if (a == Side::None || b == Side::None || a == Side::SMag || b == Side::SMag) return Side::None;
  if (is_scalar(a) && is_scalar(b)) return Side::None;
  const bool whole = is_whole_vector(a) || is_whole_vector(b);
  if (!whole) return Side::Float;
  if (a == Side::Float || b == Side::Float || a == Side::FloatScalar || b == Side::FloatScalar) {
    return Side::None;
  }
  if (a == Side::UInt || b == Side::UInt) return Side::UInt;
  return a == Side::Int || b == Side::Int ? Side::Int : Side::UInt;
}

/// The same for a comparison: mixed integers are compared as signed, as SFPI does, sign-magnitude
/// ones for equality only.
constexpr Side compared_side(Side a, Side b, bool equality) {
  const bool smag = a == Side::SMag || b == Side::SMag;
  if (smag) {
    const bool comparable =
        (a == Side::SMag || a == Side::IntScalar) && (b == Side::SMag || b == Side::IntScalar);
    return equality && comparable ? Side::SMag : Side::None;
  }
  const Side common = common_side(a, b);
  const bool mixed = common == Side::UInt && (a == Side::Int || b == Side::Int);
  return mixed ? Side::Int : common;
}

template <Side s>
struct VectorOf {};
template <>
struct VectorOf<Side::Float> {
  using type = vFloat;
};
template <>
struct VectorOf<Side::Int> {
  using type = vInt;
};
template <>
struct VectorOf<Side::UInt> {
  using type = vUInt;
};
template <>
struct VectorOf<Side::Mag> {
  using type = vMag;
};
template <>
struct VectorOf<Side::SMag> {
  using type = vSMag;
};

/// The type of a + b and a - b.
template <class A, class B>
using SumOf = typename VectorOf<common_side(side<A>, side<B>)>::type;

/// The type of a * b.
template <class A, class B>
using ProductOf = std::enable_if_t<common_side(side<A>, side<B>) == Side::Float, vFloat>;

/// The type of a | b and a ^ b.
template <class A, class B>
using BitsOf = std::enable_if_t<!std::is_same_v<SumOf<A, B>, vFloat>, SumOf<A, B>>;

/// The type of a & b: a magnitude stays one, a sign-magnitude number becomes bits.
constexpr Side masked_side(Side a, Side b) {
  const bool a_mag = a == Side::Mag, b_mag = b == Side::Mag;
  if ((a_mag && (b_mag || b == Side::IntScalar)) || (b_mag && a == Side::IntScalar)) {
    return Side::Mag;
  }
  if ((a == Side::SMag && b == Side::IntScalar) || (b == Side::SMag && a == Side::IntScalar)) {
    return Side::UInt;
  }
  const Side common = common_side(a, b);
  return common == Side::Float ? Side::None : common;
}
template <class A, class B>
using MaskedOf = typename VectorOf<masked_side(side<A>, side<B>)>::type;

/// The type of a << b, and of a >> b. A magnitude that is shifted left may stop being one.
constexpr Side shifted_side(Side a, Side b, bool left) {
  if (!is_whole_vector(a) || !(is_whole_vector(b) || b == Side::IntScalar)) return Side::None;
  return left && a == Side::Mag ? Side::UInt : a;
}
template <class A, class B, bool left>
using ShiftedOf = typename VectorOf<shifted_side(side<A>, side<B>, left)>::type;

/// A vector of type V, or what becomes one.
template <class V, class T>
inline sfpu_t bits(const T& operand) {
  if constexpr (std::is_base_of_v<vVal, T>) {
    return operand.get();
  } else if constexpr (std::is_same_v<V, vFloat> && std::is_arithmetic_v<T>) {
    return V(static_cast<float>(operand)).get();
  } else if constexpr (std::is_floating_point_v<T>) { // in a comparison
    return V(static_cast<std::int32_t>(operand)).get();
  } else {
    return V(operand).get();
  }
}

} // namespace sfpi::impl_
