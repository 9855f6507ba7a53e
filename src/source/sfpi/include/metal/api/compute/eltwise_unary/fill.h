// One number in all of a tile.
#pragma once

#include "lanewise_functions.h"
#include "lanewise_integers.h"

namespace ckernel {

ALWI void fill_tile_init() {}
ALWI void fill_tile_bitcast(std::uint32_t tile, std::uint32_t bits) {
  MATH(const float number = lanewise_metal::from_bits(bits);
       lanewise_metal::unary(tile, VectorMode::RC, [number](sfpi::vFloat) -> sfpi::vFloat {
         return lanewise_metal::rounded(sfpi::vFloat(number));
       }));
}
ALWI void fill_tile(std::uint32_t tile, float number) {
  fill_tile_bitcast(tile, __builtin_bit_cast(std::uint32_t, number));
}

template <DataFormat format>
ALWI void fill_tile_int(std::uint32_t tile, std::uint32_t number) {
  MATH(lanewise_metal::integers<format>(
      tile, tile, tile,
      [number](sfpi::vUInt, sfpi::vUInt) -> sfpi::vUInt { return sfpi::vUInt(number); }));
}

} // namespace ckernel
