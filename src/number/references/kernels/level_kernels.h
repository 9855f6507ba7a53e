// What each x86-64 level has of references in place of the other ones: evaluation over blocks of
// inputs, compiled for it (kernels/*level.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "number/formats/format.h"
#include "number/references/flat.h"
#include "number/references/interval.h"

namespace lanewise::references {

/// Operands or results of a function over a block of inputs: the ends of an Interval
/// (number/references/interval.h) each. Both point to the same numbers where all are points.
struct IntervalBlock {
  const double* low = nullptr;
  const double* high = nullptr;
  /// All are as the first one, and only kBlockUnit of them have been written.
  bool is_uniform = false;
};

/// Inputs that are evaluated together: few enough for the first-level cache, whole vectors.
inline constexpr std::size_t kBlockSize = 256;

/// Blocks are read and written up to a multiple of this, which is the lanes of the widest vector.
inline constexpr std::size_t kBlockUnit = 8;
constexpr std::size_t in_units(std::size_t count) {
  return (count + kBlockUnit - 1) / kBlockUnit * kBlockUnit;
}

/// A function at one point, for what vectors leave open.
using PointFunction = Interval (*)(const Interval* operands);

/// A function at `count` <= kBlockSize points. Tells whether all results are points.
using BlockFunction = bool (*)(const IntervalBlock* operands, std::size_t count, double* low,
                               double* high, PointFunction at_point);

/// What is known of a block of intervals once they are rounded.
struct DecidedBlock {
  std::uint32_t* bits;
  double* exact;         ///< ReferenceValue::exact; written up to in_units() of their number
  std::uint8_t* is_open; ///< of kBlockSize, if any is open: 1 where the ends do not decide both
};

struct ReferenceKernels {
  /// In the order of reference_functions().
  std::span<const BlockFunction> functions;
  /// Rounds `count` <= kBlockSize intervals to the format, or the one of a uniform block, whose
  /// results `count` points get. Tells whether any is open.
  bool (*decide)(formats::Format format, IntervalBlock values, std::size_t count,
                 DecidedBlock results);
  /// reference_numbers(), has_specials() and has_nans() of number/references/lines.h.
  void (*numbers)(formats::Format format, std::span<const std::uint32_t> bits, double* numbers);
  bool (*specials)(formats::Format format, std::span<const std::uint32_t> bits);
  bool (*nans)(formats::Format format, std::span<const std::uint32_t> bits);
  /// Whether kBlockSize numbers all lie in a part.
  bool (*lie_in)(FlatPart part, const double* numbers);
};

/// Those of the level in use (chip/machine/simd_level.h).
const ReferenceKernels& reference_kernels();

} // namespace lanewise::references

// nullptr for a level that this build does not have (kernels/absent_level.cpp).
namespace lanewise::baseline {
const references::ReferenceKernels* reference_kernels();
}
namespace lanewise::v3 {
const references::ReferenceKernels* reference_kernels();
}
namespace lanewise::v4 {
const references::ReferenceKernels* reference_kernels();
}
