#include "source/compiler/combine.h"

#include <iterator>
#include <utility>

#include "chip/isa/fields.h"
#include "source/compiler/comparison.h"
#include "source/compiler/literals.h"
#include "source/compiler/uses.h"

namespace lanewise::compiler {

namespace {

/// A float with the other sign, as a lane holds it.
std::int32_t negated_lane(Arch arch, std::int32_t lane) {
  constexpr std::uint32_t kSign = 0x80000000U;
  const std::uint32_t bits = float_of_lane(arch, static_cast<std::uint32_t>(lane));
  return static_cast<std::int32_t>(lane_of_float(arch, bits ^ kSign));
}

constexpr std::uint32_t kHalf = 0x3F000000, kMinusHalf = 0xBF000000;
/// Modes of FloatMul and FloatMad: the first factor's sign, the addend's.
constexpr std::uint8_t kNegateProduct = 1, kNegateAddend = 2;

class Combiner {
 public:
  Combiner(Recording& recording, Fusion fusion)
      : recording_(recording),
        fusion_(fusion),
        nodes_(recording.nodes),
        can_negate_(arch_params(recording.arch).vector.mad_negate_bits),
        uses_(count_uses(recording)),
        printed_(nodes_.size()),
        alias_(nodes_.size(), kNone) {
    for (const Node& node : nodes_) {
      if (node.kind == Kind::Print) printed_[node.operand[0]] = true;
    }
  }

  void run() {
    for (Node& node : nodes_) put_literal_right(node);
    for (Node& node : nodes_) simplify_condition(node);
    for (Node& node : nodes_) fold_negation(node);
    count_lane_changes();
    const bool adds_half = arch_params(recording_.arch).vector.mad_adds_half;
    for (Node& node : nodes_) {
      if (adds_half) fold_half(node);
      form_mad(node);
    }
  }

 private:
  /// `vInt flag = condition; v_if (flag != 0)` tests the condition itself.
  void simplify_condition(Node& node) {
    for (unsigned i = 0; i < std::size(node.operand); ++i) {
      if (node.operand[i] != kNone && alias_[node.operand[i]] != kNone)
        replace(node, i, alias_[node.operand[i]]);
    }
    if (node.kind != Kind::Compare) return;
    if (node.relation != Relation::NE && node.relation != Relation::EQ) return;
    const Node& flag = nodes_[node.operand[0]];
    std::uint32_t bits = 1;
    if (flag.kind != Kind::FromCondition) return;
    if (!constant_bits(recording_.arch, nodes_[node.operand[1]], bits) || bits != 0) return;
    const Value condition = flag.operand[0];
    if (node.relation == Relation::NE) {
      alias_[index(node)] = condition;
      return;
    }
    drop_operands(node);
    node.kind = Kind::Not;
    use(node, 0, condition);
  }

  /// `1 == a` is `a == 1`, which needs no register for the literal.
  void put_literal_right(Node& node) const {
    if (node.kind != Kind::Compare) return;
    std::uint32_t bits = 0;
    if (!constant_bits(recording_.arch, nodes_[node.operand[0]], bits)) return;
    if (constant_bits(recording_.arch, nodes_[node.operand[1]], bits)) return;
    const auto rules = comparison_rules(recording_.epoch);
    if (!is_mirrored(rules, recording_.arch, node.type, node.relation)) return;
    std::swap(node.operand[0], node.operand[1]);
    node.relation = mirrored(node.relation);
  }

  bool is_negation(Value value) const {
    const Node& node = nodes_[value];
    return node.kind == Kind::Instruction && operation(recording_, node) == isa::Op::SFPMOV &&
           node.mod == 1;
  }
  Value negated(Value negation) const { return nodes_[negation].operand[2]; }

  /// A literal that only one operation uses can change its sign in place.
  bool is_own_constant(Value value) const {
    return nodes_[value].kind == Kind::Constant && uses_[value] == 1 && !printed_[value] &&
           has_loadable_negative(value);
  }
  /// Where lanes are narrow, what SFPLOADI does not load cannot be had.
  bool has_loadable_negative(Value constant) const {
    const Arch arch = recording_.arch;
    if (!has_narrow_lanes(arch)) return true;
    const std::int32_t negative = negated_lane(arch, nodes_[constant].imm);
    return literal_load(arch, static_cast<std::uint32_t>(negative)).has_value();
  }
  /// One whose negative costs no more than a SFPMOV that negates it.
  bool is_cheap_constant(Value value) const {
    constexpr std::uint32_t kLowHalf = 0xFFFF; // if it is 0, one SFPLOADI does
    const auto lane = static_cast<std::uint32_t>(nodes_[value].imm);
    return is_own_constant(value) || (nodes_[value].kind == Kind::Constant &&
                                      (float_of_lane(recording_.arch, lane) & kLowHalf) == 0);
  }
  void flip(Value constant) {
    nodes_[constant].imm = negated_lane(recording_.arch, nodes_[constant].imm);
  }

  void fold_negation(Node& node) {
    if (is_negation(index(node)) && is_cheap_constant(negated(index(node)))) {
      const Value constant = negated(index(node));
      node.kind = Kind::Constant;
      node.imm = negated_lane(recording_.arch, nodes_[constant].imm);
      drop_operands(node);
    } else if (node.kind == Kind::FloatAdd) {
      fold_into_sum(node);
    } else if (node.kind == Kind::FloatSub) {
      fold_into_difference(node);
    } else if (node.kind == Kind::FloatMul || node.kind == Kind::FloatMad) {
      fold_into_product(node);
    }
  }

  void fold_into_sum(Node& node) {
    for (unsigned i = 0; i < 2; ++i) {
      if (!is_negation(node.operand[i])) continue;
      const Value minuend = node.operand[1 - i];
      const Value subtrahend = negated(node.operand[i]);
      drop_operands(node);
      node.kind = Kind::FloatSub;
      use(node, 0, minuend);
      use(node, 1, subtrahend);
      return;
    }
  }

  void fold_into_difference(Node& node) {
    if (is_negation(node.operand[1])) {
      const Value addend = negated(node.operand[1]);
      node.kind = Kind::FloatAdd;
      replace(node, 1, addend);
    } else if (is_own_constant(node.operand[1])) {
      node.kind = Kind::FloatAdd;
      flip(node.operand[1]);
    }
  }

  /// The negate bits flip the sign before anything else (VU 3.1), as SFPMOV does; of a product it
  /// does not matter which factor's.
  void fold_into_product(Node& node) {
    for (unsigned i = 0; i < 2; ++i) {
      if (!is_negation(node.operand[i])) continue;
      if (is_own_constant(node.operand[1 - i])) {
        flip(node.operand[1 - i]);
      } else if (can_negate_) {
        node.mod ^= kNegateProduct;
      } else {
        continue;
      }
      replace(node, i, negated(node.operand[i]));
    }
    if (node.kind == Kind::FloatMad && can_negate_) fold_into_addend(node);
  }

  void fold_into_addend(Node& node) {
    if (!is_negation(node.operand[2])) return;
    node.mod ^= kNegateAddend;
    replace(node, 2, negated(node.operand[2]));
  }

  void count_lane_changes() {
    lane_changes_.assign(nodes_.size() + 1, 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      lane_changes_[i + 1] = lane_changes_[i] + (changes_lanes(nodes_[i].kind) ? 1U : 0U);
    }
  }

  /// A product that only `user` needs, made under the predicate that still holds there.
  bool is_own_product(Value value, const Node& user) const {
    return nodes_[value].kind == Kind::FloatMul && uses_[value] == 1 &&
           lane_changes_[value] == lane_changes_[index(user)];
  }

  /// Up to 7.78, and under lreg_pressure, an operation with an immediate comes before SFPMAD.
  bool stays_immediate(const Node& node) const {
    const bool mad_first = recording_.epoch >= kMadFirst || fusion_ == Fusion::OfLiterals;
    if (mad_first && node.imm != kLanewiseLregPressure) return false;
    const bool takes_left = node.kind != Kind::FloatSub || can_negate_; // constant - x
    return (takes_left && is_float_immediate(recording_, nodes_[node.operand[0]])) ||
           is_float_immediate(recording_, nodes_[node.operand[1]]);
  }

  void form_mad(Node& node) {
    if (node.kind != Kind::FloatAdd && node.kind != Kind::FloatSub) return;
    if (fusion_ == Fusion::None || stays_immediate(node)) return;
    const auto is_fused = [&](Value product) {
      return is_own_product(product, node) && !stays_immediate(nodes_[product]);
    };
    if (is_fused(node.operand[0])) {
      fuse_first(node);
    } else if (is_fused(node.operand[1])) {
      fuse_second(node);
    }
  }

  /// a * b + c, a * b - c
  void fuse_first(Node& node) {
    if (node.kind == Kind::FloatSub && !can_negate_) return;
    fuse(node, node.operand[0], node.operand[1], node.kind == Kind::FloatSub ? kNegateAddend : 0);
  }

  /// c + a * b, c - a * b
  void fuse_second(Node& node) {
    const Value product = node.operand[1];
    if (node.kind == Kind::FloatAdd) return fuse(node, product, node.operand[0], 0);
    if (can_negate_) return fuse(node, product, node.operand[0], kNegateProduct);
    for (const Value factor : {nodes_[product].operand[0], nodes_[product].operand[1]}) {
      if (!is_own_constant(factor) || printed_[product]) continue;
      flip(factor);
      return fuse(node, product, node.operand[0], 0);
    }
  }

  void fuse(Node& node, Value product, Value addend, std::uint8_t mod) {
    const Value a = nodes_[product].operand[0];
    const Value b = nodes_[product].operand[1];
    drop_operands(node);
    node.kind = Kind::FloatMad;
    node.mod = mod ^ nodes_[product].mod;
    use(node, 0, a);
    use(node, 1, b);
    use(node, 2, addend);
    if (can_negate_) fold_into_addend(node);
    if (uses_[product] == 0) { // only Print may still look at it
      --uses_[a];
      --uses_[b];
    }
  }

  /// Grayskull: + 0.5 and - 0.5 as the mode of what makes the other summand, under the predicate
  /// that still holds here.
  void fold_half(Node& node) {
    if (node.kind != Kind::FloatAdd || node.mod != 0) return;
    for (unsigned i = 0; i < 2; ++i) {
      const Value sum = node.operand[i];
      const std::uint8_t mod = half_mode(nodes_[node.operand[1 - i]]);
      if (mod == 0 || !takes_half(sum, node)) continue;
      const Node made = nodes_[sum];
      drop_operands(node);
      node.kind = made.kind;
      node.imm = made.imm;
      node.mod = mod;
      for (unsigned place = 0; place < std::size(made.operand); ++place) {
        if (made.operand[place] == kNone) continue;
        use(node, place, made.operand[place]);
        --uses_[made.operand[place]]; // the sum is no more
      }
      return;
    }
  }

  /// The mode that adds the constant of a node; 0 for any other.
  std::uint8_t half_mode(const Node& constant) const {
    std::uint32_t bits = 0;
    if (!constant_bits(recording_.arch, constant, bits)) return 0;
    switch (float_of_lane(recording_.arch, bits)) {
      case kHalf: return isa::kMode<isa::Op::SFPMAD, "PLUS_HALF">;
      case kMinusHalf: return isa::kMode<isa::Op::SFPMAD, "MINUS_HALF">;
      default: return 0;
    }
  }

  bool takes_half(Value sum, const Node& user) const {
    const Node& node = nodes_[sum];
    const bool is_sum = node.kind == Kind::FloatAdd || node.kind == Kind::FloatSub ||
                        node.kind == Kind::FloatMul || node.kind == Kind::FloatMad;
    return is_sum && node.mod == 0 && uses_[sum] == 1 && !printed_[sum] &&
           lane_changes_[sum] == lane_changes_[index(user)];
  }

  Value index(const Node& node) const { return static_cast<Value>(&node - nodes_.data()); }

  void drop_operands(Node& node) {
    for (Value& operand : node.operand) {
      if (operand == kNone) continue;
      --uses_[operand];
      operand = kNone;
    }
  }
  void use(Node& node, unsigned place, Value value) {
    node.operand[place] = value;
    ++uses_[value];
  }
  void replace(Node& node, unsigned place, Value value) {
    --uses_[node.operand[place]];
    use(node, place, value);
  }

  Recording& recording_;
  Fusion fusion_;
  std::vector<Node>& nodes_;
  bool can_negate_;
  std::vector<std::uint32_t> uses_;
  std::vector<bool> printed_;               ///< values that a Print shows: they must not change
  std::vector<Value> alias_;                ///< the condition that stands for a comparison
  std::vector<std::uint32_t> lane_changes_; ///< number of predicate changes before each node
};

} // namespace

void combine(Recording& recording, Fusion fusion) {
  Combiner(recording, fusion).run();
}

} // namespace lanewise::compiler
