// Integers in tiles of Dst, on the Vector Unit: Int32 and UInt32, which fp32_dest_acc_en has room
// for, and UInt16. Bits that a result has too many are lost.
#pragma once

#include "lanewise_sfpu.h"

#if defined(UCK_CHLKC_MATH)

namespace lanewise_metal {

template <DataFormat format>
constexpr sfpi::DataLayout layout_of() {
  static_assert(
      format == DataFormat::Int32 || format == DataFormat::UInt32 || format == DataFormat::UInt16,
      "functions of integers take Int32, UInt32 and UInt16");
  return format == DataFormat::UInt16 ? sfpi::DataLayout::U16 : sfpi::DataLayout::U32;
}

/// A function of the integers of two tiles, to a third; the second may be the first.
template <DataFormat format, class Function>
void integers(u32 a, u32 b, u32 out, Function function) {
  (void)dst_row(a), (void)dst_row(b), (void)dst_row(out); // all three must be there
  constexpr sfpi::DataLayout layout = layout_of<format>();
  over_faces(0, VectorMode::RC, [&] {
    for (int step = 0; step < kFaceSteps; ++step) {
      const sfpi::vUInt x = sfpi::dst_reg[a * kTileEntries].mode<layout>();
      const sfpi::vUInt y = sfpi::dst_reg[b * kTileEntries].mode<layout>();
      sfpi::dst_reg[out * kTileEntries].mode<layout>() = function(x, y);
      sfpi::dst_reg++;
    }
  });
}

} // namespace lanewise_metal

#endif

/// A function of two tiles.
#define LANEWISE_INTEGERS(name, result)                                                  \
  namespace ckernel {                                                                    \
  template <DataFormat format>                                                           \
  ALWI void name##_tile(std::uint32_t a, std::uint32_t b, std::uint32_t out) {           \
    MATH(lanewise_metal::integers<format>(                                               \
        a, b, out, [](sfpi::vUInt x, sfpi::vUInt y) -> sfpi::vUInt { return result; })); \
  }                                                                                      \
  }
