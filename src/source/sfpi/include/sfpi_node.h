// How an operation reaches the recorder: one node each (lanewise_recorder.h).
#pragma once

#include <cstdint>

#include "lanewise_recorder.h"

/// A vector as the recorder knows it: the number of the node that made it.
struct __xtt_vector {
  std::uint32_t node = kLanewiseNone;
};
using __rvtt_vec_t = __xtt_vector; ///< its name up to release 7.35

namespace lanewise_sfpi {

using Vector = __xtt_vector;

/// Tensix opcodes that SFPI operations become.
enum Opcode : std::uint8_t {
  kSfpLoad = 0x70,
  kSfpLoadI = 0x71,
  kSfpStore = 0x72,
  kSfpLut = 0x73,
  kSfpDivP2 = 0x76,
  kSfpExExp = 0x77,
  kSfpExMan = 0x78,
  kSfpIAdd = 0x79,
  kSfpShft = 0x7A,
  kSfpMov = 0x7C,
  kSfpAbs = 0x7D,
  kSfpAnd = 0x7E,
  kSfpOr = 0x7F,
  kSfpNot = 0x80,
  kSfpLz = 0x81,
  kSfpSetExp = 0x82,
  kSfpSetMan = 0x83,
  kSfpSetSgn = 0x89,
  kSfpTransp = 0x8C,
  kSfpXor = 0x8D,
  kSfpStochRnd = 0x8E,
  kSfpCast = 0x90,
  kSfpSwap = 0x92,
  kSfpShft2 = 0x94,
  kSfpLutFp32 = 0x95,
  kSfpMul24 = 0x98,
  kSfpARecip = 0x99,
};

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

/// 32 bits in every lane.
inline Vector constant(std::uint32_t bits) {
  return leaf(LanewiseKind::Constant, static_cast<std::int32_t>(bits));
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

/// A unary instruction: VC in, VD out.
inline Vector unary(Opcode opcode, unsigned mod, Vector c, std::int32_t imm = 0) {
  return Instruction(opcode, mod, imm).vc(c);
}

/// A two-address instruction: VC and the old VD in, VD out.
inline Vector two_address(Opcode opcode, unsigned mod, Vector c, Vector d) {
  return Instruction(opcode, mod).vc(c).vd(d);
}

/// Result `index` of an instruction that has several.
inline Vector result(Vector instruction, int index) {
  return operation(LanewiseKind::Result, index, instruction);
}

} // namespace lanewise_sfpi
