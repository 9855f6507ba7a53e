#include "source/compiler/cse.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "chip/isa/effects.h"
#include "chip/isa/fields.h"
#include "source/compiler/uses.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

class Merger {
 public:
  explicit Merger(Recording& recording)
      : recording_(recording),
        nodes_(recording.nodes),
        stands_for_(nodes_.size(), kNone),
        class_(nodes_.size(), kNone) {}

  bool run() {
    bool merged = false;
    for (Value number = 0; number < nodes_.size(); ++number) {
      Node& node = nodes_[number];
      if (node.dead) continue;
      for (Value& operand : node.operand) {
        if (operand != kNone && stands_for_[operand] != kNone) operand = stands_for_[operand];
      }
      follow_state(node);
      class_[number] = number;
      if (is_known_bits(node)) {
        class_[number] = same_bits_.try_emplace(bits_key(node), number).first->second;
      } else if (is_mergeable(node)) {
        merged |= merge(number);
      }
    }
    return merged;
  }

 private:
  /// How far apart two operations may be: a value that is kept for longer takes an LReg from
  /// others, and rows that are alike should stay so, for REPLAY.
  static constexpr Value kReach = 64;

  /// All that a result depends on, but for the lanes.
  struct Key {
    Kind kind;
    std::uint8_t opcode, mod, addr_mod;
    std::int32_t imm;
    std::uint32_t era; ///< how many words of the author came before: they may change lanes
    std::array<Value, std::size(Node{}.operand)> operands;

    friend bool operator<(const Key& a, const Key& b) {
      return std::tie(a.kind, a.opcode, a.mod, a.addr_mod, a.imm, a.era, a.operands) <
             std::tie(b.kind, b.opcode, b.mod, b.addr_mod, b.imm, b.era, b.operands);
    }
  };

  /// Words of the author may change anything, WriteConst what constant registers hold.
  void follow_state(const Node& node) {
    if (node.kind == Kind::Raw && node.mod != kLanewiseOwnWord) ++era_;
    if (node.kind == Kind::WriteConst) ++constants_;
  }

  static bool is_known_bits(const Node& node) {
    return node.kind == Kind::Constant || node.kind == Kind::ConstRegister;
  }
  /// The bits of a literal, or a register and when it was read.
  std::array<std::uint32_t, 4> bits_key(const Node& node) const {
    const auto imm = static_cast<std::uint32_t>(node.imm);
    if (node.kind == Kind::Constant) return {0, imm, 0, 0};
    return {1, imm, era_, constants_};
  }

  bool is_mergeable(const Node& node) const {
    switch (node.kind) {
      case Kind::FloatAdd:
      case Kind::FloatSub:
      case Kind::FloatMul:
      case Kind::FloatMad: return true;
      case Kind::Instruction: return is_pure(node);
      default: return false;
    }
  }

  /// One result, which depends on the operands of its own lane alone.
  bool is_pure(const Node& node) const {
    if (has_effect(recording_, node) || moves_lanes(recording_, node)) return false;
    const Op op = operation(recording_, node);
    if (op == Op::SFPMOV && isa::has_mode<Op::SFPMOV, "FROM_SPECIAL">(node.mod)) return false;
    return op != Op::SFPLOAD && op != Op::SFPSWAP && op != Op::SFPTRANSP;
  }

  Key key_of(const Node& node) const {
    Key key{.kind = node.kind,
            .opcode = node.opcode,
            .mod = node.mod,
            .addr_mod = node.addr_mod,
            .imm = node.imm,
            .era = era_,
            .operands = {}};
    std::ranges::transform(node.operand, key.operands.begin(), [&](Value operand) {
      return operand == kNone ? kNone : class_[operand];
    });
    // The order of factors matters to no bit on either chip (VU 3.1, 3.2).
    const bool has_factors = node.kind == Kind::FloatMul || node.kind == Kind::FloatMad;
    if (has_factors && key.operands[0] > key.operands[1])
      std::swap(key.operands[0], key.operands[1]);
    return key;
  }

  bool merge(Value number) {
    Node& node = nodes_[number];
    std::vector<Value>& earlier = found_[key_of(node)];
    for (const Value candidate : earlier) {
      if (number - candidate > kReach) continue;
      if (!is_within(recording_, node.context, nodes_[candidate].context)) continue;
      stands_for_[number] = candidate;
      node.dead = true;
      return true;
    }
    earlier.push_back(number);
    return false;
  }

  Recording& recording_;
  std::vector<Node>& nodes_;
  std::vector<Value> stands_for_; ///< the earlier value of a merged one
  std::vector<Value> class_;      ///< the first node that has certainly the same bits
  std::map<std::array<std::uint32_t, 4>, Value> same_bits_;
  std::map<Key, std::vector<Value>> found_;
  std::uint32_t era_ = 0, constants_ = 0;
};

} // namespace

bool merge_common(Recording& recording) {
  return Merger(recording).run();
}

} // namespace lanewise::compiler
