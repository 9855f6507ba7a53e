#include "study/tune/terms.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace lanewise::tune {

namespace {

constexpr std::uint32_t kAllOnes = ~std::uint32_t{0};

unsigned operand_count(TermKind kind) {
  switch (kind) {
    case TermKind::Variable: return 0;
    case TermKind::Not:
    case TermKind::NotTrue: return 1;
    case TermKind::Choose:
    case TermKind::MultiplyAdd:
    case TermKind::Opaque: return 3;
    case TermKind::And:
    case TermKind::Or:
    case TermKind::Xor:
    case TermKind::Add:
    case TermKind::Subtract:
    case TermKind::ShiftLeft:
    case TermKind::ShiftRight:
    case TermKind::ShiftRightSigned:
    case TermKind::Equal:
    case TermKind::LessSigned:
    case TermKind::LessUnsigned:
    case TermKind::BothTrue:
    case TermKind::EitherTrue: break;
  }
  return 2;
}

/// Of numbers; not of variables, multiply-adds and what is opaque.
std::uint32_t compute(TermKind kind, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const auto as_signed = [](std::uint32_t bits) { return static_cast<std::int32_t>(bits); };
  switch (kind) {
    case TermKind::And: return a & b;
    case TermKind::Or: return a | b;
    case TermKind::Xor: return a ^ b;
    case TermKind::Not: return ~a;
    case TermKind::Add: return a + b;
    case TermKind::Subtract: return a - b;
    case TermKind::ShiftLeft: return b > 31 ? 0 : a << b;
    case TermKind::ShiftRight: return b > 31 ? 0 : a >> b;
    case TermKind::ShiftRightSigned:
      return static_cast<std::uint32_t>(as_signed(a) >> std::min<std::uint32_t>(b, 31));
    case TermKind::Choose: return a != 0 ? b : c;
    case TermKind::Equal: return a == b ? 1 : 0;
    case TermKind::LessSigned: return as_signed(a) < as_signed(b) ? 1 : 0;
    case TermKind::LessUnsigned: return a < b ? 1 : 0;
    case TermKind::BothTrue: return a & b;
    case TermKind::EitherTrue: return a | b;
    case TermKind::NotTrue: return a ^ 1;
    case TermKind::Variable:
    case TermKind::MultiplyAdd:
    case TermKind::Opaque: break;
  }
  return 0;
}

bool is(const TermValue& value, std::uint32_t constant) {
  return value.is_constant() && value.constant == constant;
}

/// Whether a truth value says that two others differ: where they do not, either may be chosen. So a
/// result that was held back is the result.
bool tests_difference(const TermValue& condition, const TermValue& a, const TermValue& b) {
  if (condition.node->kind != TermKind::NotTrue) return false;
  const TermNode* equal = condition.node->operands[0].node;
  return equal->kind == TermKind::Equal && ((equal->operands[0] == a && equal->operands[1] == b) ||
                                            (equal->operands[0] == b && equal->operands[1] == a));
}

/// What an operation on at least one node comes to without a node of its own, or nullptr. `left`
/// and `right` are its first two operands.
const TermValue* plain_result(TermKind kind, const std::array<TermValue, 3>& operands) {
  const TermValue &left = operands[0], &right = operands[1];
  switch (kind) {
    case TermKind::And:
      if (is(left, 0) || is(right, kAllOnes) || left == right) return &left;
      return is(right, 0) || is(left, kAllOnes) ? &right : nullptr;
    case TermKind::Or:
      if (is(right, 0) || left == right) return &left;
      return is(left, 0) ? &right : nullptr;
    case TermKind::BothTrue:
      if (is(left, 0) || is(right, 1) || left == right) return &left;
      return is(right, 0) || is(left, 1) ? &right : nullptr;
    case TermKind::EitherTrue:
      if (is(left, 1) || is(right, 0) || left == right) return &left;
      return is(right, 1) || is(left, 0) ? &right : nullptr;
    case TermKind::Xor:
    case TermKind::Add:
      if (is(left, 0)) return &right;
      return is(right, 0) ? &left : nullptr;
    case TermKind::Subtract:
    case TermKind::ShiftLeft:
    case TermKind::ShiftRight:
    case TermKind::ShiftRightSigned: return is(right, 0) ? &left : nullptr;
    case TermKind::Choose:
      if (left.is_constant()) return left.constant != 0 ? &right : &operands[2];
      if (right == operands[2] || tests_difference(left, right, operands[2])) return &right;
      return nullptr;
    case TermKind::Not:
    case TermKind::NotTrue: return left.node->kind == kind ? &left.node->operands[0] : nullptr;
    case TermKind::Equal:
    case TermKind::LessSigned:
    case TermKind::LessUnsigned:
    case TermKind::Variable:
    case TermKind::MultiplyAdd:
    case TermKind::Opaque: break;
  }
  return nullptr;
}

/// The operand beside a constant one, of an operation of this kind.
std::optional<std::pair<TermValue, std::uint32_t>> beside_constant(const TermValue& value,
                                                                   TermKind kind) {
  if (value.is_constant() || value.node->kind != kind) return std::nullopt;
  const std::array<TermValue, 3>& operands = value.node->operands;
  if (operands[1].is_constant()) return std::pair{operands[0], operands[1].constant};
  if (operands[0].is_constant()) return std::pair{operands[1], operands[0].constant};
  return std::nullopt;
}

/// Masks of masked bits, which SFPLOADI of halves makes: (x & a) & b, and ((x & a) | c) & b. So
/// constants that are loaded by halves are constants.
std::optional<TermValue> masked_mask(TermKind kind, const std::array<TermValue, 3>& operands) {
  if (kind != TermKind::And || operands[0].is_constant() == operands[1].is_constant())
    return std::nullopt;
  const bool is_first = operands[0].is_constant();
  const Term value(operands[is_first ? 1 : 0]);
  const std::uint32_t mask = operands[is_first ? 0 : 1].constant;
  if (const auto masked = beside_constant(value.value, TermKind::And))
    return (Term(masked->first) & (masked->second & mask)).value;
  const auto joined = beside_constant(value.value, TermKind::Or);
  if (!joined || !beside_constant(joined->first, TermKind::And)) return std::nullopt;
  return ((Term(joined->first) & mask) | (joined->second & mask)).value;
}

TermValue combine(TermKind kind, TermValue a, TermValue b = {}, TermValue c = {}) {
  for (const TermValue& each : {a, b, c}) {
    if (!each.is_constant()) return each.node->graph->make(kind, {a, b, c});
  }
  return {.constant = compute(kind, a.constant, b.constant, c.constant)};
}

bool commutes(TermKind kind) {
  return kind == TermKind::And || kind == TermKind::Or || kind == TermKind::Xor ||
         kind == TermKind::Add || kind == TermKind::Equal || kind == TermKind::BothTrue ||
         kind == TermKind::EitherTrue;
}

std::uint64_t key_of(const TermValue& value) {
  constexpr std::uint64_t kNode = std::uint64_t{1} << 32;
  return value.is_constant() ? value.constant : kNode | value.node->number;
}

void visit(const TermNode* node, std::vector<bool>& seen, std::vector<const TermNode*>& order) {
  if (node->number >= seen.size()) seen.resize(node->number + 1);
  if (seen[node->number]) return;
  seen[node->number] = true;
  for (const TermValue& operand : node->operands) {
    if (!operand.is_constant()) visit(operand.node, seen, order);
  }
  order.push_back(node);
}

} // namespace

bool is_truth(TermKind kind) {
  return kind >= TermKind::Equal;
}

TruthTerm operator&(TruthTerm a, TruthTerm b) {
  return TruthTerm(combine(TermKind::BothTrue, a.value, b.value));
}
TruthTerm operator|(TruthTerm a, TruthTerm b) {
  return TruthTerm(combine(TermKind::EitherTrue, a.value, b.value));
}
TruthTerm operator~(TruthTerm a) {
  return TruthTerm(combine(TermKind::NotTrue, a.value));
}
TruthTerm operator^(TruthTerm a, TruthTerm b) {
  return (a & ~b) | (~a & b);
}

Term operator&(Term a, Term b) {
  return Term(combine(TermKind::And, a.value, b.value));
}
Term operator|(Term a, Term b) {
  return Term(combine(TermKind::Or, a.value, b.value));
}
Term operator^(Term a, Term b) {
  return Term(combine(TermKind::Xor, a.value, b.value));
}
Term operator+(Term a, Term b) {
  return Term(combine(TermKind::Add, a.value, b.value));
}
Term operator-(Term a, Term b) {
  return Term(combine(TermKind::Subtract, a.value, b.value));
}
Term operator-(Term a) {
  return Term(0) - a;
}
Term operator~(Term a) {
  return Term(combine(TermKind::Not, a.value));
}
Term operator<<(Term a, Term n) {
  return Term(combine(TermKind::ShiftLeft, a.value, n.value));
}
Term operator>>(Term a, Term n) {
  return Term(combine(TermKind::ShiftRight, a.value, n.value));
}

Term shift_right_with_sign(Term a, Term n) {
  return Term(combine(TermKind::ShiftRightSigned, a.value, n.value));
}

Term choose(TruthTerm condition, Term a, Term b) {
  return Term(combine(TermKind::Choose, condition.value, a.value, b.value));
}

TruthTerm choose(TruthTerm condition, TruthTerm a, TruthTerm b) {
  return (condition & a) | (~condition & b);
}

TruthTerm equals(Term a, Term b) {
  return TruthTerm(combine(TermKind::Equal, a.value, b.value));
}

TruthTerm less_signed(Term a, Term b) {
  return TruthTerm(combine(TermKind::LessSigned, a.value, b.value));
}

TruthTerm less_unsigned(Term a, Term b) {
  return TruthTerm(combine(TermKind::LessUnsigned, a.value, b.value));
}

Term multiply_add(Term x, Term y, Term z) {
  if (key_of(y.value) < key_of(x.value)) std::swap(x, y); // a constant stands first
  return Term(combine(TermKind::MultiplyAdd, x.value, y.value, z.value));
}

Term opaque(std::uint32_t word, Term a, Term b, Term c) {
  const std::array operands{a.value, b.value, c.value};
  const auto node = std::ranges::find_if(
      operands, [](const TermValue& operand) { return !operand.is_constant(); });
  return Term(node->node->graph->make_opaque(word, operands));
}

Term opaque_product(std::uint32_t word, Term a, Term b) {
  return key_of(b.value) < key_of(a.value) ? opaque(word, b, a) : opaque(word, a, b);
}

Term TermGraph::variable(std::uint32_t number) {
  return Term(find(TermKind::Variable, {}, number));
}

TermValue TermGraph::make(TermKind kind, const std::array<TermValue, 3>& operands) {
  if (const auto masked = masked_mask(kind, operands)) return *masked;
  if (const TermValue* plain = plain_result(kind, operands)) return *plain;
  const bool are_same = operand_count(kind) == 2 && operands[0] == operands[1];
  if (are_same && (kind == TermKind::Xor || kind == TermKind::Subtract)) return {};
  if (are_same && is_truth(kind)) return {.constant = kind == TermKind::Equal ? 1U : 0U};
  if (commutes(kind) && key_of(operands[1]) < key_of(operands[0]))
    return find(kind, {operands[1], operands[0], operands[2]});
  return find(kind, operands);
}

TermValue TermGraph::make_opaque(std::uint32_t word, const std::array<TermValue, 3>& operands) {
  return find(TermKind::Opaque, operands, word);
}

TermValue TermGraph::find(TermKind kind, const std::array<TermValue, 3>& operands,
                          std::uint32_t variable) {
  const Key key{kind, variable, {key_of(operands[0]), key_of(operands[1]), key_of(operands[2])}};
  const auto [place, is_new] = known_.try_emplace(key, nullptr);
  if (is_new) {
    nodes_.push_back({this, static_cast<std::uint32_t>(nodes_.size()), kind, variable, operands});
    place->second = &nodes_.back();
  }
  return {.node = place->second};
}

std::vector<const TermNode*> nodes_of(std::span<const TermValue> values) {
  std::vector<bool> seen;
  std::vector<const TermNode*> order;
  for (const TermValue& value : values) {
    if (!value.is_constant()) visit(value.node, seen, order);
  }
  return order;
}

std::uint32_t evaluate(TermValue value, const std::map<std::uint32_t, std::uint32_t>& variables,
                       MultiplyAddOf multiply_add, const OpaqueOf& opaque) {
  std::unordered_map<const TermNode*, std::uint32_t> known;
  const auto number = [&](const TermValue& operand) {
    return operand.is_constant() ? operand.constant : known.at(operand.node);
  };
  for (const TermNode* node : nodes_of(std::span(&value, 1))) {
    const std::uint32_t a = number(node->operands[0]), b = number(node->operands[1]),
                        c = number(node->operands[2]);
    switch (node->kind) {
      case TermKind::Variable: known[node] = variables.at(node->variable); break;
      case TermKind::MultiplyAdd: known[node] = multiply_add(a, b, c); break;
      case TermKind::Opaque: known[node] = opaque(node->variable, {a, b, c}); break;
      default: known[node] = compute(node->kind, a, b, c);
    }
  }
  return number(value);
}

} // namespace lanewise::tune
