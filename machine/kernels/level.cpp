// The lane kernels of one x86-64 level. This file is compiled once per level, with LANEWISE_LEVEL
// as its namespace.
#include "machine/kernels/dst_access.h"
#include "machine/kernels/level_kernels.h"
#include "machine/kernels/mad.h"
#include "machine/kernels/round.h"
#include "machine/kernels/simple.h"

namespace lanewise::LANEWISE_LEVEL {

namespace {

template <Arch A>
Kernel find_for_chip(const MicroOp& op) {
  for (const auto find :
       {find_mad_kernel<A>, find_access_kernel<A>, find_simple_kernel<A>, find_round_kernel<A>}) {
    if (const Kernel kernel = find(op)) return kernel;
  }
  return nullptr;
}

} // namespace

Kernel find_kernel(Arch arch, const MicroOp& op) {
  return with_chip(arch, [&op]<Arch A>(Chip<A>) { return find_for_chip<A>(op); });
}

Kernel find_matrix_kernel(Arch arch, isa::Op op); // matrix_level.cpp

const LevelKernels* level_kernels() {
  static constexpr LevelKernels kKernels{.lane = find_kernel, .matrix = find_matrix_kernel};
  return &kKernels;
}

} // namespace lanewise::LANEWISE_LEVEL
