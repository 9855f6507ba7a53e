#include "source/compiler/fold.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "source/compiler/dead_code.h"
#include "source/compiler/known_values.h"
#include "source/compiler/regions.h"
#include "source/compiler/uses.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// From an If to its EndIf.
struct Chain {
  std::vector<Value> arms; ///< the If, and each ElseIf and Else
  Value end = kNone;       ///< the EndIf
};

class LiteralFolder {
 public:
  explicit LiteralFolder(Recording& recording)
      : recording_(recording),
        nodes_(recording.nodes),
        stands_for_(nodes_.size(), kNone),
        holds_(nodes_.size()),
        decisions_(nodes_.size()) {
    for (Value number = 0; number < nodes_.size(); ++number) {
      if (!nodes_[number].dead && nodes_[number].kind == Kind::Compare)
        decisions_[number] = decide(recording_, nodes_[number]);
    }
  }

  bool run() {
    for (Value number = 0; number < nodes_.size(); ++number) {
      Node& node = nodes_[number];
      if (node.dead) continue;
      for (Value& operand : node.operand) {
        if (operand != kNone) operand = resolved(operand);
      }
      fold(number);
      follow_depth(node);
    }
    if (removed_predicates_) enter_contexts();
    return found_ && keeps_decisions();
  }

 private:
  void fold(Value number) {
    Node& node = nodes_[number];
    switch (node.kind) {
      case Kind::FloatAdd:
      case Kind::FloatSub:
      case Kind::FloatMul:
      case Kind::FloatMad:
      case Kind::Instruction:
        if (const auto bits = known_bits(recording_, node)) become_constant(node, *bits);
        break;
      case Kind::FromCondition:
        if (const auto holds = holds_[node.operand[0]]) become_constant(node, *holds ? 1 : 0);
        break;
      case Kind::Compare:
        holds_[number] = known_outcome(recording_, node, decisions_[number]);
        break;
      case Kind::Not:
        if (const auto holds = holds_[node.operand[0]]) holds_[number] = !*holds;
        break;
      case Kind::And: combine(number, false); break;
      case Kind::Or: combine(number, true); break;
      case Kind::Assign:
        // Without a predicate around it, it has all lanes of its variable.
        if (depth_ == 0 && removed_predicates_) replace(number, node.operand[1]);
        break;
      case Kind::If:
        if (const auto holds = holds_[node.operand[0]]) take_arm(number, *holds);
        break;
      default: break;
    }
  }

  /// A comparison with the literal 0 is decided by the other side itself, of which a difference
  /// with a 0 that was computed is another number if it is a denormal.
  bool keeps_decisions() const {
    Recording rest = recording_;
    remove_dead_code(rest);
    for (Value number = 0; number < rest.nodes.size(); ++number) {
      const Node& node = rest.nodes[number];
      if (node.dead || node.kind != Kind::Compare) continue;
      if (decide(rest, node) != decisions_[number]) return false;
    }
    return true;
  }

  void become_constant(Node& node, std::uint32_t bits) {
    node.kind = Kind::Constant;
    node.opcode = node.mod = node.addr_mod = 0;
    node.imm = static_cast<std::int32_t>(bits);
    std::ranges::fill(node.operand, kNone);
    found_ = true;
  }

  void replace(Value number, Value by) {
    stands_for_[number] = by;
    nodes_[number].dead = true;
  }

  /// And, Or: `settles` is what decides whatever the other side is.
  void combine(Value number, bool settles) {
    for (unsigned i = 0; i < 2; ++i) {
      const auto side = holds_[nodes_[number].operand[i]];
      if (!side) continue;
      if (*side == settles) {
        holds_[number] = settles;
      } else {
        const Value other = nodes_[number].operand[1 - i];
        holds_[number] = holds_[other];
        replace(number, other);
      }
      found_ = true;
      return;
    }
  }

  // ---------------------------------------------------------------- Predicates
  Chain chain_of(Value first) const {
    Chain chain{.arms = {first}};
    unsigned open = 0;
    for (Value number = first + 1;; ++number) {
      const Node& node = nodes_[number];
      if (node.dead) continue;
      if (node.kind == Kind::If || node.kind == Kind::Block) ++open;
      const bool is_end = node.kind == Kind::EndIf || node.kind == Kind::EndBlock;
      if (open == 0 && is_end) {
        chain.end = number;
        return chain;
      }
      if (is_end) --open;
      if (open == 0 && (node.kind == Kind::ElseIf || node.kind == Kind::Else))
        chain.arms.push_back(number);
    }
  }

  /// The first arm, or what comes behind it, in place of the chain.
  void take_arm(Value first, bool holds) {
    const Chain chain = chain_of(first);
    const Value second = chain.arms.size() > 1 ? chain.arms[1] : chain.end;
    const auto [from, to] = holds ? std::pair{second, chain.end} : std::pair{first, second};
    if (!stays_within(chain) || !can_leave_out(from, to)) return;
    leave_out(from, to);
    nodes_[first].dead = true;
    if (!holds && nodes_[second].kind == Kind::ElseIf) {
      nodes_[second].kind = Kind::If;
      --nodes_[chain.end].imm;
    } else {
      nodes_[second].dead = true;
      nodes_[chain.end].dead = true;
    }
    found_ = removed_predicates_ = true;
  }

  /// Words of the author between may change lanes, and count on what the EndIf brings back; so may
  /// a v_and.
  bool stays_within(const Chain& chain) const {
    return std::none_of(
        nodes_.begin() + chain.arms.front(), nodes_.begin() + chain.end, [](const Node& node) {
          const bool is_authors = node.kind == Kind::Raw && node.mod != kLanewiseOwnWord;
          return !node.dead && (is_authors || node.kind == Kind::Narrow);
        });
  }

  bool can_leave_out(Value from, Value to) const {
    for (Value number = from; number < to; ++number) {
      const Node& node = nodes_[number];
      if (node.dead || node.kind == Kind::Raw || changes_lanes(node.kind)) continue;
      if (has_effect(recording_, node) && !leaves_nothing(node)) return false;
    }
    return true;
  }

  /// Whether nothing comes of it where no lane is enabled: a store still moves counters.
  bool leaves_nothing(const Node& node) const {
    return node.kind == Kind::Instruction && operation(recording_, node) == Op::SFPSTORE &&
           !moves_counters(recording_.arch, node.addr_mod, node.mod);
  }

  /// Values stay for "dce": they are nobody's now.
  void leave_out(Value from, Value to) {
    for (Value number = from; number < to; ++number) {
      Node& node = nodes_[number];
      if (node.dead || node.kind == Kind::Raw) continue;
      if (node.kind == Kind::Assign) {
        replace(number, node.operand[0]);
      } else if (has_effect(recording_, node)) {
        node.dead = true;
      }
    }
  }
  Value resolved(Value value) const {
    while (stands_for_[value] != kNone) value = stands_for_[value];
    return value;
  }

  void follow_depth(const Node& node) {
    if (node.dead) return;
    if (node.kind == Kind::If || node.kind == Kind::Block) ++depth_;
    if (node.kind == Kind::EndIf || node.kind == Kind::EndBlock) --depth_;
  }

  /// Contexts anew, as the recorder gives them, for the predicates that are left.
  void enter_contexts() {
    std::vector<Context> contexts{Context{}};
    std::vector<std::uint32_t> outside;
    std::uint32_t current = 0;
    const auto enter = [&](std::uint32_t parent) {
      current = static_cast<std::uint32_t>(contexts.size());
      contexts.push_back({.parent = parent, .depth = contexts[parent].depth + 1});
    };
    for (Node& node : nodes_) {
      node.context = current;
      if (node.dead) continue;
      switch (node.kind) {
        case Kind::If:
        case Kind::Block: outside.push_back(current); [[fallthrough]];
        case Kind::Narrow: enter(current); break;
        case Kind::ElseIf:
        case Kind::Else: enter(outside.back()); break;
        case Kind::EndIf:
        case Kind::EndBlock:
          current = outside.back();
          outside.pop_back();
          break;
        default: break;
      }
    }
    recording_.contexts = std::move(contexts);
  }

  Recording& recording_;
  std::vector<Node>& nodes_;
  std::vector<Value> stands_for_;          ///< what a node's users read in its place
  std::vector<std::optional<bool>> holds_; ///< conditions that are known, all lanes alike
  std::vector<Decision> decisions_;        ///< how each Compare is decided
  unsigned depth_ = 0;                     ///< predicates around the place
  bool found_ = false, removed_predicates_ = false;
};

} // namespace

bool fold_known(Recording& recording) {
  return LiteralFolder(recording).run();
}

} // namespace lanewise::compiler
