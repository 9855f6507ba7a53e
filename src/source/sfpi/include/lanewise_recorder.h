// The interface between a kernel that is being recorded and the recorder of the running lanewise.
//
// A kernel becomes a shared object; lanewise loads it and hands it a `lanewise_recorder`. Every
// SFPI operation appends one `lanewise_node` through it. Plain data and function pointers only, so
// that the object needs no symbol of lanewise. The meaning of each kind is in source/compiler/ir.h.
#pragma once

#include <cstdint>

#define LANEWISE_RECORDER_VERSION 2

/// No value: an operand that an operation does not have.
inline constexpr std::uint32_t kLanewiseNone = 0xFFFFFFFFU;

/// `imm` of FloatAdd, FloatSub and FloatMul in the scope of sfpi::lreg_pressure: an immediate is
/// better than a register.
inline constexpr std::int32_t kLanewiseLregPressure = 1;

/// `mod` of Raw: a word that SFPI itself issues (dst_reg++), and one whose fields are variables of
/// the kernel, so that the core may have to compute it.
inline constexpr std::uint8_t kLanewiseOwnWord = 1, kLanewiseComputedWord = 2;

/// What a node is. The order is part of the interface.
enum class LanewiseKind : std::uint8_t {
  // Values
  Undefined,     ///< a vector declared without a value
  Constant,      ///< `imm` = 32 bits in every lane
  ConstRegister, ///< `imm` = LReg 8..15 (Grayskull: 4..15), read where it is used
  ReadLReg,      ///< the value that LReg[imm], 0..7, holds at this point
  Instruction,   ///< Tensix instruction `opcode`, see lanewise_node
  Result,        ///< result number `imm` of the many-result instruction operand[0]
  FloatAdd,      ///< operand[0] + operand[1]
  FloatSub,      ///< operand[0] - operand[1]
  FloatMul,      ///< operand[0] * operand[1]
  FloatMad,      ///< operand[0] * operand[1] + operand[2]; mod bit 0 negates operand[0], bit 1
                 ///< operand[2]
  Assign,        ///< operand[1] in the enabled lanes, operand[0] in the others
  FromCondition, ///< 1 in lanes where the condition operand[0] holds, 0 in the others
  // Conditions
  Compare, ///< operand[0] `relation` operand[1], as numbers of `type`
  And,     ///< operand[0] && operand[1], conditions
  Or,      ///< operand[0] || operand[1], conditions
  Not,     ///< !operand[0], a condition
  // Predicates
  If,       ///< saves the enabled lanes, then keeps those where the condition operand[0] holds
  ElseIf,   ///< Else, then If
  Else,     ///< the saved lanes that are not enabled
  EndIf,    ///< back to the lanes before the If; `imm` = number of If and ElseIf of the chain
  Block,    ///< saves the enabled lanes
  EndBlock, ///< back to the lanes before the Block
  Narrow,   ///< v_and: keeps the lanes where the condition operand[0] holds
  // Effects
  WriteLReg,  ///< LReg[imm], 0..7, := operand[0] at this point
  WriteConst, ///< programmable constant LReg[imm], 11..14, := operand[0]
  Raw,        ///< the instruction word `imm`, verbatim; `mod`: one of the two kinds below, or 0
  Print       ///< shows operand[0] as `type` under the label number `imm`
};

enum class LanewiseRelation : std::uint8_t { LT, LE, EQ, NE, GE, GT };
enum class LanewiseType : std::uint8_t { Float, Int, UInt };

/// One operation. Operands are numbers of earlier nodes, kLanewiseNone where there is none.
///
/// Instruction: `opcode` is the Tensix opcode, `mod` its Mod0 or Mod1, `imm` its immediate field,
/// `addr_mod` the ADDR_MOD section of a load or store. Operands stand for registers:
///   - most:            [0] VA, [1] VB, [2] VC, [3] the value that VD holds before (read by the
///                      two-address forms, such as SFPIADD, SFPAND, SFPSETEXP from a register)
///   - SFPSTORE:        [3] the value to store
///   - SFPSTOCHRND:     [1] VB, [2] VC; `imm` = RoundingMode << 8 | Imm5
///   - SFPLUT, SFPLUTFP32: operand[i] is in LReg[i] (tables 0..2 and 4..6, the input 3)
///   - SFPSWAP:         [2] VC, [3] VD; Result 0 is VC afterwards, Result 1 is VD
///   - SFPTRANSP:       operand[i] is in LReg[i], i in 0..3; Result i is LReg[i] afterwards.
///                      Operands 4..7 may be given; if not, LReg[4..7] are lost.
struct lanewise_node {
  LanewiseKind kind = LanewiseKind::Undefined;
  LanewiseRelation relation = LanewiseRelation::LT;
  LanewiseType type = LanewiseType::Float;
  std::uint8_t opcode = 0;
  std::uint8_t mod = 0;
  std::uint8_t addr_mod = 0;
  std::uint16_t reserved = 0;
  std::int32_t imm = 0;
  std::uint32_t operand[8] = {kLanewiseNone, kLanewiseNone, kLanewiseNone, kLanewiseNone,
                              kLanewiseNone, kLanewiseNone, kLanewiseNone, kLanewiseNone};
};

/// `frame` is __builtin_frame_address(0) of a function of the kernel's object: the recorder follows
/// the frame pointers to find the source line.
struct lanewise_recorder {
  std::uint32_t version; ///< LANEWISE_RECORDER_VERSION
  std::uint32_t
      arch; ///< 0 Blackhole, 1 Wormhole, 2 Grayskull, as the kernel must have been compiled
  void* self;
  /// Appends a node and returns its number.
  std::uint32_t (*node)(void* self, const lanewise_node* node, const void* frame);
  /// The value of a variable after `variable = value`: `value` itself where no lane can tell the
  /// difference, else a new Assign node. `declared` is the context in which the variable was
  /// declared.
  std::uint32_t (*assign)(void* self, std::uint32_t old_value, std::uint32_t value,
                          std::uint32_t declared, const void* frame);
  /// The current predicate context: a number that changes with every If, Else, Narrow, ... and
  /// comes back after EndIf.
  std::uint32_t (*context)(void* self);
  /// The number of a text, for Print.
  std::uint32_t (*text)(void* self, const char* text);
  /// Ends the recording with an error at the kernel's line. Does not return.
  void (*fail)(void* self, const char* message, const char* remedy, const void* frame);
};

/// The recorder of this object; set by lanewise before the kernel is called.
extern "C" {
// One per shared object, which is what lanewise looks it up in.
// NOLINTNEXTLINE(misc-definitions-in-headers)
__attribute__((weak)) lanewise_recorder* lanewise_current_recorder = nullptr;
}
