#include "source/compiler/known_values.h"

#include <array>
#include <iterator>

#include "chip/isa/fields.h"
#include "chip/semantics/fma.h"
#include "chip/semantics/integer.h"
#include "source/compiler/uses.h"

namespace lanewise::compiler {

namespace {

namespace sem = semantics;
using isa::has_mode;
using isa::kMode;
using isa::Op;
using Bits = std::uint32_t;
using Known = std::optional<Bits>;

constexpr Bits kOneBits = 0x3F800000; // LReg[10]

/// Infinities and NaNs stay for the unit: of them it matters how an instruction is written.
bool is_finite(Bits bits) {
  return (bits & sem::kExponentMask) != sem::kExponentMask;
}

Known multiply_add(Arch arch, Bits x, Bits y, Bits z) {
  if (!is_finite(x) || !is_finite(y) || !is_finite(z)) return std::nullopt;
  const Bits result = sem::fma_exact(arch, x, y, z);
  return is_finite(result) ? Known(result) : std::nullopt;
}

/// The operands of a node by their places. A place without operand is 0.
class OperandBits {
 public:
  OperandBits(const Recording& recording, const Node& node) : arch_(recording.arch) {
    for (unsigned i = 0; i < std::size(node.operand); ++i) {
      if (node.operand[i] == kNone) continue;
      all_known_ &= constant_bits(arch_, recording.nodes[node.operand[i]], bits_[i]);
      any_ = true;
    }
  }
  bool are_known() const { return any_ && all_known_; }
  Bits operator[](unsigned place) const { return bits_[place]; }

 private:
  Arch arch_;
  std::array<Bits, std::size(Node{}.operand)> bits_{};
  bool all_known_ = true, any_ = false;
};

/// As the instructions do it that the compiler makes of these nodes.
Known sum_or_product(Arch arch, const Node& node, const OperandBits& of) {
  const bool negates = arch_params(arch).vector.mad_negate_bits;
  const Bits first_sign = (node.mod & 1U) != 0 ? sem::kSign : 0;
  const Bits last_sign = (node.mod & 2U) != 0 ? sem::kSign : 0;
  switch (node.kind) {
    case Kind::FloatAdd: return multiply_add(arch, kOneBits, of[0], of[1]);
    case Kind::FloatSub: // without negate bits it takes LReg[11], which a kernel may set
      return negates ? multiply_add(arch, kOneBits, of[0], of[1] ^ sem::kSign) : std::nullopt;
    case Kind::FloatMul: return multiply_add(arch, of[0] ^ first_sign, of[1], 0);
    case Kind::FloatMad: return multiply_add(arch, of[0] ^ first_sign, of[1], of[2] ^ last_sign);
    default: return std::nullopt;
  }
}

/// VU C26. Forms that set flags are no values.
Known integer_sum(const Node& node, const OperandBits& of) {
  if (!has_mode<Op::SFPIADD, "CC_NONE">(node.mod)) return std::nullopt;
  if (has_mode<Op::SFPIADD, "ARG_IMM">(node.mod)) return of[kVc] + static_cast<Bits>(node.imm);
  return has_mode<Op::SFPIADD, "ARG_2SCOMP_LREG_DST">(node.mod) ? of[kVc] - of[kVd]
                                                                : of[kVc] + of[kVd];
}

/// VU C36.
Known shifted(Arch arch, const Node& node, const OperandBits& of) {
  const bool has_modes = arch_params(arch).vector.shift_has_modes;
  const bool arithmetic = has_modes && (node.mod & kMode<Op::SFPSHFT, "ARITHMETIC">) != 0;
  const bool shifts_vc = has_modes && (node.mod & kMode<Op::SFPSHFT, "ARG_IMM_USE_VC">) != 0;
  if (!has_mode<Op::SFPSHFT, "ARG_IMM">(node.mod)) return sem::shift(of[kVd], of[kVc], arithmetic);
  return sem::shift_all(shifts_vc ? of[kVc] : of[kVd], node.imm, arithmetic);
}

/// VU C31: the field of VC is replaced by the immediate or by that of VD.
Known with_field(const Node& node, Bits number, Bits mask, Bits immediate, Bits other) {
  constexpr auto kImmediate = kMode<Op::SFPSETMAN, "ARG_IMM">;
  static_assert(kImmediate == kMode<Op::SFPSETEXP, "ARG_IMM"> &&
                kImmediate == kMode<Op::SFPSETSGN, "ARG_IMM">);
  return (number & ~mask) | (((node.mod & kImmediate) != 0 ? immediate : other) & mask);
}

Known integer_result(const Recording& recording, const Node& node, const OperandBits& of) {
  const auto imm = static_cast<Bits>(node.imm);
  const Bits c = of[kVc], d = of[kVd];
  switch (operation(recording, node)) {
    case Op::SFPIADD: return integer_sum(node, of);
    case Op::SFPAND: return node.mod == 0 ? Known(c & d) : std::nullopt;
    case Op::SFPOR: return node.mod == 0 ? Known(c | d) : std::nullopt;
    case Op::SFPXOR: return c ^ d;
    case Op::SFPNOT: return ~c;
    case Op::SFPSHFT: return shifted(recording.arch, node, of);
    case Op::SFPEXEXP: // VU C27: other modes set flags
      if (node.mod > kMode<Op::SFPEXEXP, "NODEBIAS">) return std::nullopt;
      return sem::exponent_field(c) - (node.mod == 0 ? sem::kBias : 0);
    case Op::SFPLZ: return node.mod == 0 ? Known(sem::leading_zeros(c)) : std::nullopt;
    case Op::SFPSETSGN: return with_field(node, c, sem::kSign, imm << 31, d);
    case Op::SFPSETMAN: return with_field(node, c, sem::kMantissaMask, imm << 11, d);
    case Op::SFPSETEXP:
      return with_field(node, c, sem::kExponentMask, imm << 23,
                        has_mode<Op::SFPSETEXP, "ARG_EXPONENT">(node.mod) ? d : d << 23);
    default: return std::nullopt;
  }
}

/// What is tested of both sides; the order of SFPGT as a negative number or 0.
Known measured(const Recording& recording, const Node& compare, Measure measure, Bits first,
               Bits second) {
  switch (measure) {
    case Measure::First: return first;
    case Measure::Bits: return first - second;
    case Measure::Order: {
      const auto key = [](Bits bits) {
        return static_cast<std::int32_t>(sem::total_order_key(bits));
      };
      return key(first) < key(second) ? sem::kSign : 0;
    }
    case Measure::Difference: break;
  }
  if (compare.type != NumberType::Float) return first - second;
  if (!difference_negates(comparison_rules(recording.epoch), recording.arch))
    return std::nullopt; // by LReg[11], too
  return multiply_add(recording.arch, kOneBits | sem::kSign, second, first);
}

} // namespace

std::optional<std::uint32_t> known_bits(const Recording& recording, const Node& node) {
  if (has_narrow_lanes(recording.arch)) return std::nullopt;
  const OperandBits operands(recording, node);
  if (!operands.are_known()) return std::nullopt;
  return node.kind == Kind::Instruction ? integer_result(recording, node, operands)
                                        : sum_or_product(recording.arch, node, operands);
}

std::optional<bool> known_outcome(const Recording& recording, const Node& compare,
                                  const Decision& decision) {
  if (has_narrow_lanes(recording.arch)) return std::nullopt;
  const OperandBits sides(recording, compare);
  if (!sides.are_known()) return std::nullopt;
  const Bits first = sides[decision.swapped ? 1 : 0];
  const Bits second = sides[decision.swapped ? 0 : 1];
  const Known bits = measured(recording, compare, decision.measure, first, second);
  if (!bits) return std::nullopt;
  return has_outcome(decision.outcome, *bits);
}

} // namespace lanewise::compiler
