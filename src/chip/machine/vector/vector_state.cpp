#include "chip/machine/vector/vector_state.h"

#include <algorithm>
#include <cstring>

namespace lanewise {

unsigned FlagStack::depth(unsigned lane) const {
  unsigned d = 0;
  while ((at_depth[d] >> lane & 1U) == 0) ++d;
  return d;
}

void VectorState::reset(Arch arch, unsigned group) {
  std::memset(lreg, 0, sizeof lreg);
  std::memset(prng, 0, sizeof prng);
  std::memset(shuffle_latch, 0, sizeof shuffle_latch);
  unsigned number = 0;
  for (const std::uint32_t constant : arch_params(arch).vector.reset_lregs) {
    std::fill_n(lreg[number++], kLanes, lane_of_float(arch, constant));
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) lreg[number][lane] = lane_number(group, lane);
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
