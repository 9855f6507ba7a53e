// How an operation reaches the recorder: one node each (lanewise_recorder.h).
#pragma once

#include <cstdint>

#include "lanewise_recorder.h"
#include "sfpi_opcode.h"

/// A vector as the recorder knows it: the number of the node that made it.
struct __xtt_vector {
  std::uint32_t node = kLanewiseNone;
};
using __rvtt_vec_t = __xtt_vector; ///< its name up to release 7.35

namespace lanewise_sfpi {

using Vector = __xtt_vector;

/// Ends the recording with an error at the line that is running.
inline void fail(const char* message, const char* remedy) {
  lanewise_recorder* const recorder = lanewise_current_recorder;
  if (recorder != nullptr) {
    recorder->fail(recorder->self, message, remedy, __builtin_frame_address(0));
  }
}

/// Appends a node. Objects that are made before the kernel runs have no recorder; their vectors
/// stay without a node, which number_of() reports where they are used.
inline Vector append(const lanewise_node& node) {
  lanewise_recorder* const recorder = lanewise_current_recorder;
  if (recorder == nullptr) return {};
  return {recorder->node(recorder->self, &node, __builtin_frame_address(0))};
}

inline std::uint32_t number_of(Vector vector) {
  if (vector.node == kLanewiseNone) {
    fail("a vector is used that no operation of this kernel has made",
         "make vectors inside the kernel's functions, not as global or static variables");
  }
  return vector.node;
}

inline std::uint32_t context() {
  lanewise_recorder* const recorder = lanewise_current_recorder;
  return recorder == nullptr ? 0 : recorder->context(recorder->self);
}

/// What a variable holds after `variable = value`: see lanewise_recorder::assign.
inline Vector assigned(Vector old_value, Vector value, std::uint32_t declared) {
  lanewise_recorder* const recorder = lanewise_current_recorder;
  if (recorder == nullptr) return value;
  return {recorder->assign(recorder->self, number_of(old_value), number_of(value), declared,
                           __builtin_frame_address(0))};
}

/// A node without operands.
inline Vector leaf(LanewiseKind kind, std::int32_t imm = 0) {
  lanewise_node node;
  node.kind = kind;
  node.imm = imm;
  return append(node);
}

/// A node with one operand, or with two.
inline Vector operation(LanewiseKind kind, std::int32_t imm, Vector a) {
  lanewise_node node;
  node.kind = kind;
  node.imm = imm;
  node.operand[0] = number_of(a);
  return append(node);
}
inline Vector operation(LanewiseKind kind, Vector a, Vector b) {
  lanewise_node node;
  node.kind = kind;
  node.operand[0] = number_of(a);
  node.operand[1] = number_of(b);
  return append(node);
}

/// A Tensix instruction; its operands are added before it is appended.
class Instruction {
 public:
  Instruction(Opcode opcode, unsigned mod, std::int32_t imm = 0) {
    node_.kind = LanewiseKind::Instruction;
    node_.opcode = opcode;
    node_.mod = static_cast<std::uint8_t>(mod);
    node_.imm = imm;
  }
  Instruction& va(Vector v) { return operand(0, v); }
  Instruction& vb(Vector v) { return operand(1, v); }
  Instruction& vc(Vector v) { return operand(2, v); }
  /// The value of VD before, for instructions that read it.
  Instruction& vd(Vector v) { return operand(3, v); }
  /// The operand that the instruction takes from LReg[index].
  Instruction& lreg(unsigned index, Vector v) { return operand(index, v); }
  Instruction& addr_mod(int section) {
    node_.addr_mod = static_cast<std::uint8_t>(section);
    return *this;
  }
  operator Vector() const { return append(node_); }

 private:
  Instruction& operand(unsigned index, Vector v) {
    node_.operand[index] = number_of(v);
    return *this;
  }
  lanewise_node node_;
};

} // namespace lanewise_sfpi
