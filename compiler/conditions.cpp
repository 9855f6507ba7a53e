// Conditions and predicates as instructions.
//
// The hardware can only narrow the enabled lanes, or complement them within those on the top of the
// flag stack (SFPCOMPC). So `a || b` becomes !(!a && !b); where the complement would be of too
// much, the lanes of the condition go through a register as 0 and 1.
#include "compiler/selector.h"
#include "compiler/uses.h"
#include "isa/fields.h"

namespace lanewise::compiler {

namespace {

using isa::kMode;
using isa::Op;

constexpr auto kIfNegative = kMode<Op::SFPSETCC, "LREG_LT0">;
constexpr auto kIfNotZero = kMode<Op::SFPSETCC, "LREG_NE0">;
constexpr auto kIfNotNegative = kMode<Op::SFPSETCC, "LREG_GTE0">;
constexpr auto kIfZero = kMode<Op::SFPSETCC, "LREG_EQ0">;
/// SFPIADD: flag from the sign of the result, its complement, or none; the operands.
constexpr auto kFlagNegative = kMode<Op::SFPIADD, "CC_LT0">;
constexpr auto kFlagNotNegative = kMode<Op::SFPIADD, "CC_GTE0">;
constexpr auto kNoFlag = kMode<Op::SFPIADD, "CC_NONE">;
constexpr auto kImmediate = kMode<Op::SFPIADD, "ARG_IMM">;
constexpr auto kSubtract = kMode<Op::SFPIADD, "ARG_2SCOMP_LREG_DST">;
/// SFPGT and SFPLE: the flags only.
constexpr auto kSetFlags = kMode<Op::SFPGT, "SET_CC">;

Relation inverse(Relation relation) {
  switch (relation) {
    case Relation::LT: return Relation::GE;
    case Relation::LE: return Relation::GT;
    case Relation::EQ: return Relation::NE;
    case Relation::NE: return Relation::EQ;
    case Relation::GE: return Relation::LT;
    case Relation::GT: return Relation::LE;
  }
  return relation;
}

std::uint8_t setcc_mode(Relation relation) {
  switch (relation) {
    case Relation::LT: return kIfNegative;
    case Relation::GE: return kIfNotNegative;
    case Relation::EQ: return kIfZero;
    default: return kIfNotZero;
  }
}

/// Whether testing the condition (its opposite, if `negate`) is a matter of narrowing the enabled
/// lanes, without SFPCOMPC.
bool narrows(const Recording& recording, Value condition, bool negate) {
  const Node& node = recording.nodes[condition];
  switch (node.kind) {
    case Kind::Not: return narrows(recording, node.operand[0], !negate);
    case Kind::And:
    case Kind::Or:
      return (node.kind == Kind::And) != negate && narrows(recording, node.operand[0], negate) &&
             narrows(recording, node.operand[1], negate);
    default: {
      // Without SFPLE, x <= 0 is the complement of two tests.
      const Relation relation = negate ? inverse(node.relation) : node.relation;
      return arch_params(recording.arch).has_compare_arecip_mul24 || relation != Relation::LE ||
             node.type != NumberType::Float || !is_zero(recording.nodes[node.operand[1]]);
    }
  }
}

} // namespace

void Selector::emit_predicate(const Node& node) {
  switch (node.kind) {
    case Kind::If:
      push(make(Op::SFPPUSHC));
      narrow(node.operand[0], false, true);
      break;
    case Kind::ElseIf:
      complement();
      push(make(Op::SFPPUSHC));
      narrow(node.operand[0], false, true);
      break;
    case Kind::Else: complement(); break;
    case Kind::EndIf:
      for (std::int32_t i = 0; i < node.imm; ++i) push(make(Op::SFPPOPC));
      break;
    case Kind::Block: push(make(Op::SFPPUSHC)); break;
    case Kind::EndBlock: push(make(Op::SFPPOPC)); break;
    case Kind::Narrow: narrow(node.operand[0], false, false); break;
    default: break;
  }
}

void Selector::narrow(Value condition, bool negate, bool fresh) {
  const Node& node = nodes_[condition];
  if (!fresh && !narrows(recording_, condition, negate))
    return narrow_through_register(condition, negate);
  switch (node.kind) {
    case Kind::Not: return narrow(node.operand[0], !negate, fresh);
    case Kind::And:
    case Kind::Or: break;
    default: return narrow_compare(condition, negate, fresh);
  }
  if ((node.kind == Kind::And) != negate) {
    narrow_both(node.operand[0], node.operand[1], negate, fresh);
  } else { // a || b = !(!a && !b)
    narrow_both(node.operand[0], node.operand[1], !negate, fresh);
    complement();
  }
}

/// The part that needs SFPCOMPC goes first, where it can have it.
void Selector::narrow_both(Value left, Value right, bool negate, bool fresh) {
  const bool right_first = narrows(recording_, left, negate) && !narrows(recording_, right, negate);
  narrow(right_first ? right : left, negate, fresh);
  narrow(right_first ? left : right, negate, false);
}

void Selector::narrow_through_register(Value condition, bool negate) {
  const Reg flag = new_reg();
  load_constant(flag, 0, false);
  push(make(Op::SFPPUSHC));
  narrow(condition, negate, true);
  load_constant(flag, 1, true);
  push(make(Op::SFPPOPC));
  test(flag, kIfNotZero);
}

void Selector::test(Reg reg, std::uint8_t mode) {
  Instr instr = make(Op::SFPSETCC, mode);
  instr.vc = reg;
  push(instr);
}

void Selector::narrow_compare(Value compare, bool negate, bool fresh) {
  const Node& node = nodes_[compare];
  const Relation relation = negate ? inverse(node.relation) : node.relation;
  if (node.type != NumberType::Float) return compare_integers(node, relation);
  if (is_zero(nodes_[node.operand[1]])) return compare_with_zero(node, relation, fresh);
  if (relation == Relation::NE || (relation == Relation::EQ && !chip_.has_compare_arecip_mul24))
    return compare_bits(node, relation);
  if (chip_.has_compare_arecip_mul24) return compare_floats_by_order(node, relation);
  compare_floats(node, relation);
}

/// Integers compare by the sign of a difference, overflow ignored (docs/comparisons.md). With an
/// immediate, a > c is a >= c + 1.
void Selector::compare_integers(const Node& compare, Relation relation) {
  const auto [left, right] = std::pair{compare.operand[0], compare.operand[1]};
  const bool next = relation == Relation::GT || relation == Relation::LE;
  const bool by_zero = relation == Relation::EQ || relation == Relation::NE;
  if (is_zero(nodes_[right]) && !next) return test(source(left), setcc_mode(relation));
  std::uint32_t bits = 0;
  if (constant_bits(nodes_[right], bits)) {
    const std::int64_t imm = -(std::int64_t{static_cast<std::int32_t>(bits)} + (next ? 1 : 0));
    if (fits_imm12(imm)) {
      const bool negative = relation == Relation::LT || relation == Relation::LE;
      Instr instr = make(Op::SFPIADD, kImmediate | (by_zero    ? kNoFlag
                                                    : negative ? kFlagNegative
                                                               : kFlagNotNegative));
      instr.imm = static_cast<std::int32_t>(imm);
      instr.vc = source(left);
      instr.vd = new_reg();
      push(instr);
      if (by_zero) test(instr.vd, setcc_mode(relation));
      return;
    }
  }
  if (by_zero) return compare_bits(compare, relation);
  Instr instr = make(Op::SFPIADD, kSubtract | (relation == Relation::LT || relation == Relation::GT
                                                   ? kFlagNegative
                                                   : kFlagNotNegative));
  instr.vc = source(next ? right : left);
  instr.vd = new_reg();
  instr.reads_vd = true;
  move(instr.vd, source(next ? left : right), false);
  push(instr);
}

/// == and != on all bits: the difference of the bit patterns is zero. SFPIADD overwrites the
/// subtrahend: that should be a number which nobody wants any more.
void Selector::compare_bits(const Node& compare, Relation relation) {
  const auto ends_here = [&](Value value) {
    return !constant_register(recording_, plan_, value) && plan_.last_use[value] <= position_;
  };
  const bool swaps = ends_here(compare.operand[0]) && !ends_here(compare.operand[1]);
  Instr instr = make(Op::SFPIADD, kSubtract | kNoFlag);
  instr.vc = source(compare.operand[swaps ? 1 : 0]);
  instr.vd = new_reg();
  instr.reads_vd = true;
  move(instr.vd, source(compare.operand[swaps ? 0 : 1]), false);
  push(instr);
  test(instr.vd, setcc_mode(relation));
}

void Selector::compare_with_zero(const Node& compare, Relation relation, bool fresh) {
  if (relation != Relation::GT && relation != Relation::LE)
    return test(source(compare.operand[0]), setcc_mode(relation));
  if (chip_.has_compare_arecip_mul24) return compare_floats_by_order(compare, relation);
  test(source(compare.operand[0]), kIfNotNegative);
  test(source(compare.operand[0]), kIfNotZero);
  if (relation == Relation::LE && fresh) complement();
}

/// Wormhole: the sign of the difference in one multiply-add, a - b = b * -1 + a.
void Selector::compare_floats(const Node& compare, Relation relation) {
  const bool swapped = relation == Relation::GT || relation == Relation::LE;
  Instr instr = make(Op::SFPMAD);
  instr.va = source(compare.operand[swapped ? 0 : 1]);
  instr.vb = kMinusOne;
  instr.vc = source(compare.operand[swapped ? 1 : 0]);
  instr.vd = new_reg();
  push(instr);
  test(instr.vd,
       relation == Relation::LT || relation == Relation::GT ? kIfNegative : kIfNotNegative);
}

/// Blackhole: SFPGT is VD > VC and SFPLE is VD <= VC, in the total order of the bits (VU C32).
void Selector::compare_floats_by_order(const Node& compare, Relation relation) {
  const Reg left = source(compare.operand[0]);
  const Reg right = source(compare.operand[1]);
  const auto compare_pair = [&](Op op, Reg vd, Reg vc) {
    if (vd.is_physical() && vd.number() >= kFirstTemplate) {
      const Reg copy = new_reg();
      move(copy, vd, false);
      vd = copy;
    }
    Instr instr = make(op, kSetFlags);
    instr.vd = vd;
    instr.vc = vc;
    instr.reads_vd = true;
    push(instr);
  };
  switch (relation) {
    case Relation::LT: return compare_pair(Op::SFPGT, right, left);
    case Relation::GT: return compare_pair(Op::SFPGT, left, right);
    case Relation::GE: return compare_pair(Op::SFPLE, right, left);
    case Relation::LE: return compare_pair(Op::SFPLE, left, right);
    default: compare_pair(Op::SFPLE, left, right); compare_pair(Op::SFPLE, right, left);
  }
}

} // namespace lanewise::compiler
