// Kinds of Matrix Unit instructions (MU 7), for those who care for a kind and not for the
// instruction.
#pragma once

#include "chip/isa/effects.h"

namespace lanewise::isa {

/// What older chips left over: computes as with sources of 0 (MU 7, CONV3S1, MPOOL3S1).
inline bool is_matrix_legacy(Op op) {
  return matrix_kind(op) == MatrixKind::Legacy;
}

inline bool is_element_sum(Op op) {
  return matrix_kind(op) == MatrixKind::ElementSum;
}

/// Products and pools, which always read Dst.
inline bool is_product_or_pool(Op op) {
  return matrix_kind(op) == MatrixKind::Product || is_matrix_legacy(op);
}

inline bool is_matrix_arithmetic(Op op) {
  return is_product_or_pool(op) || is_element_sum(op);
}

inline bool is_move_to_dst(Op op) {
  return matrix_kind(op) == MatrixKind::MoveToDst;
}

inline bool is_move_from_dst(Op op) {
  return matrix_kind(op) == MatrixKind::MoveFromDst;
}

/// Whether it is of the Matrix Unit and writes Dst; ZEROACC counts.
inline bool matrix_writes_dst(Op op) {
  return is_matrix_arithmetic(op) || is_move_to_dst(op) || matrix_kind(op) == MatrixKind::Clear;
}

} // namespace lanewise::isa
