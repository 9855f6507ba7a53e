// The lane kernels of one x86-64 level. This file is compiled once per level, with LANEWISE_LEVEL
// as its namespace.
#include "chip/machine/kernels/hold.h"
#include "chip/machine/kernels/lane_kernels.h"
#include "chip/machine/kernels/level_kernels.h"
#include "chip/machine/kernels/plain_access.h"

namespace lanewise::LANEWISE_LEVEL {

Kernel find_kernel(Arch arch, const MicroOp& op) {
  return with_chip(arch, [&op]<Arch A>(Chip<A>) -> Kernel {
    if constexpr (has_narrow_lanes(A))
      return nullptr; // chip/machine/vector/narrow_kernels.h
    else if (const Kernel kernel = find_plain_access_kernel<A>(op))
      return kernel;
    else
      return find_lane_kernel_of<A, MachineState>(op);
  });
}

namespace {

/// By the first form, of this one and the next ones, that is sure of all lanes.
template <Arch A, MadForm Form = next(MadForm::Window)>
void multiply_add_lanes(std::uint32_t lanes, const std::uint32_t* x, const std::uint32_t* y,
                        const std::uint32_t* z, std::uint32_t* result) {
  LaneVector sums;
  if (!multiply_add<A, Form>(
          sums, lanes, [&](unsigned c) { return load(x, c); },
          [&](unsigned c) { return load(y, c); }, [&](unsigned c) { return load(z, c); }))
    return multiply_add_lanes<A, next(Form)>(lanes, x, y, z, result);
  for (unsigned c = 0; c < kChunks; ++c) store(result, c, sums.chunk[c]);
}

void begin_hold(MachineState& s, const MicroOp& op) {
  begin_held(s, op);
}
void end_hold(MachineState& s, const MicroOp& op) {
  end_held(s, op);
}
void release(MachineState& s, const MicroOp& op) {
  release_held(s, op);
}

MultiplyAdd find_multiply_add_lanes(Arch arch) {
  return with_chip(arch, []<Arch A>(Chip<A>) -> MultiplyAdd {
    if constexpr (has_narrow_lanes(A))
      return nullptr;
    else
      return multiply_add_lanes<A>;
  });
}

} // namespace

Kernel find_matrix_kernel(Arch arch, isa::Op op); // matrix_level.cpp

const LevelKernels* level_kernels() {
  static constexpr LevelKernels kKernels{.lane = find_kernel,
                                         .matrix = find_matrix_kernel,
                                         .multiply_add = find_multiply_add_lanes,
                                         .begin_hold = begin_hold,
                                         .end_hold = end_hold,
                                         .release = release};
  return &kKernels;
}

} // namespace lanewise::LANEWISE_LEVEL
