// The registers of an instruction word: which fields name what is read and written, and which
// registers it touches whatever its fields are.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/def_use.h"
#include "chip/isa/row.h"

namespace lanewise::tune {

/// A field that names a register, and what becomes of that register.
struct RegisterField {
  const isa::Field* field = nullptr;
  bool is_read = false, is_written = false;
};

struct WordRegisters {
  std::vector<RegisterField> fields; ///< those that are read or written
  isa::LRegSet fixed_reads = 0, fixed_writes = 0;
};

/// `tracks_index`: instructions move index registers as well (chip/isa/effects.h): then every
/// register is a fixed one where they do.
WordRegisters registers_of(Arch arch, std::uint32_t word, bool tracks_index);

/// The word with all those fields 0: what it is apart from its registers.
std::uint32_t without_registers(std::uint32_t word, const WordRegisters& registers);

/// The word with another register in a field.
std::uint32_t with_register(std::uint32_t word, const isa::Field& field, unsigned lreg);

/// A load or store at another place.
std::uint32_t with_place(Arch arch, std::uint32_t word, unsigned addr_mod, std::uint32_t address);

} // namespace lanewise::tune
