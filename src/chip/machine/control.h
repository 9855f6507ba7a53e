// Kernels of the instructions that have no data: predication, SFPCONFIG, configuration.
#pragma once

#include "chip/isa/row.h"
#include "chip/machine/micro_op.h"

namespace lanewise {

/// The kernel of such an instruction, or nullptr if it is not one or is not executed.
Kernel find_control_kernel(Arch arch, isa::Op op);

/// Stores the instruction's own word in InstructionTemplate[VD - 12] of every column whose
/// DISABLE_BACKDOOR_LOAD is clear, and executes it in the lanes of the others, if any (VU C13).
void template_write(MachineState& state, const MicroOp& op);

/// Reports what is wrong with a word that VD makes a template write and that is executed after all;
/// for a mode without meaning that is all that its execution does.
void report_executed_template(MachineState& state, const MicroOp& op);

/// An instruction without effect.
void no_effect(MachineState& state, const MicroOp& op);

} // namespace lanewise
