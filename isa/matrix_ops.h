// Kinds of Matrix Unit instructions (MU 7), for those who care for a kind and not for the
// instruction.
#pragma once

#include "isa/table.h"

namespace lanewise::isa {

/// What older chips left over: computes as with sources of 0 (MU 7, CONV3S1, MPOOL3S1).
constexpr bool is_matrix_legacy(Op op) {
  switch (op) {
    case Op::CONV3S1:
    case Op::CONV3S2:
    case Op::MFCONV3S1:
    case Op::APOOL3S1:
    case Op::APOOL3S2:
    case Op::MPOOL3S1:
    case Op::MPOOL3S2: return true;
    default: return false;
  }
}

constexpr bool is_element_sum(Op op) {
  return op == Op::ELWADD || op == Op::ELWSUB;
}

/// Products and pools, which always read Dst.
constexpr bool is_product_or_pool(Op op) {
  return op == Op::MVMUL || op == Op::DOTPV || op == Op::GAPOOL || op == Op::GMPOOL ||
         op == Op::ELWMUL || is_matrix_legacy(op);
}

constexpr bool is_matrix_arithmetic(Op op) {
  return is_product_or_pool(op) || is_element_sum(op);
}

constexpr bool is_move_to_dst(Op op) {
  return op == Op::MOVA2D || op == Op::MOVB2D || op == Op::MOVDBGA2D;
}

constexpr bool is_move_from_dst(Op op) {
  return op == Op::MOVD2A || op == Op::MOVD2B;
}

} // namespace lanewise::isa
