// What instructions may change places with: stretches between instructions that must stay where
// they are, and accesses to Dst.
#pragma once

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// Whether an SFPLOAD or SFPSTORE with this section of ADDR_MOD, in this mode, moves the counters.
bool moves_counters(Arch arch, unsigned addr_mod, unsigned mod);

/// Whether the instruction stays where it is, and nothing moves across it: words of the author's,
/// changes of the enabled lanes, of the flag stack and of configuration, l_reg, instructions that
/// take lanes from elsewhere or LRegs that they do not name, and accesses to Dst that move the
/// counters.
bool is_fence(Arch arch, const Instr& instr);

/// Whether it is a fence only since it changes the enabled lanes or the flag stack: what v_if and
/// its relatives are made of.
bool is_predicate(Arch arch, const Instr& instr);

/// Whether it is an INCRWC of SFPI's own, that is dst_reg++, which moves the Dst counter alone.
bool is_row_step(const Instr& instr);

inline constexpr unsigned kLargestStep = 15; ///< of INCRWC, four bits

/// By how many rows of Dst it moves the counter, 1..kLargestStep. For row steps.
unsigned step_of(const Instr& instr);
void set_step(Instr& instr, unsigned rows);

/// Whether it is an SFPLOAD or an SFPSTORE.
bool accesses_dst(const Instr& instr);

/// Whether two accesses, with the same counters, may meet in a cell of Dst. Different addresses do
/// not if both take 16 or both 32 bits; a Dst address is a pair of rows and columns (VU C17).
bool may_meet(const Instr& a, const Instr& b);

/// Whether instructions may be moved at all: words that schedule others (SFPLOADMACRO) count cycles
/// or instructions, and settings of LaneConfig or ADDR_MOD change what an address means. Words that
/// set what holds without them do not matter, as those with which LLK starts: LaneConfig 0,
/// sections of ADDR_MOD but for increments in the one that stands still, and where a tile lies in
/// Dst.
bool may_reorder(const Code& code);

/// Dst addresses: 10 bits (VU C17).
inline constexpr unsigned kDstAddresses = 1024;

} // namespace lanewise::compiler
