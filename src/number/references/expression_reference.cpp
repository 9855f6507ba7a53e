// References that are expressions: blocks of intervals of doubles, and points one by one where
// these leave more than one choice.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "number/references/expression.h"
#include "number/references/kernels/level_kernels.h"
#include "number/references/point.h"
#include "number/references/program.h"
#include "number/references/settled.h"

namespace lanewise::references {
namespace {

class ExpressionReference final : public SettledReference {
 public:
  ExpressionReference(std::string text, Expression expression)
      : text_(std::move(text)), expression_(std::move(expression)), program_(expression_) {}

  const std::string& text() const override { return text_; }
  const std::string& identity() const override { return text_; }
  unsigned operands() const override { return expression_.uses_y ? 2 : 1; }

  Expected<void> evaluate(formats::Format format, std::span<const double> x,
                          std::span<const double> y, ReferenceResults& results) const override {
    return evaluate_blocks(format, x.size(), !y.empty(), results, [&](Range range) -> Operands {
      return {x.data() + range.first, y.empty() ? nullptr : y.data() + range.first};
    });
  }

  /// A block becomes numbers just before it is evaluated, while it is in the first-level cache.
  Expected<void> evaluate_inputs(formats::Format format, const ReferenceInputs& inputs,
                                 ReferenceResults& results) const override {
    std::array<double, kBlockSize> x, y;
    const auto numbers_of = [&](std::span<const std::uint32_t> bits, Range range,
                                std::array<double, kBlockSize>& numbers) -> const double* {
      if (bits.empty()) return nullptr;
      reference_kernels().numbers(inputs.format, bits.subspan(range.first, range.count),
                                  numbers.data());
      return numbers.data();
    };
    return evaluate_blocks(
        format, inputs.x.size(), !inputs.y.empty(), results, [&](Range range) -> Operands {
          return {numbers_of(inputs.x, range, x), numbers_of(inputs.y, range, y)};
        });
  }

 private:
  /// Which of the results.
  struct Range {
    std::size_t first, count;
  };
  /// Of a block; `y` may be nullptr.
  struct Operands {
    const double *x, *y;
  };

  template <class OperandsOf>
  Expected<void> evaluate_blocks(formats::Format format, std::size_t points, bool has_y,
                                 ReferenceResults& results, OperandsOf&& operands_of) const {
    if (expression_.uses_y && !has_y) return bad_input("the expression needs a second number, y");
    thread_local BlockWorkspace workspace;
    program_.prepare(workspace);
    results.undecided.clear();
    try {
      for (std::size_t first = 0; first < points; first += kBlockSize) {
        const Range range{.first = first, .count = std::min(kBlockSize, points - first)};
        evaluate_block(format, operands_of(range), range, workspace, results);
      }
    } catch (const std::runtime_error& error) {
      // Some points of some functions need Arb, which an installed program may not find.
      return bad_input(error.what());
    }
    return {};
  }

  void evaluate_block(formats::Format format, Operands operands, Range range,
                      BlockWorkspace& workspace, ReferenceResults& results) const {
    const auto [x, y] = operands;
    std::array<double, kBlockSize> padded_x, padded_y, padded_exact;
    std::array<std::uint8_t, kBlockSize> is_open;
    const IntervalBlock values = program_.run(
        padded(x, range.count, padded_x), padded(y, range.count, padded_y), range.count, workspace);
    std::uint32_t* const bits = results.bits.data() + range.first;
    double* const exact = results.exact.data() + range.first;
    const bool is_whole = values.is_uniform || range.count == in_units(range.count);
    const bool any_open = reference_kernels().decide(
        format, values, range.count,
        {.bits = bits, .exact = is_whole ? exact : padded_exact.data(), .is_open = is_open.data()});
    if (!is_whole) std::copy_n(padded_exact.data(), range.count, exact);
    if (any_open) evaluate_open(format, x, y, range, is_open, results);
  }

  /// Whole vectors are read: a list that ends before is copied and goes on with zeros.
  static const double* padded(const double* list, std::size_t count,
                              std::array<double, kBlockSize>& copy) {
    if (list == nullptr || count == in_units(count)) return list;
    std::fill(std::copy_n(list, count, copy.begin()), copy.end(), 0.0);
    return copy.data();
  }

  /// One by one what a block has left open.
  void evaluate_open(formats::Format format, const double* x, const double* y, Range range,
                     const std::array<std::uint8_t, kBlockSize>& is_open,
                     ReferenceResults& results) const {
    std::optional<std::size_t> last;
    ReferenceValue value;
    for (std::size_t i = 0; i < range.count; ++i) {
      if (is_open[i] == 0) continue;
      const double second = y == nullptr ? 0 : y[i];
      // Inputs may come again and again, for instance flushed denormals.
      const bool is_known =
          last && is_same(x[i], x[*last]) && (y == nullptr || is_same(second, y[*last]));
      if (!is_known) value = evaluate_at_point(expression_, program_, format, x[i], second);
      last = i;
      results.bits[range.first + i] = value.bits;
      results.exact[range.first + i] = value.exact;
      if (!value.decided) results.undecided.push_back(range.first + i);
    }
  }

  static bool is_same(double a, double b) { return is_point(Interval{a, b}); }

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

} // namespace lanewise::references
