#include "report/accuracy/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/accuracy/names.h"

namespace lanewise::report {

namespace {

/// Above this budget the gate of BF16 is a tolerance: 5 % of a mantissa of 7 bits.
constexpr double kLargestBudget = 6;
constexpr double kBudgetMargin = 1.1;

std::string row_text(const AccuracyRow& row, const BudgetName& name) {
  const sweep::UlpStatistics& error = row.statistics.error;
  const std::string_view chip = budget_arch(row.statistics.arch);
  const std::string key =
      fmt::format("in: Float16_b, out: Float16_b, approx: \"{}\", dest: \"No\", arch: {}",
                  name.is_approximate ? "Yes" : "No", chip);
  if (error.lost != 0)
    return fmt::format("  # not measurable on {}: {} results are not finite where they should be\n",
                       chip, error.lost);
  const double budget = std::ceil(kBudgetMargin * error.largest);
  if (budget > kLargestBudget)
    return fmt::format("  - {{{}, metric: tolerance}}  # max {} ULP\n", key, error.largest);
  return fmt::format("  - {{{}, max_ulp: {}}}  # max {} ULP\n", key, budget, error.largest);
}

} // namespace

std::string budget_yaml(std::span<const AccuracyRow> rows, const std::string& command) {
  std::map<std::string_view, std::string> ops;
  for (const AccuracyRow& row : rows) {
    const auto name = std::ranges::find(budget_names(), row.kernel, &BudgetName::kernel);
    if (name != budget_names().end()) ops[name->operation] += row_text(row, *name);
  }
  std::string text = fmt::format("# Modelled by Lanewise: {}\n", command);
  for (const auto& [name, entries] : ops) {
    const bool has_rows = entries.find("- {") != std::string::npos; // else YAML has no list there
    text += fmt::format("{}{}:\n{}", has_rows ? "" : "# ", name, entries);
  }
  return text;
}

} // namespace lanewise::report
