#include "study/silicon/compare.h"

#include <algorithm>
#include <utility>

namespace lanewise::silicon {

namespace {

Expected<double> mean_of(const std::vector<ClockCase>& runs, Unit unit, ZoneMeter& meter) {
  double sum = 0;
  for (const ClockCase& run : runs) {
    const auto zones = meter.measure(run);
    if (!zones) return Unexpected(zones.error());
    if (unit == Unit::PerTile && !zones->other_loop.empty())
      return Unexpected(
          Fault{.kind = FaultKind::Unsupported, .message = zones->other_loop, .remedy = {}});
    sum += unit == Unit::PerTile ? zones->tile_loop / (kTilesOfLoop * kLoops) : zones->init;
  }
  return sum / static_cast<double>(runs.size());
}

/// The mean over initialisations as the vendor's compiler may have made them.
Expected<RowCycles> mean_of_forms(const RowMember& member, ZoneMeter& meter) {
  RowCycles mean;
  FormCycles forms;
  bool is_known = true;
  const auto runs = static_cast<double>(member.runs.size());
  for (std::size_t i = 0; i < member.runs.size(); ++i) {
    const bool is_left = member.runs[i].init_left;
    const auto left = meter.measure(is_left ? member.runs[i] : member.other[i]);
    if (!left) return Unexpected(left.error());
    const auto taken_in = meter.measure(is_left ? member.other[i] : member.runs[i]);
    if (!taken_in) return Unexpected(taken_in.error());
    const double share = share_taken_in(member.runs[i], left->init_words);
    is_known = is_known && (share == 0 || share == 1);
    mean.cycles += (share * taken_in->init + (1 - share) * left->init) / runs;
    forms.taken_in += taken_in->init / runs;
    forms.left += left->init / runs;
  }
  if (!is_known) mean.forms = forms;
  return mean;
}

Expected<RowCycles> member_cycles(const RowMember& member, Unit unit, ZoneMeter& meter) {
  if (!member.other.empty()) return mean_of_forms(member, meter);
  const auto value = mean_of(member.runs, unit, meter);
  if (!value) return Unexpected(value.error());
  if (member.less.empty()) return RowCycles{.cycles = *value};
  const auto less = mean_of(member.less, unit, meter);
  if (!less) return Unexpected(less.error());
  return RowCycles{.cycles = *value - *less};
}

/// Whether all cases of a row were measured.
bool is_reached(const CostRow& row, const KnownMeter& known) {
  const auto cases = cases_of({row});
  return std::ranges::all_of(cases, [&](const ClockCase& each) { return known.has(each); });
}

} // namespace

Expected<RowCycles> row_cycles(const CostRow& row, ZoneMeter& meter) {
  const auto members = members_of(row);
  if (!members) return Unexpected(members.error());
  std::vector<double> values, taken_in, left;
  for (const RowMember& member : *members) {
    auto one = member_cycles(member, row.unit, meter);
    if (!one) return one;
    values.push_back(one->cycles);
    taken_in.push_back(one->forms ? one->forms->taken_in : one->cycles);
    left.push_back(one->forms ? one->forms->left : one->cycles);
  }
  RowCycles cycles{.cycles = median_of(std::move(values))};
  const FormCycles forms{median_of(std::move(taken_in)), median_of(std::move(left))};
  if (forms.taken_in != forms.left) cycles.forms = forms;
  return cycles;
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
      compared.cycles = cycles->cycles;
      compared.forms = cycles->forms;
    } else {
      compared.why = cycles.error().message;
      if (!cycles.error().remedy.empty()) compared.why += "; " + cycles.error().remedy;
    }
    rows.push_back(std::move(compared));
  }
  return comparison_of(std::move(rows));
}

} // namespace lanewise::silicon
