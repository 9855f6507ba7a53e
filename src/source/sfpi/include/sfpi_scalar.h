// Scalars that become vectors: 16-bit floats, and the enumerations that functions take.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sfpi_chip.h"
#include "sfpi_constants.h"
#include "sfpi_node.h"

namespace sfpi {

enum class LRegs : std::uint8_t {
  LReg0,
  LReg1,
  LReg2,
  LReg3,
  LReg4,
  LReg5,
  LReg6,
  LReg7,
  LRegCount = SFP_LREG_COUNT
};

/// The format in which an element of dst_reg is read or written, instead of that of the vector
/// type.
enum class DataLayout {
  Default,
  FSrcB, ///< a float, as the unpacker's format says
  F32,
  F16a,
  F16b,
  I32,
  U32,
  U16,
  SM32,
  SM16,
  M32,
  LO16, ///< 16 bits as they are, from and to the low half
  HI16  ///< 16 bits as they are, from and to the high half
};

enum class MantissaMode { FractionOnly, WithUnitBit, ImplicitOne = WithUnitBit };
enum class LZMode { All, IgnoreSign };
enum class LdexpMode { Correct, Fast };
enum class RecipMode { All, IfNegative };
enum class FractionalHalf { Low, High };

enum class ShiftMode { LANEWISE_SFPI_SHIFT_MODES };
#undef LANEWISE_SFPI_SHIFT_MODES

enum class ExponentMode { Unbiased, Biased, Debias = Unbiased, NoDebias = Biased };

/// How a conversion rounds: the names of all releases.
#define LANEWISE_SFPI_ROUND_MODES                                                    \
  Nearest, NearestEven = Nearest, NearestAway = Nearest, Even = Nearest, Stochastic, \
           NearestStochastic = Stochastic, LANEWISE_SFPI_ROUND_MODES_OF_CHIP
#if LANEWISE_SFPI_EPOCH >= 747
class RoundMode {
 public:
  enum Values { LANEWISE_SFPI_ROUND_MODES };
  constexpr RoundMode(Values value) : value_(value) {}
  constexpr operator Values() const { return value_; }

 private:
  Values value_;
};
#else
/// A namespace up to release 7.46: a mode is an integer for the functions, and the type of the
/// names is RoundMode::RoundMode.
namespace RoundMode {
enum RoundMode { LANEWISE_SFPI_ROUND_MODES };
} // namespace RoundMode
#endif
#undef LANEWISE_SFPI_ROUND_MODES
#undef LANEWISE_SFPI_ROUND_MODES_OF_CHIP

namespace impl_ {

/// What a conversion takes for its rounding mode: a RoundMode or an integer.
class Rounding {
 public:
  constexpr Rounding(int value) : value_(value) {}
#if LANEWISE_SFPI_EPOCH >= 747
  constexpr Rounding(RoundMode mode) : value_(static_cast<RoundMode::Values>(mode)) {}
#endif
  constexpr int value() const {
    return value_;
  }

 private:
  int value_;
};

using sfpu_t = ::__xtt_vector;

inline std::uint32_t float_as_uint(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Whole numbers that a kernel may write where a vector is expected: integers and unscoped enums.
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> ||
                                   (std::is_enum_v<T> && std::is_convertible_v<T, int>);

template <class T>
using if_integer = std::enable_if_t<is_integer<T>, int>;

/// The low 32 bits, as a RISC-V core would hold them.
template <class T>
constexpr std::uint32_t bits_of(T value) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}
template <class T>
constexpr std::int32_t int_of(T value) {
  return static_cast<std::int32_t>(bits_of(value));
}

/// fp16a (sign, 5 exponent bits with bias 15, 10 mantissa bits) of a float: rounded half away from
/// zero, denormals included, 7FFF above the range.
inline std::uint16_t fp16a_of(float value) {
  const std::uint32_t half_ulp = 1U << 12;
  const std::uint32_t rounded = float_as_uint(value) + half_ulp;
  const std::uint32_t sign = (rounded >> 16) & 0x8000;
  const std::uint32_t exponent = (rounded >> 23) & 0xFF;
  const std::uint32_t mantissa = rounded & 0x7FFFFF;
  std::uint32_t magnitude = 0;
  if (exponent > 143) {
    magnitude = 0x7FFF;
  } else if (exponent > 112) {
    magnitude = ((exponent - 112) << 10) | (mantissa >> 13);
  } else if (exponent > 101) {
    magnitude = (((0x7FF000 + mantissa) >> (125 - exponent)) + 1) >> 1;
  }
  return static_cast<std::uint16_t>(sign | magnitude);
}

/// A float literal in every lane. Where a lane is narrower, it is loaded as an fp16b, and the rest
/// of the number is cut off.
inline sfpu_t load_float(std::uint32_t bits) {
  constexpr unsigned kDropped = 32 - Chip::lane_bits;
  if constexpr (kDropped == 0) return lanewise_sfpi::constant(bits);
  const auto number = static_cast<std::int32_t>(bits & 0xFFFF0000);
  return lanewise_sfpi::constant(static_cast<std::uint32_t>(number >> kDropped));
}

/// An integer literal in every lane. Where a lane is narrower, it is loaded from 16 bits, with the
/// sign of the type.
template <class T>
inline sfpu_t load_integer(T number) {
  const std::uint32_t bits = bits_of(number);
  if constexpr (Chip::lane_bits < 32) {
    const auto value = static_cast<std::int64_t>(number);
    if (value < -0x8000 || value > 0xFFFF) {
      lanewise_sfpi::fail("an integer literal of Grayskull's vectors has 16 bits",
                          "shift or add in the vector to make a wider one");
    }
    const bool is_signed = std::is_signed_v<decltype(+number)>;
    const auto low = static_cast<std::int16_t>(bits);
    return lanewise_sfpi::constant(is_signed ? static_cast<std::uint32_t>(low) : bits & 0xFFFF);
  }
  return lanewise_sfpi::constant(bits);
}

/// The vector with an fp16a pattern in every lane. Ordinary numbers are plain constants; what
/// SFPLOADI makes of zero, denormals and exponent 31 is left to SFPLOADI.
inline sfpu_t load_fp16a(std::uint32_t pattern) {
  const std::uint32_t exponent = (pattern >> 10) & 31;
  if (exponent == 0 || exponent == 31) {
    return lanewise_sfpi::Instruction(lanewise_sfpi::kSfpLoadI, SFPLOADI_MOD0_FLOATA,
                                      static_cast<std::int32_t>(pattern));
  }
  const std::uint32_t rebias = 127 - 15;
  const std::uint32_t bits =
      (pattern & 0x8000) << 16 | (exponent + rebias) << 23 | (pattern & 0x3FF) << 13;
  const auto number = static_cast<std::int32_t>(bits);
  return lanewise_sfpi::constant(static_cast<std::uint32_t>(number >> (32 - Chip::lane_bits)));
}

} // namespace impl_

/// A 16-bit scalar and the format in which it is loaded.
class s2vFloat16 {
 public:
  enum Format { fp16a = SFPLOADI_MOD0_FLOATA, fp16b = SFPLOADI_MOD0_FLOATB };

  explicit s2vFloat16(float value, Format format = fp16b)
      : value_(format == fp16a ? impl_::fp16a_of(value)
                               : static_cast<std::uint16_t>(impl_::float_as_uint(value) >> 16)),
        format_(format) {}
  explicit s2vFloat16(double value, Format format = fp16b)
      : s2vFloat16(static_cast<float>(value), format) {}
  /// An integer is a bit pattern.
  template <class T, impl_::if_integer<T> = 0>
  explicit s2vFloat16(T pattern, Format format = fp16b)
      : value_(static_cast<std::uint16_t>(impl_::bits_of(pattern))), format_(format) {}

  s2vFloat16 negate() const { return s2vFloat16(value_ ^ 0x8000, format_); }
  std::uint32_t get() const { return value_; }
  std::uint32_t get_format() const { return format_; }

 private:
  std::uint16_t value_;
  Format format_;
};

/// An fp16a pattern. A float is not converted: load it as it is, or see s2vFloat16a.
class sFloat16a : public s2vFloat16 {
 public:
  template <class T, impl_::if_integer<T> = 0>
  explicit sFloat16a(T pattern) : s2vFloat16(pattern, fp16a) {}
  explicit sFloat16a(float) = delete;

 protected:
  sFloat16a(float value, Format format) : s2vFloat16(value, format) {}
};

/// An fp16b number: the high half of a float, the rest cut off, or a pattern.
class sFloat16b : public s2vFloat16 {
 public:
  template <class T, impl_::if_integer<T> = 0>
  explicit sFloat16b(T pattern) : s2vFloat16(pattern, fp16b) {}
  explicit sFloat16b(float value) : s2vFloat16(value, fp16b) {}
  explicit sFloat16b(double value) : s2vFloat16(value, fp16b) {}
};

/// sFloat16a that takes floats as well.
class s2vFloat16a : public sFloat16a {
 public:
  template <class T, impl_::if_integer<T> = 0>
  explicit s2vFloat16a(T pattern) : sFloat16a(pattern) {}
  explicit s2vFloat16a(float value) : sFloat16a(value, fp16a) {}
  explicit s2vFloat16a(double value) : s2vFloat16a(static_cast<float>(value)) {}
};
using s2vFloat16b = sFloat16b;

} // namespace sfpi
