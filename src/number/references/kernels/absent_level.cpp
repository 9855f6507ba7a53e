// A level that is not in LANEWISE_LEVELS (cmake/library.cmake), compiled in place of its kernels.
#include "number/references/kernels/level_kernels.h"

namespace lanewise::LANEWISE_LEVEL {

const references::ReferenceKernels* reference_kernels() {
  return nullptr;
}

} // namespace lanewise::LANEWISE_LEVEL
