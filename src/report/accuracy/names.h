// What others call the kernels of our table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "chip/isa/arch.h"

namespace lanewise::report {

/// An operation of tt-eltwise-accuracy-report, whose variant is "default" or "fast_approx".
struct IndexName {
  std::string op, variant;
};

/// exp_fast is the variant fast_approx of exp.
IndexName index_name(std::string kernel);

/// The reverse; nothing for a variant that our table does not have.
std::optional<std::string> kernel_of_index(const IndexName& name);

/// An operation of tt-llk's tests (MathOperation).
struct BudgetName {
  std::string_view kernel, operation;
  bool is_approximate = false; ///< the kernel is compiled with APPROXIMATION_MODE
};

std::span<const BudgetName> budget_names();

/// The chip as budgets name it: BLACKHOLE.
std::string_view budget_arch(Arch arch);

} // namespace lanewise::report
