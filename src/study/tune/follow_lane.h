// What a program makes of one lane of each row, as terms: instruction words in the order in which
// the machine executes them, those included that SFPLOADMACROs have scheduled. Apart from rows.h,
// so that a proof does not believe what the tuner has read out of the program.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>

#include "base/fault.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"
#include "study/tune/terms.h"

namespace lanewise::tune {

/// The cell of a lane: the first of four physical rows of Dst, and even or odd columns.
struct CellPlace {
  unsigned row = 0;
  bool is_odd = false;
  friend auto operator<=>(const CellPlace&, const CellPlace&) = default;
};

/// 16 bits each, as Dst stores them.
using LaneCells = std::map<CellPlace, Term>;

/// Variables from here on are what registers hold at the start: LReg[0..7] and LReg[16].
inline constexpr std::uint32_t kRegisterVariables = 1U << 16;

/// Executes `ops` from `start` on `cells`, which must have every cell that is loaded. Error:
/// Unsupported, which names the instruction that has no terms or the reason, with the line.
Expected<LaneCells> follow_lane(TermGraph& graph, const MachineState& start,
                                std::span<const MicroOp> ops, LaneCells cells);

} // namespace lanewise::tune
