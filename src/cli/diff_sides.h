// The two programs of 'diff': what the second has of the first, and what each is called.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "cli/program.h"

namespace lanewise::cli {

/// What may be different for the second program; empty = as for the first.
struct SecondOptions {
  std::vector<std::string> calls;
  std::string init, entry;
  std::vector<std::string> include_dirs, defines, switches, releases;
  CheckoutOptions checkout;
};

void add_second_options(const Command& command, SecondOptions& options);

/// One of the two programs.
struct DiffSide {
  std::string file; ///< empty: its operation
  KernelOptions kernel;
  std::vector<LoadedProgram> programs = {}; ///< by chip; load_sides() makes them
};

/// The first and the second.
using DiffSides = std::array<DiffSide, 2>;

/// The first as it is, and the second with what it has of the first: its file, where neither a file
/// nor an operation is named for it. Error: BadInput if nothing is different.
Expected<DiffSides> diff_sides(DiffSide first, std::string second_file,
                               const SecondOptions& options);

/// Settles operations and the formats of the tiles. Error: as settle_op() has it; BadInput if the
/// tiles of the two have different formats.
Expected<void> settle_sides(DiffSides& sides, TileFormats formats);

/// Makes the programs. Error: as load_programs() has it.
Expected<void> load_sides(DiffSides& sides, bool hex, std::span<const Arch> chips);

/// "elu, before, alpha=0.5, SFPI 7.38": with its checkout, its parameters and its release where
/// those of the other differ.
std::string side_name(const DiffSide& side, const DiffSide& other);

} // namespace lanewise::cli
