// lanewise elf --tile: the ELF files of three cores on one tile.
#pragma once

#include <string>

#include "chip/isa/arch.h"
#include "cli/command.h"
#include "cli/l1_files.h"

namespace lanewise::cli {

struct ElfTileOptions {
  std::string math, pack; ///< files of T1 and T2; "" = none
  std::string entry;      ///< a call of a function in each file; "" = from the file's entry
  L1Options l1;

  /// Whether any of them is given.
  bool are_given() const {
    return !math.empty() || !pack.empty() || !entry.empty() || !l1.in.empty() || !l1.out.empty() ||
           !l1.config.empty() || l1.hazards || l1.races.is_given() || l1.time.time ||
           l1.time.asks();
  }
};

void add_elf_tile_options(const Command& command, ElfTileOptions& options);

/// Runs the programs until all have ended.
ExitStatus run_elf_tile(const std::string& unpack, Arch arch, const ElfTileOptions& options);

} // namespace lanewise::cli
