// What the benchmarks compare the lane kernels with: the plain loop that a programmer would write
// for the same operation on the host's own numbers, without the rules of the Vector Unit.
#pragma once

#include <cstdint>

#include "chip/machine/simd_level.h"

namespace lanewise::bench {

inline constexpr unsigned kRegisters = 8;
inline constexpr unsigned kLanesOfRegister = 32;

/// The arrays of a loop: the same shape, and so the same place in the caches, as LRegs and a tile
/// in Dst.
struct NativeArrays {
  alignas(64) float number[kRegisters][kLanesOfRegister];
  alignas(64) std::int32_t integer[kRegisters][kLanesOfRegister];
  alignas(64) std::uint16_t cell[kLanesOfRegister][kLanesOfRegister]; ///< a tile of 16-bit numbers
  alignas(64) std::uint32_t wide[kLanesOfRegister][kLanesOfRegister]; ///< a tile of 32-bit numbers
};

enum class NativeLoop : std::uint8_t {
  MultiplyAdd,  ///< d = a * b + c, rounded twice
  AddConstant,  ///< d = d + constant
  PieceOfThree, ///< d = slope * |x| + intercept, chosen by |x|
  AddIntegers,
  Shift,
  And,
  Absolute,
  LoadBf16,
  LoadFp32,
  LoadInt8,
  StoreBf16,
  StoreFp32,
  StoreInt8,
  IntToFloat,
  RoundToBf16,
  MinMax,
  Exponential ///< of a tile of bf16, by a polynomial; one operation is 32 elements
};

/// Does `count` operations, each on 32 numbers. The registers take turns as in the measured
/// programs.
using NativeFunction = void (*)(NativeArrays& arrays, unsigned count);

/// The loop compiled for a level.
NativeFunction native_loop(SimdLevel level, NativeLoop loop);

} // namespace lanewise::bench
