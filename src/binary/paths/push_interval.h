// How fast a core can push at best: the RISC-V instructions between the words that it pushes.
//
// A core executes one instruction per cycle at most, but for `.ttinsn`s side by side, of which
// Blackhole's cores execute four in a cycle; a loaded value, a division, a branch that was not
// predicted and the instruction cache take longer, which is not counted (ISA BabyRISCV, Frontend
// and EX1; PushTensixInstruction). So these are lower bounds: silicon takes as long, or longer. The
// coprocessor takes in one word per cycle, and more slowly where words wait or expand (T1).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/graph/loops.h"
#include "binary/paths/program_graph.h"
#include "binary/paths/straight_code.h"
#include "chip/isa/arch.h"

namespace lanewise::paths {

/// What a core does to push words.
struct PushCost {
  std::uint32_t words = 0;        ///< that are pushed
  std::uint32_t instructions = 0; ///< those that push among them
  double cycles = 0;              ///< at least
  bool calls = false;             ///< what called functions do is not counted

  /// Cycles from one word to the next, on average; nothing where none is pushed.
  std::optional<double> interval() const {
    return words == 0 ? std::nullopt : std::optional(cycles / words);
  }
};

/// Passes of a loop: ways from its head back to it, with each block once at most. Loops in it count
/// as one pass of them.
struct LoopPushes {
  graph::Node head = 0;
  std::uint32_t depth = 1; ///< 1: in no other loop
  PushCost least;          ///< the pass of the fewest cycles
  PushCost densest;        ///< the pass with the fewest cycles per word that it pushes
  /// Cycles that the coprocessor needs for the words of `densest`, one such pass after the other.
  double unit_cycles = 0;

  /// On that pass the coprocessor waits for the core.
  bool core_is_limit() const { return densest.words != 0 && densest.cycles > unit_cycles; }
};

struct PushIntervals {
  std::vector<PushCost> blocks;  ///< of each block
  std::vector<LoopPushes> loops; ///< natural loops, each before those in it
};

/// Of a function of the graph that `code` is made of.
PushIntervals find_push_intervals(const ProgramGraph& graph, const StraightCode& code,
                                  std::uint32_t function, Arch arch);

} // namespace lanewise::paths
