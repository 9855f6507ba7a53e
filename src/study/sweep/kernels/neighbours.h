// Results beside those of other inputs: neighbours that go the wrong way, and x beside -x.
#pragma once

#include "study/sweep/kernels/group.h"
#include "study/sweep/neighbours.h"

namespace lanewise::LANEWISE_LEVEL {

/// Which way the exact results of an input and the one before it surely go, as lanes.
struct ExactChange {
  std::uint32_t rises = 0, falls = 0;

  LANEWISE_INLINE explicit ExactChange(const double* exact) {
    for (unsigned half = 0; half < 2; ++half) {
      const D after = load_numbers(exact + half * kHalf);
      const D before = load_numbers(exact + half * kHalf - 1);
      const D change = after - before, sizes[2] = {absolute(before), absolute(after)};
      const D certain =
          select_numbers(greater(sizes[1], sizes[0]), sizes[1], sizes[0]) * sweep::kCertainChange;
      rises |= number_bits(greater(change, certain)) << (half * kHalf);
      falls |= number_bits(greater(-change, certain)) << (half * kHalf);
    }
  }
};

class ReversalPass {
 public:
  LANEWISE_INLINE ReversalPass(const sweep::TalliedChunk& chunk, const sweep::TalliedInputs& inputs)
      : chunk_(chunk),
        inputs_(inputs),
        found_(chunk.line),
        x_(inputs.line),
        one_found_(chunk.line),
        one_x_(inputs.line) {}

  LANEWISE_INLINE sweep::ReversalTally run(std::size_t begin, std::size_t end) {
    for (std::size_t element = begin + 1; element < end; element += kGroup) {
      const Group group(chunk_.count, element, end);
      const std::uint32_t counted = group.lanes & counted_lanes(chunk_, group.begin);
      const std::uint32_t has_before = counted_lanes(chunk_, group.begin - 1);
#pragma GCC unroll 4
      for (unsigned part = 0; part < kParts; ++part)
        look_at(group.begin + part * kWidth, expand_mask(counted & has_before, part));
      for_each_bit(counted & ~has_before,
                   [&](unsigned lane) { look_behind(begin, group.begin + lane); });
    }
    return tally_;
  }

 private:
  /// Results beside the ones before them, from `element` on.
  LANEWISE_INLINE void look_at(std::size_t element, Mask lanes) {
    const U after_bits = load(chunk_.found + element, 0);
    const U before_bits = load(chunk_.found + element - 1, 0);
    if (!any(semantics::not_equal(after_bits, before_bits))) return;
    const U after = found_.position(after_bits), before = found_.position(before_bits);
    if (!any(semantics::both(lanes, semantics::not_equal(after, before)))) return;
    const Mask is_less = semantics::greater_signed(before, after);
    const std::uint32_t falls = bits_of(is_less);
    const std::uint32_t rises = bits_of(semantics::greater_signed(after, before));
    const ExactChange exact(chunk_.exact + element);
    const std::uint32_t reversed = bits_of(lanes) & ((rises & exact.falls) | (falls & exact.rises));
    if (reversed == 0) return;
    note(reversed & pairs_of_numbers(element), negate_where<U>(is_less, after - before), element);
  }

  /// Lanes whose inputs are neighbours, and whose results are numbers.
  LANEWISE_INLINE std::uint32_t pairs_of_numbers(std::size_t element) const {
    const U after_bits = load(chunk_.found + element, 0);
    const U before_bits = load(chunk_.found + element - 1, 0);
    const U steps = x_.steps(load(inputs_.x + element, 0));
    const U steps_before = x_.steps(load(inputs_.x + element - 1, 0));
    const std::uint32_t nans =
        bits_of(semantics::either(found_.is_nan(after_bits), found_.is_nan(before_bits)));
    return bits_of(semantics::equal(steps, steps_before + 1)) & ~nans;
  }

  LANEWISE_INLINE void note(std::uint32_t reversed, U size, std::size_t element) {
    tally_.reversals += count_bits(reversed);
    const std::uint32_t larger =
        reversed & bits_of(semantics::greater_unsigned(size, splat(tally_.largest)));
    if (larger == 0) return;
    std::uint32_t sizes[kWidth];
    store(sizes, 0, size);
    for_each_bit(
        larger, [&](unsigned lane) { note_size(sizes[lane], element + lane - 1, element + lane); });
  }

  LANEWISE_INLINE void note_size(std::uint32_t size, std::size_t before, std::size_t after) {
    if (size < tally_.largest || (size == tally_.largest && after > tally_.after)) return;
    tally_.largest = size;
    tally_.before = static_cast<std::uint32_t>(before);
    tally_.after = static_cast<std::uint32_t>(after);
  }

  /// An input beside the last one that is counted, if others stand between them: zero and the
  /// smallest normal number are neighbours.
  [[gnu::noinline]] void look_behind(std::size_t begin, std::size_t after) {
    std::size_t before = after - 1;
    while (before > begin && chunk_.kind[before] != 0) --before;
    if (chunk_.kind[before] != 0) return;
    if (one_x_.steps(inputs_.x[after]) != one_x_.steps(inputs_.x[before]) + 1) return;
    const std::uint32_t bits = chunk_.found[after], bits_before = chunk_.found[before];
    if ((one_found_.is_nan(bits) | one_found_.is_nan(bits_before)) != 0) return;
    const auto place = static_cast<std::int32_t>(one_found_.position(bits));
    const auto place_before = static_cast<std::int32_t>(one_found_.position(bits_before));
    const double change = chunk_.exact[after] - chunk_.exact[before];
    const double size = __builtin_fabs(chunk_.exact[after]);
    const double size_before = __builtin_fabs(chunk_.exact[before]);
    const double certain = sweep::kCertainChange * (size > size_before ? size : size_before);
    const std::int64_t step = std::int64_t{place} - place_before;
    const std::int64_t wrong = change > certain ? -step : -change > certain ? step : 0;
    if (wrong <= 0) return;
    ++tally_.reversals;
    note_size(static_cast<std::uint32_t>(wrong), before, after);
  }

  const sweep::TalliedChunk& chunk_;
  const sweep::TalliedInputs& inputs_;
  Line<U> found_, x_;
  Line<std::uint32_t> one_found_, one_x_;
  sweep::ReversalTally tally_;
};

inline sweep::ReversalTally reversals(const sweep::TalliedChunk& chunk,
                                      const sweep::TalliedInputs& inputs, std::size_t begin,
                                      std::size_t end) {
  return ReversalPass(chunk, inputs).run(begin, end);
}

/// What is not even and what is not odd, of one vector of pairs.
struct Asymmetry {
  Mask not_even, not_odd;

  LANEWISE_INLINE Asymmetry(const Line<U>& line, const std::uint32_t* positive,
                            const std::uint32_t* negative, Mask lanes) {
    const U bits = load(positive, 0), other_bits = load(negative, 0);
    // Most functions are even or odd, at least where they are flat.
    if (!any(semantics::not_equal(bits, other_bits))) {
      not_even = Mask{};
      not_odd = semantics::both(lanes, has_sides(line, bits));
    } else if (!any(semantics::not_equal(bits ^ line.sign, other_bits))) {
      not_even = semantics::both(lanes, has_sides(line, bits));
      not_odd = Mask{};
    } else {
      const U place = place_of(line, bits), other = place_of(line, other_bits);
      not_even = semantics::both(lanes, semantics::not_equal(place, other));
      not_odd = semantics::both(lanes, semantics::not_equal(place, -other));
    }
  }

 private:
  /// A place in the line for each result; NaNs have one that is its own negative.
  LANEWISE_INLINE static U place_of(const Line<U>& line, U bits) {
    constexpr std::uint32_t kNaN = 0x8000'0000;
    return semantics::select(line.is_nan(bits), splat(kNaN), line.position(bits));
  }
  /// Whether a result's place is not its own negative.
  LANEWISE_INLINE static Mask has_sides(const Line<U>& line, U bits) {
    const U magnitude = bits & line.magnitude;
    return semantics::and_not(semantics::greater_signed(magnitude, line.last_denormal),
                              semantics::greater_signed(magnitude, line.infinity));
  }
};

LANEWISE_INLINE void note_first(Mask wrong, std::size_t element, std::uint64_t& count,
                                std::uint32_t& first) {
  const std::uint32_t lanes = bits_of(wrong);
  if (lanes == 0) return;
  if (count == 0)
    first = static_cast<std::uint32_t>(element) + static_cast<std::uint32_t>(__builtin_ctz(lanes));
  count += count_bits(lanes);
}

inline sweep::SymmetryTally symmetry(const sweep::TalliedChunk& chunk,
                                     const sweep::TalliedInputs& inputs) {
  sweep::SymmetryTally tally;
  const Line<U> line(chunk.line), x_line(inputs.line);
  const std::size_t positives = inputs.positives, negatives = chunk.count - positives;
  const std::size_t pairs = positives < negatives ? positives : negatives;
  for (; tally.done + kWidth <= pairs; tally.done += kWidth) {
    const std::size_t positive = tally.done, negative = positives + positive;
    const U x = load(inputs.x + positive, 0);
    if (any(semantics::not_equal(x | x_line.sign, load(inputs.x + negative, 0)))) break;
    const Mask lanes = x_line.is_normal(x);
    const Asymmetry expected(line, chunk.expected + positive, chunk.expected + negative, lanes);
    const Asymmetry found(line, chunk.found + positive, chunk.found + negative, lanes);
    tally.pairs += count_bits(bits_of(lanes));
    tally.reference_not_even += count_bits(bits_of(expected.not_even));
    tally.reference_not_odd += count_bits(bits_of(expected.not_odd));
    note_first(found.not_even, positive, tally.found_not_even, tally.first_not_even);
    note_first(found.not_odd, positive, tally.found_not_odd, tally.first_not_odd);
  }
  return tally;
}

} // namespace lanewise::LANEWISE_LEVEL
