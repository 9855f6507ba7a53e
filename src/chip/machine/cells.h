// Numbers into cells of Dst and out of them, where that is a shuffle of bits: of an FP32 or of its
// upper half, or of an integer of 32 bits with a sign, which is in two's complement outside.
#pragma once

#include <cstdint>

namespace lanewise {

/// The passes of one x86-64 level (chip/machine/kernels/cells_level.cpp). `bits` are `count`
/// numbers; the cells follow each other, those of the low halves apart from those of the high ones.
struct CellKernels {
  void (*load_16)(const std::uint32_t* bits, std::uint16_t* cells, unsigned count);
  void (*load_32)(const std::uint32_t* bits, std::uint16_t* high, std::uint16_t* low,
                  unsigned count);
  void (*load_int32)(const std::uint32_t* bits, std::uint16_t* high, std::uint16_t* low,
                     unsigned count);
  void (*read_16)(const std::uint16_t* cells, std::uint32_t* bits, unsigned count);
  void (*read_32)(const std::uint16_t* high, const std::uint16_t* low, std::uint32_t* bits,
                  unsigned count);
  void (*read_int32)(const std::uint16_t* high, const std::uint16_t* low, std::uint32_t* bits,
                     unsigned count);
};

/// Of the level in use (chip/machine/simd_level.h).
const CellKernels& cell_kernels();

// nullptr for a level that this build does not have (kernels/absent_level.cpp).
namespace baseline {
const CellKernels* cell_kernels();
}
namespace v3 {
const CellKernels* cell_kernels();
}
namespace v4 {
const CellKernels* cell_kernels();
}

} // namespace lanewise
