#include "chip/tile/row_kernels.h"

#include "chip/machine/simd_level.h"

namespace lanewise::tile {

const RowKernels& row_kernels() {
  const RowKernels* kernels = nullptr;
  switch (simd_level()) {
    case SimdLevel::Baseline: break;
    case SimdLevel::V3: kernels = v3::row_kernels(); break;
    case SimdLevel::V4: kernels = v4::row_kernels(); break;
  }
  // The sanitizer build has lane kernels of every level, and these of one.
  return kernels != nullptr ? *kernels : *baseline::row_kernels();
}

} // namespace lanewise::tile
