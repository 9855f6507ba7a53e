// Random kernels: recordings that a kernel writer could have made, for tests of the compiler.
#pragma once

#include <cstdint>

#include "source/compiler/ir.h"

namespace lanewise::oracle {

struct RandomKernelOptions {
  unsigned statements = 40; ///< about: assignments, stores, predicates, ...
  /// Levels of v_if, v_elseif and v_block inside each other. The flag stack has room for 8, of
  /// which a condition may need some.
  unsigned max_depth = 7;
  /// Variables that have a value at the same time, at most 7. Together with the temporaries of each
  /// expression, counted with caution, they need no more than the 8 LRegs.
  unsigned max_live = 5;
  bool random_numbers = true;  ///< operations that take from the PRNG
  bool fixed_registers = true; ///< look-up tables and transposes
  bool lregs =
      true; ///< l_reg[] at the beginning and the end, and words that load an LReg in between
  /// Words of the author's own: counters, replayed ones too, NOPs, flags; with `lregs` also words
  /// that compute on LRegs, with SFPI between them.
  bool raw_words = true;
};

/// The kernel of a seed, the same on every machine. Whatever the lanes hold when it runs, no lane
/// without a value gets anywhere: interpret() finds nothing wrong with it. Source line n is
/// statement n.
compiler::Recording random_kernel(Arch arch, std::uint64_t seed,
                                  const RandomKernelOptions& options = {});

} // namespace lanewise::oracle
