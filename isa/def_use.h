// Which LRegs an instruction reads and writes, and when its result is there: what depends on a
// mode.
#pragma once

#include <cstdint>

#include "isa/arch.h"

namespace lanewise::isa {

/// Registers as a mask: bit i = LReg[i], i in 0..15.
using LRegSet = std::uint32_t;

/// Every register that the word may write, in any lane and state. Indirect VD may reach LReg[0..7].
/// A word that may be a template write (VD 12..15) counts as executed.
LRegSet lregs_written(Arch arch, std::uint32_t word);

/// Every register whose value the word's effect may depend on. A partial write (disabled lanes keep
/// their value) does not count as a read of the destination.
LRegSet lregs_read(Arch arch, std::uint32_t word);

/// Cycles until the result can be read; 0 where the table has none (VU 5.1).
unsigned latency(Arch arch, std::uint32_t word);

} // namespace lanewise::isa
