// Sums, differences and products with a row, a column or a number of the second tile.
#pragma once

#include "api/compute/eltwise_binary.h"

namespace ckernel {

#if defined(UCK_CHLKC_MATH)
constexpr lanewise_metal::Broadcast lanewise_broadcast(BroadcastType type) {
  return static_cast<lanewise_metal::Broadcast>(type); // the same numbers
}
#endif

template <EltwiseBinaryType type, BroadcastType broadcast>
ALWI void init_bcast(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t output) {
  lanewise_metal::set_up(cb_a, cb_b, output);
  MATH(lanewise_metal::set_up_elementwise(lanewise_elementwise(type), lanewise_broadcast(broadcast),
                                          false));
}

template <EltwiseBinaryType type, BroadcastType broadcast>
ALWI void any_tiles_bcast(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t tile_a,
                          std::uint32_t tile_b, std::uint32_t dst_tile) {
  add_tiles(cb_a, cb_b, tile_a, tile_b, dst_tile); // which of them, the init function has said
}
template <BroadcastType broadcast>
ALWI void add_tiles_bcast(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t tile_a,
                          std::uint32_t tile_b, std::uint32_t dst_tile) {
  add_tiles(cb_a, cb_b, tile_a, tile_b, dst_tile);
}
template <BroadcastType broadcast>
ALWI void sub_tiles_bcast(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t tile_a,
                          std::uint32_t tile_b, std::uint32_t dst_tile) {
  add_tiles(cb_a, cb_b, tile_a, tile_b, dst_tile);
}
template <BroadcastType broadcast>
ALWI void mul_tiles_bcast(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t tile_a,
                          std::uint32_t tile_b, std::uint32_t dst_tile) {
  add_tiles(cb_a, cb_b, tile_a, tile_b, dst_tile);
}

} // namespace ckernel

/// add_bcast_rows_init_short(cb_a, cb_b), add_tiles_bcast_rows(...) and so on.
#define LANEWISE_BROADCAST(init, call, type, broadcast)                             \
  namespace ckernel {                                                               \
  ALWI void init(std::uint32_t, std::uint32_t) {                                    \
    UNPACK(lanewise_metal::set_transpose(false));                                   \
    MATH(lanewise_metal::set_up_elementwise(lanewise_elementwise(type),             \
                                            lanewise_broadcast(broadcast), false)); \
  }                                                                                 \
  ALWI void call(std::uint32_t cb_a, std::uint32_t cb_b, std::uint32_t tile_a,      \
                 std::uint32_t tile_b, std::uint32_t dst_tile) {                    \
    add_tiles(cb_a, cb_b, tile_a, tile_b, dst_tile);                                \
  }                                                                                 \
  }

LANEWISE_BROADCAST(add_bcast_rows_init_short, add_tiles_bcast_rows, ELWADD, BroadcastType::ROW)
LANEWISE_BROADCAST(add_bcast_cols_init_short, add_tiles_bcast_cols, ELWADD, BroadcastType::COL)
LANEWISE_BROADCAST(add_bcast_scalar_init_short, add_tiles_bcast_scalar, ELWADD,
                   BroadcastType::SCALAR)
LANEWISE_BROADCAST(sub_bcast_rows_init_short, sub_tiles_bcast_rows, ELWSUB, BroadcastType::ROW)
LANEWISE_BROADCAST(sub_bcast_cols_init_short, sub_tiles_bcast_cols, ELWSUB, BroadcastType::COL)
LANEWISE_BROADCAST(sub_tiles_bcast_scalar_init_short, sub_tiles_bcast_scalar, ELWSUB,
                   BroadcastType::SCALAR)
LANEWISE_BROADCAST(mul_bcast_rows_init_short, mul_tiles_bcast_rows, ELWMUL, BroadcastType::ROW)
LANEWISE_BROADCAST(mul_bcast_cols_init_short, mul_tiles_bcast_cols, ELWMUL, BroadcastType::COL)
LANEWISE_BROADCAST(mul_tiles_bcast_scalar_init_short, mul_tiles_bcast_scalar, ELWMUL,
                   BroadcastType::SCALAR)
