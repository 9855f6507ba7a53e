#include "report/accuracy/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace lanewise::report {

namespace {

/// Operations by the name that tt-llk's tests have for them (MathOperation).
struct OperationName {
  std::string_view op, theirs;
};
constexpr std::array kOperations{OperationName{"abs", "Abs"},
                                 OperationName{"acos", "Acos"},
                                 OperationName{"acosh", "Acosh"},
                                 OperationName{"asin", "Asin"},
                                 OperationName{"asinh", "Asinh"},
                                 OperationName{"atan", "Atan"},
                                 OperationName{"atanh", "Atanh"},
                                 OperationName{"celu", "Celu"},
                                 OperationName{"cos", "Cos"},
                                 OperationName{"elu", "Elu"},
                                 OperationName{"exp", "Exp"},
                                 OperationName{"exp2", "Exp2"},
                                 OperationName{"expm1", "Expm1"},
                                 OperationName{"fill", "Fill"},
                                 OperationName{"gelu", "Gelu"},
                                 OperationName{"hardsigmoid", "Hardsigmoid"},
                                 OperationName{"log", "Log"},
                                 OperationName{"log1p", "Log1p"},
                                 OperationName{"negative", "Neg"},
                                 OperationName{"recip", "Reciprocal"},
                                 OperationName{"relu_max", "ReluMax"},
                                 OperationName{"relu_min", "ReluMin"},
                                 OperationName{"rsqrt", "Rsqrt"},
                                 OperationName{"sigmoid", "Sigmoid"},
                                 OperationName{"silu", "Silu"},
                                 OperationName{"sin", "Sin"},
                                 OperationName{"sqrt", "Sqrt"},
                                 OperationName{"square", "Square"},
                                 OperationName{"tan", "Tan"},
                                 OperationName{"tanh", "Tanh"},
                                 OperationName{"threshold", "Threshold"}};

/// Above this budget the gate of BF16 is a tolerance: 5 % of a mantissa of 7 bits.
constexpr double kLargestBudget = 6;
constexpr double kMargin = 1.1;

std::string row_text(const AccuracyRow& row) {
  const lab::UlpStatistics& error = row.statistics.error;
  constexpr std::string_view kPrefix = "ARCH_"; // of the macro that names the chip
  const std::string_view chip =
      arch_params(row.statistics.arch).kernel_define.substr(kPrefix.size());
  const std::string key =
      fmt::format("in: Float16_b, out: Float16_b, dest: \"No\", arch: {}", chip);
  if (error.lost != 0)
    return fmt::format("  # not measurable on {}: {} results are not finite where they should be\n",
                       chip, error.lost);
  const double budget = std::ceil(kMargin * error.largest);
  if (budget > kLargestBudget)
    return fmt::format("  - {{{}, metric: tolerance}}  # max {} ULP\n", key, error.largest);
  return fmt::format("  - {{{}, max_ulp: {}}}  # max {} ULP\n", key, budget, error.largest);
}

} // namespace

std::string budget_yaml(std::span<const AccuracyRow> rows, const std::string& command) {
  std::map<std::string_view, std::string> ops;
  for (const AccuracyRow& row : rows) {
    const auto name = std::ranges::find(kOperations, row.kernel, &OperationName::op);
    if (name != kOperations.end()) ops[name->theirs] += row_text(row);
  }
  std::string text = fmt::format("# Modelled by Lanewise: {}\n", command);
  for (const auto& [name, entries] : ops) text += fmt::format("{}:\n{}", name, entries);
  return text;
}

} // namespace lanewise::report
