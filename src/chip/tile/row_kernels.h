// Rows of 16 data through the conversions of unpackers and packers at once, as vector code: in
// chip/tile/kernels/, once per x86-64 level. What they give is what unpack_value() gives of each
// datum, or pack_early(), apply_exponent_threshold(), pack_late() and pack_block().
#pragma once

#include <cstdint>

#include "chip/semantics/pack_lanes.h"
#include "chip/semantics/unpack_lanes.h"

namespace lanewise::tile {

inline constexpr unsigned kRowData = 16; ///< of SrcA, SrcB and Dst; and of a block

/// Rows that lie side by side in L1.
struct RowsOfL1 {
  const std::uint8_t* data = nullptr;
  unsigned datum_bits = 0;
  const std::uint8_t* exponents = nullptr; ///< of blocks: one for each row
  unsigned exponent_step = 1;              ///< 0: all rows have the same one
};

/// A row of Dst, or what stands for it.
struct RowOfDst {
  const std::uint16_t* upper = nullptr; ///< 16 bits of a datum, or the upper half of 32
  const std::uint16_t* lower = nullptr; ///< the lower half; nullptr if there are 16 bits
  std::uint16_t kept = 0xFFFF;          ///< columns that the mask of the edges keeps
  std::uint32_t masked = 0;             ///< what pack_masked() gives for the others
};

/// 16 data as they lie in L1, and, of a block, their exponent.
struct PackedRow {
  std::uint8_t exponent = 0;
  alignas(64) std::uint8_t bytes[4 * kRowData]{};
};

struct RowKernels {
  /// Data of L1 as cells of SrcA or SrcB, or as what Dst stores.
  void (*unpack)(const semantics::UnpackSteps& steps, const RowsOfL1& from, unsigned rows,
                 std::uint32_t (*to)[kRowData]);
  /// A row on its way to L1, in data of so many bits.
  void (*pack)(const semantics::PackSteps& steps, const RowOfDst& from, unsigned datum_bits,
               PackedRow& to);
};

/// Those of the level in use (chip/machine/simd_level.h).
const RowKernels& row_kernels();

} // namespace lanewise::tile

// nullptr for a level that this build does not have (kernels/absent_level.cpp).
namespace lanewise::baseline {
const tile::RowKernels* row_kernels();
}
namespace lanewise::v3 {
const tile::RowKernels* row_kernels();
}
namespace lanewise::v4 {
const tile::RowKernels* row_kernels();
}
