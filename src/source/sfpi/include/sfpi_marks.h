// How an operation reaches the code of a core, where a section is compiled for RV32
// (run/section/core_source.h): it leaves a mark, which stands for the instructions that lanewise's
// own compiler makes of it. Nothing is recorded there: the section that runs on the host is.
//
// The same names as in sfpi_node.h. A vector is nothing to a core, so that all of this is gone once
// it is inlined, but for the marks.
#pragma once

#include <cstdint>

#include "lanewise_marks.h"
#include "lanewise_recorder.h"
#include "sfpi_opcode.h"

/// A vector has no value on a core.
struct __xtt_vector {
  static constexpr std::uint32_t node = 0;
};
using __rvtt_vec_t = __xtt_vector;

#define LANEWISE_ALWAYS_INLINE inline __attribute__((always_inline))

namespace lanewise_sfpi {

using Vector = __xtt_vector;

/// A mark is volatile so that it stays where it is, and is repeated where a loop is unrolled.
LANEWISE_ALWAYS_INLINE Vector leave_mark() {
  asm volatile(".ttinsn %0" : : "i"(kLanewiseVectorMark));
  return {};
}
LANEWISE_ALWAYS_INLINE Vector leave_opening() {
  asm volatile(".ttinsn %0" : : "i"(kLanewiseVectorOpening));
  return {};
}

/// An instruction word: it stands in the code, or if the core computes it, is stored.
LANEWISE_ALWAYS_INLINE void push_word(std::uint32_t word) {
  constexpr std::uintptr_t kInstructionBuffer = 0xFFE40000;
  if (__builtin_constant_p(word))
    asm volatile(".ttinsn %0" : : "i"(word));
  else
    *reinterpret_cast<volatile std::uint32_t*>(kInstructionBuffer) = word;
}

/// Whether no instruction comes of such a node.
constexpr bool is_only_a_name(LanewiseKind kind) {
  return kind == LanewiseKind::Undefined || kind == LanewiseKind::ConstRegister ||
         kind == LanewiseKind::ReadLReg || kind == LanewiseKind::Result;
}

/// What is wrong with a kernel is told on the host.
LANEWISE_ALWAYS_INLINE void fail(const char* /*message*/, const char* /*remedy*/) {}

LANEWISE_ALWAYS_INLINE Vector leaf(LanewiseKind kind, std::int32_t imm = 0) {
  if (kind == LanewiseKind::Print) return {};
  if (kind == LanewiseKind::Raw) {
    push_word(static_cast<std::uint32_t>(imm));
    return {};
  }
  return is_only_a_name(kind) ? leave_opening() : leave_mark();
}

LANEWISE_ALWAYS_INLINE Vector append(const lanewise_node& node) {
  return leaf(node.kind, node.imm);
}

LANEWISE_ALWAYS_INLINE std::uint32_t number_of(Vector /*vector*/) {
  return 0;
}

LANEWISE_ALWAYS_INLINE std::uint32_t context() {
  return 0;
}

LANEWISE_ALWAYS_INLINE Vector assigned(Vector /*old_value*/, Vector value,
                                       std::uint32_t /*declared*/) {
  return value;
}

LANEWISE_ALWAYS_INLINE Vector operation(LanewiseKind kind, std::int32_t /*imm*/, Vector /*a*/) {
  return is_only_a_name(kind) ? leave_opening() : leave_mark();
}
LANEWISE_ALWAYS_INLINE Vector operation(LanewiseKind /*kind*/, Vector /*a*/, Vector /*b*/) {
  return leave_mark();
}

/// A Tensix instruction: one mark, when it is appended.
class Instruction {
 public:
  LANEWISE_ALWAYS_INLINE Instruction(Opcode /*opcode*/, unsigned /*mod*/,
                                     std::int32_t /*imm*/ = 0) {}
  LANEWISE_ALWAYS_INLINE Instruction& va(Vector) { return *this; }
  LANEWISE_ALWAYS_INLINE Instruction& vb(Vector) { return *this; }
  LANEWISE_ALWAYS_INLINE Instruction& vc(Vector) { return *this; }
  LANEWISE_ALWAYS_INLINE Instruction& vd(Vector) { return *this; }
  LANEWISE_ALWAYS_INLINE Instruction& lreg(unsigned, Vector) { return *this; }
  LANEWISE_ALWAYS_INLINE Instruction& addr_mod(int) { return *this; }
  LANEWISE_ALWAYS_INLINE operator Vector() const { return leave_mark(); }
};

} // namespace lanewise_sfpi
