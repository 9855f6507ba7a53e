#include "report/llk/headers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/table/table.h"

namespace lanewise::report {

namespace {

constexpr std::string_view kNoReference = "no reference";

std::string chips_of(const corpus::LlkHeader& header) {
  std::vector<std::string_view> names;
  for (const Arch arch : header.chips) names.push_back(arch_params(arch).names.id);
  return fmt::format("{}", fmt::join(names, ","));
}

std::string verdict_of(const LlkHeaderRow& row) {
  if (!row.header.has_reference()) return std::string(kNoReference);
  if (row.runs == 0) return "not run";
  if (row.failed != 0) return "FAIL";
  return row.defects == 0 ? "ok" : fmt::format("ok, {} known defects", row.defects);
}

std::string remark_of(const LlkHeaderRow& row) {
  if (row.header.unchecked.empty()) return verdict_of(row);
  return fmt::format("{}{} {}", verdict_of(row),
                     row.header.has_reference() ? fmt::format("; {} for", kNoReference) : " for",
                     fmt::join(row.header.unchecked, ", "));
}

} // namespace

LlkHeaderRows::LlkHeaderRows(std::vector<corpus::LlkHeader> headers, bool shows_all)
    : shows_all_(shows_all) {
  for (corpus::LlkHeader& header : headers) rows_.push_back({.header = std::move(header)});
}

void LlkHeaderRows::count(const std::string& header, bool failed, bool has_defect) {
  const auto row = std::ranges::find_if(
      rows_, [&](const LlkHeaderRow& each) { return each.header.name == header; });
  if (row == rows_.end()) return;
  ++row->runs;
  row->failed += failed ? 1 : 0;
  row->defects += has_defect ? 1 : 0;
}

std::vector<LlkHeaderRow> LlkHeaderRows::shown() const {
  std::vector<LlkHeaderRow> rows = rows_;
  if (!shows_all_) std::erase_if(rows, [](const LlkHeaderRow& row) { return row.runs == 0; });
  return rows;
}

std::string LlkHeaderRows::table() const {
  Table table{.columns = {{"header"},
                          {"chips"},
                          {"kernels", ColumnKind::Number},
                          {"runs", ColumnKind::Number},
                          {"verdict"}}};
  for (const LlkHeaderRow& row : shown()) {
    table.rows.push_back({row.header.name, chips_of(row.header),
                          std::to_string(row.header.kernels.size()), std::to_string(row.runs),
                          remark_of(row)});
  }
  return table_text(table);
}

std::string LlkHeaderRows::summary() const {
  const auto run = std::ranges::count_if(rows_, [](const auto& row) { return row.runs != 0; });
  return fmt::format("{} of {} headers", run, rows_.size());
}

nlohmann::json LlkHeaderRows::missing_json() const {
  nlohmann::json all = nlohmann::json::array();
  for (const LlkHeaderRow& row : shown()) {
    if (row.header.has_reference() && row.header.unchecked.empty()) continue;
    for (const Arch arch : row.header.chips) {
      all.push_back({{"header", row.header.name},
                     {"arch", arch_params(arch).names.id},
                     {"functions", row.header.unchecked},
                     {"verdict", kNoReference}});
    }
  }
  return all;
}

} // namespace lanewise::report
