// MVMUL, DOTPV, GAPOOL, the element-wise instructions, and the legacy ones that only add zero (MU
// 7).
#pragma once

#include "machine/bits.h"
#include "machine/kernels/matrix_sums.h"
#include "machine/matrix_control.h"

namespace lanewise::LANEWISE_LEVEL {

/// Adds two terms to a row of Dst: terms(chunk) gives them.
template <Arch A, bool Exponent5, bool Wide, class Terms>
LANEWISE_INLINE void accumulate_row(Dst& dst, unsigned row, Terms&& terms) {
  constexpr bool kErratum = kArch<A>.minus_one_erratum;
  const bool valid = dst.valid(row);
  for (unsigned c = 0; c < kRowChunks; ++c) {
    const auto [first, second] = terms(c);
    const U before = load_dst<Exponent5, Wide>(dst, row, valid, c);
    const U after = sem::accumulate_lanes<Exponent5, Wide, kErratum, U>(first, second, before);
    store_dst<Exponent5, Wide>(dst, row, c, after);
  }
  dst.set_valid(row, true);
}

/// Adds an integer sum(chunk) to a row of Dst.
template <class Sum>
LANEWISE_INLINE void accumulate_integer_row(Dst& dst, unsigned row, Sum&& sum) {
  const bool valid = dst.valid(row);
  for (unsigned c = 0; c < kRowChunks; ++c) {
    const U before = load_dst<false, true>(dst, row, valid, c);
    store_dst<false, true>(dst, row, c, sem::accumulate_integer_lanes<U>(sum(c), before));
  }
  dst.set_valid(row, true);
}

template <class T>
struct TwoTerms {
  T first, second;
};

/// All cells of the rows of a sum, ORed.
LANEWISE_INLINE std::uint32_t or_of_cells(const SumOperands& sum, const MatrixMode& mode) {
  U a{}, b{};
  for (unsigned c = 0; c < kRowChunks; ++c) {
    for (const std::uint32_t* row : sum.a) a |= load(row, c);
    for (unsigned i = 0; i < sum.rows; ++i) b |= load(sum.b[i], c);
  }
  const bool integer = mode.arithmetic == sem::MatrixArithmetic::Int8;
  const U all = integer ? a | b : (a & mode.srca_mask) | (b & mode.srcb_mask);
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < kWidth; ++lane) bits |= all[lane];
  return bits;
}

/// Row i of the product goes to Dst[dst + i * step]; of SrcB, there are `source_rows`.
struct ProductShape {
  MatrixAlignment alignment;
  std::uint8_t source_rows;
  std::uint8_t result_rows;
  std::uint8_t step;
};

template <Arch A>
LANEWISE_INLINE void multiply_matrices(MachineState& s, const MicroOp& op,
                                       const ProductShape& shape) {
  const MatrixOperands operands = matrix_operands(s, op, shape.alignment);
  check_product(s, op, operands);
  SumOperands sum{.a = {}, .b = s.srcb.rows() + operands.srcb_row, .rows = shape.source_rows};
  for (unsigned k = 0; k < kInner; ++k)
    sum.a[k] = s.srca.rows()[(operands.srca_row + k) % kSourceRows];
  if (operands.stray_bits != 0) check_stray_bits(s, op, operands, or_of_cells(sum, operands.mode));
  const auto each_row = [&](auto&& add) {
    for (unsigned i = 0; i < shape.result_rows; ++i)
      add(operands.dst_row[i * shape.step], shape.source_rows == 1 ? 0 : i);
  };
  if (operands.mode.arithmetic == sem::MatrixArithmetic::Int8) {
    alignas(64) std::uint32_t sums[kMatrixRows][kDstColumns];
    sum_integers(sum, operands.mode, sums);
    each_row([&](unsigned row, unsigned i) {
      accumulate_integer_row(s.dst, row, [&](unsigned c) { return load(sums[i], c); });
    });
  } else {
    GroupTerms terms;
    sum_products(sum, operands.mode, terms);
    with_float_mode(operands.mode, [&]<bool Exponent5, bool Wide>() {
      each_row([&](unsigned row, unsigned i) {
        accumulate_row<A, Exponent5, Wide>(s.dst, row, [&](unsigned c) {
          return TwoTerms{terms.term(0, i, c), terms.term(1, i, c)};
        });
      });
    });
  }
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
  const bool broadcast = bit_field(op.word, 19, 19) != 0;
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

template <Arch A, Elementwise E>
void elementwise(MachineState& s, const MicroOp& op) {
  const bool one_row = bit_field(op.word, 20, 20) != 0;
  const auto srcb_rows = static_cast<std::uint8_t>(one_row ? 0x3F : 0x38);
  const MatrixOperands operands =
      matrix_operands(s, op, {.dst = 0x3F8, .srca = kAlignedTo8, .srcb = srcb_rows});
  const MatrixMode& mode = operands.mode;
  if (E != Elementwise::Multiply) check_element_phase(s, op, operands);
  const ElementOperands elements{.a = s.srca.rows() + operands.srca_row,
                                 .b = s.srcb.rows() + operands.srcb_row,
                                 .one_row = one_row,
                                 .one_column = bit_field(op.word, 19, 19) != 0};
  // ELWMUL always accumulates; the others replace Dst unless told otherwise.
  const bool replaces = E != Elementwise::Multiply && bit_field(op.word, 21, 21) == 0;
  if (replaces) clear_rows(s.dst, operands);
  if (mode.arithmetic == sem::MatrixArithmetic::Int8) {
    for (unsigned i = 0; i < kMatrixRows; ++i) {
      accumulate_integer_row(s.dst, operands.dst_row[i], [&](unsigned c) {
        return integer_element<E>(mode, elements.load_a(i, c), elements.load_b(i, c));
      });
    }
  } else {
    const sem::MatrixParts parts = sem::matrix_parts(float_mode(mode));
    with_float_mode(mode, [&]<bool Exponent5, bool Wide>() {
      for (unsigned i = 0; i < kMatrixRows; ++i) {
        accumulate_row<A, Exponent5, Wide>(s.dst, operands.dst_row[i], [&](unsigned c) {
          return TwoTerms{float_element<E, Exponent5, Wide>(mode, parts, elements.load_a(i, c),
                                                            elements.load_b(i, c)),
                          sem::TermLanes<U>{}};
        });
      }
    });
  }
  finish_matrix_instruction(s, op);
}

/// CONV3S1, CONV3S2, MFCONV3S1, APOOL3S1 and APOOL3S2 add zero products (MU 7): 8 rows, as the
/// natural reading is.
template <Arch A>
void add_nothing(MachineState& s, const MicroOp& op) {
  const MatrixOperands operands =
      matrix_operands(s, op, {.dst = 0x3F8, .srca = kSrcARows, .srcb = kAlignedTo8});
  if (operands.mode.arithmetic == sem::MatrixArithmetic::Int8) {
    for (std::uint16_t row : operands.dst_row)
      accumulate_integer_row(s.dst, row, [](unsigned) { return U{}; });
  } else {
    const int zero_exponent = sem::zero_product_exponent(float_mode(operands.mode));
    const sem::TermLanes<U> zero{.sum = U{},
                                 .exponent = splat(static_cast<std::uint32_t>(zero_exponent))};
    with_float_mode(operands.mode, [&]<bool Exponent5, bool Wide>() {
      for (std::uint16_t row : operands.dst_row) {
        accumulate_row<A, Exponent5, Wide>(s.dst, row, [&](unsigned) {
          return TwoTerms{zero, zero};
        });
      }
    });
  }
  finish_matrix_instruction(s, op);
}

} // namespace lanewise::LANEWISE_LEVEL
