// The passes over chunks of one x86-64 level. This file is compiled once per level, with
// LANEWISE_LEVEL as its namespace.
#include "study/sweep/kernels/neighbours.h"
#include "study/sweep/kernels/tally.h"

namespace lanewise::LANEWISE_LEVEL {

const sweep::TallyKernels* tally_kernels() {
  static constexpr sweep::TallyKernels kKernels{
      .tally = tally, .reversals = reversals, .symmetry = symmetry};
  return &kKernels;
}

} // namespace lanewise::LANEWISE_LEVEL
