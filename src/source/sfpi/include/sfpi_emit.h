// Instruction words that a kernel writes itself, or that SFPI issues as they are.
#pragma once

#include <cstdint>

#include "sfpi_node.h"

namespace lanewise_sfpi {

/// Issues the instruction word at this point of the kernel, verbatim.
inline void emit(std::uint32_t word) {
  leaf(LanewiseKind::Raw, static_cast<std::int32_t>(word));
}

/// The same for a word that is SFPI's own: the compiler may make it part of a recorded REPLAY.
inline void emit_own(std::uint32_t word) {
  lanewise_node own;
  own.kind = LanewiseKind::Raw;
  own.mod = 1;
  own.imm = static_cast<std::int32_t>(word);
  append(own);
}

} // namespace lanewise_sfpi
