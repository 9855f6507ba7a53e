// Sums, means and maxima over rows, columns or all of a tile; what they are multiplied with stands
// in the first row of each face of the scaler.
#pragma once

#include "api/compute/pack.h"
#include "lanewise_reduce.h"

// Older kernels say which by macros.
#if defined(REDUCE_OP) && defined(REDUCE_DIM)
#define LANEWISE_REDUCES \
  template <PoolType type = REDUCE_OP, ReduceDim dim = REDUCE_DIM, bool in_fp32 = false>
#else
#define LANEWISE_REDUCES template <PoolType type, ReduceDim dim, bool in_fp32 = false>
#endif

namespace ckernel {

LANEWISE_REDUCES
ALWI void reduce_init(std::uint32_t, std::uint32_t, std::uint32_t) {
  static_assert(!in_fp32,
                "enforce_fp32_accumulation is not among Lanewise's own headers: give "
                "--metal DIR");
  UNPACK(lanewise_metal::set_up_pool_unpack<dim>());
  MATH(lanewise_metal::set_up_pool_math());
  PACK(lanewise_metal::keep(lanewise_metal::kept_of<dim>()));
}

/// All of each tile is packed again.
template <bool in_fp32 = false>
ALWI void reduce_uninit(std::uint32_t = 0) {
  PACK(lanewise_metal::keep(lanewise_metal::Kept::All));
}

/// Adds to what Dst holds, or takes the maximum with it.
LANEWISE_REDUCES
ALWI void reduce_tile(std::uint32_t cb, std::uint32_t scaler, std::uint32_t tile,
                      std::uint32_t scaler_tile, std::uint32_t dst_tile) {
  UNPACK(lanewise_metal::unpack_faces(cb, scaler, tile, scaler_tile));
  MATH((lanewise_metal::reduce<type, dim>(dst_tile)));
}

} // namespace ckernel
