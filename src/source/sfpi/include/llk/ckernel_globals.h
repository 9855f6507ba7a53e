// Variables that the firmware keeps for the kernels of a thread. A recording starts with all of
// them zero.
#pragma once

#include <cstdint>

#include "ckernel_structs.h"
#include "risc_attribs.h"

inline std::uint32_t unp_cfg_context = 0;
inline std::uint32_t pack_sync_tile_dst_ptr = 0;
inline std::uint32_t math_sync_tile_dst_index = 0;
inline volatile std::uint32_t tt_l1_ptr l1_buffer[16] = {};

namespace ckernel {
inline std::uint32_t cfg_state_id = 0;   ///< bank of the shared configuration
inline std::uint32_t dest_offset_id = 0; ///< half of Dst
} // namespace ckernel
