#include "machine/matrix/arithmetic_pool.h"

#include "machine/bits.h"
#include "machine/matrix/arithmetic.h"
#include "machine/matrix/control.h"
#include "semantics/matrix_maximum.h"

namespace lanewise {

namespace {

using semantics::MatrixArithmetic;
using semantics::PoolFormat;
using semantics::PoolMaximum;

inline constexpr unsigned kPooledRows = 4; ///< of Dst; the first takes the result

/// How an instruction reads and writes.
struct PoolMode {
  PoolFormat source, dst;
  bool wide;
  bool indexed;
  std::uint32_t source_to_dst; ///< rebias from FP16 to TF32
};

PoolMode pool_mode(const MatrixMode& mode, bool indexed) {
  PoolMode pool{.source = PoolFormat::Bf16,
                .dst = PoolFormat::Bf16,
                .wide = mode.wide,
                .indexed = indexed,
                .source_to_dst = 0};
  if (mode.arithmetic == MatrixArithmetic::Int8) {
    pool.source = pool.dst = PoolFormat::Integer;
  } else if (mode.arithmetic == MatrixArithmetic::Exponent5) {
    pool.source = pool.dst = PoolFormat::Fp16;
  } else if (mode.srca == DataFormat::Tf32) {
    pool.source = PoolFormat::Tf32;
    if (indexed) pool.dst = PoolFormat::Integer;
  }
  // With an index in the low half, the high half keeps its 16 bits; else 32-bit Dst is TF32.
  if (mode.wide && !indexed && pool.dst != PoolFormat::Integer) {
    pool.source_to_dst = pool.source == PoolFormat::Fp16 ? 112 : 0;
    pool.dst = PoolFormat::Tf32;
  }
  return pool;
}

/// A datum as 32 bits in storage order, 16-bit data above; an invalid row reads as all ones.
std::uint32_t load_datum(const Dst& dst, unsigned row, unsigned column, bool wide) {
  if (!dst.valid(row)) return ~0U;
  const std::uint32_t high = static_cast<std::uint32_t>(dst.cell[row][column]) << 16;
  return wide ? high | dst.cell[row + kDstLowHalf][column] : high;
}

void store_datum(Dst& dst, unsigned row, unsigned column, bool wide, std::uint32_t datum) {
  dst.cell[row][column] = static_cast<std::uint16_t>(datum >> 16);
  if (wide) dst.cell[row + kDstLowHalf][column] = static_cast<std::uint16_t>(datum);
}

std::uint32_t result_of(const PoolMaximum& maximum, const PoolMode& mode) {
  if (!mode.indexed) return semantics::write_pool_dst(maximum.datum, mode.dst);
  const std::uint32_t index = maximum.phase | maximum.index;
  // TF32 and INT8 return the index alone.
  if (mode.dst == PoolFormat::Integer) return index;
  return semantics::write_pool_dst(maximum.datum, mode.dst) | index;
}

/// source(row, column) gives the scaled numbers of SrcA.
template <class Source>
void pool_columns(Dst& dst, const MatrixOperands& operands, const PoolMode& mode, Source&& source) {
  const MatrixDstRows& rows = operands.dst_row;
  for (unsigned column = 0; column < kDstColumns; ++column) {
    PoolMaximum maximum =
        semantics::start_pool_maximum(load_datum(dst, rows[0], column, mode.wide), mode.dst);
    for (unsigned step = 0; step < semantics::kPoolRows; ++step) {
      const unsigned row = semantics::pool_row(step);
      maximum.visit(row, source(row, column));
    }
    store_datum(dst, rows[0], column, mode.wide, result_of(maximum, mode));
    for (unsigned i = 1; i < kPooledRows; ++i) {
      const std::uint32_t other =
          mode.indexed && mode.wide
              ? semantics::next_pool_phase(load_datum(dst, rows[i], column, true))
              : 0;
      store_datum(dst, rows[i], column, mode.wide, other);
    }
  }
  for (unsigned i = 0; i < kPooledRows; ++i) dst.set_valid(rows[i], true);
}

MatrixOperands pool_operands(MachineState& s, const MicroOp& op) {
  return matrix_operands(s, op, {.dst = 0x3FC, .srca = 0x30, .srcb = 0x38});
}

PoolMode pool_mode_of(const MatrixOperands& operands, const MicroOp& op) {
  return pool_mode(operands.mode, bit_field(op.word, 14, 14) != 0);
}

} // namespace

void gmpool(MachineState& s, const MicroOp& op) {
  const MatrixOperands operands = pool_operands(s, op);
  const PoolMode mode = pool_mode_of(operands, op);
  if (mode.source_to_dst != 0) s.faults.add(RuntimeFault::MatrixPoolFp16, op.word, op.line, 0);
  const auto* a = s.srca.rows() + operands.srca_row;
  const auto* scale = s.srcb.rows()[operands.srcb_row];
  pool_columns(s.dst, operands, mode, [&](unsigned row, unsigned column) {
    return semantics::scale_pool_source(a[row][column], scale[row], mode.source,
                                        mode.source_to_dst);
  });
  finish_matrix_instruction(s, op);
}

void mpool_of_zeros(MachineState& s, const MicroOp& op) {
  const MatrixOperands operands = pool_operands(s, op);
  pool_columns(s.dst, operands, pool_mode_of(operands, op),
               [](unsigned, unsigned) { return semantics::PoolDatum{}; });
  finish_matrix_instruction(s, op);
}

} // namespace lanewise
