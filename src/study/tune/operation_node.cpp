#include "study/tune/operation_node.h"

#include <utility>

#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "study/tune/modes.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

using isa::Op;

class OperationReader {
 public:
  OperationReader(Arch arch, OperandSource& source) : arch_(arch), source_(source) {}

  std::optional<Node> node_of(const MicroOp& op) {
    const isa::Decoded word = isa::decode(arch_, op.word);
    const auto immediate = [&](std::string_view field) {
      return static_cast<std::int32_t>(word[field]);
    };
    const auto with_argument = [&](std::string_view field) -> Node {
      return (op.mod & mod::kImmediate) != 0 ? unary(op, op.vc, op.mod, immediate(field))
                                             : binary(op, op.mod);
    };
    if (op.op == Op::SFPMAD || op.op == Op::SFPADD || op.op == Op::SFPMUL || op.op == Op::SFPADDI ||
        op.op == Op::SFPMULI)
      return multiply(op);
    if (op.op == Op::SFPMUL24) return multiply_integers(op);
    if (op.op == Op::SFPLUT || op.op == Op::SFPLUTFP32) return look_up(op);
    if (op.op == Op::SFPSTOCHRND) return round(op);
    if (op.op == Op::SFPSHFT) return shift(op);
    // Half of a register; a whole one reads nothing, and is a constant.
    if (op.op == Op::SFPLOADI) return unary(op, op.vd, op.mod, immediate("Imm16"));
    if (op.op == Op::SFPIADD) return without_flags(with_argument("Imm12"));
    if ((op.op == Op::SFPGT || op.op == Op::SFPLE) && op.mod == mod::kCompareValue)
      return binary(op, op.mod);
    if (op.op == Op::SFPSHFT2 && op.mod == mod::kShiftByImmediate) // as SFPSHFT does it
      return Node{.kind = NodeKind::Operation,
                  .op = Op::SFPSHFT,
                  .mod = mod::kImmediate,
                  .immediate = immediate("Imm12"),
                  .operands = {source_.value_of(op.vb)}};
    if (op.op == Op::SFPSHFT2) return binary(op, op.mod);
    if (op.op == Op::SFPSETMAN) return with_argument("Imm12");
    if (op.op == Op::SFPSETEXP) return with_argument("Imm8");
    if (op.op == Op::SFPSETSGN) return with_argument("Imm1");
    if (op.op == Op::SFPDIVP2) return unary(op, op.vc, op.mod, immediate("Imm12"));
    if (op.op == Op::SFPAND || op.op == Op::SFPOR || op.op == Op::SFPXOR) return binary(op, 0);
    if (op.op == Op::SFPARECIP && op.mod == mod::kConditionalReciprocal) return std::nullopt;
    if (op.op == Op::SFPEXEXP || op.op == Op::SFPLZ)
      return unary(op, op.vc, op.mod & ~(mod::kSetFlags | mod::kComplement), 0);
    if (op.op == Op::SFPEXMAN || op.op == Op::SFPABS || op.op == Op::SFPNOT ||
        op.op == Op::SFPCAST || op.op == Op::SFPARECIP || op.op == Op::SFPMOV)
      return unary(op, op.vc, op.mod, 0);
    return std::nullopt;
  }

 private:
  std::optional<Node> multiply(const MicroOp& op) {
    Node node{
        .kind = NodeKind::Operation,
        .op = Op::SFPMAD,
        .mod = op.mod,
        .operands = {source_.value_of(op.va), source_.value_of(op.vb), source_.value_of(op.vc)}};
    if (op.op == Op::SFPADDI || op.op == Op::SFPMULI) {
      const NodeId number = source_.constant(isa::decode(arch_, op.word)["Imm16"] << 16);
      const NodeId value = source_.value_of(op.vc);
      const bool negates = (op.mod & mod::kNegateVc) != 0; // the register, an addend or a factor
      node.mod = 0;
      if (op.op == Op::SFPMULI) {
        node.operands = {value, number, source_.constant(kZeroBits)};
        if (negates) node.mod = mod::kNegateVa;
      } else if (negates) {
        node.operands = {source_.constant(kOneBits), number, value};
        node.mod = mod::kNegateVc;
      } else {
        node.operands = {source_.constant(kOneBits), value, number};
      }
    }
    fold_signs(node);
    return node;
  }

  /// The addend must be the constant 0: others change the product (VU 3.7).
  std::optional<Node> multiply_integers(const MicroOp& op) const {
    const Node* addend = source_.node(source_.value_of(op.vc));
    if (addend == nullptr || addend->kind != NodeKind::Constant || addend->bits != kZeroBits)
      return std::nullopt;
    return Node{
        .kind = NodeKind::Operation,
        .op = op.op,
        .mod = op.mod,
        .operands = {source_.value_of(op.va), source_.value_of(op.vb), source_.value_of(op.vc)}};
  }

  /// Blackhole: the sign of a factor and of the addend is part of the instruction.
  void fold_signs(Node& node) const {
    if (!arch_params(arch_).vector.mad_negate_bits) return;
    for (unsigned i = 0; i < 3; ++i) {
      const Node* found = source_.node(node.operands[i]);
      if (found == nullptr) continue;
      const Node& operand = *found;
      if (operand.kind != NodeKind::Operation || operand.op != Op::SFPMOV ||
          operand.conditions != 0)
        continue;
      node.operands[i] = operand.operands[0];
      node.mod ^= static_cast<std::uint8_t>(i == 2 ? mod::kNegateVc : mod::kNegateVa);
    }
  }

  /// The table must be constant, and the destination named by the word.
  std::optional<Node> look_up(const MicroOp& op) const {
    if ((op.mod & mod::kIndirectVd) != 0) return std::nullopt;
    Node node{.kind = NodeKind::Operation,
              .op = op.op,
              .mod = op.mod,
              .operands = {source_.value_of(kLookupInput)}};
    for (const unsigned lreg : table_registers(arch_, node)) {
      const Node* entry = source_.node(source_.value_of(lreg));
      if (entry == nullptr || entry->kind != NodeKind::Constant) return std::nullopt;
      node.operands.push_back(source_.value_of(lreg));
    }
    return node;
  }

  Node unary(const MicroOp& op, unsigned source, unsigned modifier, std::int32_t immediate) const {
    return {.kind = NodeKind::Operation,
            .op = op.op,
            .mod = static_cast<std::uint8_t>(modifier),
            .immediate = immediate,
            .operands = {source_.value_of(source)}};
  }

  Node binary(const MicroOp& op, unsigned modifier) const {
    return {.kind = NodeKind::Operation,
            .op = op.op,
            .mod = static_cast<std::uint8_t>(modifier),
            .operands = {source_.value_of(op.vc), source_.value_of(op.vb)}};
  }

  std::optional<Node> round(const MicroOp& op) const {
    const isa::Decoded word = isa::decode(arch_, op.word);
    const unsigned rounding = word["RoundingMode"] | word["Stochastic"];
    if ((rounding & mod::kStochastic) != 0) return std::nullopt;
    Node node = unary(op, op.vc, op.mod, static_cast<std::int32_t>(word["Imm5"]));
    node.rounding = static_cast<std::uint8_t>(rounding);
    const bool shifts = isa::has_mode<Op::SFPSTOCHRND, "INT32_TO_UINT8">(op.mod) ||
                        isa::has_mode<Op::SFPSTOCHRND, "INT32_TO_INT8">(op.mod);
    if (shifts && !isa::has_mode<Op::SFPSTOCHRND, "USE_IMM5">(op.mod)) return std::nullopt;
    return node;
  }

  std::optional<Node> shift(const MicroOp& op) const {
    const std::int32_t amount = static_cast<std::int32_t>(isa::decode(arch_, op.word)["Imm12"]);
    if ((op.mod & mod::kImmediate) == 0) return binary(op, op.mod);
    const bool uses_vc = (op.mod & mod::kUseVc) != 0;
    return unary(op, uses_vc ? op.vc : op.vb, op.mod & (mod::kImmediate | mod::kShiftArithmetic),
                 amount);
  }

  /// SFPIADD in the form that leaves the flags alone.
  static Node without_flags(Node node) {
    node.mod = static_cast<std::uint8_t>((node.mod & ~mod::kAddGte0) | mod::kNoFlags);
    return node;
  }

  Arch arch_;
  OperandSource& source_;
};

} // namespace

std::optional<Node> operation_node(Arch arch, const MicroOp& op, OperandSource& source) {
  return OperationReader(arch, source).node_of(op);
}

} // namespace lanewise::tune
