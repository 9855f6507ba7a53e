// BF16 numbers by their bits.
#pragma once

#include <cstdint>

constexpr std::uint16_t fp32_to_bf16_truncate(float number) {
  return static_cast<std::uint16_t>(__builtin_bit_cast(std::uint32_t, number) >> 16);
}
