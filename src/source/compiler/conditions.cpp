// Conditions and predicates as instructions.
//
// The hardware can only narrow the enabled lanes, or complement them within those on the top of the
// flag stack (SFPCOMPC). So `a || b` becomes !(!a && !b); where the complement would be of too
// much, the lanes of the condition go through a register as 0 and 1.
#include <utility>

#include "chip/isa/fields.h"
#include "source/compiler/comparison.h"
#include "source/compiler/selector.h"
#include "source/compiler/uses.h"

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

constexpr auto kNegateFirst = kMode<Op::SFPMAD, "NEGATE_VA">;

/// The SFPSETCC that keeps the lanes of an outcome, or the second one of two.
std::uint8_t setcc_mode(Outcome outcome) {
  switch (outcome) {
    case Outcome::Negative: return kIfNegative;
    case Outcome::NotNegative: return kIfNotNegative;
    case Outcome::Zero: return kIfZero;
    case Outcome::NotZero:
    case Outcome::Positive:
    case Outcome::NotPositive: break;
  }
  return kIfNotZero;
}

bool needs_two_tests(Outcome outcome) {
  return outcome == Outcome::Positive || outcome == Outcome::NotPositive;
}

/// How SFPIADD sets the flags of an outcome, or those of the first test of two.
std::uint8_t flag_mode(Outcome outcome) {
  switch (outcome) {
    case Outcome::Negative: return kFlagNegative;
    case Outcome::NotNegative:
    case Outcome::Positive:
    case Outcome::NotPositive: return kFlagNotNegative;
    case Outcome::Zero:
    case Outcome::NotZero: break;
  }
  return kNoFlag;
}

/// Whether what is tested is no -0, whatever was compared: on Grayskull, a difference of floats.
/// Taken for an integer, it is then 0 or less where one less is negative.
bool is_never_minus_zero(Arch arch, NumberType type, Measure measure) {
  return has_narrow_lanes(arch) && type == NumberType::Float && measure == Measure::Difference;
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
    default: // up to 7.69, x <= y is the complement of two tests
      const Decision decision = decide(recording, node, negate);
      return decision.outcome != Outcome::NotPositive ||
             is_never_minus_zero(recording.arch, node.type, decision.measure);
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
    default: return narrow_compare(condition, negate);
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

/// Those lanes of a register that have the outcome; narrows() says where SFPCOMPC is allowed.
void Selector::test(Reg reg, Outcome outcome) {
  if (needs_two_tests(outcome)) test(reg, kIfNotNegative);
  finish_test(reg, outcome);
}

/// What is left to do where one instruction or test has looked at the sign already.
void Selector::finish_test(Reg reg, Outcome outcome) {
  test(reg, setcc_mode(outcome));
  if (outcome == Outcome::NotPositive) complement();
}

void Selector::narrow_compare(Value compare, bool negate) {
  const Node& node = nodes_[compare];
  const Decision decision = decide(recording_, node, negate);
  const Value first = node.operand[decision.swapped ? 1 : 0];
  const Value second = node.operand[decision.swapped ? 0 : 1];
  switch (decision.measure) {
    case Measure::First: return test(source(first), decision.outcome);
    case Measure::Order: return compare_order(first, second, decision.outcome);
    case Measure::Bits: return compare_bits(node, decision.outcome);
    case Measure::Difference: break;
  }
  if (node.type == NumberType::Float) return compare_floats(first, second, decision.outcome);
  if (const auto sum = compared_sum(recording_, node)) return compare_sum(node, *sum, decision);
  compare_integers(first, second, decision.outcome);
}

/// VD = VC + an immediate; a > c is a - c - 1 >= 0.
void Selector::compare_sum(const Node& compare, std::int32_t addend, const Decision& decision) {
  Outcome outcome = decision.outcome;
  if (decision.swapped)
    outcome = outcome == Outcome::Negative ? Outcome::NotNegative : Outcome::Negative;
  Instr instr = make(Op::SFPIADD, kImmediate | flag_mode(outcome));
  instr.imm = addend;
  instr.vc = source(compare.operand[0]);
  instr.vd = new_reg();
  push(instr);
  const bool is_decided = outcome == Outcome::Negative || outcome == Outcome::NotNegative;
  if (!is_decided) finish_test(instr.vd, outcome);
}

/// The sign of first - second, overflow ignored (docs/comparisons.md).
void Selector::compare_integers(Value first, Value second, Outcome outcome) {
  Instr instr = make(Op::SFPIADD, kSubtract | flag_mode(outcome));
  instr.vc = source(first);
  instr.vd = new_reg();
  instr.reads_vd = true;
  move(instr.vd, source(second), false);
  push(instr);
  if (needs_two_tests(outcome)) finish_test(instr.vd, outcome);
}

/// == and != on all bits.
void Selector::compare_bits(const Node& compare, Outcome outcome) {
  const auto [left, right] = std::pair{compare.operand[0], compare.operand[1]};
  if (is_zero(arch_, nodes_[right])) return test(source(left), setcc_mode(outcome));
  if (const auto sum = compared_sum(recording_, compare))
    return compare_sum(compare, *sum, {false, Measure::Bits, outcome});
  const bool has_order = chip_.vector.has_compare_arecip_mul24;
  const auto rules = comparison_rules(recording_.epoch);
  if (has_order && rules >= ComparisonRules::Since779 && outcome == Outcome::Zero) {
    compare_order(left, right, Outcome::NotNegative);
    return compare_order(right, left, Outcome::NotNegative);
  }
  compare_patterns(left, right, outcome);
}

/// The difference of the bit patterns is zero. SFPIADD overwrites the subtrahend: that should be a
/// number which nobody wants any more.
void Selector::compare_patterns(Value left, Value right, Outcome outcome) {
  const auto ends_here = [&](Value value) {
    return !constant_register(recording_, plan_, value) && plan_.last_use[value] <= position_;
  };
  const bool swaps = ends_here(left) && !ends_here(right);
  Instr instr = make(Op::SFPIADD, kSubtract | kNoFlag);
  instr.vc = source(swaps ? right : left);
  instr.vd = new_reg();
  instr.reads_vd = true;
  move(instr.vd, source(swaps ? left : right), false);
  push(instr);
  test(instr.vd, setcc_mode(outcome));
}

/// first - second in one multiply-add.
void Selector::compare_floats(Value first, Value second, Outcome outcome) {
  const bool negates = difference_negates(comparison_rules(recording_.epoch), arch_);
  Instr instr = make(Op::SFPMAD, negates ? kNegateFirst : 0);
  instr.va = negates ? kOne : source(second);
  instr.vb = negates ? source(second) : kMinusOne;
  instr.vc = source(first);
  instr.vd = new_reg();
  push(instr);
  if (outcome == Outcome::NotPositive &&
      is_never_minus_zero(arch_, NumberType::Float, Measure::Difference))
    return test_not_positive(instr.vd);
  test(instr.vd, outcome);
}

/// Of what is no -0: one test instead of two and a complement.
void Selector::test_not_positive(Reg difference) {
  Instr instr = make(Op::SFPIADD, kImmediate | kFlagNegative);
  instr.imm = -1;
  instr.vc = difference;
  instr.vd = new_reg();
  push(instr);
}

/// SFPGT is VD > VC and SFPLE is VD <= VC, in the total order of the bits (VU C32).
void Selector::compare_order(Value first, Value second, Outcome outcome) {
  Reg vd = source(second);
  const Reg vc = source(first);
  if (vd.is_physical() && vd.number() >= kFirstTemplate) {
    const Reg copy = new_reg();
    move(copy, vd, false);
    vd = copy;
  }
  Instr instr = make(outcome == Outcome::Negative ? Op::SFPGT : Op::SFPLE, kSetFlags);
  instr.vd = vd;
  instr.vc = vc;
  instr.reads_vd = true;
  push(instr);
}

} // namespace lanewise::compiler
