// What the headers of the compute API stand on, by thread, and how all three are set up.
#pragma once

#include "api/compute/common.h"
#if defined(UCK_CHLKC_UNPACK)
#include "lanewise_unpack.h"
#elif defined(UCK_CHLKC_MATH)
#include "lanewise_math.h"
#else
#include "lanewise_pack.h"
#endif

namespace lanewise_metal {

/// Once, at the start: formats of both sources and of the output. `cb_a` goes to SrcA.
ALWI void set_up(u32 cb_a, u32 cb_b, u32 cb_out) {
  UNPACK(set_unpackers_up(cb_a, cb_b); set_transpose(false));
  MATH(set_math_up(cb_a, cb_b));
  PACK(set_packer_up(cb_out));
}

} // namespace lanewise_metal
