#include "study/silicon/compared.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace lanewise::silicon {

namespace {

constexpr unsigned kWidths = 3;

std::vector<ErrorGroup> groups_of(const std::vector<ComparedRow>& rows) {
  std::vector<ErrorGroup> groups;
  for (unsigned place = 0; place < kEngines * kUnits * kWidths; ++place) {
    ErrorGroup group{.engine = static_cast<Engine>(place / (kUnits * kWidths)),
                     .unit = static_cast<Unit>(place / kWidths % kUnits),
                     .width = static_cast<Width>(place % kWidths)};
    std::vector<double> errors;
    for (const ComparedRow& each : rows) {
      if (each.row.engine != group.engine || each.row.unit != group.unit ||
          width_of(each.row) != group.width)
        continue;
      ++group.rows;
      if (!each.cycles) continue;
      errors.push_back(each.error());
      group.near += each.is_near() ? 1 : 0;
      if (!has_band(each.row)) continue;
      ++group.bands;
      group.within += each.is_within() ? 1 : 0;
      group.forms += each.forms ? 1 : 0;
      group.ends += each.has_both_ends() ? 1 : 0;
    }
    if (group.rows == 0) continue;
    group.compared = static_cast<unsigned>(errors.size());
    if (!errors.empty()) {
      group.median = median_of(errors);
      group.ninetieth = ninetieth_of(errors);
    }
    groups.push_back(group);
  }
  return groups;
}

} // namespace

double ComparedRow::error() const {
  return std::abs(residual()) / row.median;
}

bool ComparedRow::is_near() const {
  return silicon::is_near(cycles.value_or(0), row.median);
}

bool ComparedRow::is_within() const {
  return cycles && row.least <= *cycles && *cycles <= row.most;
}

bool ComparedRow::has_both_ends() const {
  if (!forms) return false;
  const auto [low, high] = std::minmax(forms->taken_in, forms->left);
  return silicon::is_near(low, row.least) && silicon::is_near(high, row.most);
}

bool is_near(double cycles, double silicon) {
  const double apart = std::abs(cycles - silicon);
  return apart <= kNearShare * silicon || apart <= kNearCycles;
}

bool has_band(const CostRow& row) {
  const double range = row.most - row.least;
  return range > kBandCycles && range > kBandShare * row.median;
}

std::string_view width_name(Width width) {
  constexpr std::array<std::string_view, kWidths> kNames{"f", "t", "f;t"};
  return kNames[static_cast<std::size_t>(width)];
}

Width width_of(const CostRow& row) {
  const auto wide = std::ranges::count(row.wide, true);
  if (wide == 0) return Width::Narrow;
  return static_cast<std::size_t>(wide) == row.wide.size() ? Width::Wide : Width::Either;
}

unsigned Comparison::compared() const {
  return static_cast<unsigned>(
      std::ranges::count_if(rows, [](const ComparedRow& each) { return each.cycles.has_value(); }));
}

Comparison comparison_of(std::vector<ComparedRow> rows) {
  Comparison comparison;
  comparison.rows = std::move(rows);
  comparison.groups = groups_of(comparison.rows);
  return comparison;
}

std::vector<const ComparedRow*> worst_rows(const Comparison& comparison, std::size_t most) {
  std::vector<const ComparedRow*> rows;
  for (const ComparedRow& each : comparison.rows) {
    if (each.cycles) rows.push_back(&each);
  }
  std::ranges::stable_sort(rows, std::greater(),
                           [](const ComparedRow* each) { return each->error(); });
  rows.resize(std::min(rows.size(), most));
  return rows;
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double ninetieth_of(std::vector<double> values) {
  std::ranges::sort(values);
  constexpr std::size_t kTenths = 9, kWhole = 10;
  return values[(kTenths * values.size() + kWhole - 1) / kWhole - 1];
}

} // namespace lanewise::silicon
