#include "study/sweep/merge.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanewise::sweep {

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

void merge(WrongKinds& all, const WrongKinds& more) {
  all.nan += more.nan;
  all.infinite += more.infinite;
  all.finite += more.finite;
  all.zero += more.zero;
  all.nonzero += more.nonzero;
  all.sign += more.sign;
}

void merge(UlpStatistics& all, const UlpStatistics& more) {
  merge_largest(all, more);
  if (more.exact_count != 0 && (all.exact_count == 0 || more.largest_exact > all.largest_exact)) {
    all.largest_exact = more.largest_exact;
    all.worst_exact = more.worst_exact;
  }
  for (std::size_t row = 0; row < kUlpRows; ++row) all.rows[row] += more.rows[row];
  all.lost += more.lost;
  merge(all.wrong, more.wrong);
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
  all.largest_exact = std::max(all.largest_exact, more.largest_exact);
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

double badness(const Judgement& judgement, const SweepCase& result) {
  return std::abs(distance_of(judgement.measure, judgement.output_format, result));
}

void merge_worst(const Judgement& judgement, std::vector<SweepCase>& all,
                 const std::vector<SweepCase>& more) {
  if (more.empty()) return;
  const bool is_full = all.size() >= judgement.worst_cases;
  if (is_full &&
      (all.empty() || badness(judgement, more.front()) <= badness(judgement, all.back())))
    return;
  const auto middle = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), more.begin(), more.end());
  std::inplace_merge(all.begin(), all.begin() + middle, all.end(),
                     [&](const SweepCase& a, const SweepCase& b) {
                       return badness(judgement, a) > badness(judgement, b);
                     });
  if (all.size() > judgement.worst_cases) all.resize(judgement.worst_cases);
}

void merge(const Judgement& judgement, DiffCounts& all, const DiffCounts& more) {
  all.inputs += more.inputs;
  all.changed += more.changed;
  merge_worst(judgement, all.worst, more.worst);
}

ChipTotals empty_totals(const SweepParts& parts) {
  ChipTotals totals;
  totals.decades.resize(parts.decades());
  totals.bins.resize(parts.bins());
  totals.cells.resize(parts.cells());
  return totals;
}

namespace {

/// What is not by decade, bin or cell. `More`: ChunkStatistics or ChipTotals.
template <class More>
void merge_whole(const Judgement& judgement, ChipTotals& all, const More& more) {
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
  merge_worst(judgement, to.worst, from.worst);
  merge(to.histogram, from.histogram);
  join_runs(all.ends, more.ends, to.monotonicity);
  merge(to.monotonicity, from.monotonicity);
  merge(to.symmetry, from.symmetry);
  merge_faults(to.faults, from.faults);
}

void merge_numbered(std::vector<PartStatistics>& all, const std::vector<NumberedPart>& more) {
  for (const NumberedPart& part : more) merge(all[part.index], part.statistics);
}

void merge_all(std::vector<PartStatistics>& all, const std::vector<PartStatistics>& more) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (more[i].inputs != 0) merge(all[i], more[i]);
  }
}

} // namespace

void merge(const Judgement& judgement, ChipTotals& all, const ChunkStatistics& more) {
  merge_whole(judgement, all, more);
  merge_numbered(all.decades, more.parts.decades);
  merge_numbered(all.bins, more.parts.bins);
  merge_numbered(all.cells, more.parts.cells);
}

void merge(const Judgement& judgement, ChipTotals& all, const ChipTotals& more) {
  merge_whole(judgement, all, more);
  merge_all(all.decades, more.decades);
  merge_all(all.bins, more.bins);
  merge_all(all.cells, more.cells);
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
  for (std::uint32_t i = 0; i < totals.cells.size(); ++i) {
    if (totals.cells[i].inputs != 0)
      statistics.near.emplace(SweepParts::cell_key(i), totals.cells[i]);
  }
  statistics.bin_shift = parts.bin_shift();
  return statistics;
}

} // namespace lanewise::sweep
