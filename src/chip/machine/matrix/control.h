// What Matrix Unit instructions do beside computing: they wait for banks, move counters, hand banks
// over, clear and shift registers (MU 1.2, 3, 7).
#pragma once

#include "chip/isa/row.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise {

/// The kernel of such an instruction, SETDVALID of the Miscellaneous Unit among them, or nullptr.
Kernel find_matrix_control_kernel(isa::Op op);

/// Whether what addresses rows of Dst sees 32-bit ones: FP32 or INT8 is configured (MU 7, MOVD2A,
/// ZEROACC).
bool has_32bit_dst(const ConfigState& config);

/// Sources whose current bank an instruction needs to be the Matrix Unit's: until it is, hardware
/// does not start it (MU 1.2, 8).
struct NeededSources {
  bool srca = false, srcb = false;
};
NeededSources needed_sources(isa::Op op);

/// The Wait Gate: reports if the current bank of SrcA or SrcB does not belong to the Matrix Unit
/// (MU 1.2). A program has no other thread here that could hand it over, so execution goes on as if
/// it had come.
void await_srca(MachineState& state, const MicroOp& op);
void await_srcb(MachineState& state, const MicroOp& op);

/// What comes last in moves: ADDR_MOD with fidelity and bias (MU 3.2).
void apply_matrix_addr_mod(MachineState& state, const MicroOp& op);

/// What arithmetic instructions do beside their results: they wait for both sources (MU 8), then
/// ADDR_MOD, then the flips of bits 22 (SrcA) and 23 (SrcB). A flip hands the current bank back
/// unless CLR_DVALID_*_Disable is set, and goes on to the other bank in either case (MU 1.2, 7).
void finish_matrix_instruction(MachineState& state, const MicroOp& op);

} // namespace lanewise
