#include "report/accuracy/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/in_quotes.h"
#include "chip/isa/arch.h"
#include "report/accuracy/budget_file.h"
#include "report/accuracy/names.h"

namespace lanewise::report {

namespace {

Unexpected no_baseline(const std::string& file, const std::string& message) {
  Unexpected fault = bad_input(
      message,
      "name what 'lanewise accuracy --json' has written, a report_index.json, or tt-llk's "
      "sfpu_accuracy_budget.yaml");
  fault.value().file = file;
  return fault;
}

/// A number, or text of one, as the index has it.
std::optional<double> number_of(const nlohmann::json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  const std::string& text = json.get_ref<const std::string&>();
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

std::optional<double> number_at(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? std::nullopt : number_of(*found);
}

Expected<Baseline> own_baseline(const nlohmann::json& json, const std::string& file) {
  Baseline baseline;
  for (const nlohmann::json& row : json.at("rows")) {
    const auto arch = parse_whole_arch(row.at("arch").get<std::string>());
    const auto measure = formats::parse_ulp_measure(row.at("ulp_measure").get<std::string>());
    const nlohmann::json& ulp = row.at("ulp");
    const auto largest = number_at(ulp, "largest");
    if (!arch || !measure || !largest) return no_baseline(file, "a row is not as it was written");
    baseline.measure = *measure;
    baseline.entries[{row.at("kernel").get<std::string>(), *arch}] = {
        .largest = *largest,
        .mean = number_at(ulp, "mean_nonzero"),
        .lost = number_at(ulp, "lost"),
        .cycles = number_at(row, "cycles")};
  }
  return baseline;
}

Baseline index_baseline(const nlohmann::json& json) {
  Baseline baseline{.measure = formats::UlpMeasure::AccuracyReportUnrounded, .is_printed = true};
  for (const Arch arch : kArchs) {
    const auto chip = json.find(std::string(arch_params(arch).names.id));
    if (chip == json.end() || !chip->contains("bf16")) continue;
    for (const auto& [op, variants] : chip->at("bf16").items()) {
      for (const auto& [variant, entry] : variants.items()) {
        const auto name = kernel_of_index({op, variant});
        const auto largest = number_at(entry, "max_ulp");
        if (name && largest)
          baseline.entries[{*name, arch}] = {.largest = *largest,
                                             .mean = number_at(entry, "mean_ulp")};
      }
    }
  }
  return baseline;
}

/// What our table sweeps: bf16 in and out, Dst of 16 bits.
BudgetKeys budget_variant(const BudgetName& name, Arch arch) {
  return {{"in", "Float16_b"},
          {"out", "Float16_b"},
          {"approx", name.is_approximate ? "Yes" : "No"},
          {"dest", "No"},
          {"arch", std::string(budget_arch(arch))}};
}

/// Adds what the rows of an operation say about its kernel. Error: as find_budget_row() has it.
Expected<void> add_budget(const std::vector<BudgetRow>& rows, const BudgetName& name,
                          Baseline& baseline) {
  for (const Arch arch : kArchs) {
    const auto row = find_budget_row(rows, budget_variant(name, arch));
    if (!row) return Unexpected(row.error());
    const KernelOnChip key{std::string(name.kernel), arch};
    if (*row == nullptr) {
      baseline.not_ulp[key] = "no row for bf16";
    } else if (!(*row)->max_ulp) {
      baseline.not_ulp[key] = "a tolerance";
    } else {
      // Within a budget every result has an error: tt-llk's gate fails for one that has not.
      baseline.entries[key] = {.largest = *(*row)->max_ulp, .lost = 0};
    }
  }
  return {};
}

Expected<Baseline> budget_baseline(const std::string& text, const std::string& file) {
  const auto budget = parse_budget(text, file);
  if (!budget) return Unexpected(budget.error());
  Baseline baseline{.measure = formats::UlpMeasure::TtLlk};
  for (const auto& [operation, rows] : *budget) {
    const auto name = std::ranges::find(budget_names(), operation, &BudgetName::operation);
    if (name == budget_names().end()) {
      baseline.unknown.push_back(operation);
    } else if (auto added = add_budget(rows, *name, baseline); !added) {
      added.error().file = file;
      return Unexpected(added.error());
    }
  }
  return baseline;
}

bool is_yaml(const std::string& file) {
  return file.ends_with(".yaml") || file.ends_with(".yml");
}

/// The number as it is printed, where the file has only that.
double compared(const Baseline& baseline, double value) {
  if (!baseline.is_printed) return value;
  return number_of(nlohmann::json(fmt::format("{:.3g}", value))).value_or(value);
}

/// Adds a row to `table` for each figure of a kernel that is worse than in the file.
void add_worse(const AccuracyRow& row, const Baseline& baseline, const BaselineEntry& then,
               double growth, Table& table) {
  const sweep::SweepStatistics& now = row.statistics;
  const auto note = [&](const char* what, double before, double after) {
    table.rows.push_back({row.kernel, arch_params(now.arch).names.id, what,
                          fmt::format("{:.6g}", before), fmt::format("{:.6g}", after)});
  };
  const double largest = compared(baseline, now.error.largest);
  const double mean = compared(baseline, now.error.mean_nonzero());
  const auto lost = static_cast<double>(now.error.lost);
  if (largest > then.largest) note("largest error", then.largest, largest);
  if (then.mean && mean > *then.mean && largest >= then.largest)
    note("mean error", *then.mean, mean);
  if (then.lost && lost > *then.lost) note("results without a number", *then.lost, lost);
  if (then.cycles && now.cycles > *then.cycles * (1 + growth))
    note("cycles of a tile", *then.cycles, now.cycles);
}

} // namespace

Expected<Baseline> parse_baseline(const std::string& text, const std::string& file) {
  if (is_yaml(file)) return budget_baseline(text, file);
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return no_baseline(file, "this is no JSON object");
  try {
    if (json.value("format", "") == "lanewise-accuracy") return own_baseline(json, file);
    const bool has_chips = std::ranges::any_of(
        kArchs, [&](Arch arch) { return json.contains(arch_params(arch).names.id); });
    if (has_chips) return index_baseline(json);
  } catch (const nlohmann::json::exception&) {
    return no_baseline(file, "the figures are not as they were written");
  }
  return no_baseline(file, "these are no figures of kernels");
}

Expected<Comparison> compare_with(std::span<const AccuracyRow> rows, const Baseline& baseline,
                                  double growth) {
  Comparison comparison{.worse = {.columns = table_columns({"kernel", "chip", "worse"})}};
  comparison.worse.columns.push_back({.heading = "there", .kind = ColumnKind::Number});
  comparison.worse.columns.push_back({.heading = "here", .kind = ColumnKind::Number});
  bool any = false;
  for (const AccuracyRow& row : rows) {
    const KernelOnChip key{row.kernel, row.statistics.arch};
    if (const auto found = baseline.entries.find(key); found != baseline.entries.end()) {
      any = true;
      add_worse(row, baseline, found->second, growth, comparison.worse);
      continue;
    }
    const auto reason = baseline.not_ulp.find(key);
    comparison.left_out.push_back(
        fmt::format("{}, {}: {}", row.kernel, arch_params(key.second).names.id,
                    reason == baseline.not_ulp.end() ? "not in the file" : reason->second));
  }
  if (!any && !rows.empty()) {
    return bad_input("the file to compare with has none of these kernels",
                     "choose kernels that it has with --kernel");
  }
  return comparison;
}

Expected<double> parse_growth(const std::string& text) {
  const bool framed = text.starts_with('+') && text.ends_with('%') && text.size() > 2;
  const auto percent =
      framed ? number_of(nlohmann::json(text.substr(1, text.size() - 2))) : std::nullopt;
  if (!percent || !(*percent >= 0))
    return bad_input(
        fmt::format("--max-cycles takes a share such as +2%, not {}", in_quotes(text)));
  constexpr double kPercent = 100;
  return *percent / kPercent;
}

} // namespace lanewise::report
