// A micro-op: one instruction, decoded once, ready to execute any number of times.
#pragma once

#include <cstdint>

#include "isa/encoding.h"
#include "isa/fault.h"

namespace lanewise {

struct MachineState;
struct MicroOp;

/// What executes an instruction. Kernels never throw and never print.
using Kernel = void (*)(MachineState&, const MicroOp&);

struct MicroOp {
  Kernel kernel = nullptr; ///< what the machine calls
  /// The instruction itself, where `kernel` is the check for a template write.
  Kernel instruction = nullptr;
  std::uint32_t word = 0;
  std::uint32_t line = 0;     ///< source line, from 1; 0 = none
  std::int32_t immediate = 0; ///< the immediate field, sign-extended where the table says so
  isa::Op op = isa::Op::NOP;
  std::uint8_t va = 0, vb = 0, vc = 0, vd = 0;
  std::uint8_t mod = 0; ///< Mod0 or Mod1
  std::uint8_t addr_mod = 0;
};

/// Decodes one word for a chip.
/// Error: UndefinedBehavior for an opcode that the chip lacks, Unsupported for an instruction that
/// is not executed yet (named in the message), both with the line.
Expected<MicroOp> decode_micro_op(Arch arch, std::uint32_t word, std::uint32_t line);

} // namespace lanewise
