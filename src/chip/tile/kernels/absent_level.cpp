// A level that is not in LANEWISE_LEVELS (cmake/library.cmake), compiled in place of its rows.
#include "chip/tile/row_kernels.h"

namespace lanewise::LANEWISE_LEVEL {

const tile::RowKernels* row_kernels() {
  return nullptr;
}

} // namespace lanewise::LANEWISE_LEVEL
