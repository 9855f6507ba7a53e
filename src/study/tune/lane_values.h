// What an instruction of the Vector Unit computes of terms.
#pragma once

#include <array>
#include <optional>

#include "chip/machine/micro_op.h"
#include "chip/machine/vector/vector_state.h"
#include "study/tune/terms.h"

namespace lanewise::tune {

/// A result, and what it makes of the flags of enabled lanes.
struct LaneResult {
  std::optional<Term> value = std::nullopt; ///< for VD
  std::optional<TruthTerm> flags = std::nullopt;
};

using LaneRegisters = std::array<Term, kLRegs>;

/// The result of `op`, which reads `registers` where lanes have `flags`. Nothing if the
/// instruction, or its mode, has no terms here.
std::optional<LaneResult> lane_result(Arch arch, const MicroOp& op, const LaneRegisters& registers,
                                      TruthTerm flags);

/// The register that gets the value: VD, or the one that LReg[7] names; one that is not writable
/// where that names none. Nothing if LReg[7] is no constant.
std::optional<unsigned> destination(const MicroOp& op, const LaneRegisters& registers);

/// What SFPSWAP exchanges VC and VB by. Nothing for its modes that differ from lane to lane.
std::optional<TruthTerm> exchanges(const MicroOp& op, const LaneRegisters& registers);

/// Bits of an SFPLOADI's register.
Term loaded_immediate(const MicroOp& op, Term old);

} // namespace lanewise::tune
