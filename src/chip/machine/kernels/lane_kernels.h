// All lane kernels, and the choice among them.
#pragma once

#include "chip/machine/kernels/dst_access.h"
#include "chip/machine/kernels/mad.h"
#include "chip/machine/kernels/round.h"
#include "chip/machine/kernels/simple.h"

namespace lanewise::LANEWISE_LEVEL {

/// The kernel on a state S of an instruction by its opcode and operands; nullptr for one without
/// lane data.
template <Arch A, class S>
constexpr KernelOn<S> find_lane_kernel_of(const MicroOp& op) {
  for (const auto find : {find_mad_kernel<A, S>, find_access_kernel<A, S>, find_simple_kernel<A, S>,
                          find_round_kernel<A, S>}) {
    if (const KernelOn<S> kernel = find(op)) return kernel;
  }
  return nullptr;
}

} // namespace lanewise::LANEWISE_LEVEL
