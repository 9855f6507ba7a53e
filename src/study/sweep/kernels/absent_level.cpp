// A level that is not in LANEWISE_LEVELS (cmake/library.cmake), compiled in place of its passes.
#include "study/sweep/tally.h"

namespace lanewise::LANEWISE_LEVEL {

const sweep::TallyKernels* tally_kernels() {
  return nullptr;
}

} // namespace lanewise::LANEWISE_LEVEL
