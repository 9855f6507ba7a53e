#include "study/sweep/vector_counter.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "number/formats/number_line.h"

namespace lanewise::sweep {

namespace {

/// With fewer inputs in a segment the passes are slower than a loop.
constexpr std::size_t kFewestOfSegment = 4;

void leave_worst(WorstList& worst) {
  std::uint64_t* const last = worst.cases + worst.most - 1;
  std::nth_element(worst.cases, last, worst.cases + worst.used);
  worst.used = worst.most;
  worst.above = ~static_cast<std::uint32_t>(*last >> 32);
}

/// Room for a list of the worst cases.
class WorstCases {
 public:
  /// Without those of an |ULP| up to `above`.
  WorstCases(std::size_t most, std::uint32_t above) : cases_(2 * most + 4 * kTallyGroup) {
    list_ = {.cases = cases_.data(),
             .used = 0,
             .room = cases_.size(),
             .most = most,
             .above = most == 0 ? ~0U : above,
             .sort_out = leave_worst};
  }
  WorstList& list() { return list_; }

  std::vector<SweepCase> sorted(const ChunkResults& results, WorstSizes* sizes) {
    const auto end = cases_.begin() + static_cast<std::ptrdiff_t>(list_.used);
    std::sort(cases_.begin(), end);
    for (std::size_t i = 0; sizes != nullptr && i < std::min(list_.used, list_.most); ++i)
      sizes->add(~static_cast<std::uint32_t>(cases_[i] >> 32));
    std::vector<SweepCase> worst;
    worst.reserve(std::min(list_.used, list_.most));
    for (std::size_t i = 0; i < std::min(list_.used, list_.most); ++i)
      worst.push_back(results.at(static_cast<std::uint32_t>(cases_[i])));
    return worst;
  }

 private:
  std::vector<std::uint64_t> cases_;
  WorstList list_;
};

std::map<int, std::uint64_t> histogram_of(const ChunkTally& totals) {
  std::map<int, std::uint64_t> histogram;
  for (int key = -kMostTalliedBits; key <= kMostTalliedBits; ++key) {
    const int place = kMostTalliedBits + key;
    const std::uint64_t count = totals.histogram[static_cast<std::size_t>(place)];
    if (count != 0) histogram.emplace_hint(histogram.end(), key, count);
  }
  return histogram;
}

/// All of a chunk as one segment.
PartSegment whole_chunk(std::size_t inputs) {
  return {.begin = 0,
          .end = static_cast<std::uint32_t>(inputs),
          .decade = SweepParts::kNoDecade,
          .bin = 0};
}

} // namespace

void WorstSizes::add(std::uint32_t size) {
  if (size <= above()) return;
  sizes_.push_back(size);
  std::push_heap(sizes_.begin(), sizes_.end(), std::greater<>());
  if (sizes_.size() <= most_) return;
  std::pop_heap(sizes_.begin(), sizes_.end(), std::greater<>());
  sizes_.pop_back();
}

bool VectorCounter::can_count(const Judgement& judgement, std::size_t inputs,
                              std::size_t segments) {
  return judgement.measure == formats::UlpMeasure::Line &&
         !formats::is_integer(judgement.output_format) && inputs >= kFewestTallied &&
         inputs >= kFewestOfSegment * segments;
}

VectorCounter::VectorCounter(const Judgement& judgement, const ChunkResults& results)
    : judgement_(judgement), results_(results) {
  const ChunkExpectation& expected = results.expected;
  chunk_ = {.line = line_numbers(judgement.output_format),
            .count = results.found.size(),
            .expected = expected.bits.data(),
            .found = results.found.data(),
            .exact = expected.exact.data(),
            .kind = expected.is_all_counted
                        ? nullptr
                        : reinterpret_cast<const std::uint8_t*>(expected.kind.data())};
}

bool VectorCounter::is_counted(std::size_t i) const {
  return results_.expected.kind[i] == InputKind::Counted;
}

formats::UlpError VectorCounter::error_of(std::size_t i) const {
  return formats::ulp_error(judgement_.measure, judgement_.output_format,
                            results_.expected.exact[i], results_.expected.bits[i],
                            results_.found[i]);
}

ChunkTally VectorCounter::tally(std::span<const PartSegment> segments,
                                std::span<SegmentTally> tallies, WorstList& worst) const {
  ChunkTally totals;
  tally_kernels().tally(chunk_, segments.data(), segments.size(), tallies.data(), totals, worst);
  return totals;
}

UlpStatistics VectorCounter::errors() const {
  const PartSegment segment = whole_chunk(chunk_.count);
  SegmentTally tally_of_all;
  WorstCases none(0, 0);
  const ChunkTally totals = tally({&segment, 1}, {&tally_of_all, 1}, none.list());
  return errors_of(totals, {&tally_of_all, 1});
}

UlpStatistics VectorCounter::errors_of(const ChunkTally& totals,
                                       std::span<const SegmentTally> tallies) const {
  UlpStatistics statistics;
  std::uint64_t inputs = 0, sum = 0, not_compared = 0;
  std::uint32_t largest = 0, worst = kNoIndex, worst_exact = kNoIndex;
  for (const SegmentTally& tally : tallies) {
    inputs += tally.inputs;
    statistics.lost += tally.lost;
    sum += tally.sum;
    not_compared += tally.not_compared;
    if (tally.exact_largest > statistics.largest_exact) {
      statistics.largest_exact = tally.exact_largest;
      worst_exact = tally.first_exact;
    }
    if (tally.largest <= largest) continue;
    largest = tally.largest;
    worst = tally.first_largest;
  }
  std::uint64_t below = 0;
  for (std::size_t row = 0; row < totals.at_most.size(); ++row) {
    statistics.rows[row] = totals.at_most[row] - below;
    below = totals.at_most[row];
  }
  statistics.rows.back() = inputs - below;
  statistics.wrong = totals.wrong;
  statistics.sum = static_cast<double>(sum);
  statistics.sum_exact = totals.exact_sum;
  statistics.exact_count = inputs - statistics.lost - not_compared;
  statistics.largest = largest;

  const auto first_where = [&](auto&& is_wanted) {
    std::size_t i = 0;
    while (!is_counted(i) || !is_wanted(error_of(i))) ++i;
    return results_.at(i);
  };
  if (worst != kNoIndex) {
    statistics.worst = results_.at(worst);
  } else if (inputs != statistics.lost) {
    statistics.worst = first_where(
        [](const formats::UlpError& error) { return error.distance != formats::kLost; });
  }
  if (worst_exact != kNoIndex) {
    statistics.worst_exact = results_.at(worst_exact);
  } else if (statistics.exact_count != 0) {
    statistics.worst_exact = first_where(
        [](const formats::UlpError& error) { return error.exact != formats::kNotCompared; });
  }
  return statistics;
}

PartStatistics VectorCounter::part_of(const PartSegment& segment, const SegmentTally& tally) const {
  std::size_t first = segment.begin;
  while (!is_counted(first)) ++first;
  PartStatistics part{.inputs = tally.inputs,
                      .largest = static_cast<double>(tally.largest),
                      .sum = static_cast<double>(tally.sum),
                      .largest_exact = formats::kNotCompared,
                      .lost = tally.lost,
                      .worst = {},
                      .sample = results_.at(first)};
  if (tally.inputs == tally.lost) return part;
  if (tally.inputs != tally.lost + tally.not_compared) part.largest_exact = tally.exact_largest;
  std::size_t worst = tally.first_largest;
  if (tally.first_largest == kNoIndex) {
    worst = first;
    while (!is_counted(worst) || error_of(worst).distance == formats::kLost) ++worst;
  }
  part.worst = results_.at(worst);
  return part;
}

ClassStatistics VectorCounter::class_of(const ChunkTally& totals, InputKind kind) const {
  const KindTally& tally = totals.kinds[static_cast<std::size_t>(kind) - 1];
  ClassStatistics statistics{.inputs = tally.inputs, .differ = tally.differ, .first = {}};
  if (tally.differ != 0) statistics.first = results_.at(tally.first);
  return statistics;
}

void VectorCounter::count(std::span<const PartSegment> segments, PartCounter& parts,
                          std::vector<SegmentTally>& tallies, WorstSizes* before,
                          ChunkStatistics& chip) const {
  SweepStatistics& statistics = chip.statistics;
  WorstCases worst(std::min(judgement_.worst_cases, chunk_.count),
                   before == nullptr ? 0 : before->above());
  tallies.assign(segments.size(), {});
  const ChunkTally totals = tally(segments, tallies, worst.list());
  statistics.error = errors_of(totals, tallies);
  statistics.histogram = histogram_of(totals);
  statistics.worst = worst.sorted(results_, before);
  statistics.zero_signs = totals.zero_signs;
  statistics.expected_nan = class_of(totals, InputKind::ExpectedNaN);
  statistics.denormal = class_of(totals, InputKind::Denormal);
  statistics.infinite = class_of(totals, InputKind::Infinite);
  statistics.nan = class_of(totals, InputKind::NaN);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (tallies[i].inputs != 0) parts.add(segments[i], part_of(segments[i], tallies[i]));
  }
  chip.parts = parts.take();
}

TalliedInputs VectorCounter::inputs_of(formats::Format format) const {
  return {.line = line_numbers(format),
          .x = results_.inputs.x.data(),
          .positives = results_.inputs.positives};
}

RunEnd VectorCounter::end_at(formats::Format format, std::size_t i) const {
  const std::int64_t steps = formats::ulp_position(format, results_.inputs.x[i]).value_or(0);
  return {
      .steps = std::abs(steps),
      .position =
          formats::ulp_position(judgement_.output_format, results_.found[i]).value_or(kNoPosition),
      .result = results_.at(i)};
}

void VectorCounter::count_run(formats::Format format, bool is_negative, Monotonicity& monotonicity,
                              RunEnds& ends) const {
  const TalliedInputs inputs = inputs_of(format);
  std::size_t first = is_negative ? inputs.positives : 0;
  std::size_t end = is_negative ? chunk_.count : inputs.positives;
  while (first < end && !is_counted(first)) ++first;
  while (first < end && !is_counted(end - 1)) --end;
  if (first == end) return;
  ends.first[is_negative ? 1 : 0] = end_at(format, first);
  ends.last[is_negative ? 1 : 0] = end_at(format, end - 1);
  const ReversalTally tally = tally_kernels().reversals(chunk_, inputs, first, end);
  monotonicity.reversals += tally.reversals;
  if (tally.largest > monotonicity.largest) {
    monotonicity.largest = tally.largest;
    monotonicity.left = results_.at(is_negative ? tally.after : tally.before);
    monotonicity.right = results_.at(is_negative ? tally.before : tally.after);
  }
}

RunEnds VectorCounter::reversals(formats::Format format, Monotonicity& monotonicity) const {
  RunEnds ends;
  count_run(format, false, monotonicity, ends);
  count_run(format, true, monotonicity, ends);
  return ends;
}

std::size_t VectorCounter::symmetry(formats::Format format, Symmetry& symmetry) const {
  const SymmetryTally tally = tally_kernels().symmetry(chunk_, inputs_of(format));
  symmetry.pairs = tally.pairs;
  symmetry.reference_not_even = tally.reference_not_even;
  symmetry.reference_not_odd = tally.reference_not_odd;
  symmetry.found_not_even = tally.found_not_even;
  symmetry.found_not_odd = tally.found_not_odd;
  if (tally.found_not_even != 0) symmetry.first_not_even = results_.at(tally.first_not_even);
  if (tally.found_not_odd != 0) symmetry.first_not_odd = results_.at(tally.first_not_odd);
  return tally.done;
}

} // namespace lanewise::sweep
