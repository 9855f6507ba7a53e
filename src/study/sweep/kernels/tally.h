// The errors of a chunk, segment by segment, in steps of the line: one pass over groups of 16.
#pragma once

#include "chip/semantics/float_fields.h"
#include "study/sweep/chunk.h"
#include "study/sweep/kernels/group.h"

namespace lanewise::LANEWISE_LEVEL {

// The rule is LineRule's (number/formats/ulp_rules.h). Positions fit 32 bits with their sign, and
// the distance of two of them fits 32 bits without one. Results that are counted and not lost are
// called `alive` here.

inline constexpr std::uint32_t kLostSize = 0xFFFF'FFFF; ///< no two results are so far apart

/// What the lanes have gathered over a chunk.
struct LaneTotals {
  static constexpr unsigned kNumbers = kGroup / kHalf; ///< vectors of doubles in a group
  U right = U{};                                       ///< results of vectors that have no others
  U at_most[sweep::kUlpRowEnds.size()] = {};           ///< of other vectors
  U one_less = U{};                                    ///< results one step below what is expected
  D exact_sum[kNumbers] = {}; ///< each lane of a group for itself, at every level
};

/// The same over a segment.
struct SegmentTotals {
  U largest = U{}, largest_vector = U{};
  W sum = W{};
  unsigned not_compared = 0;
  D exact_largest[2] = {}; ///< of both halves of a vector
  D exact_vector[2] = {};  ///< the first element of the vector that `exact_largest` is from
};

/// Counts of keys, in tables of their own so that one need not wait for another's count.
struct KeyCounts {
  static constexpr unsigned kTables = 4;
  std::uint32_t counts[kTables][2 * sweep::kMostTalliedBits + 1] = {};
};

/// A result beside what is expected, in one vector.
struct Beside {
  U expected, found;                     ///< positions
  U expected_steps;                      ///< from zero
  U expected_magnitude, found_magnitude; ///< patterns
  Mask is_less;                          ///< the result
  U size;                                ///< of the distance

  LANEWISE_INLINE Beside(const Line<U>& line, U expected_bits, U found_bits) {
    expected_magnitude = expected_bits & line.magnitude;
    found_magnitude = found_bits & line.magnitude;
    expected_steps = line.steps_of_magnitude(expected_magnitude);
    expected = line.signed_steps(expected_bits, expected_steps);
    found = line.signed_steps(found_bits, line.steps_of_magnitude(found_magnitude));
    is_less = semantics::greater_signed(expected, found);
    size = negate_where<U>(is_less, found - expected);
  }

  /// Whether the result may be another kind of number: one of both is infinite or a NaN, or they
  /// are not on the same side of zero.
  LANEWISE_INLINE Mask is_suspicious(const Line<U>& line) const {
    const U larger = semantics::max_signed(expected_magnitude, found_magnitude);
    const Mask is_special = semantics::greater_signed(larger, line.infinity - 1);
    const Mask is_far = semantics::at_most_unsigned(expected_steps, size);
    return semantics::both(semantics::not_equal(size, U{}), semantics::either(is_special, is_far));
  }
};

/// Counts the kinds among wrong results of one vector; the lanes that are lost.
[[gnu::noinline]] inline std::uint32_t count_wrong(const sweep::TalliedChunk& chunk,
                                                   std::size_t element, std::uint32_t lanes,
                                                   sweep::WrongKinds& wrong) {
  const Line<U> line(chunk.line);
  const U expected_bits = load(chunk.expected + element, 0),
          found_bits = load(chunk.found + element, 0);
  const Beside pair(line, expected_bits, found_bits);
  const std::uint32_t differs = lanes & bits_of(semantics::not_equal(pair.size, U{}));
  const std::uint32_t nan = differs & bits_of(line.is_nan(found_bits));
  const std::uint32_t infinite = bits_of(line.is_infinite(found_bits)) & ~nan;
  const std::uint32_t wants_infinite = bits_of(line.is_infinite(expected_bits));
  const std::uint32_t numbers = differs & ~nan & ~(infinite ^ wants_infinite);
  const std::uint32_t zero = bits_of(semantics::equal(pair.found, U{}));
  const std::uint32_t wants_zero = bits_of(semantics::equal(pair.expected, U{}));
  const std::uint32_t signs = bits_of(semantics::negative(pair.expected ^ pair.found));
  wrong.nan += count_bits(nan);
  wrong.infinite += count_bits(differs & infinite & ~wants_infinite);
  wrong.finite += count_bits(differs & ~nan & ~infinite & wants_infinite);
  wrong.zero += count_bits(numbers & zero);
  wrong.nonzero += count_bits(numbers & wants_zero);
  wrong.sign += count_bits(numbers & ~zero & ~wants_zero & signs);
  const std::uint32_t far = bits_of(semantics::greater_unsigned(pair.size, splat(1)));
  return nan | (differs & infinite & far);
}

LANEWISE_INLINE std::uint32_t bit_width(std::uint32_t a) {
  return a == 0 ? 0 : 32 - static_cast<std::uint32_t>(__builtin_clz(a));
}

/// The places of sizes in a table of keys; keys are negative where the result is less.
LANEWISE_INLINE U places_of_keys(U size, Mask is_less) {
  constexpr std::uint32_t kMiddle = sweep::kMostTalliedBits;
#if defined(__AVX512F__)
  const U key = 32 - (U)_mm512_maskz_lzcnt_epi32(0xFFFF, (__m512i)size);
#else
  U key = size;
  for (unsigned lane = 0; lane < kWidth; ++lane) key[lane] = bit_width(key[lane]);
#endif
  return kMiddle + negate_where<U>(is_less, key);
}

LANEWISE_INLINE void count_keys(U size, Mask is_less, KeyCounts& keys) {
  const U places = places_of_keys(size, is_less);
  std::uint32_t place[kWidth];
  store(place, 0, places);
  // Errors of neighbours have few sizes: one place after the other, in all lanes that have it.
  constexpr unsigned kMostPlaces = 3;
  std::uint32_t left = (1U << kWidth) - 1;
  for (unsigned i = 0; i < kMostPlaces; ++i) {
    const std::uint32_t next = place[__builtin_ctz(left)];
    const std::uint32_t same = bits_of(semantics::equal(places, splat(next)));
    keys.counts[0][next] += count_bits(same);
    left &= ~same;
    if (left == 0) return;
  }
  for_each_bit(left, [&](unsigned lane) { ++keys.counts[lane % KeyCounts::kTables][place[lane]]; });
}

LANEWISE_INLINE void add_case(sweep::WorstList& worst, std::uint32_t size, std::size_t element) {
  worst.cases[worst.used++] = std::uint64_t{~size} << 32 | element;
}

LANEWISE_INLINE void add_worst(U size, Mask has_place, std::size_t element,
                               sweep::WorstList& worst) {
  std::uint32_t sizes[kWidth];
  store(sizes, 0, size);
  for_each_bit(bits_of(has_place),
               [&](unsigned lane) { add_case(worst, sizes[lane], element + lane); });
  if (worst.used + kGroup > worst.room) worst.sort_out(worst);
}

LANEWISE_INLINE void add_lost(std::uint32_t lost, std::size_t element, sweep::WorstList& worst) {
  if (worst.above == kLostSize) return;
  for_each_bit(lost, [&](unsigned lane) { add_case(worst, kLostSize, element + lane); });
  if (worst.used + kGroup > worst.room) worst.sort_out(worst);
}

class TallyPass {
 public:
  LANEWISE_INLINE TallyPass(const sweep::TalliedChunk& chunk, sweep::ChunkTally& totals,
                            sweep::WorstList& worst)
      : chunk_(chunk),
        totals_(totals),
        worst_(worst),
        line_(chunk.line),
        place_of_(chunk.line),
        is_fp32_(chunk.line.infinity == semantics::kInfinity) {}

  LANEWISE_INLINE sweep::SegmentTally add(std::size_t begin, std::size_t end, LaneTotals& lanes,
                                          KeyCounts& keys) const {
    SegmentTotals segment;
    sweep::SegmentTally tally;
    for (std::size_t element = begin; element < end; element += kGroup) {
      const Group group(chunk_.count, element, end);
      const std::uint32_t counted = group.lanes & counted_lanes(chunk_, group.begin);
      if (counted != group.lanes) add_kinds(group, group.lanes & ~counted);
      if (counted == 0) continue;
      tally.inputs += counted == kWholeGroup ? kGroup : count_bits(counted);
#pragma GCC unroll 4
      for (unsigned part = 0; part < kParts; ++part)
        tally.lost += add_vector(group.begin, part, counted, lanes, segment, keys);
    }
    finish(segment, tally);
    return tally;
  }

 private:
  /// The results that are lost.
  LANEWISE_INLINE unsigned add_vector(std::size_t group, unsigned part, std::uint32_t counted,
                                      LaneTotals& lanes, SegmentTotals& segment,
                                      KeyCounts& keys) const {
    const std::size_t element = group + part * kWidth;
    const U expected_bits = load(chunk_.expected + element, 0);
    const U found_bits = load(chunk_.found + element, 0);
    const Beside pair(line_, expected_bits, found_bits);
    Mask alive = expand_mask(counted, part);
    std::uint32_t lost = 0;
    if (any(semantics::not_equal(pair.size, U{}))) {
      lost = take_lost(pair, element, alive);
      add_sizes(pair, alive, element, lanes, segment, keys);
    } else {
      count_where(alive, lanes.right);
      if (are_numbers_themselves(expected_bits, element)) { // which leaves no error
        add_zeros(pair, alive, expected_bits ^ found_bits);
        return 0;
      }
    }
    const Mask flushed = add_zeros(pair, alive, expected_bits ^ found_bits);
    const Mask compared = semantics::and_not(alive, flushed);
    if (are_inside(pair.expected_magnitude)) [[likely]] {
      add_exact<Exact::Inside>(pair.found, compared, element, part, lanes, segment);
    } else {
      add_exact<Exact::Any>(pair.found, compared, element, part, lanes, segment);
    }
    return count_bits(lost);
  }

  /// Takes the lanes that are lost out of `alive`, and returns them.
  LANEWISE_INLINE std::uint32_t take_lost(const Beside& pair, std::size_t element,
                                          Mask& alive) const {
    const Mask suspicious = semantics::both(alive, pair.is_suspicious(line_));
    if (!any(suspicious)) return 0;
    const std::uint32_t lost = count_wrong(chunk_, element, bits_of(suspicious), totals_.wrong);
    if (lost == 0) return 0;
    add_lost(lost, element, worst_);
    alive = semantics::and_not(alive, expand_mask(lost, 0));
    return lost;
  }

  LANEWISE_INLINE void add_sizes(const Beside& pair, Mask alive, std::size_t element,
                                 LaneTotals& lanes, SegmentTotals& segment, KeyCounts& keys) const {
    const U size = semantics::keep_where(alive, pair.size);
    const U of_alive = semantics::select(alive, pair.size, splat(kLostSize));
    constexpr auto kLastEnd = static_cast<std::uint32_t>(sweep::kUlpRowEnds.back());
    if (any(semantics::at_most_unsigned(of_alive, splat(kLastEnd))))
      add_rows(of_alive, pair.is_less, lanes);
    const Mask is_above_1 = semantics::greater_unsigned(size, splat(1));
    if (any(is_above_1)) count_keys(size, pair.is_less, keys);
    const Mask has_place = semantics::greater_unsigned(size, splat(worst_.above));
    if (any(has_place)) add_worst(size, has_place, element, worst_);

    const Mask is_larger = semantics::greater_unsigned(size, segment.largest);
    segment.largest = semantics::select(is_larger, size, segment.largest);
    segment.largest_vector = semantics::select(
        is_larger, splat(static_cast<std::uint32_t>(element)), segment.largest_vector);
    constexpr std::uint64_t kLow = 0xFFFF'FFFF;
    segment.sum += ((W)size & kLow) + ((W)size >> 32);
  }

  /// The rows of the table below the last one; `sizes` of others are larger than these.
  LANEWISE_INLINE static void add_rows(U sizes, Mask is_less, LaneTotals& lanes) {
#pragma GCC unroll 8
    for (unsigned row = 0; row < sweep::kUlpRowEnds.size(); ++row) {
      const auto end = static_cast<std::uint32_t>(sweep::kUlpRowEnds[row]);
      count_where(semantics::at_most_unsigned(sizes, splat(end)), lanes.at_most[row]);
    }
    count_where(semantics::both(is_less, semantics::at_most_unsigned(sizes, splat(1))),
                lanes.one_less);
  }

  /// Both are zero or would be flushed: that is exact, whatever the sign.
  LANEWISE_INLINE Mask add_zeros(const Beside& pair, Mask alive, U differing) const {
    const Mask are_zeros = semantics::equal(pair.expected | pair.found, U{});
    if (any(are_zeros)) {
      const Mask other_sign = semantics::any_common_bit(differing, line_.sign);
      totals_.zero_signs +=
          count_bits(bits_of(semantics::both(alive, semantics::both(are_zeros, other_sign))));
    }
    return are_zeros;
  }

  /// Whether the exact results are the numbers of these patterns, as where a function is flat.
  /// Looks at FP32 alone, of which there are enough to be worth it.
  LANEWISE_INLINE bool are_numbers_themselves(U bits, std::size_t element) const {
    const double* const exact = chunk_.exact + element;
    return is_fp32_ && are_all_equal(low_floats(bits), load_numbers(exact)) &&
           are_all_equal(high_floats(bits), load_numbers(exact + kHalf));
  }

  /// Whether these are normal numbers, but for the first and the last one: so what they were
  /// rounded from lies between those.
  LANEWISE_INLINE bool are_inside(U expected_magnitude) const {
    const U second = line_.last_denormal + 2;
    return !any(
        semantics::at_most_unsigned(line_.infinity - 1 - second, expected_magnitude - second));
  }

  enum class Exact { Inside, Any };

  template <Exact Where>
  LANEWISE_INLINE D exact_errors(D found, const double* exact) const {
    const D number = load_numbers(exact);
    return absolute(found -
                    (Where == Exact::Inside ? place_of_.inside(number) : place_of_(number)));
  }

  template <Exact Where>
  LANEWISE_INLINE void add_exact(U found, Mask lanes_of, std::size_t element, unsigned part,
                                 LaneTotals& lanes, SegmentTotals& segment) const {
    const double* const exact = chunk_.exact + element;
    D low = numbers_where(low_half(lanes_of), exact_errors<Where>(low_numbers(found), exact));
    D high =
        numbers_where(high_half(lanes_of), exact_errors<Where>(high_numbers(found), exact + kHalf));
    if constexpr (Where == Exact::Any) {
      const std::uint32_t nans = number_bits(is_nan(low + high));
      if (nans != 0) [[unlikely]] {
        segment.not_compared += leave_out_nans(low) + leave_out_nans(high);
      }
    }
    const D vector = splat_number(static_cast<double>(element));
    lanes.exact_sum[2 * part] += low;
    lanes.exact_sum[2 * part + 1] += high;
    keep_largest(low, vector, segment.exact_largest[0], segment.exact_vector[0]);
    keep_largest(high, vector, segment.exact_largest[1], segment.exact_vector[1]);
  }

  /// How many there were.
  LANEWISE_INLINE static unsigned leave_out_nans(D& errors) {
    const NumberMask nans = is_nan(errors);
    errors = select_numbers(nans, D{}, errors);
    return count_bits(number_bits(nans));
  }

  LANEWISE_INLINE static void keep_largest(D errors, D vector, D& largest, D& largest_vector) {
    const NumberMask is_larger = greater(errors, largest);
    largest = select_numbers(is_larger, errors, largest);
    largest_vector = select_numbers(is_larger, vector, largest_vector);
  }

  /// The first of the largest errors stands in the lane with the least element.
  LANEWISE_INLINE static void finish(const SegmentTotals& segment, sweep::SegmentTally& tally) {
    std::uint32_t sizes[kWidth], vectors[kWidth];
    store(sizes, 0, segment.largest);
    store(vectors, 0, segment.largest_vector);
    for (unsigned lane = 0; lane < kWidth; ++lane) {
      const std::uint32_t element = vectors[lane] + lane;
      if (sizes[lane] == 0 || sizes[lane] < tally.largest) continue;
      if (sizes[lane] == tally.largest && element > tally.first_largest) continue;
      tally.largest = sizes[lane];
      tally.first_largest = element;
    }
    for (unsigned half = 0; half < kHalf; ++half) tally.sum += segment.sum[half];
    finish_exact(segment, tally);
  }

  /// The same of exact errors.
  LANEWISE_INLINE static void finish_exact(const SegmentTotals& segment,
                                           sweep::SegmentTally& tally) {
    tally.not_compared = segment.not_compared;
    for (unsigned lane = 0; lane < kWidth; ++lane) {
      const double error = segment.exact_largest[lane / kHalf][lane % kHalf];
      const double vector = segment.exact_vector[lane / kHalf][lane % kHalf];
      const std::uint32_t element = static_cast<std::uint32_t>(vector) + lane;
      if (error == 0 || error < tally.exact_largest) continue;
      if (error == tally.exact_largest && element > tally.first_exact) continue;
      tally.exact_largest = error;
      tally.first_exact = element;
    }
  }

  /// Inputs that are not counted.
  [[gnu::noinline]] void add_kinds(const Group& group, std::uint32_t lanes) const {
    std::uint32_t differs = 0;
    for (unsigned part = 0; part < kParts; ++part) {
      const U expected = load(chunk_.expected + group.begin, part);
      const U found = load(chunk_.found + group.begin, part);
      const Mask are_nans = semantics::both(line_.is_nan(expected), line_.is_nan(found));
      differs |=
          compress_mask(semantics::and_not(semantics::not_equal(expected, found), are_nans), part);
    }
    for (std::uint8_t kind = 1; kind <= totals_.kinds.size(); ++kind) {
      sweep::KindTally& tally = totals_.kinds.data()[kind - 1];
      const std::uint32_t here = lanes & lanes_of_kind(chunk_.kind + group.begin, kind);
      const std::uint32_t wrong = here & differs;
      if (wrong != 0 && tally.differ == 0)
        tally.first = static_cast<std::uint32_t>(group.begin) +
                      static_cast<std::uint32_t>(__builtin_ctz(wrong));
      tally.inputs += count_bits(here);
      tally.differ += count_bits(wrong);
    }
  }

  const sweep::TalliedChunk& chunk_;
  sweep::ChunkTally& totals_;
  sweep::WorstList& worst_;
  Line<U> line_;
  Places place_of_;
  bool is_fp32_;
};

LANEWISE_INLINE std::uint64_t sum_of(U lanes) {
  std::uint64_t sum = 0;
  for (unsigned lane = 0; lane < kWidth; ++lane) sum += lanes[lane];
  return sum;
}

/// The lanes of a chunk as its totals, in one order at every level.
LANEWISE_INLINE void finish_totals(const LaneTotals& lanes, const KeyCounts& keys,
                                   sweep::ChunkTally& totals) {
  for (unsigned row = 0; row < sweep::kUlpRowEnds.size(); ++row)
    totals.at_most.data()[row] = sum_of(lanes.right) + sum_of(lanes.at_most[row]);
  constexpr unsigned kMiddle = sweep::kMostTalliedBits;
  std::uint64_t* const histogram = totals.histogram.data();
  for (const auto& table : keys.counts) {
    for (unsigned place = 0; place < 2 * kMiddle + 1; ++place) histogram[place] += table[place];
  }
  const std::uint64_t one_less = sum_of(lanes.one_less);
  const std::uint64_t ones = totals.at_most.data()[1] - totals.at_most.data()[0];
  histogram[kMiddle - 1] = one_less;
  histogram[kMiddle] = totals.at_most.data()[0];
  histogram[kMiddle + 1] = ones - one_less;
  for (const D& sums : lanes.exact_sum) {
    for (unsigned lane = 0; lane < kHalf; ++lane) totals.exact_sum += sums[lane];
  }
}

inline void tally(const sweep::TalliedChunk& chunk, const sweep::PartSegment* segments,
                  std::size_t segment_count, sweep::SegmentTally* tallies,
                  sweep::ChunkTally& totals, sweep::WorstList& worst) {
  const TallyPass pass(chunk, totals, worst);
  LaneTotals lanes;
  KeyCounts keys;
  for (std::size_t i = 0; i < segment_count; ++i)
    tallies[i] = pass.add(segments[i].begin, segments[i].end, lanes, keys);
  finish_totals(lanes, keys, totals);
}

} // namespace lanewise::LANEWISE_LEVEL
