// Words that a front end has decoded: programs repeat them, in loops most of all.
#pragma once

#include <array>
#include <cstdint>

#include "chip/machine/micro_op.h"
#include "chip/machine/simd_level.h"

namespace lanewise {

/// Micro-ops by word, of words that can be executed and of which nothing is to be reported. Each
/// word has one place, which the last one to come keeps.
class DecodeMemo {
 public:
  /// Micro-ops of another x86-64 level are forgotten.
  void use_level(SimdLevel level) {
    if (level != level_) *this = DecodeMemo();
    level_ = level;
  }

  /// What the word was decoded to, whatever its line was, or nullptr.
  const MicroOp* find(std::uint32_t word) const {
    const MicroOp& op = ops_[place(word)];
    return op.word == word && op.kernel != nullptr ? &op : nullptr;
  }

  void remember(const MicroOp& op) { ops_[place(op.word)] = op; }

 private:
  static constexpr unsigned kPlaceBits = 8;

  /// The upper bits of a product with 2^32 over the golden ratio: words that differ in any field
  /// are spread.
  static constexpr std::size_t place(std::uint32_t word) {
    return word * 0x9E3779B1U >> (32 - kPlaceBits);
  }

  std::array<MicroOp, 1U << kPlaceBits> ops_{};
  SimdLevel level_ = SimdLevel::Baseline;
};

} // namespace lanewise
