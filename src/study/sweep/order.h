// The inputs of a sweep in their order, cut into chunks that can be looked at apart from each
// other.
//
// A chunk of one operand is 16384 consecutive magnitudes (all bits but the sign; of integers, the
// absolute value), first with a positive sign, then with a negative one: x and -x meet in one
// chunk, and so do neighbours. A chunk of two operands is one x with such a chunk of y. A chunk of
// samples has its own random numbers, so that the order in which chunks are made is all the same; x
// goes through them as through the magnitudes: the positive ones upwards, then the negative ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "study/sweep/space.h"

namespace lanewise::sweep {

inline constexpr std::uint64_t kChunkMagnitudes = 16384;
inline constexpr std::uint64_t kChunkInputs = 2 * kChunkMagnitudes;

/// Patterns of one operand that belong to a space: an interval of magnitudes for each sign, the
/// upper ends not included.
struct MagnitudeInterval {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t count() const { return end - begin; }
};
struct OperandPatterns {
  formats::Format format = formats::Format::BF16;
  MagnitudeInterval positive, negative;

  std::uint64_t count() const { return positive.count() + negative.count(); }
  /// The value bits of a magnitude.
  std::uint32_t bits(std::uint64_t magnitude, bool is_negative) const;
};

/// The magnitude of value bits, and whether they have a sign.
std::uint32_t magnitude_of(formats::Format format, std::uint32_t bits);
bool is_negative(formats::Format format, std::uint32_t bits);

/// The patterns of a format, or those of them between the ends of a range. The two's complement
/// patterns that stand for -0 are not among them.
OperandPatterns operand_patterns(formats::Format format, const std::optional<SweepRange>& range);

/// Inputs of a chunk as value bits; `y` is empty for one operand.
struct ChunkInputs {
  std::vector<std::uint32_t> x, y;
  std::size_t positives = 0; ///< of all but exhaustive pairs: how many x stand first
};

class SweepOrder {
 public:
  /// Error: BadInput if the space has no input or, for two operands, more than 2^32 pairs.
  static Expected<SweepOrder> make(formats::Format format, unsigned operands,
                                   const SweepSpace& space);

  const OperandPatterns& patterns() const { return patterns_; }
  std::uint64_t inputs() const { return inputs_; }
  std::uint64_t chunks() const { return chunks_; }
  /// Inputs of the chunks before this one.
  std::uint64_t inputs_before(std::uint64_t chunk) const;

  /// Replaces `inputs` by those of chunk 0..chunks() - 1.
  void fill(std::uint64_t chunk, ChunkInputs& inputs) const;

 private:
  void set_exhaustive();
  /// Replaces `bits` by the patterns of a chunk of magnitudes; how many of them have no sign.
  std::size_t fill_magnitudes(std::uint64_t chunk, std::vector<std::uint32_t>& bits) const;
  void fill_samples(std::uint64_t chunk, ChunkInputs& inputs) const;
  void fill_pairs(std::uint64_t chunk, ChunkInputs& inputs) const;

  OperandPatterns patterns_;
  unsigned operands_ = 1;
  std::optional<SweepSample> sample_;
  std::uint64_t inputs_ = 0, chunks_ = 0;
  std::uint64_t first_chunk_ = 0;             ///< of magnitudes, which has an input
  std::uint64_t operand_chunks_ = 0;          ///< chunks of magnitudes of one operand
  std::vector<std::uint32_t> first_operands_; ///< of pairs: every x, in order
};

} // namespace lanewise::sweep
