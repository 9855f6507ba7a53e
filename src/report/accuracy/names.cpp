#include "report/accuracy/names.h"

#include <array>
#include <utility>

namespace lanewise::report {

namespace {

constexpr std::string_view kFast = "_fast";
constexpr std::string_view kDefault = "default", kFastApprox = "fast_approx";
/// The one operation that the index spells out.
constexpr std::string_view kRecip = "recip", kReciprocal = "reciprocal";

constexpr std::array kBudgetNames{BudgetName{"abs", "Abs"},
                                  BudgetName{"acos", "Acos"},
                                  BudgetName{"acosh", "Acosh"},
                                  BudgetName{"asin", "Asin"},
                                  BudgetName{"asinh", "Asinh"},
                                  BudgetName{"atan", "Atan"},
                                  BudgetName{"atanh", "Atanh"},
                                  BudgetName{"celu", "Celu"},
                                  BudgetName{"cos", "Cos"},
                                  BudgetName{"elu", "Elu"},
                                  BudgetName{"exp", "Exp"},
                                  BudgetName{"exp2", "Exp2", true},
                                  BudgetName{"expm1", "Expm1"},
                                  BudgetName{"fill", "Fill"},
                                  BudgetName{"gelu", "Gelu"},
                                  BudgetName{"hardsigmoid", "Hardsigmoid"},
                                  BudgetName{"log", "Log"},
                                  BudgetName{"log1p", "Log1p"},
                                  BudgetName{"negative", "Neg"},
                                  BudgetName{"recip", "Reciprocal"},
                                  BudgetName{"relu_max", "ReluMax"},
                                  BudgetName{"relu_min", "ReluMin"},
                                  BudgetName{"rsqrt", "Rsqrt"},
                                  BudgetName{"sigmoid", "Sigmoid"},
                                  BudgetName{"silu", "Silu"},
                                  BudgetName{"sin", "Sin"},
                                  BudgetName{"sqrt", "Sqrt"},
                                  BudgetName{"square", "Square"},
                                  BudgetName{"tan", "Tan"},
                                  BudgetName{"tanh", "Tanh"},
                                  BudgetName{"threshold", "Threshold"}};

} // namespace

IndexName index_name(std::string kernel) {
  IndexName name{std::move(kernel), std::string(kDefault)};
  if (name.op.ends_with(kFast)) {
    name.op.resize(name.op.size() - kFast.size());
    name.variant = kFastApprox;
  }
  if (name.op == kRecip) name.op = kReciprocal;
  return name;
}

std::optional<std::string> kernel_of_index(const IndexName& name) {
  const std::string op(name.op == kReciprocal ? kRecip : std::string_view(name.op));
  if (name.variant == kDefault) return op;
  if (name.variant == kFastApprox) return op + std::string(kFast);
  return std::nullopt;
}

std::span<const BudgetName> budget_names() {
  return kBudgetNames;
}

std::string_view budget_arch(Arch arch) {
  constexpr std::string_view kPrefix = "ARCH_"; // of the macro that names the chip
  return arch_params(arch).names.kernel_define.substr(kPrefix.size());
}

} // namespace lanewise::report
