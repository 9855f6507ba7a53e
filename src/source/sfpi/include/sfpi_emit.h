// Instruction words that a kernel writes itself, or that SFPI issues as they are.
#pragma once

#include <cstdint>

#include "sfpi_node.h"

namespace lanewise_sfpi {

/// Issues the instruction word at this point of the kernel, verbatim.
inline void emit(std::uint32_t word) {
  leaf(LanewiseKind::Raw, static_cast<std::int32_t>(word));
}

/// The same for a word that the core writes into the instruction buffer. `is_constant`: the kernel
/// gives its fields as constant expressions; else the core may have to compute them.
inline void emit_written(std::uint32_t word, bool is_constant) {
  lanewise_node written;
  written.kind = LanewiseKind::Raw;
  written.mod = is_constant ? 0 : kLanewiseComputedWord;
  written.imm = static_cast<std::int32_t>(word);
  append(written);
}

/// The same for a word that is SFPI's own: the compiler may make it part of a recorded REPLAY.
inline void emit_own(std::uint32_t word) {
  lanewise_node own;
  own.kind = LanewiseKind::Raw;
  own.mod = kLanewiseOwnWord;
  own.imm = static_cast<std::int32_t>(word);
  append(own);
}

} // namespace lanewise_sfpi
