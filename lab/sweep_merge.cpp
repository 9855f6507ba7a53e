#include "lab/sweep_merge.h"

#include <algorithm>
#include <utility>

#include "lab/number_line.h"

namespace lanewise::lab {

namespace {

std::uint64_t compared(const UlpStatistics& statistics) {
  return statistics.count() - statistics.lost;
}
std::uint64_t compared(const PartStatistics& statistics) {
  return statistics.inputs - statistics.lost;
}

/// The first of the largest ones.
template <class Statistics>
void merge_largest(Statistics& all, const Statistics& more) {
  const bool is_first = compared(all) == 0;
  if (compared(more) == 0 || (!is_first && more.largest <= all.largest)) return;
  all.largest = more.largest;
  all.worst = more.worst;
}

/// A fault without what tells only how often it happened, and where first.
Fault without_numbers(Fault fault) {
  fault.lane.reset();
  return fault;
}

} // namespace

void merge(UlpStatistics& all, const UlpStatistics& more) {
  merge_largest(all, more);
  if (more.exact_count != 0 && (all.exact_count == 0 || more.largest_exact > all.largest_exact)) {
    all.largest_exact = more.largest_exact;
    all.worst_exact = more.worst_exact;
  }
  for (std::size_t row = 0; row < kUlpRows; ++row) all.rows[row] += more.rows[row];
  all.lost += more.lost;
  all.sum += more.sum;
  all.sum_exact += more.sum_exact;
  all.exact_count += more.exact_count;
}

void merge(ClassStatistics& all, const ClassStatistics& more) {
  if (all.differ == 0 && more.differ != 0) all.first = more.first;
  all.inputs += more.inputs;
  all.differ += more.differ;
}

void merge(PartStatistics& all, const PartStatistics& more) {
  merge_largest(all, more);
  if (all.inputs == 0) all.sample = more.sample;
  all.inputs += more.inputs;
  all.sum += more.sum;
  all.lost += more.lost;
}

void merge(Monotonicity& all, const Monotonicity& more) {
  all.reversals += more.reversals;
  if (more.largest <= all.largest) return;
  all.largest = more.largest;
  all.left = more.left;
  all.right = more.right;
}

void merge(Symmetry& all, const Symmetry& more) {
  if (all.found_not_even == 0) all.first_not_even = more.first_not_even;
  if (all.found_not_odd == 0) all.first_not_odd = more.first_not_odd;
  all.pairs += more.pairs;
  all.reference_not_even += more.reference_not_even;
  all.reference_not_odd += more.reference_not_odd;
  all.found_not_even += more.found_not_even;
  all.found_not_odd += more.found_not_odd;
}

void merge(std::map<int, std::uint64_t>& all, const std::map<int, std::uint64_t>& more) {
  for (const auto& [key, count] : more) all[key] += count;
}

void merge_faults(std::vector<Fault>& all, const std::vector<Fault>& more) {
  for (const Fault& fault : more) {
    const Fault wanted = without_numbers(fault);
    const auto is_same = [&](const Fault& other) { return without_numbers(other) == wanted; };
    if (std::find_if(all.begin(), all.end(), is_same) == all.end()) all.push_back(fault);
  }
}

std::int64_t badness(Format output_format, const SweepCase& result) {
  return with_line(output_format, [&](auto line) -> std::int64_t {
    const bool is_nan = line.is_nan(result.found);
    if (is_nan || line.is_nan(result.expected))
      return is_nan && line.is_nan(result.expected) ? 0 : kLost;
    const std::int64_t distance = line.position(result.found) - line.position(result.expected);
    const std::int64_t size = distance < 0 ? -distance : distance;
    return line.is_infinite(result.found) && size > 1 ? kLost : size;
  });
}

void merge_worst(Format output_format, std::vector<SweepCase>& all,
                 const std::vector<SweepCase>& more, std::size_t most) {
  if (more.empty()) return;
  const bool is_full = all.size() >= most;
  if (is_full &&
      (all.empty() || badness(output_format, more.front()) <= badness(output_format, all.back())))
    return;
  const auto middle = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), more.begin(), more.end());
  std::inplace_merge(all.begin(), all.begin() + middle, all.end(),
                     [&](const SweepCase& a, const SweepCase& b) {
                       return badness(output_format, a) > badness(output_format, b);
                     });
  if (all.size() > most) all.resize(most);
}

void merge(Format output_format, std::size_t worst_cases, DiffCounts& all, const DiffCounts& more) {
  all.inputs += more.inputs;
  all.changed += more.changed;
  merge(all.distance, more.distance);
  merge_worst(output_format, all.worst, more.worst, worst_cases);
}

ChipTotals empty_totals(const SweepParts& parts) {
  ChipTotals totals;
  totals.decades.resize(parts.decades());
  totals.bins.resize(parts.bins());
  return totals;
}

void merge(Format output_format, std::size_t worst_cases, ChipTotals& all,
           const ChunkStatistics& more) {
  SweepStatistics& to = all.statistics;
  const SweepStatistics& from = more.statistics;
  to.outside += from.outside;
  to.zero_signs += from.zero_signs;
  to.undecided += from.undecided;
  merge(to.error, from.error);
  if (from.before_store) {
    if (!to.before_store) to.before_store.emplace();
    merge(*to.before_store, *from.before_store);
  }
  merge(to.expected_nan, from.expected_nan);
  merge(to.denormal, from.denormal);
  merge(to.infinite, from.infinite);
  merge(to.nan, from.nan);
  merge_worst(output_format, to.worst, from.worst, worst_cases);
  merge(to.histogram, from.histogram);
  join_runs(all.ends, more.ends, to.monotonicity);
  merge(to.monotonicity, from.monotonicity);
  merge(to.symmetry, from.symmetry);
  merge_faults(to.faults, from.faults);
  for (const NumberedPart& part : more.parts.decades)
    merge(all.decades[part.index], part.statistics);
  for (const NumberedPart& part : more.parts.bins) merge(all.bins[part.index], part.statistics);
}

SweepStatistics statistics_of(const SweepParts& parts, const ChipTotals& totals) {
  SweepStatistics statistics = totals.statistics;
  for (std::uint32_t i = 0; i < totals.decades.size(); ++i) {
    if (totals.decades[i].inputs != 0)
      statistics.decades.emplace(parts.decade(i), totals.decades[i]);
  }
  for (std::uint32_t i = 0; i < totals.bins.size(); ++i) {
    if (totals.bins[i].inputs != 0) merge(statistics.bins[parts.bin_key(i)], totals.bins[i]);
  }
  statistics.bin_shift = parts.bin_shift();
  return statistics;
}

} // namespace lanewise::lab
