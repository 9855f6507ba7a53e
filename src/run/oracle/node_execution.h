// One arithmetic node on the machine's own Vector Unit: the node as an instruction whose operands
// are in fixed registers, and the registers borrowed for it.
//
// Operand i of a node is put into LReg[i] and the result is taken from LReg[3], whatever the node.
// So an interpreter needs no register allocation, and shares none with the compiler.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/fault.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"
#include "source/compiler/comparison.h"
#include "source/compiler/ir.h"

namespace lanewise::oracle {

/// A value of the 32 lanes of a group.
using Lanes = std::array<std::uint32_t, kLanes>;

/// The register from which the result of a node is taken.
inline constexpr unsigned kResultLReg = 3;

/// An Instruction, FloatAdd, FloatSub, FloatMul, FloatMad or WriteConst node as an instruction with
/// operand i in LReg[i]: FloatAdd is SFPADD with VA = L10, FloatMul is SFPMUL with VC = L9,
/// FloatSub is SFPADD with VC negated where the chip can do that, else SFPMAD with VB = L11. Error:
/// of decode_micro_op(), or Unsupported for a form that cannot be had in these registers.
Expected<MicroOp> node_micro_op(const compiler::Recording& recording, const compiler::Node& node);

/// LReg[0..7] and the flags, free to use until this goes away; then they are as before. The
/// programmable constants, the PRNG, Dst and the counters are the machine's own all the time.
class BorrowedRegisters {
 public:
  /// `lanes` are those that instructions may touch.
  BorrowedRegisters(VectorState& vector, std::uint32_t lanes);
  ~BorrowedRegisters();
  BorrowedRegisters(const BorrowedRegisters&) = delete;
  BorrowedRegisters& operator=(const BorrowedRegisters&) = delete;

  void put(unsigned lreg, const Lanes& value);
  Lanes take(unsigned lreg) const;

 private:
  VectorState& vector_;
  std::uint32_t saved_[kWritableLRegs][kLanes];
  std::uint32_t flags_, use_flags_;
};

/// Comparisons as source/compiler/comparison.h has them.
class Comparison {
 public:
  Comparison(Arch arch, compiler::ComparisonRules rules);

  /// The lanes in which `left relation right` holds, all 32 of them. `left_is_zero`,
  /// `right_is_zero`: the side is the literal 0.
  std::uint32_t holds(MachineState& state, compiler::Relation relation, compiler::NumberType type,
                      const Lanes& left, const Lanes& right, bool left_is_zero,
                      bool right_is_zero) const;

 private:
  std::uint32_t is_before(MachineState& state, const Lanes& first, const Lanes& second) const;
  Lanes float_difference(MachineState& state, const Lanes& first, const Lanes& second) const;

  Arch arch_;
  compiler::ComparisonRules rules_;
  MicroOp difference_;           ///< SFPMAD: LReg[3] = LReg[0] - LReg[1]
  std::optional<MicroOp> order_; ///< SFPGT of LReg[1] and LReg[0], where the chip has it
};

} // namespace lanewise::oracle
