// A micro-op: one instruction, decoded once, ready to execute any number of times.
#pragma once

#include <cstdint>
#include <optional>

#include "base/fault.h"
#include "chip/isa/encoding.h"

namespace lanewise {

struct MachineState;
struct MicroOp;

/// What executes an instruction. Kernels never throw and never print.
using Kernel = void (*)(MachineState&, const MicroOp&);

struct MicroOp {
  Kernel kernel = nullptr; ///< what the machine calls
  /// The instruction itself, where `kernel` is the check for a template write, or for SFPLOADMACRO
  /// its load.
  Kernel instruction = nullptr;
  std::uint32_t word = 0;
  std::uint32_t line = 0;     ///< source line, from 1; 0 = none
  std::int32_t immediate = 0; ///< the immediate field, sign-extended where the table says so
  /// Lanes that take part, of what SFPLOADMACRO schedules (in_some_lanes(),
  /// chip/machine/scheduled.h).
  std::uint32_t lanes = ~0U;
  isa::Op op = isa::Op::NOP;
  /// Operands. Where the ISA lets VD double as a source, that source is named apart from the
  /// destination: vb in the Simple sub-unit, vc in SFPADDI and SFPMULI (VU C55).
  std::uint8_t va = 0, vb = 0, vc = 0, vd = 0;
  std::uint8_t mod = 0; ///< Mod0 or Mod1
  std::uint8_t addr_mod = 0;
  /// Of ClockState::address, where the load of an SFPLOADMACRO leaves its address for its store; 0
  /// = neither.
  std::uint8_t address_slot = 0;
};
static_assert(sizeof(MicroOp) == 2 * sizeof(Kernel) + 24,
              "programs of many thousand micro-ops are kept in memory");

/// Decodes one word for a chip; nothing where decode_micro_op() has an error.
std::optional<MicroOp> find_micro_op(Arch arch, const isa::Decoded& decoded, std::uint32_t line);

/// Decodes one word for a chip.
/// Error: UndefinedBehavior for an opcode that the chip lacks, Unsupported for an instruction that
/// is not executed yet (named in the message), both with the line.
Expected<MicroOp> decode_micro_op(Arch arch, std::uint32_t word, std::uint32_t line);

/// What a sequence byte and its SFPLOADMACRO put in place of a template's operands (VU C55).
struct MacroOperands {
  std::uint8_t vd = 0;            ///< the macro's VD, 0..7
  bool macro_is_vb = false;       ///< bit 7: it becomes VB, else VC
  bool writes_macro_lreg = false; ///< bit 6: the result goes to LReg[16], else to the macro's VD
};

/// Decodes a template as SFPLOADMACRO schedules it on Simple, MAD or Round: never as a template
/// write. The same errors.
Expected<MicroOp> decode_scheduled(Arch arch, std::uint32_t word, MacroOperands operands,
                                   std::uint32_t line);

/// A scheduled SFPSTORE of LReg[vd], 0..16, to the address that SFPLOADMACRO left in a slot (VU
/// C56).
MicroOp make_scheduled_store(Arch arch, unsigned vd, unsigned mod0, unsigned address_slot,
                             std::uint32_t line);

} // namespace lanewise
