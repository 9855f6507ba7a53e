// What is pushed on one way through a file's functions, as a program: so that the clock and its
// checker, which know straight programs only, can look at it.
#pragma once

#include <cstdint>
#include <vector>

#include "binary/paths/program_graph.h"
#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/machine/state.h"

namespace lanewise::paths {

/// What a program finds when it starts.
struct StartState {
  FrontEnd front_end;
  MachineState machine;
};

class StraightCode {
 public:
  /// `graph` must outlive this.
  StraightCode(const ProgramGraph& graph, Arch arch);

  /// The words in a row. As their source lines they have the numbers of line_of(). Words that the
  /// code computes, and MOPs, whose configuration it may compute, stand as NOP.
  Program program_of(const std::vector<WordPlace>& words) const;

  /// From 1.
  std::uint32_t line_of(WordPlace at) const;
  WordPlace at_line(std::uint32_t line) const;

  /// What is there when a block begins: the words have been executed that are pushed on the way to
  /// it that pushes most, without going back. The way begins where the function does, or if another
  /// one calls it, where that one does. So macros, replay slots and configuration are those that
  /// this way has programmed.
  StartState before(Place place) const;

 private:
  class WayBefore;

  const ProgramGraph& graph_;
  Arch arch_;
  std::vector<std::uint32_t> first_lines_; ///< of each function
};

} // namespace lanewise::paths
