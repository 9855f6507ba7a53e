// The record of a number format: how its bits are laid out, which numbers it has, and how it is
// kept in each place. The records stand in chip/isa/number_formats.def, one row each; whoever wants
// to know something about a format asks its row.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanewise::isa {

/// The default of every column. It is no constant expression, so that a table in which a row does
/// not state a column does not compile.
template <class T>
T missing_column();

/// Format codes of configuration fields, source registers and L1 (MU 2.2, core.md 11). 12 and 13
/// have no meaning.
enum class DataFormat : std::uint8_t {
  Fp32 = 0,
  Fp16 = 1,
  Bfp8a = 2,
  Bfp4a = 3,
  Tf32 = 4,
  Bf16 = 5,
  Bfp8 = 6,
  Bfp4 = 7,
  Int32 = 8,
  Int16 = 9,
  Fp8 = 10,
  Bfp2a = 11,
  Int8 = 14,
  Bfp2 = 15
};
inline constexpr std::size_t kDataFormatCodes = 16;

/// What exponent 0 means, and what becomes of a number that is too small for the other exponents
/// when it is rounded.
enum class Denormals : std::uint8_t {
  Kept,
  Flushed, ///< there are such patterns, but rounding gives a zero with the number's sign
  None     ///< exponent 0 is an ordinary one
};

/// What the top exponent means.
enum class TopExponent : std::uint8_t {
  Special,      ///< infinities and NaN
  Ordinary,     ///< numbers like those of any other exponent
  Zero,         ///< the number 0, whatever the mantissa
  ZeroIfAllOnes ///< an ordinary one, but for the pattern of all ones, sign included, which is 0
};

/// Whether a larger exponent field means a larger number.
enum class ExponentOrder : std::uint8_t { Rising, Falling };

/// What becomes of the bits of an FP32 for which there is no room.
enum class Rounding : std::uint8_t {
  None, ///< there are none, or the number is refused
  Cut,
  NearestEven
};

constexpr std::uint32_t low_ones(unsigned count) {
  return count == 0 ? 0 : 0xFFFF'FFFFU >> (32 - count);
}

/// A power of 2 that is a normal double.
constexpr double power_of_two(int power) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52);
}

/// Sign, exponent and mantissa, from the top bit of a pattern. A number with a hidden one is
/// 1.mantissa times 2 to the power of its exponent field less the bias.
struct FloatLayout {
  int exponent_bits = missing_column<int>();
  int mantissa_bits = missing_column<int>();
  int bias = missing_column<int>();
  ExponentOrder order = missing_column<ExponentOrder>();
  TopExponent top = missing_column<TopExponent>();
  Denormals denormals = missing_column<Denormals>();

  constexpr int width() const { return 1 + exponent_bits + mantissa_bits; }
  constexpr bool has_specials() const { return top == TopExponent::Special; }
  constexpr bool keeps_denormals() const { return denormals == Denormals::Kept; }

  constexpr std::uint32_t top_exponent() const { return (1U << exponent_bits) - 1; }
  constexpr std::uint32_t hidden_one() const { return 1U << mantissa_bits; }
  constexpr std::uint32_t mantissa_mask() const { return hidden_one() - 1; }
  constexpr std::uint32_t magnitude_mask() const { return sign_bit() - 1; }
  constexpr std::uint32_t sign_bit() const { return 1U << (width() - 1); }
  /// Or what would be the infinity.
  constexpr std::uint32_t infinity() const { return top_exponent() << mantissa_bits; }

  /// Fields of the first and of the last exponent of numbers with a hidden one.
  constexpr int first_field() const { return denormals == Denormals::None ? 0 : 1; }
  constexpr int last_field() const {
    const bool is_ordinary = top == TopExponent::Ordinary || top == TopExponent::ZeroIfAllOnes;
    return static_cast<int>(top_exponent()) - (is_ordinary ? 0 : 1);
  }
  /// The power of 2 that a field means.
  constexpr int power_of(int field) const {
    return order == ExponentOrder::Rising ? field - bias : bias - field;
  }
  /// The powers of 2 of the smallest and of the largest number with a hidden one.
  constexpr int lowest_power() const {
    return power_of(order == ExponentOrder::Rising ? first_field() : last_field());
  }
  constexpr int highest_power() const {
    return power_of(order == ExponentOrder::Rising ? last_field() : first_field());
  }
  constexpr double smallest_normal() const { return power_of_two(lowest_power()); }
  constexpr double largest() const {
    return power_of_two(highest_power()) * (2 - power_of_two(-mantissa_bits));
  }
  /// A denormal is its mantissa times 2 to this. The chip makes it the FP32 with exponent 0 and the
  /// same upper bits of mantissa, also of an FP16 (VU 3.4: 13 - 149 = -136), whose IEEE denormals
  /// are larger.
  constexpr int denormal_power() const { return -126 - mantissa_bits; }
  /// The pattern of the number 0, without a sign where that can be chosen.
  constexpr std::optional<std::uint32_t> zero() const {
    if (denormals != Denormals::None) return 0;
    if (top == TopExponent::Zero) return infinity();
    if (top == TopExponent::ZeroIfAllOnes) return low_ones(static_cast<unsigned>(width()));
    return std::nullopt;
  }
};

/// Whole numbers, of the Vector Unit and in Dst. A person knows them as two's complement or plain
/// binary of `width` bits; the chip keeps signed ones as sign and magnitude.
struct IntegerLayout {
  int width = missing_column<int>();
  int magnitude_bits = missing_column<int>();
  bool is_signed = missing_column<bool>();

  constexpr std::uint32_t magnitude_mask() const {
    return low_ones(static_cast<unsigned>(magnitude_bits));
  }
  constexpr double largest() const { return magnitude_mask(); }
  constexpr double lowest() const { return is_signed ? -largest() : 0.0; }
};

/// What the configuration calls a format, and how the Matrix Unit takes a cell of it as an operand.
struct OperandForm {
  DataFormat code = missing_column<DataFormat>();
  int exponent_bits = missing_column<int>(); ///< 8, or 5 in the low bits of the 8
  std::uint32_t mask =
      missing_column<std::uint32_t>(); ///< the bits of a SourceFile cell that count

  friend constexpr bool operator==(const OperandForm&, const OperandForm&) = default;
};

/// The bits of a cell of Dst from the top: of its only one or, of a 32-bit datum, of the upper one;
/// the lower one then has the low bits of the datum as they are.
struct CellFields {
  unsigned sign = missing_column<unsigned>();
  unsigned mantissa = missing_column<unsigned>(); ///< or the magnitude
  unsigned exponent = missing_column<unsigned>();
};

/// In Dst (VU 3.4, MU 1.1).
struct DstForm {
  CellFields cell = missing_column<CellFields>();
  Rounding store = missing_column<Rounding>(); ///< by SFPSTORE, of what a register holds (VU C24)
};

/// The smallest and the largest of a list of whole numbers.
struct WholeNumbers {
  int lowest = missing_column<int>();
  int highest = missing_column<int>();
};

/// In SrcA and SrcB, as an unpacker leaves it (core.md 12.5): in a cell of sign, 8 bits of exponent
/// and 10 of mantissa.
struct SourceForm {
  int mantissa_bits = missing_column<int>();         ///< of the 10, from the top, that can be set
  Rounding rounding = missing_column<Rounding>();    ///< of an FP32
  Denormals denormals = missing_column<Denormals>(); ///< of an FP32
  /// Of an integer format: its numbers in memory.
  std::optional<WholeNumbers> integers = missing_column<std::optional<WholeNumbers>>();
  bool is_input = missing_column<bool>(); ///< a name for --srca and --srcb
};

/// In L1 (core.md 11).
struct L1Form {
  unsigned bits = missing_column<unsigned>();  ///< of a datum, without a shared exponent
  unsigned block = missing_column<unsigned>(); ///< data with an exponent in common; else 1
  unsigned shared_exponent_bits = missing_column<unsigned>();

  constexpr bool is_block() const { return block > 1; }
  /// Of a datum of a block, behind its sign; there is no hidden one.
  constexpr unsigned magnitude_bits() const { return bits - 1; }
};

/// As a pattern that a person writes (number/formats/number_forms.h).
struct PatternForm {
  std::string_view other_name = missing_column<std::string_view>(); ///< empty if there is none
};

/// The record. Rows of one name are formats of different places: `fp8` is one of L1, and an entry
/// of SFPLUT's tables.
struct NumberFormat {
  std::string_view name = missing_column<std::string_view>(); ///< on the command line
  std::optional<FloatLayout> real = missing_column<std::optional<FloatLayout>>();
  std::optional<IntegerLayout> integer = missing_column<std::optional<IntegerLayout>>();
  std::optional<OperandForm> operand = missing_column<std::optional<OperandForm>>();
  std::optional<DstForm> dst = missing_column<std::optional<DstForm>>();
  std::optional<SourceForm> source = missing_column<std::optional<SourceForm>>();
  std::optional<L1Form> l1 = missing_column<std::optional<L1Form>>();
  std::optional<PatternForm> pattern = missing_column<std::optional<PatternForm>>();

  /// Of a pattern as a person knows it; 0 of the block formats, which have none.
  constexpr int width() const { return real ? real->width() : integer ? integer->width : 0; }
};

/// The exponent field of an Integer "8" whose magnitude is not 0 (MU 1.1).
inline constexpr std::uint32_t kInt8Exponent = 16;

// Operands of the Matrix Unit: how much of a cell of SourceFile counts.
inline constexpr std::uint32_t kWholeCell = 0xFFFFE000U;     ///< 10 bits of mantissa
inline constexpr std::uint32_t kUpperCell = 0xFFFF0000U;     ///< 7 bits of mantissa
inline constexpr std::uint32_t kExponent5Cell = 0x8FFFE000U; ///< not the upper exponent bits

/// The rows' names, in their order.
enum class NumberFormatId : std::uint8_t {
#define NUMBER_FORMAT(id, ...) id,
#include "chip/isa/number_formats.def"
#undef NUMBER_FORMAT
};

inline constexpr NumberFormat kNumberFormats[] = {
#define NUMBER_FORMAT(id, ...) {__VA_ARGS__},
#include "chip/isa/number_formats.def"
#undef NUMBER_FORMAT
};

/// The number of a row, for an enumeration of some of the rows.
constexpr std::uint8_t row_number(NumberFormatId id) {
  return static_cast<std::uint8_t>(id);
}

/// The row of an enumerator whose value is a row_number().
template <class Id>
constexpr const NumberFormat& number_format(Id id) {
  return kNumberFormats[static_cast<std::size_t>(id)];
}

/// The rows that a predicate without state chooses, as enumerators of `Id`, in their order.
template <class Id, class Predicate>
consteval auto rows_where(Predicate) {
  constexpr std::size_t kCount = [] {
    std::size_t count = 0;
    for (const NumberFormat& row : kNumberFormats) count += Predicate{}(row) ? 1 : 0;
    return count;
  }();
  std::array<Id, kCount> ids{};
  std::size_t next = 0;
  for (std::size_t row = 0; row < std::size(kNumberFormats); ++row) {
    if (Predicate{}(kNumberFormats[row])) ids[next++] = static_cast<Id>(row);
  }
  return ids;
}

/// The first row of each format code; nothing of codes without meaning.
inline constexpr auto kFormatsOfCodes = [] {
  std::array<const NumberFormat*, kDataFormatCodes> formats{};
  for (const NumberFormat& row : kNumberFormats) {
    if (!row.operand) continue;
    const NumberFormat*& first = formats[static_cast<std::size_t>(row.operand->code)];
    if (first == nullptr) first = &row;
  }
  return formats;
}();

/// The row of a format code: the first one, of formats that share it. Nothing for a code without
/// meaning.
constexpr const NumberFormat* format_of_code(DataFormat code) {
  const auto index = static_cast<std::size_t>(code);
  return index < kDataFormatCodes ? kFormatsOfCodes[index] : nullptr;
}

/// The codes of formats with an 8-bit exponent, a bit each. All others count as formats of a 5-bit
/// exponent, those without meaning included (VU C21).
inline constexpr std::uint32_t kExponent8Codes = [] {
  std::uint32_t codes = 0;
  for (const NumberFormat& row : kNumberFormats) {
    if (row.operand && row.operand->exponent_bits == 8)
      codes |= 1U << static_cast<unsigned>(row.operand->code);
  }
  return codes;
}();

} // namespace lanewise::isa
