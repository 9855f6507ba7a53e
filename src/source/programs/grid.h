// A program on many cores: which cores run it, and what each of them sees of it, as a program of
// one core.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "source/programs/layout.h"
#include "source/programs/program.h"

namespace lanewise::programs {

/// Columns and rows of the device that a program sees.
Core grid_of(const Program& program);

/// The cores that run a kernel, row by row.
std::vector<Core> cores_of(const Program& program);

/// What a core sees of the program: its kernels with its arguments, its circular buffers and
/// semaphores, and all buffers, whose contents remain with the whole.
Program program_of(const Program& program, const Core& core);

/// A program on one of its cores.
struct CoreProgram {
  Program program;
  Layout layout;
  /// Cores of the same number run the same kernels with the same circular buffers: what is compiled
  /// for one of them is good for all.
  std::size_t group = 0;
};

/// Addresses of circular buffers are the same on all cores that have them: behind what any of these
/// has before (as tt-metal's allocators do it). Error: BadInput; as of lay_out(), or of cores that
/// are not in the grid.
Expected<std::vector<CoreProgram>> place_on_cores(const Program& program);

/// place_on_cores(), and whether circular buffers and buffers in L1 are apart.
Expected<std::vector<CoreProgram>> lay_out_on_cores(const Program& program);

/// How many groups there are.
std::size_t groups_of(const std::vector<CoreProgram>& cores);

} // namespace lanewise::programs
