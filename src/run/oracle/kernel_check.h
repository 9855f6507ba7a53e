// A compiled kernel against its interpretation: the same random machine, before and after.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/isa/program.h"
#include "chip/machine/state.h"
#include "source/compiler/ir.h"

namespace lanewise::oracle {

/// A machine as a kernel may find it, all from the seed: as enter_kernel() leaves it, with Dst,
/// LReg[0..7], the programmable constants and the PRNG at random, a random base of the Dst counter,
/// and Dst read as 16 or 32 bits wide. The ADDR_MOD section that kernels use for accesses without
/// increment moves nothing; the others are random.
MachineState random_kernel_state(Arch arch, std::uint64_t seed);

/// LRegs whose last WriteLReg must be seen when the kernel has ended, as bits. What reads or writes
/// the LReg later, and an SFPTRANSP that does not name it, end that.
std::uint32_t kept_lregs(const compiler::Recording& recording);

struct KernelCheck {
  std::vector<Fault> interpreter_faults;
  std::vector<Fault> program_faults;
  /// The first difference of Dst, programmable constants, kept LRegs, PRNG, counters, enabled lanes
  /// and flag stack, as a sentence; empty if there is none.
  std::string difference;

  bool ok() const { return difference.empty(); }
};

/// Interprets the recording, which must be what the compiler has left after the passes that change
/// roundings, and runs the program, both on random_kernel_state(seed).
KernelCheck check_kernel(const compiler::Recording& recording, const Program& program,
                         std::uint64_t seed);

} // namespace lanewise::oracle
