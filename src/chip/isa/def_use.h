// Which LRegs a word reads and writes, and when its result is there: chip/isa/effects.h in short.
#pragma once

#include <cstdint>

#include "chip/isa/arch.h"

namespace lanewise::isa {

/// Registers as a mask: bit i = LReg[i], i in 0..15.
using LRegSet = std::uint32_t;

/// Effects::lregs_written() and lregs_read() of a word.
LRegSet lregs_written(Arch arch, std::uint32_t word, bool tracks_index = true);
LRegSet lregs_read(Arch arch, std::uint32_t word, bool tracks_index = true);

/// Whether the word writes a macro template instead of executing, as long as DISABLE_BACKDOOR_LOAD
/// is 0: VD is 12..15 (VU C13).
bool is_template_write(Arch arch, std::uint32_t word);

/// Cycles until the result can be read; 0 where the table has none (VU 5.1).
unsigned latency(Arch arch, std::uint32_t word);

} // namespace lanewise::isa
