// The parts of the inputs that a sweep looks at by themselves: decades, and the bins of the
// picture.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sweep/order.h"
#include "sweep/statistics.h"

namespace lanewise::lab {

/// Decades and bins of the operand x, both numbered from 0.
class SweepParts {
 public:
  static constexpr std::uint32_t kNoDecade = 0xFFFF'FFFF;

  explicit SweepParts(const OperandPatterns& patterns);

  std::size_t decades() const { return 2 * (starts_.size() - 1); }
  std::size_t bins() const { return positive_bins_.count + negative_bins_.count; }
  unsigned bin_shift() const { return bin_shift_; }

  /// kNoDecade for what is no normal number.
  std::uint32_t decade_of(std::uint32_t bits) const;
  std::uint32_t bin_of(std::uint32_t bits) const;

  Decade decade(std::uint32_t index) const;
  std::uint32_t bin_key(std::uint32_t index) const;

 private:
  struct BinRange {
    std::uint32_t first_key = 0;
    std::uint64_t count = 0; ///< up to 2^32 while the shift is looked for
  };
  BinRange bins_of(const MagnitudeInterval& interval, bool is_negative) const;

  Format format_;
  int lowest_exponent_ = 0;
  /// starts_[i] is the smallest magnitude of at least 10^(lowest_exponent_ + i); the last one is
  /// beyond all numbers.
  std::vector<std::uint64_t> starts_;
  /// The decade of the smallest magnitude of each binade, by the exponent field, or for integers by
  /// the number of bits. A binade reaches into one more decade at most.
  std::vector<std::uint32_t> decade_of_binade_;
  unsigned bin_shift_ = 0;
  BinRange positive_bins_, negative_bins_;
};

/// Inputs one after the other that are in the same decade and bin.
struct PartSegment {
  std::uint32_t begin = 0, end = 0; ///< of the chunk
  std::uint32_t decade = SweepParts::kNoDecade;
  std::uint32_t bin = 0;
};

/// Replaces `segments` by those of a chunk. With `in_order`, x goes one way within the first
/// `positives` inputs and within the others, or is all the same, so that few of them are looked at.
void cut_into_segments(const SweepParts& parts, std::span<const std::uint32_t> x,
                       std::size_t positives, bool in_order, std::vector<PartSegment>& segments);

} // namespace lanewise::lab
