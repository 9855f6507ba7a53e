// The vector types: vFloat, vInt, vUInt, sign-magnitude and narrowed ones, and conditions.
//
// A vector variable is a handle: the node that made its present value, and the predicate context in
// which it was declared. An assignment asks the recorder for the value that the variable has then,
// since lanes that are not enabled keep theirs.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sfpi_registers.h"

namespace sfpi {

class vFloat;
class vInt;
class vUInt;
class vSMag;

namespace impl_ {

/// What all vector types share.
class vVal : public operators::Operand {
 public:
  vVal()
      : value_(lanewise_sfpi::leaf(LanewiseKind::Undefined)), declared_(lanewise_sfpi::context()) {}
  vVal(sfpu_t value) : value_(value), declared_(lanewise_sfpi::context()) {}
  vVal(const vVal& other) : value_(other.value_), declared_(lanewise_sfpi::context()) {}
  vVal& operator=(const vVal& other) {
    value_ = lanewise_sfpi::assigned(value_, other.value_, declared_);
    return *this;
  }

  sfpu_t get() const { return value_; }

 private:
  sfpu_t value_;
  std::uint32_t declared_;
};

inline sfpu_t vLReg::operator=(const vVal& value) const {
  write(value.get());
  return value.get();
}

/// The result of a comparison, a condition for v_if. Copies name the same condition.
class vCond : public operators::Operand {
 public:
  explicit vCond(sfpu_t value) : value_(value) {}
  /// An integer vector holds where it is not 0.
  vCond(const vInt& value);
  vCond(const vUInt& value);
  vCond(const vSMag& value);

  sfpu_t get() const { return value_; }

  template <class T = void>
  explicit operator bool() const {
    static_assert(available<false, std::is_void_v<T>>,
                  "a vector condition differs from lane to lane: use v_if, not if, ?: or a loop "
                  "condition");
    return false;
  }

 private:
  sfpu_t value_;
};

} // namespace impl_

namespace operators {

using impl_::vCond;

/// Both operands are computed, whatever they are: no lane knows of the others.
inline vCond operator&&(const vCond& a, const vCond& b) {
  return vCond(lanewise_sfpi::operation(LanewiseKind::And, a.get(), b.get()));
}
inline vCond operator||(const vCond& a, const vCond& b) {
  return vCond(lanewise_sfpi::operation(LanewiseKind::Or, a.get(), b.get()));
}
inline vCond operator!(const vCond& a) {
  return vCond(lanewise_sfpi::operation(LanewiseKind::Not, 0, a.get()));
}

} // namespace operators

namespace impl_ {

/// The 1 and 0 of a condition as an integer vector.
inline sfpu_t condition_bits(const vCond& condition) {
  return lanewise_sfpi::operation(LanewiseKind::FromCondition, 0, condition.get());
}

} // namespace impl_

using vBool = impl_::vCond;

/// 32-bit floats.
class vFloat : public impl_::vVal {
 public:
  static constexpr impl_::View view = impl_::View::Float;

  vFloat() = default;
  vFloat(impl_::sfpu_t value) : vVal(value) {}
  vFloat(const impl_::vDReg& element) : vVal(element.read(view)) {}
  vFloat(const impl_::vLReg& reg) : vVal(reg.read()) {}
  vFloat(const s2vFloat16& scalar)
      : vVal(scalar.get_format() == s2vFloat16::fp16a ? impl_::load_fp16a(scalar.get())
                                                      : impl_::load_float(scalar.get() << 16)) {}
  vFloat(float scalar) : vVal(impl_::load_float(impl_::float_as_uint(scalar))) {}
};

/// 32-bit integers in two's complement.
class vInt : public impl_::vVal {
 public:
  static constexpr impl_::View view = impl_::View::Int;

  vInt() = default;
  vInt(impl_::sfpu_t value) : vVal(value) {}
  vInt(const impl_::vDReg& element) : vVal(element.read(view)) {}
  vInt(const impl_::vLReg& reg) : vVal(reg.read()) {}
  vInt(const impl_::vCond& condition) : vVal(condition_bits(condition)) {}
  vInt(const vUInt& value);
  template <class T, impl_::if_integer<T> = 0>
  vInt(T scalar) : vVal(impl_::load_integer(scalar)) {}
};

/// 32-bit unsigned integers.
class vUInt : public impl_::vVal {
 public:
  static constexpr impl_::View view = impl_::View::UInt;

  vUInt() = default;
  vUInt(impl_::sfpu_t value) : vVal(value) {}
  vUInt(const impl_::vDReg& element) : vVal(element.read(view)) {}
  vUInt(const impl_::vLReg& reg) : vVal(reg.read()) {}
  vUInt(const impl_::vCond& condition) : vVal(condition_bits(condition)) {}
  vUInt(const vInt& value) : vVal(value.get()) {}
  vUInt(const impl_::vCReg<vInt>& reg);
  template <class T, impl_::if_integer<T> = 0>
  vUInt(T scalar) : vVal(impl_::load_integer(scalar)) {}
};

inline vInt::vInt(const vUInt& value) : vVal(value.get()) {}

/// 32-bit sign-magnitude integers. A scalar is a bit pattern.
class vSMag : public impl_::vVal {
 public:
  static constexpr impl_::View view = impl_::View::SMag;

  vSMag() = default;
  explicit vSMag(impl_::sfpu_t value) : vVal(value) {}
  vSMag(const impl_::vDReg& element) : vVal(element.read(view)) {}
  vSMag(const impl_::vLReg& reg) : vVal(reg.read()) {}
  template <class T, impl_::if_integer<T> = 0>
  explicit vSMag(T pattern) : vVal(lanewise_sfpi::constant(impl_::bits_of(pattern))) {}
};

namespace impl_ {

/// A vector type with a narrower range, that its wider type `Vector` can stand for. `Scalar` is
/// what it can be made of, void if nothing.
template <class Vector, class Scalar, View own_view>
class vNarrow : public Vector {
 public:
  static constexpr View view = own_view;

  vNarrow() = default;
  explicit vNarrow(sfpu_t value) : Vector(value) {}
  vNarrow(const vDReg& element) : Vector(element.read(view)) {}
  vNarrow(const vLReg& reg) : Vector(reg.read()) {}
  template <class T, std::enable_if_t<std::is_same_v<T, Scalar> ||
                                          (std::is_integral_v<Scalar> && is_integer<T>),
                                      int> = 0>
  explicit vNarrow(T scalar) : Vector(static_cast<Scalar>(scalar)) {}
};

} // namespace impl_

using vFloat16a = impl_::vNarrow<vFloat, sFloat16a, impl_::View::Float16a>;
using vFloat16b = impl_::vNarrow<vFloat, sFloat16b, impl_::View::Float16b>;
using vMag = impl_::vNarrow<vUInt, std::uint32_t, impl_::View::Mag>;
using vUInt16 = impl_::vNarrow<vMag, std::uint16_t, impl_::View::UInt16>;
using vUInt8 = impl_::vNarrow<vUInt16, std::uint8_t, impl_::View::UInt16>;
using vSMag16 = impl_::vNarrow<vSMag, void, impl_::View::SMag16>;
using vSMag8 = impl_::vNarrow<vSMag16, void, impl_::View::SMag16>;

namespace impl_ {

/// A constant register, by its number, which stands for a vector of type T.
template <class T>
class vCReg : public operators::Operand {
 public:
  constexpr explicit vCReg(unsigned number) : number_(number) {}
  constexpr vCReg(const vCReg&) = default;

  operator T() const {
    if (number_ < Chip::lreg_count || number_ > CREG_IDX_TILEID) {
      lanewise_sfpi::fail("there is no such constant register",
                          "use one of the numbers CREG_IDX_...");
    }
    return T(lanewise_sfpi::leaf(LanewiseKind::ConstRegister, static_cast<int>(number_)));
  }
  /// Programs the register.
  template <class U>
  void operator=(const U& value) const {
    write(T(value).get());
  }
  void operator=(const vCReg& other) const { write(static_cast<T>(other).get()); }

  unsigned get() const { return number_; }

 protected:
  void write(sfpu_t value) const {
    if (number_ < Chip::first_programmable || number_ > Chip::last_programmable) {
      lanewise_sfpi::fail("the hardware fixes this constant register",
                          Chip::last_programmable == 0
                              ? "programmable constants appeared with Wormhole"
                              : "CREG_IDX_PRGM0 to CREG_IDX_PRGM3 can be written");
    }
    lanewise_sfpi::operation(LanewiseKind::WriteConst, static_cast<int>(number_), value);
  }

 private:
  unsigned number_;
};

/// One whose number the library names, so that g++ sees what can be written.
template <class T, unsigned number>
class vConst : public vCReg<T> {
  template <class U>
  static constexpr bool is_programmable =
      available<(number >= Chip::first_programmable && number <= Chip::last_programmable),
                sizeof(U)>;

 public:
  constexpr vConst() : vCReg<T>(number) {}

  /// Programs the register.
  template <class U>
  void operator=(const U& value) const {
    static_assert(is_programmable<U>,
                  "the hardware fixes this constant register; vConstFloatPrgm0..2, "
                  "vConstIntPrgm0..2 and vConstNeg1 can be written");
    this->write(T(value).get());
  }
};

/// A constant that Grayskull does not have: an error only where a kernel uses it.
template <class T>
class vConstOfWormhole : public operators::Operand {
 public:
  template <class U = T>
  operator T() const {
    static_assert(available<false, sizeof(U)>,
                  "vConst0p8373 and the programmable constants appeared with Wormhole; Grayskull "
                  "has vConst0p8369 and others");
    return T();
  }
  template <class U>
  void operator=(const U&) const {
    static_assert(available<false, sizeof(U)>,
                  "programmable constants appeared with Wormhole; Grayskull's are fixed");
  }
};

/// What abs() of a vInt is.
using Magnitude = std::conditional_t<since(51), vMag, std::conditional_t<since(49), vUInt, vInt>>;
/// What lz() is.
using ZeroCount = std::conditional_t<since(49), vMag, vInt>;

/// dst_reg[i] = value.
template <class T>
auto vDReg::operator=(const T& value) const {
  if constexpr (std::is_base_of_v<vVal, T>) {
    write(value.get(), T::view);
    return value;
  } else if constexpr (is_integer<T>) {
    using Promoted = decltype(+value); // short integers become int, as C++ has it
    using Vector = std::conditional_t<std::is_unsigned_v<Promoted>, vUInt, vInt>;
    const Vector vector(value);
    write(vector.get(), Vector::view);
    return vector;
  } else if constexpr (std::is_convertible_v<const T&, vFloat>) {
    const vFloat vector(value);
    write(vector.get(), View::Float);
    return vector;
  } else {
    static_assert(std::is_convertible_v<const T&, vInt>,
                  "dst_reg[i] takes a vector, a constant register, or a number");
    const vInt vector(value);
    write(vector.get(), View::Int);
    return vector;
  }
}

} // namespace impl_

inline vUInt::vUInt(const impl_::vCReg<vInt>& reg) : vUInt(static_cast<vInt>(reg)) {}

inline constexpr impl_::vConst<vFloat, CREG_IDX_0> vConst0{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_1> vConst1{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_NEG_1> vConstNeg1{};
#include LANEWISE_SFPI_VECTOR_NAMES
#undef LANEWISE_SFPI_VECTOR_NAMES
inline constexpr impl_::vConst<vInt, CREG_IDX_TILEID> vConstTileId{};

/// The same bits as another type of vector.
template <class T>
inline T reinterpret(const impl_::vVal& value) {
  return T(value.get());
}
template <class T>
inline T as(const impl_::vVal& value) {
  return T(value.get());
}

} // namespace sfpi
