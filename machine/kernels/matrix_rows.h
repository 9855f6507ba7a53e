// Rows of SrcA, SrcB and Dst as vectors of columns, for the kernels of the Matrix Unit.
#pragma once

#include "machine/kernels/lane_access.h"
#include "machine/matrix_arithmetic.h"
#include "semantics/dst_format.h"
#include "semantics/matrix_integer.h"
#include "semantics/matrix_lanes.h"

namespace lanewise::LANEWISE_LEVEL {

namespace sem = semantics;

inline constexpr unsigned kRowChunks = kDstColumns / kWidth; ///< vectors of one row

typedef std::uint16_t Cells __attribute__((vector_size(kVectorBytes / 2)));

LANEWISE_INLINE U load_cells(const std::uint16_t* row, unsigned chunk) {
  Cells cells;
  __builtin_memcpy(&cells, row + chunk * kWidth, sizeof cells);
  return __builtin_convertvector(cells, U);
}

LANEWISE_INLINE void store_cells(std::uint16_t* row, unsigned chunk, U value) {
  const Cells cells = __builtin_convertvector(value, Cells);
  __builtin_memcpy(row + chunk * kWidth, &cells, sizeof cells);
}

/// Columns of a row of Dst in register form (MU 5.1); a row that is not `valid` reads as 0. `row`
/// is physical.
template <bool Exponent5, bool Wide>
LANEWISE_INLINE U load_dst(const Dst& dst, unsigned row, bool valid, unsigned chunk) {
  if (!valid) return U{};
  const U high = load_cells(dst.cell[row], chunk);
  if constexpr (Wide) {
    const U low = load_cells(dst.cell[row + kDstLowHalf], chunk);
    return (sem::unshuffle_16(high) << 16) | low;
  } else if constexpr (Exponent5) {
    return ((high & 0x8000) << 16) | ((high & 31) << 23) | ((high & 0x7FE0) << 8);
  } else {
    return sem::unshuffle_16(high) << 16;
  }
}

/// Writes what is in register form.
template <bool Exponent5, bool Wide>
LANEWISE_INLINE void store_dst(Dst& dst, unsigned row, unsigned chunk, U value) {
  if constexpr (!Wide && Exponent5) {
    store_cells(dst.cell[row], chunk,
                ((value >> 16) & 0x8000) | ((value >> 8) & 0x7FE0) | ((value >> 23) & 31));
  } else {
    store_cells(dst.cell[row], chunk, sem::shuffle_16(value >> 16));
    if constexpr (Wide) store_cells(dst.cell[row + kDstLowHalf], chunk, value & 0xFFFF);
  }
}

/// Whether the operands have 5-bit exponents, and Dst 32 bits, as template arguments.
template <class Function>
LANEWISE_INLINE void with_float_mode(const MatrixMode& mode, Function&& function) {
  const bool exponent_5 = mode.arithmetic == sem::MatrixArithmetic::Exponent5;
  if (exponent_5 && mode.wide) return function.template operator()<true, true>();
  if (exponent_5) return function.template operator()<true, false>();
  if (mode.wide) return function.template operator()<false, true>();
  return function.template operator()<false, false>();
}

LANEWISE_INLINE sem::MatrixFloat float_mode(const MatrixMode& mode) {
  return {.exponent_5 = mode.arithmetic == sem::MatrixArithmetic::Exponent5,
          .wide = mode.wide,
          .phase = mode.phase,
          .keeps_denormals = mode.keeps_denormals};
}

} // namespace lanewise::LANEWISE_LEVEL
