// References that are expressions: blocks of intervals of doubles, and MPFR where these leave more
// than one choice.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "reference/evaluation.h"
#include "reference/expression.h"
#include "reference/program.h"
#include "reference/reference.h"
#include "reference/rounding.h"

namespace lanewise::lab {
namespace {

/// How closely ReferenceValue::exact is known.
constexpr double kExactMargin = 0x1p-40;

/// The number that stands for an interval that has infinite ends or is wide for its size, if it is
/// next to nothing or too large for a double.
std::optional<double> extreme_of(Interval value) {
  if (value.low == value.high) return value.low;
  if (value.high <= kNegligible && value.low >= -kNegligible) return value.low == 0 ? 0.0 : -0.0;
  if (value.low >= kOverflow) return kInfinite;
  if (value.high <= -kOverflow) return -kInfinite;
  return std::nullopt;
}

/// The number that stands for an interval, or nothing if the interval is too wide for that.
inline std::optional<double> exact_of(Interval value) {
  const double width = value.high - value.low;
  const double size = std::min(std::fabs(value.low), std::fabs(value.high));
  if (width <= kExactMargin * size) [[likely]]
    return value.low + width / 2;
  return extreme_of(value);
}

class ExpressionReference final : public Reference {
 public:
  ExpressionReference(std::string text, Expression expression)
      : text_(std::move(text)), expression_(std::move(expression)), program_(expression_) {}

  const std::string& text() const override { return text_; }
  const std::string& identity() const override { return text_; }
  unsigned operands() const override { return expression_.uses_y ? 2 : 1; }

  Expected<void> evaluate(Format format, std::span<const double> x, std::span<const double> y,
                          std::span<ReferenceValue> results) const override {
    if (expression_.uses_y && y.empty())
      return bad_input("the expression needs a second number, y");
    with_format(format, [&]<Format kFormat>(std::integral_constant<Format, kFormat>) {
      evaluate_as<kFormat>(x, y, results);
    });
    return {};
  }

 private:
  template <Format format>
  void evaluate_as(std::span<const double> x, std::span<const double> y,
                   std::span<ReferenceValue> results) const {
    for (std::size_t first = 0; first < x.size(); first += kBlockSize) {
      const std::size_t count = std::min(kBlockSize, x.size() - first);
      evaluate_block<format>(x.data() + first, y.empty() ? nullptr : y.data() + first,
                             results.subspan(first, count));
    }
  }

  template <Format format>
  void evaluate_block(const double* x, const double* y, std::span<ReferenceValue> results) const {
    thread_local BlockWorkspace workspace;
    const IntervalBlock values = program_.run(x, y, results.size(), workspace);
    std::optional<std::size_t> last; // that needed MPFR
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Interval value{values.low[i], values.high[i]};
      if (finish<format>(value, results[i])) continue;
      const double second = y == nullptr ? 0 : y[i];
      // Inputs may come again and again, for instance flushed denormals.
      const bool is_known =
          last && is_same(x[i], x[*last]) && (y == nullptr || is_same(second, y[*last]));
      results[i] =
          is_known ? results[*last] : evaluate_precisely(expression_, format, x[i], second);
      last = i;
    }
  }

  static bool is_same(double a, double b) { return is_point(Interval{a, b}); }

  /// Rounds what the interval decides.
  template <Format format>
  static bool finish(Interval value, ReferenceValue& result) {
    if (lacks_bounds(value)) [[unlikely]] {
      result = {.exact = kNan, .bits = round_to_bits(format, kNan)};
      return is_nan(value);
    }
    const std::uint32_t low = round_number<format>(value.low);
    const std::uint32_t high = round_number<format>(value.high);
    const std::optional<double> exact = exact_of(value);
    result = {.exact = exact.value_or(0), .bits = low};
    return low == high && exact;
  }

  std::string text_;
  Expression expression_;
  BlockProgram program_;
};

} // namespace

Expected<std::unique_ptr<Reference>> parse_reference(std::string_view expression) {
  auto parsed = parse_expression(expression);
  if (!parsed) return Unexpected(parsed.error());
  return std::make_unique<ExpressionReference>(std::string(expression), std::move(*parsed));
}

std::string reference_help() {
  std::string text = "variables: x, y\nnumbers: 12, 0.5, 1e-3, 0x1.8p3, pi, e, inf, nan\n";
  std::string line;
  const auto functions = reference_functions();
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const ReferenceFunction& function = functions[i];
    line += fmt::format("{}{}", line.empty() ? "" : ", ", function.name);
    if (!function.another.empty()) line += fmt::format(" ({})", function.another);
    if (i + 1 < functions.size() && functions[i + 1].group == function.group) continue;
    text += fmt::format("{}: {}\n", group_name(function.group), line);
    line.clear();
  }
  return text;
}

} // namespace lanewise::lab
