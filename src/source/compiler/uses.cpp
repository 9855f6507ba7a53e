#include "source/compiler/uses.h"

#include "chip/isa/effects.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// Instructions that leave more than their result. Those that take a number from the PRNG: leaving
/// one out would shift all later ones. A rotation on Wormhole, of which a later shift shows the
/// lanes at the edge (VU C36).
bool has_hidden_effect(Arch arch, const Node& node, Op op) {
  const isa::Effects effects(arch, op, node.mod);
  const bool rotates = effects.movement() == isa::Movement::Rotated ||
                       effects.movement() == isa::Movement::RotatedWithCopy;
  return effects.random_use() != isa::RandomUse::Never ||
         (rotates && arch_params(arch).vector.shuffle_edge_latch);
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
      return (isa::parts_written(op) & isa::part::kDst) != 0 ||
             has_hidden_effect(recording.arch, node, op);
    }
    default: return changes_lanes(node.kind);
  }
}

bool moves_lanes(const Recording& recording, const Node& node) {
  if (node.kind != Kind::Instruction) return false;
  return isa::moves_lanes(
      isa::Effects(recording.arch, operation(recording, node), node.mod).movement());
}

bool constant_bits(Arch arch, const Node& node, std::uint32_t& bits) {
  if (node.kind == Kind::Constant) {
    bits = static_cast<std::uint32_t>(node.imm);
    return true;
  }
  if (node.kind != Kind::ConstRegister) return false;
  const ArchParams& chip = arch_params(arch);
  const auto lreg = static_cast<unsigned>(node.imm);
  if ((chip.vector.fixed_lregs >> lreg & 1U) == 0) return false;
  bits = lane_of_float(arch, chip.vector.reset_lregs[lreg]);
  return true;
}

std::optional<unsigned> literal_register(const Recording& recording, const Node& node) {
  constexpr int kLooksInRegisters = 746;
  if (node.kind != Kind::Constant || recording.epoch < kLooksInRegisters) return std::nullopt;
  switch (static_cast<std::uint32_t>(node.imm)) { // seed 000, 1.2
    case 0x3F56594B: return 8;
    case 0: return 9;
    case 0x3F800000: return 10;
    case 0xBF800000: return 11; // by the kernels' convention
    default: return std::nullopt;
  }
}

bool is_float_immediate(const Recording& recording, const Node& node) {
  constexpr std::uint32_t kLowHalf = 0xFFFF, kExponent = 0x7F800000;
  const std::uint32_t bits = float_of_lane(recording.arch, static_cast<std::uint32_t>(node.imm));
  const bool is_finite = (bits & kExponent) != kExponent;
  const bool takes_all = arch_params(recording.arch).vector.nan_form == NanForm::Canonical;
  return node.kind == Kind::Constant && (bits & kLowHalf) == 0 && (is_finite || takes_all) &&
         !literal_register(recording, node);
}

bool is_zero(Arch arch, const Node& node) {
  std::uint32_t bits = 1;
  return constant_bits(arch, node, bits) && bits == 0;
}

} // namespace lanewise::compiler
