#include "chip/machine/simd_level.h"
#include "number/references/kernels/level_kernels.h"

namespace lanewise::lab {

const ReferenceKernels& reference_kernels() {
  switch (simd_level()) {
    case SimdLevel::Baseline: return *baseline::reference_kernels();
    case SimdLevel::V3: return *v3::reference_kernels();
    case SimdLevel::V4: break;
  }
  return *v4::reference_kernels();
}

} // namespace lanewise::lab
