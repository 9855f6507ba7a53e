// MVMUL, DOTPV, GAPOOL, the element-wise instructions, and the legacy ones that only add zero (MU
// 7).
#pragma once

#include "chip/isa/fields.h"
#include "chip/machine/kernels/matrix_products.h"
#if defined(__FMA__)
#include "chip/machine/kernels/matrix_products_fma.h"
#endif
#include "chip/machine/matrix/control.h"

namespace lanewise::LANEWISE_LEVEL {

/// Rows of Dst that an instruction changes. Their flags are read once and written once.
class DstBlock {
 public:
  LANEWISE_INLINE DstBlock(Dst& dst, const MatrixDstRows& rows)
      : dst_(dst),
        rows_(rows),
        valid_((dst.valid_group(rows.group[0]) | dst.valid_group(rows.group[1]) << 4) >>
               rows.first) {}

  /// From now on, the rows read as 0.
  LANEWISE_INLINE void forget() { valid_ = 0; }

  /// Puts function(before, chunk) in place of a row; a row that is not valid reads as 0.
  template <bool Wide, class Function>
  LANEWISE_INLINE void update(unsigned row, Function&& function) {
    const unsigned place = rows_[row];
    const bool valid = (valid_ >> row & 1U) != 0;
    for (unsigned c = 0; c < kRowChunks; ++c) {
      const Stored before = valid ? load_dst<Wide>(dst_, place, c) : Stored{};
      store_dst<Wide>(dst_, place, c, function(before, c));
    }
    written_ |= 1U << row;
  }

  /// Whether the first `rows`, `step` apart, read as nothing but +0.
  template <bool Wide>
  LANEWISE_INLINE bool reads_zeros(unsigned rows, unsigned step) const {
    U any{};
    for (unsigned i = 0; i < rows; ++i) {
      const unsigned row = i * step;
      if ((valid_ >> row & 1U) == 0) continue;
      for (unsigned c = 0; c < kRowChunks; ++c) {
        const Stored cells = load_dst<Wide>(dst_, rows_[row], c);
        any |= cells.high | cells.low;
      }
    }
    return compress_mask(sem::not_equal(any, U{}), 0) == 0;
  }

  LANEWISE_INLINE void set_valid() {
    const unsigned written = written_ << rows_.first;
    dst_.set_valid_group(rows_.group[0], written & 15);
    dst_.set_valid_group(rows_.group[1], written >> 4);
  }

 private:
  Dst& dst_;
  const MatrixDstRows& rows_;
  unsigned valid_, written_ = 0;
};

/// Adds two terms to a row of Dst: terms(chunk) gives them.
template <Arch A, bool Exponent5, bool Wide, bool NoneIsZero, class Terms>
LANEWISE_INLINE void accumulate_row(DstBlock& dst, unsigned row, Terms&& terms) {
  constexpr bool kErratum = kArch<A>.matrix.minus_one_erratum;
  dst.update<Wide>(row, [&](const Stored& before, unsigned c) {
    const auto [first, second] = terms(c);
    return sem::accumulate_lanes<Exponent5, Wide, kErratum, NoneIsZero, U>(first, second, before);
  });
}

/// Adds an integer sum(chunk) to a row of Dst.
template <class Sum>
LANEWISE_INLINE void accumulate_integer_row(DstBlock& dst, unsigned row, Sum&& sum) {
  dst.update<true>(row, [&](const Stored& before, unsigned c) {
    return sem::accumulate_integer_lanes<U>(sum(c), before);
  });
}

struct TwoTerms {
  sem::TermLanes<U> first, second;
};

/// Whether a cell that an instruction reads has one of `bits`, after masking. a(row, chunk) and
/// b(row, chunk) give the cells.
template <class CellsOfA, class CellsOfB>
LANEWISE_INLINE bool any_cell_has(std::uint32_t bits, const MatrixMode& mode, unsigned rows_a,
                                  CellsOfA&& a, unsigned rows_b, CellsOfB&& b) {
  U any_a{}, any_b{};
  for (unsigned c = 0; c < kRowChunks; ++c) {
    for (unsigned row = 0; row < rows_a; ++row) any_a |= a(row, c);
    for (unsigned row = 0; row < rows_b; ++row) any_b |= b(row, c);
  }
  const U any = (any_a & mode.srca_mask) | (any_b & mode.srcb_mask);
  return compress_mask(sem::any_common_bit(any, splat(bits)), 0) != 0;
}

/// Row i of the product goes to Dst[dst + i * step]; of SrcB, there are `source_rows`.
struct ProductShape {
  MatrixAlignment alignment;
  std::uint8_t source_rows;
  std::uint8_t result_rows;
  std::uint8_t step;
};

/// A term of a row of products, column by column.
struct TermRow {
  alignas(64) std::uint32_t doubled[kDstColumns], exponent[kDstColumns];

  LANEWISE_INLINE void put(unsigned chunk, const sem::TermLanes<U>& term) {
    store(doubled, chunk, term.doubled);
    store(exponent, chunk, term.exponent);
  }
  LANEWISE_INLINE sem::TermLanes<U> get(unsigned chunk) const {
    return {load(doubled, chunk), load(exponent, chunk)};
  }
};

/// Adds products to Dst: first the terms of a group for all rows, so that what they have in common
/// stays in registers, then those of the other one, then the rows.
template <Arch A, class Products>
LANEWISE_INLINE void add_products(DstBlock& dst, const Products& products, const MatrixMode& mode,
                                  const ProductShape& shape) {
  TermRow terms[kGroups][kMatrixRows];
#pragma GCC unroll 2
  for (unsigned group = 0; group < kGroups; ++group) {
    for (unsigned i = 0; i < shape.source_rows; ++i) {
      for (unsigned c = 0; c < kRowChunks; ++c) terms[group][i].put(c, products.term(group, i, c));
    }
  }
  with_float_mode(mode, [&]<bool Exponent5, bool Wide>() {
    for (unsigned i = 0; i < shape.result_rows; ++i) {
      const unsigned from = shape.source_rows == 1 ? 0 : i;
      accumulate_row<A, Exponent5, Wide, true>(dst, i * shape.step, [&](unsigned c) {
        return TwoTerms{terms[0][from].get(c), terms[1][from].get(c)};
      });
    }
  });
}

/// Adds products of which every one is zero: with Dst that is +0, these leave +0.
template <Arch A>
LANEWISE_INLINE void add_zero_products(DstBlock& dst, const MatrixMode& mode,
                                       const ProductShape& shape) {
  const int zero_exponent = sem::zero_product_exponent(float_mode(mode));
  const sem::TermLanes<U> zero{.doubled = U{},
                               .exponent = splat(static_cast<std::uint32_t>(zero_exponent))};
  with_float_mode(mode, [&]<bool Exponent5, bool Wide>() {
    const bool stays_zero = dst.reads_zeros<Wide>(shape.result_rows, shape.step);
    for (unsigned i = 0; i < shape.result_rows; ++i) {
      if (stays_zero) {
        dst.update<Wide>(i * shape.step, [](const Stored&, unsigned) { return Stored{}; });
      } else {
        accumulate_row<A, Exponent5, Wide, true>(dst, i * shape.step, [&](unsigned) {
          return TwoTerms{zero, zero};
        });
      }
    }
  });
}

/// Whether no cell of rows has an exponent: row(i) gives the cells.
template <class Row>
LANEWISE_INLINE bool have_no_exponent(unsigned rows, std::uint32_t mask, Row&& row) {
  const U exponent = splat(sem::kExponentMask & mask);
  for (unsigned i = 0; i < rows; ++i) {
    U any{};
    for (unsigned c = 0; c < kRowChunks; ++c) any |= load(row(i), c);
    if (compress_mask(sem::any_common_bit(any, exponent), 0) != 0) return false;
  }
  return true;
}

/// Whether all products are zero, as where L1 has never been written: cells without exponent are
/// zeros (MU 5.3).
LANEWISE_INLINE bool are_zero(const SumOperands& sum, const MatrixMode& mode) {
  return have_no_exponent(sum.rows, mode.srcb_mask, [&](unsigned i) { return sum.b[i]; }) ||
         have_no_exponent(kInner, mode.srca_mask, [&](unsigned k) { return sum.a[k]; });
}

/// Adds products of floats: with floats of the host where that is exact.
template <Arch A>
LANEWISE_INLINE void add_float_products(DstBlock& dst, const SumOperands& sum,
                                        const MatrixMode& mode, const ProductShape& shape) {
  if (are_zero(sum, mode)) return add_zero_products<A>(dst, mode, shape);
#if defined(__FMA__)
  const FmaProducts products(sum, mode);
  if (products.fits()) [[likely]]
    return add_products<A>(dst, products, mode, shape);
#endif
  add_products<A>(dst, ShiftedProducts(sum, mode), mode, shape);
}

LANEWISE_INLINE void add_integer_products(DstBlock& dst, const SumOperands& sum,
                                          const MatrixMode& mode, const ProductShape& shape) {
  alignas(64) std::uint32_t sums[kMatrixRows][kDstColumns];
  sum_integers(sum, mode, sums);
  for (unsigned i = 0; i < shape.result_rows; ++i) {
    const std::uint32_t* row = sums[shape.source_rows == 1 ? 0 : i];
    accumulate_integer_row(dst, i * shape.step, [&](unsigned c) { return load(row, c); });
  }
}

template <Arch A>
LANEWISE_INLINE void multiply_matrices(MachineState& s, const MicroOp& op,
                                       const ProductShape& shape) {
  const MatrixOperands operands = matrix_operands(s, op, shape.alignment);
  check_product(s, op, operands);
  SumOperands sum{.a = {}, .b = s.srcb.rows() + operands.srcb_row, .rows = shape.source_rows};
  for (unsigned k = 0; k < kInner; ++k)
    sum.a[k] = s.srca.rows()[(operands.srca_row + k) % kSourceRows];
  const std::uint32_t stray = operands.stray_bits;
  if (stray != 0 &&
      any_cell_has(
          stray, operands.mode, kInner, [&](unsigned k, unsigned c) { return load(sum.a[k], c); },
          sum.rows, [&](unsigned i, unsigned c) { return load(sum.b[i], c); })) [[unlikely]] {
    report_stray_bits(s, op);
  }
  DstBlock dst(s.dst, operands.dst_row);
  if (operands.mode.arithmetic == sem::MatrixArithmetic::Int8) {
    add_integer_products(dst, sum, operands.mode, shape);
  } else {
    add_float_products<A>(dst, sum, operands.mode, shape);
  }
  dst.set_valid();
  finish_matrix_instruction(s, op);
}

/// Sources disagree on SrcA rows that are no multiples of 16; here, multiples of 8 begin the 16
/// rows, as the documentation has it.
inline constexpr std::uint8_t kSrcARows = 0x38;
inline constexpr std::uint8_t kAlignedTo8 = 0x38;

/// DOTPV is MVMUL without broadcast.
template <Arch A>
void dotpv(MachineState& s, const MicroOp& op) {
  multiply_matrices<A>(s, op,
                       {.alignment = {.dst = 0x3F8, .srca = kSrcARows, .srcb = kAlignedTo8},
                        .source_rows = 8,
                        .result_rows = 8,
                        .step = 1});
}

/// With broadcast, one row of SrcB makes one row of sums, which is added to every other of 7 rows.
template <Arch A>
void mvmul(MachineState& s, const MicroOp& op) {
  const bool broadcast = isa::field<"BroadcastSrcBRow", isa::Op::MVMUL>(op.word) != 0;
  if (!broadcast) return dotpv<A>(s, op);
  multiply_matrices<A>(s, op,
                       {.alignment = {.dst = 0x3F9, .srca = kSrcARows, .srcb = 0x3F},
                        .source_rows = 1,
                        .result_rows = 4,
                        .step = 2});
}

/// Four rows, the first ones of eight of SrcB.
template <Arch A>
void gapool(MachineState& s, const MicroOp& op) {
  multiply_matrices<A>(s, op,
                       {.alignment = {.dst = 0x3FC, .srca = kSrcARows, .srcb = kAlignedTo8},
                        .source_rows = 4,
                        .result_rows = 4,
                        .step = 1});
}

enum class Elementwise : std::uint8_t { Multiply, Add, Subtract };

/// What both sources of an element-wise instruction are, row by row.
struct ElementOperands {
  const std::uint32_t (*a)[kSourceColumns];
  const std::uint32_t (*b)[kSourceColumns];
  bool one_row, one_column; ///< of SrcB, broadcast

  LANEWISE_INLINE U load_a(unsigned row, unsigned chunk) const { return load(a[row], chunk); }
  LANEWISE_INLINE U load_b(unsigned row, unsigned chunk) const {
    const std::uint32_t* cells = b[one_row ? 0 : row];
    return one_column ? splat(cells[0]) : load(cells, chunk);
  }
};

/// INT8: both phases of a product in place, or sums of whole operands (MU 6).
template <Elementwise E>
LANEWISE_INLINE U integer_element(const MatrixMode& mode, U a, U b) {
  const bool keeps = mode.keeps_denormals;
  if constexpr (E == Elementwise::Multiply) {
    const U x = sem::int8_lanes(a, sem::int8_part_a(mode.phase), false);
    const U y = sem::int8_lanes(b, sem::int8_part_b(mode.phase), keeps);
    return multiply_add_halves(x, y & 0xFFFF);
  } else {
    const U x = sem::int8_lanes(a, sem::kInt8Magnitude, false);
    const U y = sem::int8_lanes(b, sem::kInt8Magnitude, keeps);
    return E == Elementwise::Add ? x + y : x - y;
  }
}

template <Elementwise E, bool Exponent5, bool Wide>
LANEWISE_INLINE sem::TermLanes<U> float_element(const MatrixMode& mode,
                                                const sem::MatrixParts& parts, U a, U b) {
  a &= mode.srca_mask;
  b &= mode.srcb_mask;
  if constexpr (E == Elementwise::Multiply) {
    return sem::multiply_term_lanes<U>(parts, mode.keeps_denormals, a, b);
  } else {
    const U addend = E == Elementwise::Subtract ? b ^ sem::kSign : b;
    return sem::add_term_lanes<Exponent5, Wide, U>(mode.phase, mode.keeps_denormals, a, addend);
  }
}

template <isa::Literal Name>
std::uint32_t elementwise_field(const MicroOp& op) {
  return isa::field<Name, isa::Op::ELWMUL, isa::Op::ELWADD, isa::Op::ELWSUB>(op.word);
}

template <Arch A, Elementwise E>
void elementwise(MachineState& s, const MicroOp& op) {
  const bool one_row = elementwise_field<"BroadcastSrcBRow">(op) != 0;
  const auto srcb_rows = static_cast<std::uint8_t>(one_row ? 0x3F : 0x38);
  const MatrixOperands operands =
      matrix_operands(s, op, {.dst = 0x3F8, .srca = kAlignedTo8, .srcb = srcb_rows});
  const MatrixMode& mode = operands.mode;
  constexpr bool kProduct = E == Elementwise::Multiply;
  const bool one_column = elementwise_field<"BroadcastSrcBCol0">(op) != 0;
  if (E != Elementwise::Multiply) check_element_sum(s, op, operands, {one_row, one_column});
  const ElementOperands elements{.a = s.srca.rows() + operands.srca_row,
                                 .b = s.srcb.rows() + operands.srcb_row,
                                 .one_row = one_row,
                                 .one_column = one_column};
  const std::uint32_t stray = operands.stray_bits;
  if (stray != 0 &&
      any_cell_has(
          stray, mode, kMatrixRows, [&](unsigned i, unsigned c) { return elements.load_a(i, c); },
          kMatrixRows, [&](unsigned i, unsigned c) { return elements.load_b(i, c); }))
      [[unlikely]] {
    report_stray_bits(s, op);
  }
  // ELWMUL always accumulates; the others replace Dst unless told otherwise.
  const bool replaces = E != Elementwise::Multiply && elementwise_field<"AddDst">(op) == 0;
  DstBlock dst(s.dst, operands.dst_row);
  if (replaces) dst.forget();
  if (mode.arithmetic == sem::MatrixArithmetic::Int8) {
    for (unsigned i = 0; i < kMatrixRows; ++i) {
      accumulate_integer_row(dst, i, [&](unsigned c) {
        return integer_element<E>(mode, elements.load_a(i, c), elements.load_b(i, c));
      });
    }
  } else {
    const sem::MatrixParts parts = sem::matrix_parts(float_mode(mode));
    with_float_mode(mode, [&]<bool Exponent5, bool Wide>() {
      for (unsigned i = 0; i < kMatrixRows; ++i) {
        accumulate_row<A, Exponent5, Wide, kProduct>(dst, i, [&](unsigned c) {
          return TwoTerms{float_element<E, Exponent5, Wide>(mode, parts, elements.load_a(i, c),
                                                            elements.load_b(i, c)),
                          sem::TermLanes<U>{}};
        });
      }
    });
  }
  dst.set_valid();
  finish_matrix_instruction(s, op);
}

/// CONV3S1, CONV3S2, MFCONV3S1, APOOL3S1 and APOOL3S2 add zero products (MU 7): 8 rows, as the
/// natural reading is.
template <Arch A>
void add_nothing(MachineState& s, const MicroOp& op) {
  const MatrixOperands operands =
      matrix_operands(s, op, {.dst = 0x3F8, .srca = kSrcARows, .srcb = kAlignedTo8});
  DstBlock dst(s.dst, operands.dst_row);
  if (operands.mode.arithmetic == sem::MatrixArithmetic::Int8) {
    for (unsigned row = 0; row < kMatrixRows; ++row)
      accumulate_integer_row(dst, row, [](unsigned) { return U{}; });
  } else {
    const int zero_exponent = sem::zero_product_exponent(float_mode(operands.mode));
    const sem::TermLanes<U> zero{.doubled = U{},
                                 .exponent = splat(static_cast<std::uint32_t>(zero_exponent))};
    with_float_mode(operands.mode, [&]<bool Exponent5, bool Wide>() {
      for (unsigned row = 0; row < kMatrixRows; ++row) {
        accumulate_row<A, Exponent5, Wide, true>(dst, row, [&](unsigned) {
          return TwoTerms{zero, zero};
        });
      }
    });
  }
  dst.set_valid();
  finish_matrix_instruction(s, op);
}

} // namespace lanewise::LANEWISE_LEVEL
