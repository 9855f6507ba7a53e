#include "compiler/uses.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// Instructions that leave more than their result. Those that take a number from the PRNG: leaving
/// one out would shift all later ones. A rotation on Wormhole, of which a later shift shows the
/// lanes at the edge (VU C36).
bool has_hidden_effect(Arch arch, const Node& node, Op op) {
  constexpr unsigned kRotateAndCopy = 2, kRotate = 3;
  switch (op) {
    case Op::SFPMOV: return (node.mod & 8) != 0;
    case Op::SFPCAST: return node.mod == 1;
    case Op::SFPSTOCHRND: return true;
    case Op::SFPSHFT2:
      return arch_params(arch).shuffle_edge_latch &&
             (node.mod == kRotateAndCopy || node.mod == kRotate);
    default: return false;
  }
}

} // namespace

std::vector<std::uint32_t> count_uses(const Recording& recording) {
  std::vector<std::uint32_t> count(recording.nodes.size());
  for (const Node& node : recording.nodes) {
    if (node.dead || node.kind == Kind::Print) continue;
    for_each_operand(node, [&](Value operand) { ++count[operand]; });
  }
  return count;
}

bool changes_lanes(Kind kind) {
  switch (kind) {
    case Kind::If:
    case Kind::ElseIf:
    case Kind::Else:
    case Kind::EndIf:
    case Kind::Block:
    case Kind::EndBlock:
    case Kind::Narrow: return true;
    default: return false;
  }
}

bool has_effect(const Recording& recording, const Node& node) {
  switch (node.kind) {
    case Kind::WriteLReg:
    case Kind::WriteConst:
    case Kind::Raw: return true;
    case Kind::Instruction: {
      const Op op = operation(recording, node);
      return op == Op::SFPSTORE || has_hidden_effect(recording.arch, node, op);
    }
    default: return changes_lanes(node.kind);
  }
}

bool moves_lanes(const Recording& recording, const Node& node) {
  constexpr unsigned kShift = 5; // and the next
  if (node.kind != Kind::Instruction) return false;
  const Op op = operation(recording, node);
  return op == Op::SFPTRANSP || (op == Op::SFPSHFT2 && node.mod < kShift);
}

bool constant_bits(const Node& node, std::uint32_t& bits) {
  if (node.kind == Kind::Constant) {
    bits = static_cast<std::uint32_t>(node.imm);
    return true;
  }
  if (node.kind != Kind::ConstRegister) return false;
  switch (node.imm) { // seed 000, 1.2
    case 8: bits = 0x3F56594B; return true;
    case 9: bits = 0; return true;
    case 10: bits = 0x3F800000; return true;
    default: return false; // programmable, or different in every lane
  }
}

bool is_zero(const Node& node) {
  std::uint32_t bits = 1;
  return constant_bits(node, bits) && bits == 0;
}

} // namespace lanewise::compiler
