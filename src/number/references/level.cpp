#include "chip/machine/simd_level.h"
#include "number/references/kernels/level_kernels.h"

namespace lanewise::references {

const ReferenceKernels& reference_kernels() {
  const ReferenceKernels* kernels = nullptr;
  switch (simd_level()) {
    case SimdLevel::Baseline: break;
    case SimdLevel::V3: kernels = v3::reference_kernels(); break;
    case SimdLevel::V4: kernels = v4::reference_kernels(); break;
  }
  // The sanitizer build has lane kernels of every level, and these of one.
  return kernels != nullptr ? *kernels : *baseline::reference_kernels();
}

} // namespace lanewise::references
