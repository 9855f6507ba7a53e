#include "machine/vector/vector_state.h"

#include <algorithm>
#include <cstring>

namespace lanewise {

unsigned FlagStack::depth(unsigned lane) const {
  unsigned d = 0;
  while ((at_depth[d] >> lane & 1U) == 0) ++d;
  return d;
}

void VectorState::reset() {
  std::memset(lreg, 0, sizeof lreg);
  std::memset(prng, 0, sizeof prng);
  std::memset(shuffle_latch, 0, sizeof shuffle_latch);
  // VU C1 and C2: constants 8, 10 and 15, and the reset values of the programmable ones.
  std::fill_n(lreg[8], kLanes, 0x3F56594BU);
  std::fill_n(lreg[10], kLanes, 0x3F800000U);
  std::fill_n(lreg[11], kLanes, 0xBF800000U);
  std::fill_n(lreg[12], kLanes, 0x3B000000U);
  std::fill_n(lreg[13], kLanes, 0xBF2CC4C7U);
  std::fill_n(lreg[14], kLanes, 0xBEB08FF9U);
  for (unsigned lane = 0; lane < kLanes; ++lane) lreg[15][lane] = 2 * lane;
  flags = 0;
  use_flags = 0;
  active = kAllLanes;
  stack = {};
  macro = {};
  set_lane_config({});
}

void VectorState::set_lane_config(const std::array<std::uint32_t, kColumns>& columns) {
  lane_config = columns;
  switches = {};
  switches.rows_enabled = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t config = columns[lane % kColumns];
    const auto set = [&](std::uint32_t& mask, std::uint32_t bit) {
      if ((config & bit) != 0) mask |= 1U << lane;
    };
    const std::uint32_t row_bit = 1U << (lane_config::kRowMaskShift + lane / kColumns);
    if ((config & row_bit) == 0) switches.rows_enabled |= 1U << lane;
    set(switches.fp16_infinity, lane_config::kEnableFp16aInf);
    set(switches.backdoor_closed, lane_config::kDisableBackdoorLoad);
    set(switches.dest_index, lane_config::kEnableDestIndex);
    set(switches.capture_index, lane_config::kCaptureDefaultDestIndex);
    set(switches.block_store, lane_config::kBlockDestWrFromSfpu);
    set(switches.block_load, lane_config::kBlockSfpuRdFromDest);
    set(switches.load_odd, lane_config::kDestRdColExchange);
    set(switches.store_odd, lane_config::kDestWrColExchange);
    set(switches.exchange_sources, lane_config::kExchangeSrcbSrcc);
  }
}

} // namespace lanewise
