// What branches decide, and what the instructions of M, Zaamo and Zbb compute, from two words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "chip/riscv/instruction.h"

namespace lanewise::riscv {

constexpr std::int32_t as_signed(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}
constexpr std::uint32_t as_unsigned(std::int32_t value) {
  return static_cast<std::uint32_t>(value);
}

constexpr std::uint32_t upper_word(std::int64_t product) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 32);
}
constexpr std::uint32_t mulh(std::uint32_t a, std::uint32_t b) {
  return upper_word(std::int64_t{as_signed(a)} * as_signed(b));
}
constexpr std::uint32_t mulhsu(std::uint32_t a, std::uint32_t b) {
  return upper_word(std::int64_t{as_signed(a)} * std::int64_t{b});
}
constexpr std::uint32_t mulhu(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
}

// Division never traps (RISC-V manual, M): by zero the quotient has all bits set and the remainder
// is the dividend; the one overflow, -2^31 / -1, gives -2^31 and remainder 0.
constexpr bool division_overflows(std::uint32_t a, std::uint32_t b) {
  return as_signed(a) == std::numeric_limits<std::int32_t>::min() && as_signed(b) == -1;
}
constexpr std::uint32_t div(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return ~0U;
  return division_overflows(a, b) ? a : as_unsigned(as_signed(a) / as_signed(b));
}
constexpr std::uint32_t divu(std::uint32_t a, std::uint32_t b) {
  return b == 0 ? ~0U : a / b;
}
constexpr std::uint32_t rem(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return a;
  return division_overflows(a, b) ? 0 : as_unsigned(as_signed(a) % as_signed(b));
}
constexpr std::uint32_t remu(std::uint32_t a, std::uint32_t b) {
  return b == 0 ? a : a % b;
}

constexpr std::uint32_t min_signed(std::uint32_t a, std::uint32_t b) {
  return as_unsigned(std::min(as_signed(a), as_signed(b)));
}
constexpr std::uint32_t max_signed(std::uint32_t a, std::uint32_t b) {
  return as_unsigned(std::max(as_signed(a), as_signed(b)));
}
constexpr std::uint32_t shift_right_signed(std::uint32_t a, std::uint32_t amount) {
  return as_unsigned(as_signed(a) >> (amount & 31U));
}
constexpr std::uint32_t rotate_right(std::uint32_t a, std::uint32_t amount) {
  return std::rotr(a, static_cast<int>(amount & 31U));
}
constexpr std::uint32_t rotate_left(std::uint32_t a, std::uint32_t amount) {
  return std::rotl(a, static_cast<int>(amount & 31U));
}

/// Every byte that is not 0 becomes 0xFF.
constexpr std::uint32_t or_combine(std::uint32_t a) {
  std::uint32_t result = 0;
  for (std::uint32_t byte = 0xFF; byte != 0; byte <<= 8) result |= (a & byte) != 0 ? byte : 0;
  return result;
}
constexpr std::uint32_t reverse_bytes(std::uint32_t a) {
  return a << 24 | (a & 0xFF00U) << 8 | (a >> 8 & 0xFF00U) | a >> 24;
}

/// Whether a conditional branch goes to its target.
constexpr bool is_taken(Op branch, std::uint32_t a, std::uint32_t b) {
  if (branch == Op::BEQ) return a == b;
  if (branch == Op::BNE) return a != b;
  if (branch == Op::BLT) return as_signed(a) < as_signed(b);
  if (branch == Op::BGE) return as_signed(a) >= as_signed(b);
  if (branch == Op::BLTU) return a < b;
  return a >= b; // BGEU
}

} // namespace lanewise::riscv
