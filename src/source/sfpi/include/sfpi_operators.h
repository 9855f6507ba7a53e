// Operators on vectors, and the instructions that they become.
#pragma once

#include "sfpi_operand.h"

namespace sfpi::impl_ {

// ------------------------------------------------------------------------------------- Integers

/// VC + Imm12 -> VD.
inline constexpr unsigned kAddImmediate = SFPIADD_MOD1_ARG_IMM | SFPIADD_MOD1_CC_NONE;
/// VC + VD -> VD.
inline constexpr unsigned kAdd = SFPIADD_MOD1_ARG_LREG_DST | SFPIADD_MOD1_CC_NONE;
/// VC - VD -> VD.
inline constexpr unsigned kSubtract = SFPIADD_MOD1_ARG_2SCOMP_LREG_DST | SFPIADD_MOD1_CC_NONE;

/// a + number.
inline sfpu_t add_number(sfpu_t a, std::int32_t number) {
  constexpr std::int32_t kLeast = -2048, kMost = 2047; // Imm12
  if (number >= kLeast && number <= kMost) {
    return lanewise_sfpi::unary(lanewise_sfpi::kSfpIAdd, kAddImmediate, a, number);
  }
  const sfpu_t b = load_integer(number);
  return lanewise_sfpi::two_address(lanewise_sfpi::kSfpIAdd, kAdd, a, b);
}
inline sfpu_t add_vectors(sfpu_t a, sfpu_t b) {
  return lanewise_sfpi::two_address(lanewise_sfpi::kSfpIAdd, kAdd, a, b);
}
inline sfpu_t subtract_vectors(sfpu_t a, sfpu_t b) {
  return lanewise_sfpi::two_address(lanewise_sfpi::kSfpIAdd, kSubtract, a, b);
}

inline constexpr unsigned kShiftImmediate = 1;  ///< SFPSHFT Mod1[0]: by Imm12
inline constexpr unsigned kShiftArithmetic = 2; ///< SFPSHFT Mod1[1], Blackhole
inline constexpr unsigned kShiftFromVc = 4;     ///< SFPSHFT Mod1[2], Blackhole: VC is shifted

/// value shifted left by `amount`, right if it is negative. The hardware counts modulo 32 (VU C36).
inline sfpu_t shift_by_number(sfpu_t value, std::int32_t amount, bool arithmetic) {
  const std::int32_t imm = amount >= -2048 && amount <= 2047 ? amount : amount % 32;
  const unsigned mod = kShiftImmediate | (arithmetic ? kShiftArithmetic : 0);
  if (Chip::shift_from_vc) {
    return lanewise_sfpi::unary(lanewise_sfpi::kSfpShft, mod | kShiftFromVc, value, imm);
  }
  return lanewise_sfpi::Instruction(lanewise_sfpi::kSfpShft, mod, imm).vd(value);
}
inline sfpu_t shift_by_vector(sfpu_t value, sfpu_t amount, bool arithmetic) {
  return lanewise_sfpi::two_address(lanewise_sfpi::kSfpShft, arithmetic ? kShiftArithmetic : 0,
                                    amount, value);
}

/// `direction` is 1 for <<, -1 for >>.
template <class V, class B>
inline sfpu_t shift(sfpu_t value, const B& amount, int direction) {
  constexpr bool kArithmetic = Chip::arithmetic_shift && std::is_same_v<V, vInt>;
  if constexpr (side<B> == Side::IntScalar) {
    return shift_by_number(value, direction * int_of(amount), kArithmetic);
  } else {
    const sfpu_t count = bits<vInt>(amount);
    const sfpu_t signed_count =
        direction > 0 ? count : subtract_vectors(lanewise_sfpi::constant(0), count);
    return shift_by_vector(value, signed_count, kArithmetic);
  }
}

/// Whether the code that runs stands in the scope of an lreg_pressure.
inline bool has_lreg_pressure = false;

/// Both operands as vectors of type V, the left one first.
template <class V, class A, class B>
inline sfpu_t combine(lanewise_sfpi::Opcode opcode, const A& a, const B& b) {
  const sfpu_t left = bits<V>(a);
  const sfpu_t right = bits<V>(b);
  return lanewise_sfpi::two_address(opcode, 0, left, right);
}
template <class A, class B>
inline sfpu_t combine(LanewiseKind kind, const A& a, const B& b) {
  lanewise_node node;
  node.kind = kind;
  node.imm = has_lreg_pressure ? kLanewiseLregPressure : 0;
  node.operand[0] = lanewise_sfpi::number_of(bits<vFloat>(a));
  node.operand[1] = lanewise_sfpi::number_of(bits<vFloat>(b));
  return lanewise_sfpi::append(node);
}

template <class V>
using if_vector = std::enable_if_t<std::is_base_of_v<vVal, V>, int>;

/// Constant registers were untyped integers in the first epoch, shifted right as unsigned ones.
template <class A, class V>
using RightShiftedOf = std::conditional_t<kEpoch == 500 && !std::is_base_of_v<vVal, A>, vUInt, V>;

/// The type of -a and +a.
template <class A>
using SignedOf = SumOf<A, std::conditional_t<is_scalar(side<A>), void*, A>>;

} // namespace sfpi::impl_

namespace sfpi {

/// In its scope, `x * 2.0f + y` keeps the literal in an immediate (SFPMULI, SFPADD) rather than in
/// an LReg, as all releases up to 7.78 do anyway. Called with a bool, it changes its mind.
class lreg_pressure {
 public:
  explicit lreg_pressure(bool is_high = true) : before_(impl_::has_lreg_pressure) {
    (*this)(is_high);
  }
  ~lreg_pressure() { impl_::has_lreg_pressure = before_; }
  lreg_pressure(const lreg_pressure&) = delete;
  lreg_pressure& operator=(const lreg_pressure&) = delete;

  void operator()(bool is_high) { impl_::has_lreg_pressure = is_high; }

 private:
  bool before_;
};

} // namespace sfpi

namespace sfpi::operators {

using namespace impl_;

// -------------------------------------------------------------------------------------- Binary

template <class A, class B, class V = SumOf<A, B>>
inline V operator+(const A& a, const B& b) {
  if constexpr (std::is_same_v<V, vFloat>) {
    return V(combine(LanewiseKind::FloatAdd, a, b));
  } else if constexpr (side<B> == Side::IntScalar) {
    return V(add_number(bits<V>(a), int_of(b)));
  } else if constexpr (side<A> == Side::IntScalar) {
    return V(add_number(bits<V>(b), int_of(a)));
  } else {
    const sfpu_t left = bits<V>(a);
    return V(add_vectors(left, bits<V>(b)));
  }
}

template <class A, class B, class V = SumOf<A, B>>
inline V operator-(const A& a, const B& b) {
  if constexpr (std::is_same_v<V, vFloat>) {
    return V(combine(LanewiseKind::FloatSub, a, b));
  } else if constexpr (side<B> == Side::IntScalar) {
    return V(add_number(bits<V>(a), int_of(0 - bits_of(b))));
  } else {
    const sfpu_t left = bits<V>(a);
    return V(subtract_vectors(left, bits<V>(b)));
  }
}

template <class A, class B, class V = ProductOf<A, B>>
inline V operator*(const A& a, const B& b) {
  return V(combine(LanewiseKind::FloatMul, a, b));
}

template <class A, class B, class V = ProductOf<A, B>>
inline V operator/(const A&, const B&) {
  static_assert(available<false, sizeof(A)>,
                "the Vector Unit has no division: multiply by a reciprocal");
  return V();
}

template <class A, class B, class V = MaskedOf<A, B>>
inline V operator&(const A& a, const B& b) {
  return V(combine<vUInt>(lanewise_sfpi::kSfpAnd, a, b));
}
template <class A, class B, class V = BitsOf<A, B>>
inline V operator|(const A& a, const B& b) {
  return V(combine<V>(lanewise_sfpi::kSfpOr, a, b));
}
template <class A, class B, class V = BitsOf<A, B>>
inline V operator^(const A& a, const B& b) {
  if constexpr (Chip::exclusive_or) {
    return V(combine<V>(lanewise_sfpi::kSfpXor, a, b));
  } else { // (a | b) & ~(a & b)
    const V left(bits<V>(a)), right(bits<V>(b));
    return V(combine<V>(lanewise_sfpi::kSfpAnd, V(combine<V>(lanewise_sfpi::kSfpOr, left, right)),
                        ~V(combine<V>(lanewise_sfpi::kSfpAnd, left, right))));
  }
}

template <class A, class B, class V = ShiftedOf<A, B, true>>
inline V operator<<(const A& a, const B& b) {
  return V(shift<V>(bits<V>(a), b, 1));
}

template <class A, class B, class V = RightShiftedOf<A, ShiftedOf<A, B, false>>>
inline V operator>>(const A& a, const B& b) {
  static_assert(Chip::arithmetic_shift || !std::is_same_v<V, vInt>,
                "this chip has no arithmetic right shift, so that vInt >> n does not exist: "
                "reinterpret<vUInt>(v) >> n shifts logically");
  return V(shift<V>(bits<V>(a), b, -1));
}

// --------------------------------------------------------------------------------------- Unary

template <class A, class V = SignedOf<A>>
inline V operator+(const A& a) {
  return V(bits<V>(a));
}
template <class A, class V = SignedOf<A>>
inline V operator-(const A& a) {
  const sfpu_t value = bits<V>(a);
  if constexpr (std::is_same_v<V, vFloat>) {
    return V(lanewise_sfpi::unary(lanewise_sfpi::kSfpMov, SFPMOV_MOD1_COMPSIGN, value));
  } else {
    return V(subtract_vectors(lanewise_sfpi::constant(0), value));
  }
}
template <class A, class V = BitsOf<A, A>>
inline V operator~(const A& a) {
  return V(lanewise_sfpi::unary(lanewise_sfpi::kSfpNot, 0, bits<V>(a)));
}

// -------------------------------------------------------------------------- Changing a variable

template <class V, class B, if_vector<V> = 0>
inline auto operator+=(V& a, const B& b) -> decltype(a = a + b) {
  return a = a + b;
}
template <class V, class B, if_vector<V> = 0>
inline auto operator-=(V& a, const B& b) -> decltype(a = a - b) {
  return a = a - b;
}
template <class V, class B, if_vector<V> = 0>
inline auto operator*=(V& a, const B& b) -> decltype(a = a * b) {
  return a = a * b;
}
template <class V, class B, if_vector<V> = 0>
inline auto operator&=(V& a, const B& b) -> decltype(a = a & b) {
  return a = a & b;
}
template <class V, class B, if_vector<V> = 0>
inline auto operator|=(V& a, const B& b) -> decltype(a = a | b) {
  return a = a | b;
}
template <class V, class B, if_vector<V> = 0>
inline auto operator^=(V& a, const B& b) -> decltype(a = a ^ b) {
  return a = a ^ b;
}
template <class V, class B, if_vector<V> = 0>
inline auto operator<<=(V& a, const B& b) -> decltype(a = a << b) {
  return a = a << b;
}
template <class V, class B, if_vector<V> = 0>
inline auto operator>>=(V& a, const B& b) -> decltype(a = a >> b) {
  return a = a >> b;
}

/// The value of an increment. Up to release 7.50 ++a is the old value and a++ the new one.
template <class V>
inline V step(V& a, int number, bool is_prefix) {
  const V old = a;
  a += number;
  return is_prefix == since(51) ? a : old;
}
template <class V, if_vector<V> = 0>
inline V operator++(V& a) {
  return step(a, 1, true);
}
template <class V, if_vector<V> = 0>
inline V operator++(V& a, int) {
  return step(a, 1, false);
}
template <class V, if_vector<V> = 0>
inline V operator--(V& a) {
  return step(a, -1, true);
}
template <class V, if_vector<V> = 0>
inline V operator--(V& a, int) {
  return step(a, -1, false);
}

} // namespace sfpi::operators
