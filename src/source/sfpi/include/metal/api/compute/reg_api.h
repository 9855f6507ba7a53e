// Sections of Dst, between MATH, which fills them, and PACK, which empties and clears them.
#pragma once

#if defined(UCK_CHLKC_MATH)
#include "lanewise_math.h"
#elif defined(UCK_CHLKC_PACK)
#include "lanewise_pack.h"
#else
#include "lanewise_thread.h"
#endif
#include "lanewise_metal.h"

namespace ckernel {

ALWI void tile_regs_acquire() {
  MATH(lanewise_metal::acquire_section());
}
ALWI void tile_regs_commit() {
  MATH(lanewise_metal::commit_section());
  UNPACK(lanewise_metal::next_section()); // for what goes straight there
}
ALWI void tile_regs_wait() {
  PACK(lanewise_metal::wait_for_section());
}
ALWI void tile_regs_release() {
  PACK(lanewise_metal::release_section());
}

/// As older kernels have it.
ALWI void acquire_dst() {
  tile_regs_acquire();
  tile_regs_wait();
}
ALWI void release_dst() {
  tile_regs_commit();
  tile_regs_release();
}

} // namespace ckernel
