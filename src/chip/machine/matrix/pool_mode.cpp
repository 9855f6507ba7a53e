#include "chip/machine/matrix/pool_mode.h"

#include "chip/isa/fields.h"

namespace lanewise {

namespace {

using semantics::MatrixArithmetic;
using semantics::PoolFormat;

/// GMPOOL's ArgMax is IndexEn in what older chips have left over.
bool is_indexed(const MicroOp& op) {
  constexpr isa::Field kIndexed = isa::field_place<"ArgMax", isa::Op::GMPOOL>();
  static_assert(kIndexed.mask() ==
                isa::field_place<"IndexEn", isa::Op::MPOOL3S1, isa::Op::MPOOL3S2>().mask());
  return kIndexed.extract(op.word) != 0;
}

} // namespace

PoolMode pool_mode(const MatrixMode& mode, const MicroOp& op) {
  PoolMode pool{.source = PoolFormat::Bf16,
                .dst = PoolFormat::Bf16,
                .wide = mode.wide,
                .indexed = is_indexed(op),
                .source_to_dst = 0};
  if (mode.arithmetic == MatrixArithmetic::Int8) {
    pool.source = pool.dst = PoolFormat::Integer;
  } else if (mode.arithmetic == MatrixArithmetic::Exponent5) {
    pool.source = pool.dst = PoolFormat::Fp16;
  } else if (mode.srca == DataFormat::Tf32) {
    pool.source = PoolFormat::Tf32;
    if (pool.indexed) pool.dst = PoolFormat::Integer;
  }
  // With an index in the low half, the high half keeps its 16 bits; else 32-bit Dst is TF32.
  if (mode.wide && !pool.indexed && pool.dst != PoolFormat::Integer) {
    pool.source_to_dst = pool.source == PoolFormat::Fp16 ? 112 : 0;
    pool.dst = PoolFormat::Tf32;
  }
  return pool;
}

MatrixOperands pool_operands(MachineState& s, const MicroOp& op) {
  return matrix_operands(s, op, {.dst = 0x3FC, .srca = 0x30, .srcb = 0x38});
}

} // namespace lanewise
