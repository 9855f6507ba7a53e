#include "study/silicon/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lanewise::silicon {

namespace {

Expected<double> mean_of(const std::vector<ClockCase>& runs, Unit unit, ZoneMeter& meter) {
  double sum = 0;
  for (const ClockCase& run : runs) {
    const auto zones = meter.measure(run);
    if (!zones) return Unexpected(zones.error());
    sum += unit == Unit::PerTile ? zones->tile_loop / (kTilesOfLoop * kLoops) : zones->init;
  }
  return sum / static_cast<double>(runs.size());
}

/// Whether all cases of a row were measured.
bool is_reached(const CostRow& row, const KnownMeter& known) {
  const auto cases = cases_of({row});
  return std::ranges::all_of(cases, [&](const ClockCase& each) { return known.has(each); });
}

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
  return error() <= kNearShare || std::abs(residual()) <= kNearCycles;
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

Expected<double> row_cycles(const CostRow& row, ZoneMeter& meter) {
  const auto members = members_of(row);
  if (!members) return Unexpected(members.error());
  std::vector<double> values;
  for (const RowMember& member : *members) {
    auto value = mean_of(member.runs, row.unit, meter);
    if (!value) return value;
    if (!member.less.empty()) {
      auto less = mean_of(member.less, row.unit, meter);
      if (!less) return less;
      *value -= *less;
    }
    values.push_back(*value);
  }
  return median_of(std::move(values));
}

Comparison comparison_of(std::vector<ComparedRow> rows) {
  Comparison comparison;
  comparison.rows = std::move(rows);
  comparison.groups = groups_of(comparison.rows);
  return comparison;
}

Expected<Comparison> compare(const std::vector<CostRow>& table, ZoneMeter& meter,
                             const CompareSettings& settings) {
  auto measured = measure_cases(cases_of(table), meter, settings);
  if (!measured) return Unexpected(measured.error());
  std::vector<ComparedRow> rows;
  KnownMeter known(std::move(*measured));
  for (const CostRow& row : table) {
    if (!is_reached(row, known)) continue;
    ComparedRow compared{.row = row};
    const auto cycles = row_cycles(row, known);
    if (cycles) {
      compared.cycles = *cycles;
    } else {
      compared.why = cycles.error().message;
      if (!cycles.error().remedy.empty()) compared.why += "; " + cycles.error().remedy;
    }
    rows.push_back(std::move(compared));
  }
  return comparison_of(std::move(rows));
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
