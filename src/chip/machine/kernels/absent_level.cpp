// A level that is not in LANEWISE_LEVELS (cmake/library.cmake), compiled in place of its kernels.
#include "chip/machine/cells.h"
#include "chip/machine/kernels/level_kernels.h"

namespace lanewise::LANEWISE_LEVEL {

const LevelKernels* level_kernels() {
  return nullptr;
}
const CellKernels* cell_kernels() {
  return nullptr;
}

} // namespace lanewise::LANEWISE_LEVEL
