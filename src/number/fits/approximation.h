// What 'lanewise fit' makes of a function: a polynomial, or a table of lines for SFPLUTFP32.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "number/fits/sollya.h"
#include "number/formats/format.h"
#include "number/references/expression.h"

namespace lanewise::fits {

/// Which powers of x a polynomial has: all up to its degree, or the odd or even ones of them.
enum class Powers : std::uint8_t { All, Odd, Even };

/// Numbers that a coefficient may be. FP32 takes two SFPLOADI; BF16 and FP16 are what one holds.
Expected<formats::Format> parse_coefficient_format(std::string_view name);

/// The tables of SFPLUTFP32 (ISA: SFPLUTFP32, modes FP32_3ENTRY, FP16_6ENTRY).
enum class TableKind : std::uint8_t {
  Fp32Three,  ///< lines of FP32 numbers below 1, below 2, and beyond
  Fp16SixTo3, ///< lines of 16-bit numbers with steps at 0.5, 1, 1.5, 2 and 3
  Fp16SixTo4, ///< the same with the last step at 4
};
/// "fp32", "fp16", "fp16-4". Error: BadInput with the names.
Expected<TableKind> parse_table_kind(std::string_view name);

struct FitRequest {
  std::string text;                ///< of the function, as the user wrote it
  references::Expression function; ///< of x
  double low = 0, high = 1;        ///< finite, low < high
  ErrorKind error = ErrorKind::Relative;
};

/// c0 + c1 x + c2 x^2 ...
struct Polynomial {
  std::vector<unsigned> powers;          ///< rising
  std::vector<double> coefficients = {}; ///< of these powers
  ErrorKind error = ErrorKind::Relative;
  double bound = 0; ///< of the error with exact arithmetic
  bool is_proved = false;
  double best = 0; ///< the error of the best coefficients there are; NaN if it is not known
};

inline constexpr unsigned kLargestDegree = 24;

/// The best polynomial of that degree with coefficients of the format. Error: BadInput as
/// sollya_text() and fit_polynomials() say, for no powers at all, for odd or even powers over both
/// sides of 0 where the function is not, and for a coefficient that the format does not have.
Expected<Polynomial> fit_polynomial(const FitRequest& request, unsigned degree, Powers powers,
                                    formats::Format coefficients);

/// slope |x| + intercept from `low` to below `high`.
struct TableLine {
  double low = 0, high = 0; ///< of |x|; the last one's `high` is infinite
  double slope = 0, intercept = 0;
  std::uint32_t slope_bits = 0, intercept_bits = 0; ///< as the table has them
  bool is_used = false; ///< inputs of the range lie there; else it repeats a neighbour
  double bound = 0;     ///< of its error in the range
  bool is_proved = false;
};

struct LineTable {
  TableKind kind = TableKind::Fp32Three;
  bool copies_sign = false; ///< of x onto the result: the function is odd
  ErrorKind error = ErrorKind::Absolute;
  std::vector<TableLine> lines = {};
  double bound = 0; ///< the largest of the lines
  bool is_proved = false;
};

/// The best line for each piece. SFPLUTFP32 sees |x|: a range on both sides of 0 needs a function
/// that is odd or even, which is looked at in many points. Error: BadInput as for a polynomial, and
/// for a function that is neither.
Expected<LineTable> fit_table(const FitRequest& request, TableKind kind);

/// The number of a 16-bit entry of SFPLUTFP32: exponents -15 to 15 and 10 bits of mantissa.
/// Exponent field 31 is 0, and so 0x7C00 stands for it (ISA: SFPLUTFP32).
double entry_value(std::uint16_t entry);
/// The entry nearest to a number.
std::uint16_t nearest_entry(double value);

} // namespace lanewise::fits
