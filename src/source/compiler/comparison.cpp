#include "source/compiler/comparison.h"

#include "source/compiler/uses.h"

namespace lanewise::compiler {

namespace {

/// Whether floats are ordered by SFPGT and SFPLE.
bool has_order(ComparisonRules rules, Arch arch) {
  return rules >= ComparisonRules::To778 && arch_params(arch).vector.has_compare_arecip_mul24;
}

bool is_equality(Relation relation) {
  return relation == Relation::EQ || relation == Relation::NE;
}

/// The test of a difference, or of the first side against 0.
Outcome outcome_of(Relation relation) {
  switch (relation) {
    case Relation::LT: return Outcome::Negative;
    case Relation::GE: return Outcome::NotNegative;
    case Relation::EQ: return Outcome::Zero;
    case Relation::NE: return Outcome::NotZero;
    case Relation::GT: return Outcome::Positive;
    case Relation::LE: return Outcome::NotPositive;
  }
  return Outcome::Zero;
}

/// Since 7.70: a > b is b < a, and a <= b is b >= a.
bool is_swapped(ComparisonRules rules, Relation relation) {
  return rules != ComparisonRules::To769 && (relation == Relation::GT || relation == Relation::LE);
}

bool compares_bits(ComparisonRules rules, NumberType type, Relation relation) {
  return is_equality(relation) && (type != NumberType::Float || rules >= ComparisonRules::To778);
}

} // namespace

ComparisonRules comparison_rules(int epoch) {
  constexpr int kInGimple = 770, kTotalOrder = 775, kTwoOrders = 779;
  if (epoch < kInGimple) return ComparisonRules::To769;
  if (epoch < kTotalOrder) return ComparisonRules::To774;
  if (epoch < kTwoOrders) return ComparisonRules::To778;
  return ComparisonRules::Since779;
}

bool has_outcome(Outcome outcome, std::uint32_t bits) {
  const bool is_negative = bits >> 31 != 0;
  switch (outcome) {
    case Outcome::Negative: return is_negative;
    case Outcome::NotNegative: return !is_negative;
    case Outcome::Zero: return bits == 0;
    case Outcome::NotZero: return bits != 0;
    case Outcome::Positive: return !is_negative && bits != 0;
    case Outcome::NotPositive: return is_negative || bits == 0;
  }
  return false;
}

Decision decide(ComparisonRules rules, Arch arch, NumberType type, Relation relation,
                bool left_is_zero, bool right_is_zero) {
  const bool swapped = is_swapped(rules, relation);
  const Outcome outcome = outcome_of(swapped ? mirrored(relation) : relation);
  if (compares_bits(rules, type, relation)) return {swapped, Measure::Bits, outcome};
  if (type == NumberType::Float && has_order(rules, arch) && !is_equality(relation))
    return {swapped, Measure::Order, outcome};
  const bool second_is_zero = swapped ? left_is_zero : right_is_zero;
  return {swapped, second_is_zero ? Measure::First : Measure::Difference, outcome};
}

Decision decide(const Recording& recording, const Node& compare, bool negate) {
  const auto& nodes = recording.nodes;
  return decide(comparison_rules(recording.epoch), recording.arch, compare.type,
                negate ? inverse(compare.relation) : compare.relation,
                is_zero(recording.arch, nodes[compare.operand[0]]),
                is_zero(recording.arch, nodes[compare.operand[1]]));
}

bool is_mirrored(ComparisonRules rules, Arch arch, NumberType type, Relation relation) {
  if (compares_bits(rules, type, relation)) return true;
  if (is_equality(relation)) return false; // -0 - +0 is not +0 - -0 on Blackhole
  return rules != ComparisonRules::To769 || (type == NumberType::Float && has_order(rules, arch));
}

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

Relation mirrored(Relation relation) {
  switch (relation) {
    case Relation::LT: return Relation::GT;
    case Relation::LE: return Relation::GE;
    case Relation::GE: return Relation::LE;
    case Relation::GT: return Relation::LT;
    case Relation::EQ:
    case Relation::NE: break;
  }
  return relation;
}

bool difference_negates(ComparisonRules rules, Arch arch) {
  return rules != ComparisonRules::To769 && arch_params(arch).vector.mad_negate_bits;
}

} // namespace lanewise::compiler
