// Bits of a word: fields, and choices between two masks.
#pragma once

#include <cstdint>

namespace lanewise {

/// Bits [high:low] of a word, shifted down; at most 31 bits.
constexpr std::uint32_t bit_field(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & ((1U << (high - low + 1)) - 1);
}

/// Bit by bit: `a` where the mask is set, else `b`.
constexpr std::uint32_t blend(std::uint32_t mask, std::uint32_t a, std::uint32_t b) {
  return (a & mask) | (b & ~mask);
}

} // namespace lanewise
