// The lane kernels on registers that stay in the processor's registers: generated code includes
// this file alone, names its level, and calls step() for one micro-op after the other, which are
// constants to it.
#pragma once

#include "machine/kernels/lane_kernels.h"
#include "machine/row.h"
#include "machine/vector/predication.h"

namespace lanewise::LANEWISE_LEVEL {

/// In place of a machine. It must not escape, so that the compiler can take it apart.
struct Row {
  struct Faults {
    const RowHost& host;
    LANEWISE_INLINE void add(RuntimeFault what, std::uint32_t word, std::uint32_t line,
                             std::uint32_t lanes) const {
      host.add_fault(host.machine, what, word, line, lanes);
    }
  };

  VectorState vector;
  Dst& dst;
  const RowAddress* next_address;
  const RowHost& host;
  Faults faults;

  /// What the program that loads the code has made sure of, before each row: what the compiler
  /// knows it need not keep.
  LANEWISE_INLINE void begin(bool uses_flags) {
    vector.active = kAllLanes;
    vector.stack = {};
    vector.switches = {};
    if (!uses_flags) vector.use_flags = 0;
  }

  /// x * y + z where the form of an inlined kernel is not sure.
  LANEWISE_INLINE LaneVector multiply_add(std::uint32_t lanes, LaneVector x, LaneVector y,
                                          LaneVector z) const {
    alignas(64) std::uint32_t xs[kLanes], ys[kLanes], zs[kLanes], results[kLanes];
    LaneVector result;
    for (unsigned c = 0; c < kChunks; ++c) {
      store(xs, c, x.chunk[c]);
      store(ys, c, y.chunk[c]);
      store(zs, c, z.chunk[c]);
    }
    host.multiply_add(lanes, xs, ys, zs, results);
    for (unsigned c = 0; c < kChunks; ++c) result.chunk[c] = load(results, c);
    return result;
  }
};

LANEWISE_INLINE DstAccess take_access(Row& row, const MicroOp& op) {
  const RowAddress address = *row.next_address++;
  return {static_cast<DstMode>(op.mod), {0, address.physical_row, address.odd}, false};
}
LANEWISE_INLINE DstAccess begin_load(Row& row, const MicroOp& op) {
  return take_access(row, op);
}
LANEWISE_INLINE DstAccess begin_store(Row& row, const MicroOp& op) {
  return take_access(row, op);
}
LANEWISE_INLINE void end_load(Row&, const MicroOp&, const DstAccess&) {}
LANEWISE_INLINE void end_store(Row&, const MicroOp&, const DstAccess&) {}

/// Executes a micro-op in place. Its mode SRCB has been resolved.
template <Arch A, MicroOp Op>
LANEWISE_INLINE void step(Row& row) {
  constexpr KernelOn<Row> kLane = find_lane_kernel_of<A, Row>(Op);
  constexpr KernelOn<Row> kKernel =
      kLane != nullptr ? kLane : find_predication_kernel<Row>(A, Op.op);
  static_assert(kKernel != nullptr);
  kKernel(row, Op);
}

/// Executes micro-op `index` of the loop in the program that loads this.
LANEWISE_INLINE void step_in_host(Row& row, unsigned index) {
  VectorState vector = row.vector;
  row.host.execute(row.host.machine, vector, index);
  row.vector = vector;
}

} // namespace lanewise::LANEWISE_LEVEL
