// The lane kernels on registers that stay in the processor's registers: generated code includes
// this file alone, names its level, and calls step() for one micro-op after the other, which are
// constants to it.
#pragma once

#include "chip/machine/kernels/hold.h"
#include "chip/machine/kernels/lane_kernels.h"
#include "chip/machine/row.h"
#include "chip/machine/vector/predication.h"

namespace lanewise::LANEWISE_LEVEL {

/// Four rows of Dst, and those of the low halves if an access of 32 bits needs them, while a body
/// runs: each cell in the lower half of the lane that accesses it; the upper half may be anything.
struct RowGroup {
  U high[2][kChunks], low[2][kChunks]; ///< of even and of odd columns
  unsigned valid;                      ///< bit i: row i
};

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
  StoreNote* next_note; ///< or nullptr
  const RowHost& host;
  Faults faults;
  RowGroup group[kMostRowGroups];
  HeldWrite held[kMostHeldResults];

  /// What the program that loads the code has made sure of, before each body: what the compiler
  /// knows it need not keep.
  LANEWISE_INLINE void begin(bool uses_flags, bool has_empty_stack) {
    vector.active = kAllLanes;
    if (has_empty_stack) vector.stack = {};
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

LANEWISE_INLINE U pairs_of(const Dst& dst, unsigned row, unsigned chunk) {
  return load(reinterpret_cast<const std::uint32_t*>(dst.cell[row]), chunk);
}

/// `wide`: with the low halves.
LANEWISE_INLINE void load_group(RowGroup& group, const Dst& dst, unsigned row, bool wide) {
  for (unsigned c = 0; c < kChunks; ++c) {
    const U high = pairs_of(dst, row, c);
    group.high[0][c] = high;
    group.high[1][c] = high >> 16;
    if (!wide) continue;
    const U low = pairs_of(dst, row + kDstLowHalf, c);
    group.low[0][c] = low;
    group.low[1][c] = low >> 16;
  }
  group.valid = dst.valid_group(row);
}

LANEWISE_INLINE void store_group(const RowGroup& group, Dst& dst, unsigned row, bool wide) {
  for (unsigned c = 0; c < kChunks; ++c) {
    const auto put = [&](unsigned first, const U(&halves)[2][kChunks]) {
      store(reinterpret_cast<std::uint32_t*>(dst.cell[first]), c,
            (halves[0][c] & 0xFFFF) | halves[1][c] << 16);
    };
    put(row, group.high);
    if (wide) put(row + kDstLowHalf, group.low);
  }
  dst.set_valid_group(row, group.valid);
}

/// As MachineCells. The group and the columns of an access are constants, in fields of the micro-op
/// that it does not need otherwise.
class RowCells {
 public:
  LANEWISE_INLINE RowCells(RowGroup& group, unsigned odd, bool wide)
      : group_(group), odd_(odd), wide_(wide) {}

  LANEWISE_INLINE U read(unsigned chunk) const {
    const U high = group_.high[odd_][chunk];
    const U stored = wide_ ? (high << 16) | (group_.low[odd_][chunk] & 0xFFFF) : high & 0xFFFF;
    return sem::keep_where<U>(expand_mask(lanes_of_rows(group_.valid), chunk), stored);
  }

  LANEWISE_INLINE void write(std::uint32_t lanes, unsigned chunk, U value) {
    put(group_.high[odd_][chunk], lanes, chunk, wide_ ? value >> 16 : value);
    if (wide_) put(group_.low[odd_][chunk], lanes, chunk, value);
  }

  LANEWISE_INLINE void set_valid(unsigned rows) { group_.valid |= rows; }

 private:
  LANEWISE_INLINE static void put(U& cells, std::uint32_t lanes, unsigned chunk, U value) {
    cells = are_all(lanes) ? value : sem::select<U>(expand_mask(lanes, chunk), value, cells);
  }

  RowGroup& group_;
  unsigned odd_;
  bool wide_;
};

LANEWISE_INLINE RowCells cells_of(Row& row, const MicroOp& op, const DstAccess&, bool wide) {
  return {row.group[op.address_slot], op.addr_mod, wide};
}

LANEWISE_INLINE DstAccess begin_load(Row&, const MicroOp& op) {
  return {static_cast<DstMode>(op.mod), {}, 0, false};
}
LANEWISE_INLINE DstAccess begin_store(Row&, const MicroOp& op) {
  return {static_cast<DstMode>(op.mod), {}, 0, false};
}
LANEWISE_INLINE void end_load(Row&, const MicroOp&, const DstAccess&, std::uint32_t) {}
LANEWISE_INLINE void end_store(Row& row, const MicroOp& op, const DstAccess&, std::uint32_t lanes) {
  if (row.next_note == nullptr) return;
  for (unsigned c = 0; c < kChunks; ++c)
    store(row.next_note->value, c, load(row.vector.lreg[op.vd], c));
  row.next_note++->lanes = lanes;
}

LANEWISE_INLINE HeldWrite& held_in(Row& row, unsigned slot) {
  return row.held[slot];
}

/// Executes a micro-op in place. Of an access, mode SRCB has been resolved, address_slot is the
/// group and addr_mod 1 for odd columns.
template <Arch A, MicroOp Op>
LANEWISE_INLINE void step(Row& row) {
  constexpr KernelOn<Row> kLane = find_lane_kernel_of<A, Row>(Op);
  constexpr KernelOn<Row> kKernel =
      kLane != nullptr ? kLane : find_predication_kernel<Row>(A, Op.op);
  static_assert(kKernel != nullptr);
  if constexpr (Op.lanes == kAllLanes) {
    kKernel(row, Op);
  } else {
    execute_in_lanes(row, Op, kKernel);
  }
}

template <MicroOp Op>
LANEWISE_INLINE void step_begin_hold(Row& row) {
  begin_held(row, Op);
}
template <MicroOp Op>
LANEWISE_INLINE void step_end_hold(Row& row) {
  end_held(row, Op);
}
template <MicroOp Op>
LANEWISE_INLINE void step_release(Row& row) {
  release_held(row, Op);
}

/// Executes micro-op `index` in the program that loads this.
LANEWISE_INLINE void step_in_host(Row& row, unsigned index) {
  VectorState vector = row.vector;
  row.host.execute(row.host.machine, vector, index);
  row.vector = vector;
}

} // namespace lanewise::LANEWISE_LEVEL
