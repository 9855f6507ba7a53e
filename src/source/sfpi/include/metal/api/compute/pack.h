// A tile of Dst to a circular buffer.
#pragma once

#include "lanewise_compute.h"

namespace ckernel {

/// Into the next page of those that are reserved; with `out_of_order` into page `page` of them.
template <bool out_of_order = false>
ALWI void pack_tile(std::uint32_t dst_tile, std::uint32_t cb, std::uint32_t page = 0) {
#if defined(UCK_CHLKC_PACK)
  LocalCBInterface& ring = get_local_cb_interface(cb);
  if (out_of_order) return lanewise_metal::pack(dst_tile, cb, page * ring.fifo_page_size);
  lanewise_metal::pack(dst_tile, cb, ring.fifo_wr_tile_ptr);
  ring.fifo_wr_tile_ptr += ring.fifo_page_size;
#endif
}

/// Tiles one after the other.
ALWI void pack_tile_block(std::uint32_t dst_tile, std::uint32_t cb, std::uint32_t tiles) {
  for (std::uint32_t i = 0; i < tiles; ++i) pack_tile(dst_tile + i, cb);
}

ALWI void pack_reconfig_data_format(std::uint32_t cb) {
  PACK(lanewise_metal::change_packed(cb));
}
ALWI void pack_reconfig_data_format(std::uint32_t, std::uint32_t cb) {
  pack_reconfig_data_format(cb);
}

/// Whether what is packed is added to what lies in L1.
ALWI void pack_reconfig_l1_acc(std::uint32_t adds) {
  PACK(lanewise_metal::stall(lanewise_metal::kConfig, lanewise_metal::kPacks);
       lanewise_metal::configure(THCON_SEC0_REG1_Pack_L1_Acc_RMW, adds != 0 ? 1 : 0));
}

/// The kind in the low bits, the threshold in the upper half.
ALWI void pack_relu_config(std::uint32_t config) {
  PACK(lanewise_metal::stall(lanewise_metal::kConfig, lanewise_metal::kPacks);
       lanewise_metal::configure(STACC_RELU_ApplyRelu_RMW, config & 3);
       lanewise_metal::configure(STACC_RELU_ReluThreshold_RMW, config >> 16));
}

} // namespace ckernel
