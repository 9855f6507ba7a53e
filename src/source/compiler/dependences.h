// Which instruction of a stretch must come before which, and how far apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// An instruction that must come later, at least `distance` cycles.
struct Dependence {
  std::size_t later = 0; ///< counted from the beginning of the stretch
  unsigned distance = 1;
};

/// For each instruction of [first, last), of which at most the last is a fence
/// (source/compiler/regions.h), those that must come after it as far as operands go. A result of
/// two cycles is not read, nor its register written again, in the next cycle (VU 5.2); accesses
/// that may meet in Dst keep their order, as do numbers that are drawn from the PRNG.
std::vector<std::vector<Dependence>> find_dependences(const Code& code, std::size_t first,
                                                      std::size_t last);

/// Cycles for which the instruction has the Vector Unit to itself: SFPSWAP has two (VU 5.2).
unsigned cycles_of(Arch arch, const Instr& instr);

} // namespace lanewise::compiler
