#!/usr/bin/env bash
# metal_tree.sh FOLDER: makes a checkout of tt-metal for tests, of our own code: the operations elu and square, a header of tt-llk.
set -euo pipefail
mkdir -p "$1" && cd "$1"
for chip in blackhole wormhole_b0; do
  folder=tt_metal/hw/ckernels/$chip/metal/llk_api/llk_sfpu
  mkdir -p "$folder" tt_metal/tt-llk/tt_llk_$chip/common/inc/sfpu
  # A list of operations in an order of its own: that of the checkout is the one that counts.
  printf '#pragma once\nenum class SfpuType { unused, ours };\n' >"tt_metal/hw/ckernels/$chip/metal/llk_api/llk_sfpu_types.h"
  cat >"$folder/ckernel_sfpu_elu.h" <<'KERNEL'
#pragma once
#include "ckernel.h"
#include "sfpi.h"
namespace ckernel::sfpu {
template <bool APPROXIMATION_MODE, bool is_fp32_dest_acc_en = false, int ITERATIONS = 8>
inline void calculate_elu(uint slope) {
  static_assert(static_cast<int>(SfpuType::ours) == 1);
  static_assert(DST_ACCUM_MODE == is_fp32_dest_acc_en);
  const vFloat alpha = Converter::as_float(slope);
  for (int d = 0; d < ITERATIONS; d++) {
    vFloat x = dst_reg[0];
    v_if (x < 0.0f) { x = x * alpha; }
    v_endif;
    dst_reg[0] = x;
    dst_reg++;
  }
}
}
KERNEL
  cat >"$folder/ckernel_sfpu_square.h" <<'KERNEL'
#pragma once
namespace ckernel::sfpu {
template <bool APPROXIMATION_MODE, int ITERATIONS = 8>
inline void calculate_square() {
  for (int d = 0; d < ITERATIONS; d++) {
    vFloat x = dst_reg[0];
    vFloat zero = 0.0f;
    dst_reg[0] = vFloat(__builtin_rvtt_sfpmad(x.get(), x.get(), zero.get(), SFPMAD_MOD1_OFFSET_NONE));
    dst_reg++;
  }
}
}
KERNEL
  cat >"tt_metal/tt-llk/tt_llk_$chip/common/inc/sfpu/ckernel_sfpu_converter.h" <<'KERNEL'
#pragma once
#include <bit>
namespace ckernel::sfpu {
struct Converter {
  static float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
};
}
using ckernel::sfpu::Converter;
KERNEL
done
echo "sfpi_version='7.60.0'" >tt_metal/sfpi-version
