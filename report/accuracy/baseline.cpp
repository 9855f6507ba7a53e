#include "report/accuracy/baseline.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "isa/arch.h"

namespace lanewise::report {

namespace {

Unexpected no_baseline(const std::string& file, const std::string& message) {
  Unexpected fault = bad_input(
      message, "name what 'lanewise accuracy --json' has written, or a report_index.json");
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
    const auto arch = parse_arch(row.at("arch").get<std::string>());
    const auto measure = lab::parse_ulp_measure(row.at("ulp_measure").get<std::string>());
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

/// The name of our table for an operation and a variant of the index.
std::optional<std::string> kernel_name(std::string op, const std::string& variant) {
  if (op == "reciprocal") op = "recip";
  if (variant == "default") return op;
  if (variant == "fast_approx") return op + "_fast";
  return std::nullopt;
}

Baseline index_baseline(const nlohmann::json& json) {
  Baseline baseline{.measure = lab::UlpMeasure::AccuracyReportUnrounded, .is_printed = true};
  for (const Arch arch : kArchs) {
    const auto chip = json.find(std::string(arch_params(arch).name));
    if (chip == json.end() || !chip->contains("bf16")) continue;
    for (const auto& [op, variants] : chip->at("bf16").items()) {
      for (const auto& [variant, entry] : variants.items()) {
        const auto name = kernel_name(op, variant);
        const auto largest = number_at(entry, "max_ulp");
        if (name && largest)
          baseline.entries[{*name, arch}] = {.largest = *largest,
                                             .mean = number_at(entry, "mean_ulp")};
      }
    }
  }
  return baseline;
}

/// The number as it is printed, where the file has only that.
double compared(const Baseline& baseline, double value) {
  if (!baseline.is_printed) return value;
  return number_of(nlohmann::json(fmt::format("{:.3g}", value))).value_or(value);
}

} // namespace

Expected<Baseline> parse_baseline(const std::string& text, const std::string& file) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return no_baseline(file, "this is no JSON object");
  try {
    if (json.value("format", "") == "lanewise-accuracy") return own_baseline(json, file);
    if (json.contains("bh") || json.contains("wh")) return index_baseline(json);
  } catch (const nlohmann::json::exception&) {
    return no_baseline(file, "the figures are not as they were written");
  }
  return no_baseline(file, "these are no figures of kernels");
}

Expected<std::vector<std::string>> falls_behind(std::span<const AccuracyRow> rows,
                                                const Baseline& baseline, double growth) {
  std::vector<std::string> worse;
  bool any = false;
  for (const AccuracyRow& row : rows) {
    const lab::SweepStatistics& now = row.statistics;
    const auto found = baseline.entries.find({row.kernel, now.arch});
    if (found == baseline.entries.end()) continue;
    any = true;
    const BaselineEntry& then = found->second;
    const auto note = [&](const char* what, double before, double after) {
      worse.push_back(fmt::format("{}, {}: {} {:.6g}, and was {:.6g}", row.kernel,
                                  arch_params(now.arch).name, what, after, before));
    };
    const double largest = compared(baseline, now.error.largest);
    const double mean = compared(baseline, now.error.mean_nonzero());
    const auto lost = static_cast<double>(now.error.lost);
    if (largest > then.largest) note("the largest error is", then.largest, largest);
    if (then.mean && mean > *then.mean && largest >= then.largest)
      note("the mean error is", *then.mean, mean);
    if (then.lost && lost > *then.lost) note("results without a number:", *then.lost, lost);
    if (then.cycles && now.cycles > *then.cycles * (1 + growth))
      note("the cycles of a tile are", *then.cycles, now.cycles);
  }
  if (!any && !rows.empty()) {
    return bad_input("the file to compare with has none of these kernels",
                     "choose kernels that it has with --kernel");
  }
  return worse;
}

Expected<double> parse_growth(const std::string& text) {
  const bool framed = text.starts_with('+') && text.ends_with('%') && text.size() > 2;
  const auto percent =
      framed ? number_of(nlohmann::json(text.substr(1, text.size() - 2))) : std::nullopt;
  if (!percent || !(*percent >= 0))
    return bad_input(fmt::format("--max-cycles takes a share such as +2%, not '{}'", text));
  constexpr double kPercent = 100;
  return *percent / kPercent;
}

} // namespace lanewise::report
