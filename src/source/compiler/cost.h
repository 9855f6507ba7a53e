// What a program takes, for the choice between several ways to compile a kernel.
#pragma once

#include <cstdint>
#include <span>

#include "chip/isa/arch.h"
#include "source/compiler/replay.h"

namespace lanewise::compiler {

/// Whether the words' way from the core counts.
enum class Pushes : std::uint8_t { Free, TakeTime };

/// Cycles from the first to the last instruction (docs/timing.md: T1 to T5): a slot per
/// instruction, waiting for two-cycle results, SFPSWAP's second cycle, one for each recording; at
/// least the time that the core takes to push the words.
double cycles_of(Arch arch, std::span<const ReplayWord> words, Pushes pushes);

} // namespace lanewise::compiler
