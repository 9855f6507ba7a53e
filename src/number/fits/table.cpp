#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "base/in_quotes.h"
#include "number/fits/approximation.h"
#include "number/fits/parity.h"
#include "number/fits/poles.h"
#include "number/fits/sollya_text.h"
#include "number/references/point.h"
#include "number/references/program.h"

namespace lanewise::fits {

namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

/// Where the pieces begin and end (ISA: SFPLUTFP32).
std::vector<double> steps_of(TableKind kind) {
  switch (kind) {
    case TableKind::Fp32Three: return {0, 1, 2, kNoEnd};
    case TableKind::Fp16SixTo3: return {0, 0.5, 1, 1.5, 2, 3, kNoEnd};
    case TableKind::Fp16SixTo4: return {0, 0.5, 1, 1.5, 2, 4, kNoEnd};
  }
  return {};
}

bool has_16_bits(TableKind kind) {
  return kind != TableKind::Fp32Three;
}

// A 16-bit entry: sign, 5 bits of exponent, 10 bits of mantissa.
constexpr unsigned kEntryMantissaBits = 10, kEntryZeroExponent = 31;
constexpr int kEntryBias = 15;
constexpr std::uint16_t kEntryZero = kEntryZeroExponent << kEntryMantissaBits, kEntrySign = 0x8000;

/// What the table sees of the range, and whether it gives the sign back.
struct Sizes {
  double low, high;
  bool copies_sign;
};

Expected<Sizes> sizes_of(const FitRequest& request) {
  const SizeRange range = sizes_in(request);
  if (request.low >= 0) return Sizes{range.low, range.high, false};
  const Parity parity = parity_of(request);
  if (parity == Parity::Neither) {
    return bad_input("SFPLUTFP32 sees |x|, and the function is neither even nor odd",
                     "give --range 0 or more at its beginning, or leave --lut out");
  }
  return Sizes{range.low, range.high, parity == Parity::Odd};
}

/// Whether a line has to go through 0, since no relative error allows for anything else there.
bool starts_at_zero(const FitRequest& request, const Sizes& sizes) {
  if (request.error == ErrorKind::Absolute || sizes.low != 0) return false;
  const references::BlockProgram program(request.function);
  return references::evaluate_at_point(request.function, program, formats::Format::FP32, 0, 0)
             .exact == 0;
}

PolynomialTask task_of(const TableLine& line, const Sizes& sizes, const FitRequest& request,
                       TableKind kind) {
  constexpr unsigned kFp32Bits = 24, kEntryBits = kEntryMantissaBits + 1;
  return {.low = std::max(line.low, sizes.low),
          .high = std::min(line.high, sizes.high),
          .powers = line.low == 0 && starts_at_zero(request, sizes) ? std::vector{1U}
                                                                    : std::vector{0U, 1U},
          .bits = has_16_bits(kind) ? kEntryBits : kFp32Bits,
          .error = request.error};
}

/// A number as a table has it.
std::uint32_t bits_of(TableKind kind, double value) {
  if (has_16_bits(kind)) return nearest_entry(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}
double value_of(TableKind kind, std::uint32_t bits) {
  if (has_16_bits(kind)) return entry_value(static_cast<std::uint16_t>(bits));
  return std::bit_cast<float>(bits);
}

void take_over(TableLine& line, const SollyaPolynomial& polynomial, TableKind kind) {
  line.slope = polynomial.coefficients.back();
  line.intercept = polynomial.coefficients.size() == 1 ? 0 : polynomial.coefficients.front();
  line.intercept_bits = bits_of(kind, line.intercept);
  line.slope_bits = bits_of(kind, line.slope);
  line.bound = polynomial.bound;
  line.is_proved = polynomial.is_proved;
}

/// Pieces without inputs get the line of the nearest one that has some.
void fill_gaps(std::vector<TableLine>& lines) {
  const auto copy_line = [](TableLine& to, const TableLine& from) {
    to.slope = from.slope;
    to.intercept = from.intercept;
    to.slope_bits = from.slope_bits;
    to.intercept_bits = from.intercept_bits;
  };
  const auto first = std::ranges::find_if(lines, &TableLine::is_used);
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    if (!line->is_used) copy_line(*line, line < first ? *first : *(line - 1));
  }
}

std::vector<TableLine> empty_lines(TableKind kind, const Sizes& sizes) {
  const std::vector<double> steps = steps_of(kind);
  std::vector<TableLine> lines;
  lines.reserve(steps.size() - 1);
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const bool is_used = sizes.low < steps[i + 1] && steps[i] < sizes.high;
    lines.push_back({.low = steps[i], .high = steps[i + 1], .is_used = is_used});
  }
  return lines;
}

} // namespace

Expected<TableKind> parse_table_kind(std::string_view name) {
  if (name == "fp32") return TableKind::Fp32Three;
  if (name == "fp16") return TableKind::Fp16SixTo3;
  if (name == "fp16-4") return TableKind::Fp16SixTo4;
  return bad_input(fmt::format("there is no table {}", in_quotes(name)),
                   "use --lut fp32 (3 pieces), fp16 (6 pieces, the last from 3 on) or fp16-4 "
                   "(the last from 4 on)");
}

double entry_value(std::uint16_t entry) {
  const unsigned exponent = (entry >> kEntryMantissaBits) & kEntryZeroExponent;
  const unsigned mantissa = entry & ((1U << kEntryMantissaBits) - 1);
  if (exponent == kEntryZeroExponent) return 0;
  const double size = std::ldexp(1 + std::ldexp(mantissa, -static_cast<int>(kEntryMantissaBits)),
                                 static_cast<int>(exponent) - kEntryBias);
  return (entry & kEntrySign) != 0 ? -size : size;
}

std::uint16_t nearest_entry(double value) {
  const double size = std::fabs(value);
  const std::uint16_t sign = value < 0 ? kEntrySign : 0;
  constexpr double kSmallest = 0x1p-15, kLargest = 0x1.ffcp15;
  if (size < kSmallest / 2) return kEntryZero;
  const double within = std::clamp(size, kSmallest, kLargest);
  const int exponent = std::ilogb(within);
  const auto units = static_cast<unsigned>(
      std::nearbyint(std::ldexp(within, static_cast<int>(kEntryMantissaBits) - exponent)));
  // A mantissa that is rounded up to the next power of two adds 1 to the exponent by itself.
  const unsigned field = static_cast<unsigned>(exponent + kEntryBias) << kEntryMantissaBits;
  return static_cast<std::uint16_t>(sign | (field + units - (1U << kEntryMantissaBits)));
}

Expected<LineTable> fit_table(const FitRequest& request, TableKind kind) {
  const auto function = sollya_text(request.function);
  if (!function) return Unexpected(function.error());
  if (auto bounded = check_is_bounded(request); !bounded) return Unexpected(bounded.error());
  const auto sizes = sizes_of(request);
  if (!sizes) return Unexpected(sizes.error());
  LineTable table{.kind = kind,
                  .copies_sign = sizes->copies_sign,
                  .error = request.error,
                  .lines = empty_lines(kind, *sizes)};
  std::vector<PolynomialTask> tasks;
  tasks.reserve(table.lines.size());
  for (const TableLine& line : table.lines) {
    if (line.is_used) tasks.push_back(task_of(line, *sizes, request, kind));
  }
  const auto fitted = fit_polynomials(
      *function, tasks, [kind](double value) { return value_of(kind, bits_of(kind, value)); });
  if (!fitted) return Unexpected(fitted.error());
  table.is_proved = true;
  auto polynomial = fitted->begin();
  for (TableLine& line : table.lines) {
    if (!line.is_used) continue;
    take_over(line, *polynomial++, kind);
    table.bound = std::max(table.bound, line.bound);
    table.is_proved = table.is_proved && line.is_proved;
  }
  fill_gaps(table.lines);
  return table;
}

} // namespace lanewise::fits
