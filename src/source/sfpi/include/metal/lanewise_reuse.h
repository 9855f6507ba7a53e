// A tile of Dst as one of the two sources of a sum, difference or product with a tile of a circular
// buffer, which comes back to where it was.
#pragma once

#include "lanewise_compute.h"

namespace lanewise_metal {

using Reuse = ckernel::EltwiseBinaryReuseDestType;

#if defined(UCK_CHLKC_UNPACK)

/// A tile into the source that Dst does not take; the other is handed over empty.
template <Reuse reuse>
void unpack_beside_dst(u32 cb, u32 tile) {
  constexpr u32 other = reuse == Reuse::DEST_TO_SRCA ? 1 : 0;
  check_source(cb);
  stall(kConfig, kUnpacks);
  set_base(other, unpack_address(cb, tile));
  push(unpack_word(other, 0, Unpacked::HandsOver));
  unpack_zeros(1 - other);
}

#elif defined(UCK_CHLKC_MATH)

inline constexpr u32 kRowsOn = 0, kStays = 1; ///< sections of ADDR_MOD

inline bool clears_dst = false; ///< products would add up

inline void set_up_reuse(Elementwise what) {
  set_section(kRowsOn, sources(8, 8), 8);
  set_section(kStays, 0, 0);
  set_section(3, kAClear | kBClear, kDstClear | kNextPhase);
  elementwise_phases = what == Elementwise::Mul ? kPhases : 1;
  clears_dst = what == Elementwise::Mul;
  record(8);
  for (u32 i = 0; i < 8; ++i)
    push(elementwise_word(what, Broadcast::None, false, i == 7 ? 3 : kRowsOn));
}

template <Reuse reuse>
void combine_with_dst(u32 tile) {
  constexpr u32 kFourRows = 2;
  aim_at(tile);
  stall(kMatrix, kHasNoA | kHasNoB);
  for (u32 row = 0; row < kTileRows; row += 4) {
    if (reuse == Reuse::DEST_TO_SRCA) {
      push(TT_OP_MOVD2A(0, row, kStays, kFourRows, row));
    } else {
      push(TT_OP_MOVD2B(0, row, kStays, kFourRows, row));
    }
  }
  if (clears_dst)
    for (u32 row = 0; row < kTileRows; ++row) clear_row(row, kStays);
  replay(elementwise_phases);
  end_tile(kBoth);
}

#endif

} // namespace lanewise_metal
