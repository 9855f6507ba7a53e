// Which scalar registers and which words of the shared configuration an instruction uses, for those
// who look for what comes too early (core.md 8, 9).
#pragma once

#include <cstdint>
#include <set>

#include "chip/isa/encoding.h"

namespace lanewise::tile {

// ---------------------------------------------------------------- Scalar registers, as a mask

/// Those that an instruction reads, or of which it replaces a half.
std::uint64_t needed_registers(const isa::Decoded& decoded);
/// Those into which it loads from memory.
std::uint64_t loaded_registers(const isa::Decoded& decoded);
/// Those that it writes, from memory or not.
std::uint64_t written_registers(const isa::Decoded& decoded);

// ---------------------------------------------------------------- Words of the shared
// configuration

/// Words behind each other.
struct WordRange {
  unsigned first = 0, count = 0;
  bool holds(unsigned word) const { return word >= first && word - first < count; }
};

/// Those that an instruction names, to read them or to write them.
WordRange named_words(Arch arch, const isa::Decoded& decoded);
/// Of these, those that it writes.
WordRange written_words(Arch arch, const isa::Decoded& decoded);

/// Those that a unit looks at while it works on an UNPACR, a PACR or an instruction of the Matrix
/// or the Vector Unit: all of their families. None of any other unit.
const std::set<unsigned>& unit_words(Arch arch, isa::Unit unit);

} // namespace lanewise::tile
