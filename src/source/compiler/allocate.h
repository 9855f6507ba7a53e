// Pass "allocate": virtual registers become LReg[0..7].
//
// The program is a straight line, so the life of a virtual register is one interval of it.
// Registers that an instruction wants in a certain LReg are placed first, the others in the order
// of the program. Where that does not do, registers move between LRegs on the way
// (source/compiler/walk.h). There is no spilling: the Vector Unit has no place to spill to.
#pragma once

#include <optional>
#include <vector>

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// Too many values at once.
struct Pressure {
  std::size_t instr = 0;      ///< where
  std::vector<unsigned> live; ///< the virtual registers that are needed there
  unsigned reserved = 0;      ///< LRegs that hold something for raw words or l_reg
  unsigned lost = 0;          ///< LRegs whose content the instruction changes beside its operands
  std::optional<unsigned> wanted; ///< the LReg that the instruction must have and cannot
};

struct Allocation {
  bool done = false;
  Code code; ///< on physical registers, without ReadLReg and WriteLReg; if not done, as far as it
             ///< came
  Pressure pressure;       ///< if not done: only `instr` and `wanted`, if that is why
  unsigned lregs_used = 0; ///< distinct LRegs 0..7 that the code names
};

/// `keep_raw`: LRegs that raw words have written are kept to the end of the program, since a later
/// kernel may read them.
Allocation allocate(const Code& code, bool keep_raw);

/// Where the most registers are needed at once. To be asked of the code that an allocation that is
/// not done has left.
Pressure highest_pressure(const Code& code, bool keep_raw);

} // namespace lanewise::compiler
