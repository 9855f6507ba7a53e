// What the hardware knows of two-cycle results: Blackhole's stall logic with its holes, and what
// Wormhole leaves to software (VU 5.2 to 5.4). Facts of words, for the clock, its checker and the
// compiler.
#pragma once

#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/isa/def_use.h"

namespace lanewise::isa {

class Effects;

/// SFPMAD and its relatives, SFPLUT and SFPLUTFP32: the result can be read in the second cycle.
bool is_mad_class(const Effects& effects);
bool is_mad_class(Arch arch, std::uint32_t word);

/// SFPSWAP, and SFPSHFT2 in modes 2 to 4: they work for two cycles.
bool takes_two_cycles(const Effects& effects);
bool takes_two_cycles(Arch arch, std::uint32_t word);

/// Whether the unit accepts nothing but SFPNOP in the cycle after the word: SFPSWAP, on Blackhole
/// also SFPSHFT2 in modes 2 to 4 (VU 5.2, 5.4).
bool holds_unit(const Effects& effects);
bool holds_unit(Arch arch, std::uint32_t word);

/// Registers that Blackhole's stall logic believes a MAD-class word to write (VU 5.2, 5.3).
LRegSet believed_writes(const Effects& effects);
LRegSet believed_writes(Arch arch, std::uint32_t word);

/// Registers that it believes a word to read in its first cycle (VU 5.2, 5.3).
LRegSet believed_reads(Arch arch, std::uint32_t word);

/// Registers that a word needs in its first cycle. SFPSWAP in mode 0 reads in its second (VU 5.3).
LRegSet first_cycle_reads(const Effects& effects);
LRegSet first_cycle_reads(Arch arch, std::uint32_t word);

/// Wormhole: whether a word may not execute in the cycle after SFPSHFT2 in modes 2 to 4, whatever
/// its registers; presumably they share a result port (VU 5.4).
bool shares_result_port(Arch arch, std::uint32_t word);

} // namespace lanewise::isa
