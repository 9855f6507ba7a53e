// Instruction words of operations, in registers that have been chosen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "study/tune/forms.h"
#include "study/tune/model.h"

namespace lanewise::tune {

/// Registers of an operation's operands, in the order of the graph's, and of its result.
struct OperandRegisters {
  std::vector<unsigned> operands;
  unsigned result = 0;
  /// Encoding::Immediate: the only operand is the value, and this is the other one.
  std::uint32_t immediate = 0;
  bool adds = false;
};

/// An operation as an instruction of its own.
std::uint32_t issued_word(Arch arch, const Node& node, Encoding encoding,
                          const OperandRegisters& registers, unsigned tied);

/// SFPPUSHC, SFPPOPC, SFPCOMPC, and the SFPENCC that enables all lanes.
std::uint32_t control_word(Arch arch, isa::Op op);

/// An operation as a macro template. `macro_operand`: the place in the graph's operands that the
/// macro's register takes, or kNone.
std::uint32_t template_word(Arch arch, const Node& node, Encoding encoding,
                            const OperandRegisters& registers, unsigned macro_operand,
                            bool indirect);

/// The registers of a look-up table, in the order of the node's operands behind the input
/// (VU 3.6, C44).
std::vector<unsigned> table_registers(Arch arch, const Node& lookup);

/// What every chip has.
std::uint32_t nop_word(Arch arch);
std::uint32_t load_word(Arch arch, unsigned lreg, unsigned mode, unsigned addr_mod, int address);
std::uint32_t store_word(Arch arch, unsigned lreg, unsigned mode, unsigned addr_mod, int address);
std::uint32_t macro_word(Arch arch, unsigned index, unsigned lreg, unsigned mode, unsigned addr_mod,
                         int address);
std::uint32_t replay_word(Arch arch, unsigned first, unsigned count, bool records,
                          bool executes = false);
std::uint32_t set_config_word(Arch arch, unsigned destination, unsigned immediate, bool is_value);
std::uint32_t set_thread_config_word(Arch arch, unsigned word, unsigned value);
std::uint32_t advance_word(Arch arch, unsigned rows);
/// The Dst counter's copy moves, and the counter is where it is.
std::uint32_t advance_copy_word(Arch arch, unsigned rows);

/// The AddrMod field of the last section, which moves nothing, as SFPI uses it; the one in front of
/// it is programmed to move Dst.
unsigned still_field(Arch arch);
unsigned moving_field(Arch arch);
/// The section behind the moving field. Wormhole's fields are of the sections from 4 on, with the
/// base that LLK sets.
unsigned moving_section(Arch arch);
/// What programs it to move Dst alone.
std::vector<std::uint32_t> moving_section_words(Arch arch, unsigned stride);

/// SFPLOADIs that put bits into an LReg: one or two words.
std::vector<std::uint32_t> load_immediate_words(Arch arch, unsigned lreg, std::uint32_t bits);

/// "TTI_SFPMAD(0, 1, 2, 3, 0)".
std::string tti_text(Arch arch, std::uint32_t word);

} // namespace lanewise::tune
