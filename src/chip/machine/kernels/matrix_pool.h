// GMPOOL and the legacy maximum pools (MU 7), one column per lane.
#pragma once

#include "chip/machine/kernels/matrix_rows.h"
#include "chip/machine/matrix/control.h"
#include "chip/machine/matrix/pool_mode.h"
#include "chip/semantics/matrix_maximum_lanes.h"

namespace lanewise::LANEWISE_LEVEL {

inline constexpr unsigned kPooledRows = 4; ///< of Dst; the first takes the result

/// Data as 32 bits in storage order, 16-bit data above; an invalid row reads as all ones.
LANEWISE_INLINE U load_pool_data(const Dst& dst, unsigned row, unsigned chunk, bool wide) {
  if (!dst.valid(row)) return splat(~0U);
  const U high = load_cells(dst.cell[row], chunk) << 16;
  return wide ? high | load_cells(dst.cell[row + kDstLowHalf], chunk) : high;
}

LANEWISE_INLINE void store_pool_data(Dst& dst, unsigned row, unsigned chunk, bool wide, U data) {
  store_cells(dst.cell[row], chunk, data >> 16);
  if (wide) store_cells(dst.cell[row + kDstLowHalf], chunk, data);
}

LANEWISE_INLINE U pool_result(const sem::PoolMaximumLanes<U>& maximum, const PoolMode& mode) {
  if (!mode.indexed) return sem::write_pool_dst_lanes<U>(maximum.datum, mode.dst);
  const U index = maximum.phase | maximum.index;
  // TF32 and INT8 return the index alone.
  if (mode.dst == sem::PoolFormat::Integer) return index;
  return sem::write_pool_dst_lanes<U>(maximum.datum, mode.dst) | index;
}

/// source(row, chunk) gives the scaled numbers of SrcA.
template <class Source>
LANEWISE_INLINE void pool_columns(Dst& dst, const MatrixDstRows& rows, const PoolMode& mode,
                                  Source&& source) {
  for (unsigned c = 0; c < kRowChunks; ++c) {
    sem::PoolMaximumLanes<U> maximum(load_pool_data(dst, rows[0], c, mode.wide), mode.dst);
    for (unsigned step = 0; step < sem::kPoolRows; ++step) {
      const unsigned row = sem::pool_row(step);
      maximum.visit(row, source(row, c));
    }
    store_pool_data(dst, rows[0], c, mode.wide, pool_result(maximum, mode));
    for (unsigned i = 1; i < kPooledRows; ++i) {
      U other{};
      if (mode.indexed && mode.wide)
        other = (load_pool_data(dst, rows[i], c, true) + 0x100) & 0xF00;
      store_pool_data(dst, rows[i], c, mode.wide, other);
    }
  }
  for (unsigned i = 0; i < kPooledRows; ++i) dst.set_valid(rows[i], true);
}

/// Dst[dst] = the largest of itself and the column of SrcA; the other three rows become 0.
inline void gmpool(MachineState& s, const MicroOp& op) {
  const MatrixOperands operands = pool_operands(s, op);
  const PoolMode mode = pool_mode(operands.mode, op);
  if (mode.source_to_dst != 0) s.faults.add(RuntimeFault::MatrixPoolFp16, op.word, op.line, 0);
  const auto* a = s.srca.rows() + operands.srca_row;
  const std::uint32_t* scale = s.srcb.rows()[operands.srcb_row];
  pool_columns(s.dst, operands.dst_row, mode, [&](unsigned row, unsigned c) {
    return sem::scale_pool_source_lanes<U>(load(a[row], c), splat(scale[row]), mode.source,
                                           mode.source_to_dst);
  });
  finish_matrix_instruction(s, op);
}

/// MPOOL3S1 and MPOOL3S2: the same with zeros in the place of SrcA, unscaled.
inline void mpool_of_zeros(MachineState& s, const MicroOp& op) {
  const MatrixOperands operands = pool_operands(s, op);
  pool_columns(s.dst, operands.dst_row, pool_mode(operands.mode, op), [](unsigned, unsigned) {
    return sem::PoolLanes<U>{U{}, U{}};
  });
  finish_matrix_instruction(s, op);
}

} // namespace lanewise::LANEWISE_LEVEL
