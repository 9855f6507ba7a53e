#include "study/sweep/errors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "number/formats/number_line.h"
#include "number/formats/ulp_rules.h"
#include "study/sweep/merge.h"

namespace lanewise::sweep {

namespace {

template <class Line>
std::int64_t position_of(std::uint32_t bits) {
  return Line::is_nan(bits) ? kNoPosition : Line::position(bits);
}

template <class Rule, class Line>
void measure_as(const formats::ValueRange& range, const ChunkExpectation& expected,
                std::span<const std::uint32_t> found, ChunkErrors& errors) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    errors.position[i] = position_of<Line>(found[i]);
    errors.wanted[i] = position_of<Line>(expected.bits[i]);
    const formats::WantedResult wanted{
        .bits = expected.bits[i],
        .exact = expected.exact[i],
        .position = errors.wanted[i] == kNoPosition ? 0 : errors.wanted[i],
        .place = formats::place_of<Line>(expected.exact[i], range)};
    const formats::UlpError error = Rule::template error<Line>(wanted, found[i]);
    errors.distance[i] = error.distance;
    errors.exact[i] = error.exact;
  }
}

bool is_counted(const ChunkResults& results, std::size_t i) {
  return results.expected.kind[i] == InputKind::Counted;
}

constexpr std::int64_t kLargestTabled = kUlpRowEnds.back();

/// The row of every whole |ULP| up to 100.
constexpr auto kRowOf = [] {
  std::array<std::uint8_t, kLargestTabled + 1> rows{};
  for (std::int64_t ulp = 0; ulp <= kLargestTabled; ++ulp) {
    std::uint8_t row = 0;
    while (ulp > kUlpRowEnds[row]) ++row;
    rows[static_cast<std::size_t>(ulp)] = row;
  }
  return rows;
}();

std::size_t row_of(double size) {
  if (size > kLargestTabled) return kUlpRows - 1;
  return kRowOf[static_cast<std::size_t>(std::ceil(size))];
}

/// Sum and largest of |ULP|, and of exact errors. Whole numbers add up exactly, which no order of
/// summing changes: at most 2^15 inputs of 2^33 ULP.
struct SizeTally {
  std::uint64_t inputs = 0, lost = 0;
  double sum = 0;
  double largest = -1; ///< none yet
  std::size_t first = 0, first_largest = 0;
  std::uint64_t exact_count = 0;
  double sum_exact = 0;
  double largest_exact = formats::kNotCompared;
  std::size_t first_exact = 0;

  void add(std::size_t i, double size) {
    if (inputs++ == 0) first = i;
    if (size == formats::kLost) {
      ++lost;
      return;
    }
    sum += size;
    if (size > largest) {
      largest = size;
      first_largest = i;
    }
  }

  void add_exact(std::size_t i, double exact) {
    if (exact == formats::kNotCompared) return;
    ++exact_count;
    sum_exact += exact;
    if (exact > largest_exact) {
      largest_exact = exact;
      first_exact = i;
    }
  }
};

template <class Line>
void count_kind(std::uint32_t expected, std::uint32_t found, WrongKinds& wrong) {
  const bool is_zero = Line::position(found) == 0, wants_zero = Line::position(expected) == 0;
  if (Line::is_nan(found)) {
    ++wrong.nan;
  } else if (Line::is_infinite(found) && !Line::is_infinite(expected)) {
    ++wrong.infinite;
  } else if (!Line::is_infinite(found) && Line::is_infinite(expected)) {
    ++wrong.finite;
  } else if (is_zero != wants_zero) {
    ++(is_zero ? wrong.zero : wrong.nonzero);
  } else if (!is_zero && Line::is_negative(found) != Line::is_negative(expected)) {
    ++wrong.sign;
  }
}

PartStatistics part_of(const ChunkResults& results, const SizeTally& tally) {
  PartStatistics part{.inputs = tally.inputs,
                      .largest = std::max(tally.largest, 0.0),
                      .sum = tally.sum,
                      .largest_exact = tally.largest_exact,
                      .lost = tally.lost,
                      .worst = {},
                      .sample = results.at(tally.first)};
  if (tally.largest >= 0) part.worst = results.at(tally.first_largest);
  return part;
}

/// The k of the histogram: 2^(k-1) <= |ULP| < 2^k; 1 for fractions.
int key_of(double size) {
  return size == 0 ? 0 : std::max(std::ilogb(size) + 1, 1);
}

constexpr double kNoCase = -1;

struct Candidate {
  double size;
  std::size_t i;
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.size != b.size ? a.size > b.size : a.i < b.i;
  }
};

/// The first of those with the largest size; kNoCase is none.
template <class SizeOf>
std::vector<SweepCase> worst_by(const ChunkResults& results, std::size_t most, SizeOf&& size_of) {
  // Errors often grow from input to input, so that many are the worst until now. They are sorted
  // out now and then, not one by one.
  const std::size_t room = 2 * std::min<std::size_t>(most, results.found.size()) + 64;
  std::vector<Candidate> worst;
  worst.reserve(room);
  double no_place = most == 0 ? formats::kLost : kNoCase; // sizes up to here have none
  for (std::size_t i = 0; i < results.found.size(); ++i) {
    const double size = size_of(i);
    if (size <= no_place) continue;
    worst.push_back({size, i});
    if (worst.size() < room) continue;
    const auto last = worst.begin() + static_cast<std::ptrdiff_t>(most) - 1;
    std::nth_element(worst.begin(), last, worst.end());
    no_place = last->size;
    worst.erase(last + 1, worst.end());
  }
  std::sort(worst.begin(), worst.end());
  if (worst.size() > most)
    worst.erase(worst.begin() + static_cast<std::ptrdiff_t>(most), worst.end());
  std::vector<SweepCase> cases;
  cases.reserve(worst.size());
  for (const Candidate& candidate : worst) cases.push_back(results.at(candidate.i));
  return cases;
}

bool is_same_result(formats::Format format, std::uint32_t expected, std::uint32_t found) {
  const bool both_nan = formats::number_class(format, expected) == formats::NumberClass::NaN &&
                        formats::number_class(format, found) == formats::NumberClass::NaN;
  return both_nan || expected == found;
}

} // namespace

void ChunkErrors::measure(formats::UlpMeasure measure, formats::Format output_format,
                          const ChunkExpectation& expected, std::span<const std::uint32_t> found) {
  position.resize(found.size());
  wanted.resize(found.size());
  distance.resize(found.size());
  exact.resize(found.size());
  const formats::ValueRange range = formats::value_range(output_format);
  formats::with_rule(measure, [&]<class Rule>(Rule) {
    formats::with_line(output_format, [&]<class Line>(Line) {
      measure_as<Rule, Line>(range, expected, found, *this);
    });
  });
}

WrongKinds count_kinds(formats::Format output_format, const ChunkResults& results) {
  WrongKinds wrong;
  formats::with_line(output_format, [&]<class Line>(Line) {
    for (std::size_t i = 0; i < results.found.size(); ++i) {
      if (results.errors.distance[i] != 0 && is_counted(results, i))
        count_kind<Line>(results.expected.bits[i], results.found[i], wrong);
    }
  });
  return wrong;
}

UlpStatistics count_errors(formats::Format output_format, const ChunkResults& results) {
  UlpStatistics statistics;
  SizeTally tally;
  for (std::size_t i = 0; i < results.found.size(); ++i) {
    if (!is_counted(results, i)) continue;
    const double size = std::abs(results.errors.distance[i]);
    ++statistics.rows[row_of(size)];
    tally.add(i, size);
    tally.add_exact(i, results.errors.exact[i]);
  }
  statistics.lost = tally.lost;
  statistics.sum = tally.sum;
  statistics.exact_count = tally.exact_count;
  statistics.sum_exact = tally.sum_exact;
  statistics.wrong = count_kinds(output_format, results);
  if (tally.largest >= 0) {
    statistics.largest = tally.largest;
    statistics.worst = results.at(tally.first_largest);
  }
  if (tally.exact_count != 0) {
    statistics.largest_exact = tally.largest_exact;
    statistics.worst_exact = results.at(tally.first_exact);
  }
  return statistics;
}

std::map<int, std::uint64_t> count_distances(const ChunkResults& results) {
  constexpr int kMostBits = 300; // 2^128 in gaps of 2^-149 is 2^277
  std::array<std::uint64_t, 2 * kMostBits + 1> counts{};
  const auto place_of = [](int key) {
    const int place = kMostBits + key;
    return static_cast<std::size_t>(place);
  };
  for (std::size_t i = 0; i < results.found.size(); ++i) {
    const double distance = results.errors.distance[i];
    if (!is_counted(results, i) || distance == formats::kLost) continue;
    const int key = key_of(std::abs(distance));
    ++counts[place_of(distance < 0 ? -key : key)];
  }
  std::map<int, std::uint64_t> histogram;
  for (int key = -kMostBits; key <= kMostBits; ++key) {
    const std::uint64_t count = counts[place_of(key)];
    if (count != 0) histogram.emplace_hint(histogram.end(), key, count);
  }
  return histogram;
}

void PartCounter::add_to(std::uint32_t index, const PartStatistics& part, Places& places,
                         std::vector<NumberedPart>& parts) {
  if (places[index] != kNowhere) return merge(parts[places[index]].statistics, part);
  places[index] = static_cast<std::uint32_t>(parts.size());
  parts.push_back({index, part});
}

void PartCounter::add(const PartSegment& segment, const PartStatistics& part) {
  add_to(segment.bin, part, bin_places_, parts_.bins);
  if (segment.decade != SweepParts::kNoDecade)
    add_to(segment.decade, part, decade_places_, parts_.decades);
  if (segment.cell != SweepParts::kNoCell) add_to(segment.cell, part, cell_places_, parts_.cells);
}

ChunkParts PartCounter::take() {
  for (const NumberedPart& part : parts_.bins) bin_places_[part.index] = kNowhere;
  for (const NumberedPart& part : parts_.decades) decade_places_[part.index] = kNowhere;
  for (const NumberedPart& part : parts_.cells) cell_places_[part.index] = kNowhere;
  return std::exchange(parts_, {});
}

ChunkParts PartCounter::count(const ChunkResults& results, std::span<const PartSegment> segments) {
  for (const PartSegment& segment : segments) {
    SizeTally tally;
    for (std::size_t i = segment.begin; i < segment.end; ++i) {
      if (!is_counted(results, i)) continue;
      tally.add(i, std::abs(results.errors.distance[i]));
      tally.add_exact(i, results.errors.exact[i]);
    }
    if (tally.inputs != 0) add(segment, part_of(results, tally));
  }
  return take();
}

std::vector<SweepCase> worst_of(const ChunkResults& results, std::size_t most) {
  return worst_by(results, most, [&](std::size_t i) {
    const double size = std::abs(results.errors.distance[i]);
    return size != 0 && is_counted(results, i) ? size : kNoCase;
  });
}

std::vector<SweepCase> worst_changes(const ChunkResults& results, std::size_t most) {
  return worst_by(results, most, [&](std::size_t i) {
    if (results.found[i] == results.expected.bits[i]) return kNoCase;
    if (is_counted(results, i)) return std::abs(results.errors.distance[i]);
    return results.errors.position[i] == kNoPosition ? 0.0 : formats::kLost;
  });
}

void count_classes(formats::Format output_format, const ChunkResults& results,
                   SweepStatistics& statistics) {
  const auto count = [&](ClassStatistics& kind, std::size_t i) {
    ++kind.inputs;
    if (is_same_result(output_format, results.expected.bits[i], results.found[i])) return;
    if (kind.differ++ == 0) kind.first = results.at(i);
  };
  const bool has_signs_of_zero = !formats::is_integer(output_format);
  for (std::size_t i = 0; i < results.found.size(); ++i) {
    switch (results.expected.kind[i]) {
      case InputKind::Counted: {
        const bool are_zeros = results.errors.wanted[i] == 0 && results.errors.position[i] == 0;
        if (has_signs_of_zero && are_zeros &&
            is_negative(output_format, results.expected.bits[i] ^ results.found[i]))
          ++statistics.zero_signs;
        break;
      }
      case InputKind::ExpectedNaN: count(statistics.expected_nan, i); break;
      case InputKind::Denormal: count(statistics.denormal, i); break;
      case InputKind::Infinite: count(statistics.infinite, i); break;
      case InputKind::NaN: count(statistics.nan, i); break;
    }
  }
}

} // namespace lanewise::sweep
