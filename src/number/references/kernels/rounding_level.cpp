// Intervals rounded to a format, of one x86-64 level: where both ends agree, the function is known.
#include <algorithm>
#include <array>
#include <type_traits>

#include "number/references/kernels/doubles.h"
#include "number/references/kernels/level_kernels.h"
#include "number/references/rounding.h"

namespace lanewise::LANEWISE_LEVEL {

using namespace references; // NOLINT(google-build-using-namespace)

namespace {

/// Numbers that stand for intervals, and which intervals are too wide for that.
struct Middles {
  Doubles exact;
  Mask is_open;
};

/// Of intervals that have infinite ends or are wide for their size, next to nothing or too large
/// for a double, and of NaNs.
LANEWISE_INLINE Middles extremes_of(Doubles low, Doubles high) {
  const Mask is_small = at_most(high, splat(kNegligible)) & at_most(splat(-kNegligible), low);
  const Mask is_large = at_most(splat(kOverflow), low);
  const Mask is_low = at_most(high, splat(-kOverflow));
  const Mask is_one = same(low, high);
  const Doubles zero = select(same(low, splat(0)), splat(0.0), splat(-0.0));
  const Doubles infinite = select(is_large, splat(kInfinite), splat(-kInfinite));
  const Doubles found = select(is_small, zero, infinite);
  const Doubles exact = select(is_nan(high), splat(kNan), select(is_one, low, found));
  return {exact, ~(is_small | is_large | is_low | is_one | is_nan(high))};
}

LANEWISE_INLINE Middles middles_of(Doubles low, Doubles high) {
  const Doubles width = high - low;
  const Doubles low_size = size_of(low), high_size = size_of(high);
  const Doubles size = select(below(low_size, high_size), low_size, high_size);
  const Mask is_narrow = at_most(width, size * kExactMargin);
  const Doubles middle = low + width / 2;
  if (all(is_narrow)) [[likely]]
    return {middle, ~is_narrow};
  const Middles others = extremes_of(low, high);
  return {select(is_narrow, middle, others.exact), and_not(others.is_open, is_narrow)};
}

/// `exact` of all intervals. Tells whether any is open, and marks it. `look` sees the ends of each
/// vector, and which it is.
template <class Look>
LANEWISE_INLINE bool find_middles(IntervalBlock values, std::size_t count, DecidedBlock results,
                                  Look&& look) {
  unsigned any_open = 0;
  for (std::size_t i = 0; i < count; i += kLanes) {
    const Doubles low = load(values.low + i), high = load(values.high + i);
    const Middles middles = middles_of(low, high);
    store(results.exact + i, middles.exact);
    const unsigned open = lanes_of(middles.is_open);
    if (open != 0 && any_open == 0) std::fill_n(results.is_open, kBlockSize, std::uint8_t{0});
    any_open |= open;
    for (unsigned left = open; left != 0; left &= left - 1)
      results.is_open[i + static_cast<std::size_t>(__builtin_ctz(left))] = 1;
    look(i, low, high);
  }
  return any_open != 0;
}

typedef float Floats __attribute__((vector_size(4 * kLanes)));
typedef std::uint32_t Patterns __attribute__((vector_size(4 * kLanes)));

/// Both ends rounded to FP32, as long as that is a conversion of the host: not of a NaN.
class EndsInFp32 {
 public:
  explicit EndsInFp32(std::uint32_t* bits) : bits_(bits) {}

  LANEWISE_INLINE void operator()(std::size_t i, Doubles low, Doubles high) {
    const Patterns lower = (Patterns) __builtin_convertvector(low, Floats);
    differences_ |= lower ^ (Patterns) __builtin_convertvector(high, Floats);
    nans_ = nans_ | either_nan(low, high);
    __builtin_memcpy(bits_ + i, &lower, sizeof lower);
  }

  /// Whether the bits are what round_ends() would give, and both ends agree everywhere.
  bool are_settled() const {
    std::uint32_t differences = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) differences |= differences_[lane];
    return differences == 0 && !any(nans_);
  }

 private:
  std::uint32_t* bits_;
  Patterns differences_ = {};
  Mask nans_ = {};
};

/// The bits of the lower ends. Tells whether those of an upper one are others.
template <formats::Format kFormat>
bool round_ends(IntervalBlock values, std::size_t count, std::uint32_t nan, std::uint32_t* bits,
                std::uint32_t* upper_bits) {
  const auto rounded = [nan](double value) {
    return value == value ? round_number<kFormat>(value) : nan;
  };
  std::uint32_t differences = 0;
  for (std::size_t i = 0; i < count; ++i) bits[i] = rounded(values.low[i]);
  if (values.low == values.high) return false;
  for (std::size_t i = 0; i < count; ++i) {
    upper_bits[i] = rounded(values.high[i]);
    differences |= upper_bits[i] ^ bits[i];
  }
  return differences != 0;
}

bool decide_each(formats::Format format, IntervalBlock values, std::size_t count,
                 DecidedBlock results) {
  bool is_wide = false;
  if (format == formats::Format::FP32 && count % kLanes == 0) {
    EndsInFp32 ends(results.bits);
    is_wide = find_middles(values, count, results, ends);
    if (ends.are_settled()) return is_wide;
  } else {
    is_wide = find_middles(values, count, results, [](std::size_t, Doubles, Doubles) {});
  }
  std::array<std::uint32_t, kBlockSize> upper_bits;
  const std::uint32_t nan = formats::round_to_bits(format, kNan);
  const bool differ = formats::with_format(
      format, [&]<formats::Format kFormat>(std::integral_constant<formats::Format, kFormat>) {
        return round_ends<kFormat>(values, count, nan, results.bits, upper_bits.data());
      });
  if (!differ) return is_wide;
  if (!is_wide) std::fill_n(results.is_open, kBlockSize, std::uint8_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    if (upper_bits[i] != results.bits[i]) results.is_open[i] = 1;
  }
  return true;
}

} // namespace

bool decide(formats::Format format, IntervalBlock values, std::size_t count, DecidedBlock results) {
  if (!values.is_uniform) return decide_each(format, values, count, results);
  std::array<double, kBlockUnit> exact;
  std::uint32_t bits = 0;
  const bool is_open = decide_each(
      format, values, 1, {.bits = &bits, .exact = exact.data(), .is_open = results.is_open});
  for (std::size_t i = 0; i < count; ++i) results.bits[i] = bits;
  for (std::size_t i = 0; i < count; ++i) results.exact[i] = exact[0];
  if (is_open) std::fill_n(results.is_open, kBlockSize, std::uint8_t{1});
  return is_open;
}

} // namespace lanewise::LANEWISE_LEVEL
