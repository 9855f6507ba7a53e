// The element formats that a tile can have in Dst, and the three faces of one datum: the number a
// host program thinks of, the bits a person knows, and the bits that Dst stores.
//
//   number      a double
//   value bits  IEEE field order for floats (sign, exponent, mantissa), two's complement for signed
//               integers, plain binary for unsigned ones; in the low 16 or 32 bits
//   stored      the order of a Dst cell (VU 3.4, MU 1.1); a 32-bit datum has its high half, the
//   cell
//               of the upper physical row, in bits 31:16
//
// Value bits and stored bits name the same datum, so nothing is lost between them (int8 apart, see
// there). Rounding happens only on the way from a number to value bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/fault.h"
#include "chip/isa/number_format.h"

namespace lanewise::formats {

/// The rows of chip/isa/number_formats.def that have a form in Dst; everything about them stands
/// there.
enum class Format : std::uint8_t {
  FP32 = isa::row_number(isa::NumberFormatId::Fp32), ///< IEEE binary32. Denormals are kept.
  BF16 = isa::row_number(isa::NumberFormatId::Bf16), ///< the upper half of an FP32
  /// S, E5, M10, bias 15, without Inf and NaN: exponent 31 is an ordinary one, and the largest
  /// magnitude is 131008.
  FP16 = isa::row_number(isa::NumberFormatId::Fp16),
  INT32 = isa::row_number(isa::NumberFormatId::Int32),   ///< sign and 31-bit magnitude
  INT16 = isa::row_number(isa::NumberFormatId::Int16),   ///< sign and 15-bit magnitude
  UINT16 = isa::row_number(isa::NumberFormatId::Uint16), ///< sixteen opaque bits
  /// Sign and 10-bit magnitude in the FP16 layout; exponent field 16, or 0 for magnitude 0. Value
  /// bits are 16-bit two's complement; the exponent field has no place in them.
  INT8 = isa::row_number(isa::NumberFormatId::Int8),
  /// 32 opaque bits; the format for kernels that keep two's complement in Dst.
  UINT32 = isa::row_number(isa::NumberFormatId::Uint32)
};

inline constexpr auto kFormats =
    isa::rows_where<Format>([](const isa::NumberFormat& row) { return row.dst.has_value(); });

/// Calls `function` with a std::integral_constant that has the format.
template <std::size_t kIndex = 0, class Function>
constexpr auto with_format(Format format, Function&& function) {
  if constexpr (kIndex + 1 < kFormats.size()) {
    if (format != kFormats[kIndex])
      return with_format<kIndex + 1>(format, std::forward<Function>(function));
  }
  return function(std::integral_constant<Format, kFormats[kIndex]>{});
}

/// "fp32", "bf16", ...: the name on the command line.
constexpr std::string_view format_name(Format format) {
  return isa::number_format(format).name;
}

/// The format of such a name. Error: BadInput that lists the names.
Expected<Format> parse_format(std::string_view name);

/// Whether the datum takes a pair of Dst cells (Dst32b) and not one (Dst16b).
constexpr bool is_32bit(Format format) {
  return isa::number_format(format).width() == 32;
}

/// Whether the numbers are whole.
constexpr bool is_integer(Format format) {
  return isa::number_format(format).integer.has_value();
}

/// ALU_ACC_CTRL_SFPU_Fp32_enabled with which an SFPLOAD or SFPSTORE of mode SRCB reads Dst as this
/// format is stored, 32 bits or 16 (VU C21).
constexpr bool sfpu_fp32_enabled(Format format) {
  return is_32bit(format);
}

/// The code for ALU_FORMAT_SPEC_REG1_SrcB (VU C21, MU 2.2). An unsigned format has the code of the
/// signed one of its width: the hardware has no other.
constexpr std::uint32_t srcb_code(Format format) {
  return static_cast<std::uint32_t>(isa::number_format(format).operand->code);
}

/// The finite numbers of a format lie between these, both included.
struct ValueRange {
  double lowest;
  double highest;
};
constexpr ValueRange value_range(Format format) {
  const isa::NumberFormat& row = isa::number_format(format);
  if (row.real) return {-row.real->largest(), row.real->largest()};
  return {row.integer->lowest(), row.integer->largest()};
}

/// Whether an integer format has this very number; a float format takes every number, rounded.
/// Error: BadInput that says whether the number is not whole or out of range.
Expected<void> check_value(Format format, double value);

/// The value bits nearest to a number, ties to even.
/// Floats: beyond the range, FP32 and BF16 give Inf and FP16 its largest magnitude, as SFPSTORE
/// does (VU C24). A NaN keeps its sign and the upper mantissa bits, made quiet if those are 0;
/// FP16, which has no NaN, gives its largest magnitude. BF16 and FP16 turn a denormal result into a
/// zero of the same sign, as SFPSTORE does (VU 3.4); FP32 keeps it. Integers: beyond the range the
/// nearest end of it, NaN gives 0, and zero has no sign (MU 6).
std::uint32_t round_to_bits(Format format, double value);

/// The same for any row with a layout of its own: no blocks. Of an integer INT8 or UINT8 of L1, ask
/// number/tensors/l1_format.h.
std::uint32_t round_to_bits(const isa::NumberFormat& row, double value);

/// The number that value bits stand for, always exact.
/// A denormal FP16 has the value that SFPLOAD reads, mantissa * 2^-136, not IEEE's (VU 3.4). The
/// two's complement pattern 80..0 is the magnitude 0 with a sign, see value_bits(); it gives -0.0.
double value_of_bits(Format format, std::uint32_t bits);
double value_of_bits(const isa::NumberFormat& row, std::uint32_t bits);

/// The value bits of a stored datum. The sign-magnitude datum -0 becomes the two's complement
/// pattern 80..0 that no other datum has (the pairing of SFPCAST, VU 3.5), so that it is not
/// mistaken for 0. Bits above the width of the format are ignored.
std::uint32_t value_bits(Format format, std::uint32_t stored);

/// The stored datum of value bits: the inverse of value_bits(). INT8 magnitudes above 1023
/// saturate.
std::uint32_t from_value_bits(Format format, std::uint32_t bits);

/// The stored datum nearest to a number, and the number of a stored datum.
/// encode(decode(x)) is x for every datum but the denormals of BF16 and FP16, which become zeros of
/// the same sign, the integer -0, which becomes 0, and INT8 cells with another exponent field.
inline std::uint32_t encode(Format format, double value) {
  return from_value_bits(format, round_to_bits(format, value));
}
inline double decode(Format format, std::uint32_t stored) {
  return value_of_bits(format, value_bits(format, stored));
}

} // namespace lanewise::formats
