// The parts of the inputs that a sweep looks at by themselves: decades, and the bins and cells of
// the pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "study/sweep/order.h"
#include "study/sweep/statistics.h"

namespace lanewise::sweep {

/// Decades, bins and cells near 0 of the operand x, each numbered from 0.
class SweepParts {
 public:
  static constexpr std::uint32_t kNoDecade = 0xFFFF'FFFF, kNoCell = kNoDecade;

  explicit SweepParts(const OperandPatterns& patterns);

  std::size_t decades() const { return 2 * (starts_.size() - 1); }
  std::size_t bins() const { return positive_bins_.count + negative_bins_.count; }
  std::size_t cells() const { return std::size_t{2} * kNearLimit * kNearCells; }
  unsigned bin_shift() const { return bin_shift_; }

  /// kNoDecade for what is no normal number.
  std::uint32_t decade_of(std::uint32_t bits) const;
  std::uint32_t bin_of(std::uint32_t bits) const;
  /// kNoCell for what is far from 0, for NaN and for integers.
  std::uint32_t cell_of(std::uint32_t bits) const;

  Decade decade(std::uint32_t index) const;
  std::uint32_t bin_key(std::uint32_t index) const;
  /// As in SweepStatistics::near.
  static int cell_key(std::uint32_t index) {
    return static_cast<int>(index) - kNearLimit * kNearCells;
  }

 private:
  struct BinRange {
    std::uint32_t first_key = 0;
    std::uint64_t count = 0; ///< up to 2^32 while the shift is looked for
  };
  BinRange bins_of(const MagnitudeInterval& interval, bool is_negative) const;

  formats::Format format_;
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

/// Inputs one after the other that are in the same decade, bin and cell.
struct PartSegment {
  std::uint32_t begin = 0, end = 0; ///< of the chunk
  std::uint32_t decade = SweepParts::kNoDecade;
  std::uint32_t bin = 0;
  std::uint32_t cell = SweepParts::kNoCell;
};

/// Replaces `segments` by those of a chunk. x goes one way within the first `positives` inputs and
/// within the others, or is all the same, so that few of them are looked at.
void cut_into_segments(const SweepParts& parts, std::span<const std::uint32_t> x,
                       std::size_t positives, std::vector<PartSegment>& segments);

} // namespace lanewise::sweep
