// Compiled once per x86-64 level with the flags of the lane kernels, so that both sides have the
// same instructions.
#include "native_loops.h"

#include <algorithm>
#include <bit>
#include <cmath>

#ifndef LANEWISE_LEVEL
#error "native loops are compiled once per level, see bench/CMakeLists.txt"
#endif

namespace lanewise::bench::LANEWISE_LEVEL {

namespace {

/// Registers 4..7 are the targets, by turns; 0..3 are read.
constexpr unsigned target_of(unsigned i) {
  return 4 + i % 4;
}

/// target[lane] = function(lane, target[lane]). Nothing that the function reads overlaps the
/// target, and without that promise the compiler would have to look before each loop.
template <class T, class Function>
[[gnu::always_inline]] inline void each_lane(T* __restrict target, Function&& function) {
  for (unsigned lane = 0; lane < kLanesOfRegister; ++lane) {
    target[lane] = function(lane, target[lane]);
  }
  asm volatile("" ::: "memory"); // each operation is done, also one that repeats the last
}

void multiply_add(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.number[target_of(i)], [&](unsigned lane, auto) {
      return a.number[0][lane] * a.number[1][lane] + a.number[2 + i % 2][lane];
    });
  }
}

void add_constant(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.number[target_of(i)], [](unsigned, float old) { return old + 1.0F; });
  }
}

void piece_of_three(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.number[7], [&](unsigned lane, auto) {
      const float x = std::fabs(a.number[3][lane]);
      const float slope = x < 1 ? a.number[0][lane] : x < 2 ? a.number[1][lane] : a.number[2][lane];
      const float intercept = x < 1   ? a.number[4][lane]
                              : x < 2 ? a.number[5][lane]
                                      : a.number[6][lane];
      return slope * x + intercept;
    });
  }
}

void add_integers(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.integer[target_of(i)],
              [&](unsigned lane, auto old) { return a.integer[i % 4][lane] + old; });
  }
}

void shift(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.integer[target_of(i)], [](unsigned, std::int32_t old) { return old << 3; });
  }
}

void bitwise_and(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.integer[target_of(i)],
              [&](unsigned lane, auto old) { return a.integer[i % 4][lane] & old; });
  }
}

void absolute(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.integer[target_of(i)], [&](unsigned lane, auto) {
      const std::int32_t x = a.integer[i % 4][lane];
      return x < 0 ? -x : x;
    });
  }
}

void load_bf16(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.integer[i % kRegisters], [&](unsigned lane, auto) {
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(a.cell[i % 32][lane]) << 16);
    });
  }
}

void load_fp32(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.integer[i % kRegisters],
              [&](unsigned lane, auto) { return static_cast<std::int32_t>(a.wide[i % 32][lane]); });
  }
}

void load_int8(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.integer[i % kRegisters], [&](unsigned lane, auto) {
      return static_cast<std::int32_t>(static_cast<std::int8_t>(a.cell[i % 32][lane]));
    });
  }
}

void store_bf16(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.cell[i % 32], [&](unsigned lane, auto) {
      return static_cast<std::uint16_t>(
          static_cast<std::uint32_t>(a.integer[i % kRegisters][lane]) >> 16);
    });
  }
}

void store_fp32(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.wide[i % 32], [&](unsigned lane, auto) {
      return static_cast<std::uint32_t>(a.integer[i % kRegisters][lane]);
    });
  }
}

void store_int8(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.cell[i % 32], [&](unsigned lane, auto) {
      return static_cast<std::uint16_t>(a.integer[i % kRegisters][lane] & 0xFF);
    });
  }
}

void int_to_float(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.number[target_of(i)],
              [&](unsigned lane, auto) { return static_cast<float>(a.integer[i % 4][lane]); });
  }
}

void round_to_bf16(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.integer[target_of(i)], [&](unsigned lane, auto) {
      const auto bits = std::bit_cast<std::uint32_t>(a.number[i % 4][lane]);
      const std::uint32_t rounded = bits + 0x7FFF + ((bits >> 16) & 1);
      return static_cast<std::int32_t>(rounded & 0xFFFF0000U);
    });
  }
}

void min_max(NativeArrays& a, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    std::int32_t* __restrict low = a.integer[i % 4];
    each_lane(a.integer[target_of(i)], [&](unsigned lane, std::int32_t old) {
      const std::int32_t other = low[lane];
      low[lane] = std::min(other, old);
      return std::max(other, old);
    });
  }
}

void exponential(NativeArrays& a, unsigned count) {
  constexpr float kRounder = 12582912; // 1.5 * 2^23: next to it, floats are whole numbers
  for (unsigned i = 0; i < count; ++i) {
    each_lane(a.cell[i % 32], [](unsigned, std::uint16_t old) {
      const float x = std::bit_cast<float>(static_cast<std::uint32_t>(old) << 16);
      const float y = x * 1.4453125F;
      const float whole = y + kRounder;
      const float f = y - (whole - kRounder);
      const float power = ((0.0559F * f + 0.2402F) * f + 0.6931F) * f + 1;
      const std::uint32_t scaled =
          std::bit_cast<std::uint32_t>(power) + (std::bit_cast<std::uint32_t>(whole) << 23);
      const std::uint32_t result = y < -126 ? 0 : scaled;
      return static_cast<std::uint16_t>((result + 0x7FFF + ((result >> 16) & 1)) >> 16);
    });
  }
}

} // namespace

NativeFunction find_loop(NativeLoop loop) {
  switch (loop) {
    case NativeLoop::MultiplyAdd: return multiply_add;
    case NativeLoop::AddConstant: return add_constant;
    case NativeLoop::PieceOfThree: return piece_of_three;
    case NativeLoop::AddIntegers: return add_integers;
    case NativeLoop::Shift: return shift;
    case NativeLoop::And: return bitwise_and;
    case NativeLoop::Absolute: return absolute;
    case NativeLoop::LoadBf16: return load_bf16;
    case NativeLoop::LoadFp32: return load_fp32;
    case NativeLoop::LoadInt8: return load_int8;
    case NativeLoop::StoreBf16: return store_bf16;
    case NativeLoop::StoreFp32: return store_fp32;
    case NativeLoop::StoreInt8: return store_int8;
    case NativeLoop::IntToFloat: return int_to_float;
    case NativeLoop::RoundToBf16: return round_to_bf16;
    case NativeLoop::MinMax: return min_max;
    case NativeLoop::Exponential: return exponential;
  }
  return nullptr;
}

} // namespace lanewise::bench::LANEWISE_LEVEL
