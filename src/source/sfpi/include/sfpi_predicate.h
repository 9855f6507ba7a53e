// Comparisons, and the macros that predicate: v_if, v_elseif, v_else, v_endif, v_block, v_endblock,
// v_and.
#pragma once

#include "sfpi_operators.h"

namespace sfpi::impl_ {

inline vCond compare(LanewiseRelation relation, LanewiseType type, sfpu_t a, sfpu_t b) {
  lanewise_node node;
  node.kind = LanewiseKind::Compare;
  node.relation = relation;
  node.type = type;
  node.operand[0] = lanewise_sfpi::number_of(a);
  node.operand[1] = lanewise_sfpi::number_of(b);
  return vCond(lanewise_sfpi::append(node));
}

inline vCond::vCond(const vInt& value)
    : vCond(compare(LanewiseRelation::NE, LanewiseType::Int, value.get(),
                    lanewise_sfpi::constant(0))) {}
inline vCond::vCond(const vUInt& value)
    : vCond(compare(LanewiseRelation::NE, LanewiseType::UInt, value.get(),
                    lanewise_sfpi::constant(0))) {}
inline vCond::vCond(const vSMag& value)
    : vCond(compare(LanewiseRelation::NE, LanewiseType::UInt, value.get(),
                    lanewise_sfpi::constant(0))) {}

/// A scalar is a number beside a sign-magnitude vector, too, and no pattern.
template <class T>
inline sfpu_t smag_bits(const T& operand) {
  if constexpr (side<T> == Side::IntScalar) {
    const std::int32_t number = int_of(operand);
    const std::uint32_t magnitude = bits_of(number < 0 ? -std::int64_t{number} : number);
    return lanewise_sfpi::constant(number < 0 ? 0x80000000U | magnitude : magnitude);
  } else {
    return operand.get();
  }
}

/// The relation that holds for (b, a) where `relation` does for (a, b).
constexpr LanewiseRelation mirrored(LanewiseRelation relation) {
  switch (relation) {
    case LanewiseRelation::LT: return LanewiseRelation::GT;
    case LanewiseRelation::LE: return LanewiseRelation::GE;
    case LanewiseRelation::GE: return LanewiseRelation::LE;
    case LanewiseRelation::GT: return LanewiseRelation::LT;
    case LanewiseRelation::EQ:
    case LanewiseRelation::NE: break;
  }
  return relation;
}

/// The literal that a float vector is compared with. Up to 7.37, a 16-bit -0 counts as the literal
/// 0.
template <class T>
inline sfpu_t compared_float(const T& operand) {
  if constexpr (std::is_convertible_v<const T*, const s2vFloat16*>) {
    constexpr std::uint32_t kMinusZero = 0x8000;
    if (kEpoch == 500 && operand.get() == kMinusZero) return lanewise_sfpi::constant(0);
  }
  return bits<vFloat>(operand);
}

template <Side s, class A, class B>
inline vCond compare_sides(LanewiseRelation relation, const A& a, const B& b) {
  if constexpr (s == Side::SMag) {
    const sfpu_t left = smag_bits(a);
    return compare(relation, LanewiseType::UInt, left, smag_bits(b));
  } else if constexpr ((s == Side::Float || kEpoch == 500) && is_scalar(side<A>)) {
    // Every release has the literal of a float on the right, the first one any literal.
    return compare_sides<s>(mirrored(relation), b, a);
  } else if constexpr (s == Side::Float) {
    const sfpu_t left = bits<vFloat>(a);
    return compare(relation, LanewiseType::Float, left, compared_float(b));
  } else {
    using V = typename VectorOf<s>::type;
    constexpr LanewiseType kType = s == Side::Int ? LanewiseType::Int : LanewiseType::UInt;
    const sfpu_t left = bits<V>(a);
    return compare(relation, kType, left, bits<V>(b));
  }
}

/// A C++ floating-point number beside an integer vector counts as the integer that C++ converts it
/// to, as with the first epoch's operators on int32_t.
template <class Vector, class Scalar>
constexpr Side compared_scalar_side() {
  return std::is_floating_point_v<Scalar> && is_whole_vector(side<Vector>) ? Side::IntScalar
                                                                           : side<Scalar>;
}
template <class A, class B>
inline constexpr Side left_side = compared_scalar_side<B, A>();
template <class A, class B>
inline constexpr Side right_side = compared_scalar_side<A, B>();

template <class A, class B, bool equality>
inline constexpr Side compared = compared_side(left_side<A, B>, right_side<A, B>, equality);

/// Without a comparison, which would look at the operators below and so ask again (g++ 11).
constexpr bool is_comparison(Side side) {
  return static_cast<bool>(static_cast<int>(side) - static_cast<int>(Side::None));
}

template <class A, class B, bool equality>
using IfComparable = std::enable_if_t<is_comparison(compared<A, B, equality>), int>;

} // namespace sfpi::impl_

namespace sfpi::operators {

#define LANEWISE_SFPI_COMPARISON(symbol, relation, equality)                          \
  template <class A, class B, IfComparable<A, B, equality> = 0>                       \
  inline vCond operator symbol(const A& a, const B& b) {                              \
    return compare_sides<compared<A, B, equality>>(LanewiseRelation::relation, a, b); \
  }
LANEWISE_SFPI_COMPARISON(==, EQ, true)
LANEWISE_SFPI_COMPARISON(!=, NE, true)
LANEWISE_SFPI_COMPARISON(<, LT, false)
LANEWISE_SFPI_COMPARISON(<=, LE, false)
LANEWISE_SFPI_COMPARISON(>, GT, false)
LANEWISE_SFPI_COMPARISON(>=, GE, false)
#undef LANEWISE_SFPI_COMPARISON

} // namespace sfpi::operators

namespace sfpi::impl_ {

/// What a v_if or v_block keeps until its end. However the kernel leaves the C++ block, the lanes
/// that were enabled before come back.
class Predicate {
 public:
  Predicate() = default;
  Predicate(const Predicate&) = delete;
  Predicate& operator=(const Predicate&) = delete;
  /// The recorder may end the recording by an exception.
  ~Predicate() noexcept(false) {
    for (; ifs_ > 0; --ifs_) lanewise_sfpi::leaf(LanewiseKind::EndIf, 1);
    if (is_block_) lanewise_sfpi::leaf(LanewiseKind::EndBlock);
  }

  void if_(const vCond& condition) {
    lanewise_sfpi::operation(LanewiseKind::If, 0, condition.get());
    ++ifs_;
    has_else_ = false;
  }
  /// v_elseif is an if_() inside the else: its condition is computed in the lanes that are left.
  void else_() {
    if (has_else_) {
      lanewise_sfpi::fail("a v_else or v_elseif follows the v_else of the same v_if",
                          "close the v_if with v_endif first");
    }
    lanewise_sfpi::leaf(LanewiseKind::Else);
    has_else_ = true;
  }
  void block() {
    lanewise_sfpi::leaf(LanewiseKind::Block);
    is_block_ = true;
  }
  void and_(const vCond& condition) {
    lanewise_sfpi::operation(LanewiseKind::Narrow, 0, condition.get());
  }

 private:
  unsigned ifs_ = 0;
  bool is_block_ = false;
  bool has_else_ = false;
};

} // namespace sfpi::impl_

namespace sfpi {

/// The condition as it is. To the vendor's compiler it promises that the ordered integers in it are
/// less than 2^31 apart, which the instructions of Wormhole and Blackhole take for granted.
inline impl_::vCond nearby(const impl_::vCond& condition) {
  return condition;
}

} // namespace sfpi

// The braces that a macro opens are closed by v_endif or v_endblock, so that a missing one is an
// error of the C++ compiler (source/sfpi/compile_hints.h names it). Both ends are the same braces,
// since up to release 5.0 v_endif may close a v_block. v_and() finds the innermost of both by the
// name that they share.

#define v_if(...)                            \
  {                                          \
    ::sfpi::impl_::Predicate sfpi_predicate; \
    sfpi_predicate.if_(__VA_ARGS__);         \
    {
#define v_elseif(...)              \
  }                                \
  sfpi_predicate.else_();          \
  sfpi_predicate.if_(__VA_ARGS__); \
  {
#define v_else            \
  }                       \
  sfpi_predicate.else_(); \
  {
#define v_endif \
  }             \
  }

#define v_block                              \
  {                                          \
    ::sfpi::impl_::Predicate sfpi_predicate; \
    sfpi_predicate.block();                  \
    {
#define v_endblock \
  }                \
  }

#define v_and(...) sfpi_predicate.and_(__VA_ARGS__)
