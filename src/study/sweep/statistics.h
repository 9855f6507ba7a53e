// What a sweep has found out about one chip.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "number/formats/ulp.h"
#include "number/formats/ulp_measure.h"
#include "study/sweep/exact_sum.h"

namespace lanewise::sweep {

/// One input with what came out. Bits are value bits (number/formats/format.h), x and y of the
/// input format, the others of the output format.
struct SweepCase {
  std::uint32_t x = 0, y = 0; ///< y is 0 where there is one operand
  std::uint32_t expected = 0, found = 0;
  double exact = 0; ///< the reference before rounding
  /// Bit by bit: a NaN is the same as itself.
  friend bool operator==(const SweepCase& a, const SweepCase& b) {
    return a.x == b.x && a.y == b.y && a.expected == b.expected && a.found == b.found &&
           std::bit_cast<std::uint64_t>(a.exact) == std::bit_cast<std::uint64_t>(b.exact);
  }
};

/// The rows of the table that kernel writers use: |ULP| 0, 1, 2, 3..10, 11..100, over 100. A
/// fraction counts in the row of the next whole number.
inline constexpr std::size_t kUlpRows = 6;
inline constexpr std::array<std::int64_t, kUlpRows - 1> kUlpRowEnds{0, 1, 2, 10, 100};

/// Results that are another kind of number than expected, whatever their error in ULP; each result
/// counts once, for the first of these that it is. The ends count as well: infinity instead of the
/// largest number, 0 instead of the smallest one.
struct WrongKinds {
  std::uint64_t nan = 0;      ///< NaN where a number is expected
  std::uint64_t infinite = 0; ///< infinite where a finite number is
  std::uint64_t finite = 0;   ///< finite where infinity is
  std::uint64_t zero = 0;     ///< 0, or a denormal, where another number is
  std::uint64_t nonzero = 0;  ///< another number where 0 is
  std::uint64_t sign = 0;     ///< of the other sign, and neither is 0
  friend bool operator==(const WrongKinds&, const WrongKinds&) = default;
};

/// Errors of many results, in ULP (number/formats/ulp_measure.h). Results for which the measure has
/// no number count in the last row and as `lost`.
struct UlpStatistics {
  std::array<std::uint64_t, kUlpRows> rows{};
  std::uint64_t lost = 0; ///< not in largest and mean
  WrongKinds wrong;
  double largest = 0;            ///< |ULP|
  ExactSum sum;                  ///< of |ULP|
  double largest_exact = 0;      ///< from the reference before rounding
  ExactSum sum_exact;            ///< of the same
  std::uint64_t exact_count = 0; ///< results in sum_exact
  SweepCase worst, worst_exact;  ///< the first with `largest` and with `largest_exact`

  std::uint64_t count() const;
  double mean() const;         ///< |ULP| without the lost ones; 0 if there are none
  double mean_nonzero() const; ///< of those above 0
  double mean_exact() const;
  friend bool operator==(const UlpStatistics&, const UlpStatistics&) = default;
};

/// The signed ULP of a case, or kLost (number/formats/ulp_measure.h).
double distance_of(formats::UlpMeasure measure, formats::Format output_format,
                   const SweepCase& result);

/// Inputs of a kind of their own, apart from UlpStatistics.
struct ClassStatistics {
  std::uint64_t inputs = 0;
  std::uint64_t differ = 0; ///< bits are not as expected; any NaN will do for a NaN
  SweepCase first;          ///< of those that differ
  friend bool operator==(const ClassStatistics&, const ClassStatistics&) = default;
};

/// A part of the inputs: a decade, or a bin of the picture.
struct PartStatistics {
  std::uint64_t inputs = 0;
  double largest = 0;                           ///< |ULP|
  ExactSum sum;                                 ///< of |ULP|
  double largest_exact = formats::kNotCompared; ///< from the reference before rounding
  std::uint64_t lost = 0;
  SweepCase worst;  ///< the first with `largest`
  SweepCase sample; ///< the first of the part
  friend bool operator==(const PartStatistics&, const PartStatistics&) = default;
};

/// Near 0 inputs are looked at on a linear scale, too: up to this size, in so many cells for 1.
inline constexpr int kNearLimit = 8, kNearCells = 32;

/// A decade of inputs: 10^exponent <= |x| < 10^(exponent + 1), of one sign. Zeros are in no decade.
struct Decade {
  bool negative = false;
  int exponent = 0;
  /// From the most negative number to the largest.
  friend bool operator<(const Decade& a, const Decade& b) {
    const int left = a.negative ? -1 - (a.exponent + 1000) : a.exponent + 1000;
    const int right = b.negative ? -1 - (b.exponent + 1000) : b.exponent + 1000;
    return left < right;
  }
  friend bool operator==(const Decade&, const Decade&) = default;
};

/// Neighbouring inputs whose results go the other way than the reference. Of one operand, without
/// samples, float formats.
struct Monotonicity {
  bool looked_at = false;
  std::uint64_t reversals = 0;
  std::int64_t largest =
      0;                 ///< of the step in the wrong direction, in steps of number/formats/ulp.h
  SweepCase left, right; ///< the first pair with the largest step
  friend bool operator==(const Monotonicity&, const Monotonicity&) = default;
};

/// f(-x) against f(x). The reference decides what the function has: it is even (odd) if none of its
/// pairs says otherwise.
struct Symmetry {
  bool looked_at = false; ///< there were pairs x, -x; of one operand
  std::uint64_t pairs = 0;
  std::uint64_t reference_not_even = 0, reference_not_odd = 0;
  std::uint64_t found_not_even = 0, found_not_odd = 0;
  SweepCase first_not_even, first_not_odd; ///< of the results, for x > 0
  bool is_even() const { return looked_at && pairs != 0 && reference_not_even == 0; }
  bool is_odd() const { return looked_at && pairs != 0 && reference_not_odd == 0; }
  friend bool operator==(const Symmetry&, const Symmetry&) = default;
};

/// Everything about one chip. Errors are those of inputs that are normal numbers or zero and whose
/// expected result is no NaN; the other inputs have rows of their own.
struct SweepStatistics {
  Arch arch = kDefaultArch;
  std::uint64_t outside = 0; ///< inputs that the domain leaves out
  UlpStatistics error;       ///< of the results in Dst
  /// What rounding to nearest before the store would have left: the registers that were stored,
  /// rounded to the output format. For float formats of 16 bits, and stores of that format; where
  /// an element was stored otherwise it is the error of the result.
  std::optional<UlpStatistics> before_store;
  std::uint64_t zero_signs = 0; ///< zeros with another sign than expected, else right
  std::uint64_t undecided = 0;  ///< inputs whose reference is not decided
  /// Inputs whose expected result is NaN: `differ` are those that gave something else.
  ClassStatistics expected_nan;
  ClassStatistics denormal, infinite, nan; ///< inputs of these kinds
  std::vector<SweepCase> worst;    ///< by |ULP| (lost ones first), then in the order of the sweep
  std::vector<SweepCase> specials; ///< one by one: zeros, ends of the range, denormals, Inf, NaN, 1
  std::map<Decade, PartStatistics> decades; ///< of x
  /// Patterns of x with the same bits above `bin_shift`, at most 2048 parts of the space.
  std::map<std::uint32_t, PartStatistics> bins;
  unsigned bin_shift = 0;
  /// Of float formats, cells of the same length around 0: with the key k the inputs
  /// k <= kNearCells * x < k + 1, for |x| < kNearLimit.
  std::map<int, PartStatistics> near;
  /// Signed ULP: 0 has the key 0, 2^(k-1) <= |ULP| < 2^k the key k or -k, fractions 1 or -1.
  std::map<int, std::uint64_t> histogram;
  Monotonicity monotonicity;
  Symmetry symmetry;
  std::vector<Fault> faults; ///< of preparation and execution
  /// Executed per tile in the steady state, REPLAY expanded, and the cycles that they take
  /// (chip/timing/tile_cost.h).
  double instructions = 0, cycles = 0;
  double init_cycles = 0;    ///< of what runs once, before the first tile
  std::uint64_t program = 0; ///< isa::program_digest()

  friend bool operator==(const SweepStatistics&, const SweepStatistics&) = default;
};

} // namespace lanewise::sweep
