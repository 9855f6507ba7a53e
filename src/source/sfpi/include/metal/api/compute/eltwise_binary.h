// Sums, differences and products of two tiles, element by element.
#pragma once

#include "api/compute/pack.h"
#include "api/compute/tile_move_copy.h"
#include "lanewise_reuse.h"

namespace ckernel {

ALWI void binary_op_init_common(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t output) {
  lanewise_metal::set_up(cb_a, cb_b, output);
}

#if defined(UCK_CHLKC_MATH)
constexpr lanewise_metal::Elementwise lanewise_elementwise(EltwiseBinaryType type) {
  return type == EltwiseBinaryType::ELWADD   ? lanewise_metal::Elementwise::Add
         : type == EltwiseBinaryType::ELWSUB ? lanewise_metal::Elementwise::Sub
                                             : lanewise_metal::Elementwise::Mul;
}
#endif

/// `adds`: the result is added to what Dst holds, as products always are.
template <bool = true, EltwiseBinaryType type = EltwiseBinaryType::ELWADD>
ALWI void binary_tiles_init(std::uint32_t, std::uint32_t, bool adds = false) {
  UNPACK(lanewise_metal::set_transpose(false));
  MATH(lanewise_metal::set_up_elementwise(lanewise_elementwise(type),
                                          lanewise_metal::Broadcast::None, adds));
}
ALWI void add_tiles_init(std::uint32_t cb_a, std::uint32_t cb_b, bool adds = false) {
  binary_tiles_init<true, EltwiseBinaryType::ELWADD>(cb_a, cb_b, adds);
}
ALWI void sub_tiles_init(std::uint32_t cb_a, std::uint32_t cb_b, bool adds = false) {
  binary_tiles_init<true, EltwiseBinaryType::ELWSUB>(cb_a, cb_b, adds);
}
ALWI void mul_tiles_init(std::uint32_t cb_a, std::uint32_t cb_b) {
  binary_tiles_init<true, EltwiseBinaryType::ELWMUL>(cb_a, cb_b);
}

ALWI void add_tiles(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t tile_a,
                    std::uint32_t tile_b, std::uint32_t dst_tile) {
  UNPACK(lanewise_metal::unpack_ab(cb_a, cb_b, tile_a, tile_b));
  MATH(lanewise_metal::elementwise(dst_tile));
}
/// Which of the three it is, the init function has said.
ALWI void sub_tiles(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t tile_a,
                    std::uint32_t tile_b, std::uint32_t dst_tile) {
  add_tiles(cb_a, cb_b, tile_a, tile_b, dst_tile);
}
ALWI void mul_tiles(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t tile_a,
                    std::uint32_t tile_b, std::uint32_t dst_tile) {
  add_tiles(cb_a, cb_b, tile_a, tile_b, dst_tile);
}

/// A tile of Dst and one of a circular buffer, to where that of Dst was. `reuse`: which of the two
/// sources it becomes.
template <EltwiseBinaryType type = EltwiseBinaryType::ELWADD,
          EltwiseBinaryReuseDestType reuse = EltwiseBinaryReuseDestType::NONE>
ALWI void binary_dest_reuse_tiles_init(std::uint32_t) {
  UNPACK(lanewise_metal::set_transpose(false));
  MATH(lanewise_metal::set_up_reuse(lanewise_elementwise(type)));
}
template <EltwiseBinaryType type = EltwiseBinaryType::ELWADD,
          EltwiseBinaryReuseDestType reuse = EltwiseBinaryReuseDestType::NONE>
ALWI void binary_dest_reuse_tiles(std::uint32_t cb, std::uint32_t tile, std::uint32_t dst_tile) {
  static_assert(reuse != EltwiseBinaryReuseDestType::NONE, "say which source Dst becomes");
  UNPACK(lanewise_metal::unpack_beside_dst<reuse>(cb, tile));
  MATH(lanewise_metal::combine_with_dst<reuse>(dst_tile));
}

} // namespace ckernel
