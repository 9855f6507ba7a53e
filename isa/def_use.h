// Which LRegs an instruction reads and writes, and when its result is there: what depends on a
// mode.
#pragma once

#include <cstdint>

#include "isa/arch.h"

namespace lanewise::isa {

/// Registers as a mask: bit i = LReg[i], i in 0..15.
using LRegSet = std::uint32_t;

/// Every register that the word may write, in any lane and state. Indirect VD may reach LReg[0..7].
/// A word that may be a template write (VD 12..15) counts as executed. `tracks_index`: whether
/// ENABLE_DEST_INDEX or CAPTURE_DEFAULT_DEST_INDEX may be on, with which SFPSWAP and SFPLOAD move
/// index registers, too (VU C33). Of an SFPLOADMACRO, only the load counts here.
LRegSet lregs_written(Arch arch, std::uint32_t word, bool tracks_index = true);

/// Every register whose value the word's effect may depend on. A partial write (disabled lanes keep
/// their value) does not count as a read of the destination.
LRegSet lregs_read(Arch arch, std::uint32_t word, bool tracks_index = true);

/// Whether the word writes a macro template instead of executing, as long as DISABLE_BACKDOOR_LOAD
/// is 0: VD is 12..15 (VU C13).
bool is_template_write(Arch arch, std::uint32_t word);

/// Cycles until the result can be read; 0 where the table has none (VU 5.1).
unsigned latency(Arch arch, std::uint32_t word);

} // namespace lanewise::isa
